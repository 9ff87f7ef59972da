# Histograms, counts, sets, ends of arrays, differences, rolls: values and refusals.
import io, warnings
import numpy as np

warnings.simplefilter("ignore")
rng=np.random.default_rng(3)
def t(f):
    try: r=f(); print(r if not isinstance(r,np.ndarray) else (r.dtype,r.shape,r.tolist() if r.size<40 else (r.ravel()[::max(1,r.size//7)].tolist(), float(r.sum()))))
    except Exception as e: print(type(e).__name__, e)
x=rng.standard_normal(1000)
for b in (1,2,7,50): t(lambda: np.histogram(x,b)[0]); t(lambda: np.histogram(x.astype(np.float32),b)[0]); t(lambda: np.histogram(x,b,(-1,1))[0]); t(lambda: np.histogram(x,b,density=True)[0])
t(lambda: np.histogram(np.arange(10),5)[0]); t(lambda: np.histogram([1,2,1,np.nan],5,(0,3))[0]); t(lambda: np.histogram([],3)[0]); t(lambda: np.histogram([True,False,True])[0]); t(lambda:np.histogram(np.arange(100,dtype=np.uint8),7)[0]); t(lambda:np.histogram(x.astype(np.float16),7)[0]); t(lambda: np.histogram(np.ones(4),3)[0])
t(lambda: np.bincount([1,2,1])); t(lambda: np.bincount([])); t(lambda: np.bincount([-1])); t(lambda: np.bincount([1.5])); t(lambda: np.bincount(np.array([1],np.uint64))); t(lambda: np.bincount(np.array([1],np.uint8),minlength=5)); t(lambda: np.bincount([1,2],[.5,2])); t(lambda: np.bincount([1,2],[.5])); t(lambda: np.bincount([[1]])); t(lambda: np.bincount(3)); t(lambda: np.bincount([True,False])); t(lambda: np.bincount([1],minlength=-1)); t(lambda:np.bincount(np.array([True])))
for e,k in (([1,2,3],[2]),(rng.integers(0,50,(3,9)),rng.integers(0,60,20)),(rng.integers(0,10**15,9),list(range(20))),(np.arange(5,dtype=np.uint64),np.arange(3,30)),([1.5,2,np.nan],np.arange(20.)),(np.array([5,-5]),np.arange(-10,2**62,2**58)),(np.arange(4,dtype=np.int8),np.arange(100,130)),([True,False],[True]*12)):
    for kw in ({},{"invert":True},{"kind":"sort"}): t(lambda: np.isin(e,k,**kw))
for a in ([3,1,3],[[1.5,np.nan],[np.nan,1.5]],[True,False],np.array([5,5],np.uint8),np.array([],float),[0.0,-0.0,1],np.array([1,2,2],np.float16),[1+1j,1+1j],rng.integers(0,9,100),np.array([2**63,5],np.uint64)):
    t(lambda: np.unique(a)); t(lambda: np.unique(a,equal_nan=False)); t(lambda: np.unique(a,return_counts=True)[1])
m=rng.standard_normal((4,5))
for mode in ("edge","wrap","reflect","symmetric"):
    for w in (1,(2,3),((0,1),(2,0)),7,((5,9),(11,0))): t(lambda: np.pad(m,w,mode=mode))
    t(lambda: np.pad(np.arange(3),(2,5),mode=mode)); t(lambda: np.pad(np.zeros((0,3)),1,mode=mode)); t(lambda: np.pad(np.array([7]),3,mode=mode))
g=rng.standard_normal((6,7))
for f in (g,g.astype(np.float32),(g*10).astype(int),g+1j*g,g[0]):
    for eo in (1,2):
        t(lambda: np.gradient(f,edge_order=eo)[0]); t(lambda: np.gradient(f,2.5,axis=0,edge_order=eo)); t(lambda: np.gradient(f,np.arange(f.shape[0])**1.5,axis=0,edge_order=eo)); t(lambda: np.gradient(f,np.arange(f.shape[0])*2,axis=0,edge_order=eo))
        t(lambda: np.gradient(f,axis=-1,edge_order=eo))
t(lambda: np.gradient([1])); t(lambda: np.gradient([1,2])); t(lambda: np.gradient([1.,2,4],[0,1])); t(lambda: np.gradient([1.,2,4],edge_order=3)); t(lambda: np.gradient(g,1,2,3)); t(lambda: np.gradient(g,np.ones((2,2)),axis=0))
for s,ax in ((1,0),(-2,1),((1,2),(0,1)),((1,1),(0,0)),(100,1),(0,0),(3,None),((2,-1,5),(1,0,1))): t(lambda: np.roll(g,s,ax))
t(lambda: np.roll(np.arange(5),2)); t(lambda: np.roll(np.zeros((0,3)),1,0)); t(lambda: np.roll(np.arange(6).reshape(2,3)[:, ::-1],1,1))
t(lambda: np.nansum([1,np.nan])); t(lambda: np.nansum([[1,2],[3,4]],axis=0)); t(lambda: np.diff([1,4,9],0)); t(lambda: np.diff([1,4,9],2))
f=io.BytesIO(); f.write(b"ab"); f.write(b"cd"); f.seek(1); f.write(b"X"); f.seek(6); f.write(b"z"); print(f.getvalue()); f=io.BytesIO(b"abc"); f.seek(3); f.write(b"d"); print(f.getvalue(), f.tell())
