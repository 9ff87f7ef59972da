# How arrays are made, repeated, counted, accumulated and indexed, and what is said where that cannot be.
import numpy as np
def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
x=np.arange(12).reshape(3,4)
t(lambda: np.repeat([1,2,3],2)); t(lambda: np.repeat([1,2,3],[0,1,2])); t(lambda: np.repeat(x,2,axis=0)); t(lambda: np.repeat(x,[1,0,2,1],axis=1)); t(lambda: np.repeat(x,[1,2])); t(lambda: np.repeat(x,-1)); t(lambda: np.repeat(3,4)); t(lambda: x.repeat(2)); t(lambda: np.repeat(x,[2])); t(lambda:np.repeat([1.5],2.0)); t(lambda: np.repeat(np.zeros((0,3)),2,axis=1))
t(lambda: np.maximum.accumulate([3,1,4,1,5])); t(lambda: np.maximum.accumulate(x[::-1],axis=0)); t(lambda: np.minimum.accumulate(x,axis=1)); t(lambda: np.subtract.accumulate([10,1,2])); t(lambda: np.logical_and.accumulate([True,False,True])); t(lambda: np.bitwise_or.accumulate([1,2,4])); t(lambda: np.power.accumulate([2.0,3,2])); t(lambda: np.maximum.accumulate([])); t(lambda: np.divide.accumulate([8,2,2]))
t(lambda: np.maximum.accumulate(np.ones((2,3,2)),axis=1))
t(lambda: np.array([1,2],ndmin=3)); t(lambda: np.array(5,ndmin=1)); t(lambda: np.array(x,copy=False) is x); t(lambda: np.array([1],copy=False)); t(lambda: np.asarray(x) is x); t(lambda: np.asarray(x,float)); t(lambda: np.asarray([1,2],copy=False)); t(lambda: np.asarray(x, copy=True) is x)
t(lambda: np.zeros(3)); t(lambda: np.zeros((2,2),int)); t(lambda: np.empty((0,3)).shape); t(lambda: np.zeros(shape=2,dtype='f4')); t(lambda: np.ones(2,order='F')); t(lambda: np.zeros(2,order='Q'))
t(lambda: np.arange(5)); t(lambda: np.arange(5.0)); t(lambda: np.arange(2,10,3)); t(lambda: np.arange(0,1,.3)); t(lambda: np.arange(5,dtype=np.float32)); t(lambda: np.arange(3,dtype=np.int8)); t(lambda: np.arange(10,0,-3)); t(lambda: np.arange(3,dtype=complex)); t(lambda: np.arange(0)); t(lambda: np.arange(-3)); t(lambda: np.arange(300,dtype=np.uint8)[299])
t(lambda: np.count_nonzero([0,1,2])); t(lambda: np.count_nonzero(x,axis=0)); t(lambda: np.count_nonzero(x,keepdims=True)); t(lambda: np.count_nonzero([[0.0,np.nan]])); t(lambda: np.count_nonzero(3)); t(lambda: type(np.count_nonzero([1])))
t(lambda: x[[0,2]]); t(lambda: x[:,[0,-1]]); t(lambda: x[[0,1],[1,2]]); t(lambda: x[[0,5]]); t(lambda: x[1,2]); t(lambda: x[-1,-1]); t(lambda: x[3,0]); t(lambda: x[1,2,3]); t(lambda: x[np.array([[0,1],[1,2]])].shape); t(lambda: x[:,np.array([[0,1],[1,2]])]); t(lambda: x[x>5]); t(lambda: np.nonzero(x%2)); t(lambda: x[np.uint8([0,1]),None].shape); t(lambda: x[True]); t(lambda: x[1.0,2])
y=x.copy(); y[:,[0,2]]=-1; print(y); y[[0,1],[1,1]]=9; print(y); y[:,[1]]=[[5],[6],[7]]; print(y); z=np.zeros((2,3,4)); z[:,:,[1,3]]=np.arange(12).reshape(2,3,2); print(z); print(z[...,[1,3]].shape, z[:,[0,2]].shape, z[[1],:,[2]].shape, z[:,[[0,1]],1].shape)
w=np.asfortranarray(x); print(w[:,[1,2]], w[[1,2]], w.T[:,[0,2]])
i=np.array([2,0]); y=x[i]; i[0]=1; print(y)
t(lambda: float(np.float32(1.5))); t(lambda: int(np.int64(3))); t(lambda: float(np.int8(3))); t(lambda: int(np.float64(3.7))); t(lambda: int(np.uint64(2**63)));t(lambda: float(x[1,1])); t(lambda: float(np.array([3]))); t(lambda: x.argmax()); t(lambda: x.argmax(0))
t(lambda: np.array([np.float32(1), 2]).dtype)
