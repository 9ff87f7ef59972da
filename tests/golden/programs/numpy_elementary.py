# Functions of floats at their ends and at special values: numbers of a dozen digits.
import numpy as np
v=np.array([0.0,-0.0,1,-1,np.inf,-np.inf,np.nan,1e-310,-1e-310,1e300,-1e300,1000,8,0.5,-745.2,710.1,-0.5,2,100,1e-5])
import warnings; warnings.simplefilter("ignore")
for f in "exp2 expm1 log1p log2 log10 cbrt cosh sinh arcsinh arccosh arctanh arctan arcsin arccos tan square isnan isinf isfinite logical_not".split():
    r=getattr(np,f)(v)
    print(f, [float("%.13g"%x) for x in r])
    r=getattr(np,f)(v.astype(np.float32))
    print(f, [float("%.6g"%x) for x in r])
w=np.array([2,3,0.5,-1,0,np.inf,-np.inf,np.nan,-3.0,1/3])
for y in w: print(y, [float("%.13g"%x) for x in np.power(v,y)], [float("%.6g"%x) for x in np.power(v.astype(np.float32),np.float32(y))])
for y in w: print(y, [float("%.13g"%x) for x in np.hypot(v,y)])
print(np.log10(np.array([1000,1e5,10,1e-3,1e15])), np.log2(np.array([8,1024,0.25])), np.exp2(np.arange(-3.0,5)))
print(np.isnan([1,2]), np.isinf(np.array([1j,complex(np.inf,0)])), np.logical_not([0,3]), np.square([True,False]), np.square(np.int8([100])), np.logical_xor([1,0],[2.5,0]), np.isnan(np.float16(np.nan)))
print(repr(np.arange(3.)**2), np.arange(3)**2, np.float32([1,-2])**3)
