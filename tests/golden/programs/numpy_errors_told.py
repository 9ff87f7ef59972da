import numpy as np, warnings, operator as op
b=np.array([True,False]); i=np.array([2,1],np.int8)
for name,f in (("pow",op.pow),("floordiv",op.floordiv),("mod",op.mod),("add",op.add),("mul",op.mul),("lshift",op.lshift),("rshift",op.rshift),("and",op.and_),("truediv",op.truediv),("sub",op.sub)):
    for x,y in ((b,2),(2,b),(b,b),(np.True_,2),(2,np.True_),(np.True_,np.True_),(b,np.int8(2)),(b,2.0),(np.True_,2.0),(b,True),(b,1)):
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            try: r=f(x,y); print(name, type(x).__name__, y, r, r.dtype)
            except Exception as e: print(name, type(x).__name__, y, type(e).__name__)
print(np.power(b,3).dtype, np.fmod(b,2).dtype, np.divmod(b,2)[0].dtype, np.square(b).dtype, np.left_shift(b,1).dtype, np.gcd(b,2).dtype if 1 else 0)
def t(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        try: print(repr(f()), [str(x.message) for x in w])
        except Exception as e: print(type(e).__name__, e, [str(x.message) for x in w])
for T in (np.int8,np.int16,np.int32,np.int64):
    m=np.iinfo(T).min
    for f in (lambda: T(m)//T(-1), lambda: abs(T(m)), lambda: -T(m), lambda: T(m)%T(-1), lambda: T(m)-T(1), lambda: T(m)*T(2), lambda: np.array([m],T)//T(-1), lambda: abs(np.array([m],T)), lambda: -np.array([m],T), lambda: np.abs(T(m)), lambda: np.negative(T(m)), lambda: T(m)//-1, lambda: np.floor_divide(T(m),T(-1)), lambda: T(1)//T(0), lambda: T(3)%T(0), lambda: np.uint8(5)//np.uint8(0), lambda: -np.uint8(3), lambda: T(m).__neg__(), lambda: T(m)/T(0), lambda: T(2)**T(70)): t(f)
for T in (np.float16,np.float32,np.float64):
    big=np.finfo(T).max; small=np.finfo(T).tiny
    for f in (lambda: T(big)+T(big), lambda: T(big)*T(2), lambda: T(-big)-T(big), lambda: T(big)/T(.1), lambda: T(big)**T(2), lambda: T(1)/T(0), lambda: T(0)/T(0), lambda: T(np.inf)-T(np.inf), lambda: T(np.inf)*T(0), lambda: T(1)//T(0), lambda: T(big)+1.0*float(big) if T is np.float64 else T(big)+T(big), lambda: np.exp(T(big)), lambda: np.array([big])+np.array([big]), lambda: np.array([big])*2, lambda: np.array([big],T)/T(.1), lambda: np.array([big],T)**2, lambda: np.square(T(big)), lambda: np.array([big,big],T).mean(), lambda: np.multiply(T(big),T(big)), lambda: T(small)*T(small), lambda: np.sqrt(T(-1)), lambda: np.log(T(0)), lambda: np.float64(1e300).astype(T), lambda: np.array([1e300]).astype(T), lambda: T(1e300), lambda: np.array([1e300],dtype=T), lambda: np.full(2,1e300,T), lambda: np.cosh(T(big)), lambda: np.power(T(0),T(-1)), lambda: np.hypot(T(big),T(big)), lambda: np.expm1(T(big)), lambda: np.arange(3,dtype=T)/T(0), lambda: np.copyto(np.zeros(1,T),np.array([1e300]),casting="unsafe"), lambda: np.zeros(1,T).__setitem__(0,1e300), lambda: np.where(True,T(big),T(1))*T(3), lambda: np.zeros(1,T).fill(1e300), lambda: np.concatenate([np.zeros(1,T)],dtype=T), lambda: np.asarray([1e300,1.],T), lambda: np.exp(T(-1e4)), lambda: np.mean([T(big),T(big)])): t(f)

print(np.bool_("False"), np.bool_(""))
with np.errstate(all="raise"):
    for f in (lambda: np.int8(-128) // np.int8(-1), lambda: np.float16(65504) * np.float16(2), lambda: np.full(2, 1e300, np.float32), lambda: -np.uint8(1), lambda: np.float32(1e300)):
        try: print(f())
        except FloatingPointError as e: print(e)
with np.errstate(all="ignore"): print(np.float32([1e300]), abs(np.int8(-128)), np.float16(65504) + np.float16(65504))
