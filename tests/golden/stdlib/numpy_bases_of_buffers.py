# Layouts of what is picked, bases of arrays over other memory, memory of BytesIO, __newobj__.
import numpy as np, io, copyreg
a = np.arange(12).reshape(3, 4)
def S(x): print(x.shape, x.strides, x.flags.c_contiguous, x.flags.f_contiguous, x.flags.owndata, x.base is None)
for e in ["a[:, [0,1]]", "a[[0,1]]", "a[[0,1], :]", "a[:, [0,1]].T", "a[:, np.array([[0,1],[1,2]])]", "a[[0,1],[1,2]]", "a[a>5]", "a[:, a[0]>1]", "a[[True,False,True]]", "a[..., [0]]", "a.T[[0,1]]", "a.T[:, [0,1]]", "a[1:, [0,1,2]]", "a[[0,2], 1:3]", "a[np.ix_([0,1],[1,2])]", "a.take([0,1],1)", "np.take(a,[0,1],axis=0)", "a[:, [0]]", "a[None, :, [0,1]]", "a[:, None, [0,1]]", "a.compress([1,0,1],0)", "a.repeat(2,1)"]:
    try: print(e, end=" "); S(eval(e))
    except Exception as x: print(type(x), x)
b = np.arange(24).reshape(2, 3, 4)
for e in ["b[:, [0,1]]", "b[:, :, [0,1]]", "b[:, [0,1], :]", "b[[0,1], :, [0,1]]", "b[:, [0,1], [0,1]]", "b[[0], :, 1:]", "b[..., [[0,1]], 0]", "b[0, :, [1,2]]", "b[:, 0, [1,2]]", "b[b[:, :, 0]>3]", "b.T[:, [0,1]]", "b[:, ::2, [0,3]]", "b[1:, [0,1], ::2]"]:
    print(e, end=" "); S(eval(e))
buf = b"abcdefgh"; f = np.frombuffer(buf, np.uint8); print(type(f.base), f.base is buf, f.flags.owndata, f.flags.writeable)
ba = bytearray(8); f = np.frombuffer(ba, np.int32); print(type(f.base), f.flags.writeable, f.base is ba); f[0] = 7; print(ba)
mv = memoryview(ba); f = np.frombuffer(mv, np.int16); print(type(f.base)); g = f[1:]; print(g.base is f, type(g.base))
print(type(np.asarray(mv).base), np.asarray(ba).dtype, type(np.frombuffer(ba, np.uint8, 4, 2).base))
bi = io.BytesIO(b"hello"); v = bi.getbuffer(); print(type(v), v.readonly, len(v), bytes(v)); v[0] = 74; print(bi.getvalue()); 
v.release()
with io.BytesIO(b"xyz").getbuffer() as q: print(q[1], q.tolist(), q.format)
print(copyreg.__newobj__(list), copyreg.__newobj__(int, 5), copyreg.__newobj_ex__(int, ("7",), {}))
z = np.array([complex(0, -0.0), complex(-0.0, 0), complex(-0.0, -0.0), 0j, complex(0,-1)])
print(np.abs(z), np.abs(z.astype(np.complex64)), abs(z[0]), np.absolute(z[::2]))
