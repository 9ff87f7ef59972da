# Whose elements a view shares, and reductions of what is not there.
import numpy as np, warnings
warnings.simplefilter("ignore")
x=np.arange(12).reshape(3,4)
print(x[1:].base is x.base, x.base.shape, x[0].base is x.base, np.sort(x).base, x.copy().base, np.array(x,order="F").base, x.T.base is x.base, np.zeros(3).base, np.arange(3)[::2].base, np.asfortranarray(x).base is None, np.ones((2,2)).base, x[[0,1]].base is None)
y=np.zeros((2,3)); print(y.T.base is y, y.reshape(-1).base is y, y[0,1].base, y.view().base is y, y.ravel().base is y, np.broadcast_to(y,(2,2,3)).base is None, y.astype(int).base, (y+1).base, np.concatenate([y,y]).base, y.real.base)
n=np.array([[1,np.nan,3],[np.nan]*3])
print(np.nanmean(n,axis=1), np.nanvar(n,axis=1), np.nanstd(n), np.nanvar(n,axis=0,keepdims=True), np.nanvar([1.0,2,np.nan]), np.nanmean(n), np.var([]), np.mean([]), np.std([1.0],ddof=1), np.transpose(np.int32(4)))
print(np.interp([0,1,2.5],[0,1,1,3],[0,1,2,3]))
