# Views of strides show and write the memory of their array, and stay inside of it.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view as swv, as_strided
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
a=np.arange(24.).reshape(4,6)
w=swv(a,3,axis=1,writeable=True); w[0,0,2]=77; print(a[0], w[0,:3])
t(lambda: swv(a,(3,))); t(lambda: swv(a,5,axis=0)); t(lambda: swv(a,(2,2),axis=(0,))); t(lambda: swv(a,2,axis=3)); t(lambda: swv(a, -1, 0))
t(lambda: swv(a[::2,::-1],(2,2)).sum((2,3))); t(lambda: swv(a,(2,2),axis=(0,0)).shape)
t(lambda: swv(a,(2,2)).base is not None); t(lambda: swv(a,2,0).__setitem__(0,1))
d=as_strided(a,(4,),(56,)); d[...]=-1; print(a)
t(lambda: as_strided(a,(2,3),(8,)))
t(lambda: as_strided(a,(0,3)).shape); t(lambda: as_strided(np.float32(3),(4,),(0,))); t(lambda: as_strided(a[1:],(2,2),(-48,8)))
print(swv(np.arange(5),3).sum(1), np.convolve(np.arange(5),np.ones(3),'valid'))
b=np.arange(6); c=swv(b,2); b+=10; print(c.tolist(), np.median(c,axis=-1), (c@[1,2]), c.copy().strides, np.ascontiguousarray(c).flags.c_contiguous)
r=np.broadcast_to(1.,(2,2)); t(lambda: as_strided(r,(2,)).flags.writeable)
# ndarray itself, called
print(np.ndarray((2, 3)).shape, np.ndarray((2,), np.int16, buffer=b"abcd"), np.ndarray((2, 2), np.int32, np.arange(9, dtype=np.int32), strides=(12, 4)))
memory = bytearray(8)
np.ndarray(2, np.int32, memory)[1] = 5
x = np.arange(4)
v = np.ndarray((1, 2), x.dtype, x, offset=8)
v[0, 0] = 9
print(memory, x, np.shares_memory(v, x), np.ndarray((2, 2), np.uint8, b"abcd", order="F").tolist())
t(lambda: np.ndarray((9,), np.int32, b"abcd")); t(lambda: np.generic(1))
