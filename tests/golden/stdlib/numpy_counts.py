# Steps that are imaginary are counts: np.mgrid, np.ogrid, np.r_, np.c_.
import numpy as np

print(np.r_[0:1:5j], np.r_[1, 2:4, 0:1:3j], np.mgrid[0:1:3j], np.ogrid[0:2:3j, 0:2], np.c_[0:1:2j, 0:2])
print(np.mgrid[0:2, 0:1:2j].shape, np.iscomplexobj(1j), np.iscomplexobj(1.0), np.r_[3:0:-1])
