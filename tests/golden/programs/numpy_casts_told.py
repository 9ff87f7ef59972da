# What casts and divisions of integers tell, and quotients by infinities.
import numpy as np, warnings
def told(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        r = f()
    return r, [str(x.message) for x in w]
for t in (np.int8,np.int16,np.int32,np.int64,np.uint8,np.uint32,np.uint64):
    for v in ([np.nan]*20, [1.5]*33, [np.inf]+[2.0]*40, [3e9], [-1.0], [1e20], [300.0]):
        for f in (np.float32,np.float64):
            print(t.__name__, f.__name__, v[0], len(v), told(lambda: np.array(v,f).astype(t))[1])
print(told(lambda: np.arange(10)//np.arange(10)), told(lambda: np.ones((3,4),int)%np.array([1,2,0,3])), told(lambda: np.ones((3,0),int)//0), told(lambda: np.arange(4)//2))
warnings.simplefilter("ignore")
v=np.array([7.0,-7,0,-0.0,np.inf,-np.inf,np.nan,1e-300])
for y in (np.inf,-np.inf,3.0,-3.0,0.0): print(y, v//y, v.astype(np.float32)//np.float32(y), np.float16(7)//np.float16(y))
