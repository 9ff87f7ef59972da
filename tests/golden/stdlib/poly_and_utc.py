# Polynomials of zeros, and UTC of a moment that has a zone.
import numpy as np, datetime as dt
print(np.poly([1,2,3]), np.poly([1j,-1j]), np.poly([[2,1],[1,2]]), np.poly([]), np.poly([1+1j,2]), np.poly(np.float32([.5])).dtype)
t=dt.datetime(2024,3,1,1,30,5,tzinfo=dt.timezone(dt.timedelta(hours=2)))
print(t.utctimetuple(), t.utctimetuple().tm_isdst, dt.datetime(2024,1,1).utctimetuple()[:])
