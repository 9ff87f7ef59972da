# numpy.linalg of every kind: what factors come to when multiplied again, types, shapes, empty arrays, refusals.
import numpy as np
rng=np.random.default_rng(0)
def chk(name, ok): print(name, bool(ok))
for dt in (np.float64, np.float32, np.complex128, np.complex64):
    tol = 1e-4 if dt in (np.float32,np.complex64) else 1e-10
    def mk(*s):
        x=rng.standard_normal(s)
        if np.dtype(dt).kind=='c': x=x+1j*rng.standard_normal(s)
        return x.astype(dt)
    a=mk(3,5,5); b=mk(3,5,2); v=mk(5)
    x=np.linalg.solve(a,b); chk('solve', np.allclose(a@x,b,atol=tol)); print(x.dtype)
    x=np.linalg.solve(a[0],v); chk('solve1', np.allclose(a[0]@x,v,atol=tol))
    i=np.linalg.inv(a); chk('inv', np.allclose(a@i,np.eye(5),atol=tol*10)); print(i.dtype)
    s,l=np.linalg.slogdet(a); d=np.linalg.det(a); chk('det', np.allclose(s*np.exp(l),d,atol=tol)); print(d.dtype,l.dtype,s.dtype)
    h=a@np.conj(np.swapaxes(a,-1,-2))+np.eye(5,dtype=dt)
    c=np.linalg.cholesky(h); chk('chol', np.allclose(c@np.conj(np.swapaxes(c,-1,-2)),h,atol=tol*50)); print(c.dtype, c[0,0,1])
    c=np.linalg.cholesky(h,upper=True); chk('cholU', np.allclose(np.conj(np.swapaxes(c,-1,-2))@c,h,atol=tol*50))
    for shp in ((6,4),(4,6),(2,6,4)):
        m=mk(*shp)
        for mode in ('reduced','complete'):
            q,r=np.linalg.qr(m,mode); chk('qr'+mode, np.allclose(q@r,m,atol=tol)); print(q.shape,r.shape,q.dtype)
        print(np.linalg.qr(m,'r').shape, [t.shape for t in np.linalg.qr(m,'raw')])
        for full in (True,False):
            u,s,vt=np.linalg.svd(m,full_matrices=full); k=s.shape[-1]
            chk('svd', np.allclose((u[...,:k]*s[...,None,:])@vt[...,:k,:],m,atol=tol)); print(u.shape,s.shape,vt.shape,s.dtype)
        chk('svals', np.allclose(np.linalg.svd(m,compute_uv=False),s,atol=tol))
        p=np.linalg.pinv(m); chk('pinv', np.allclose(m@p@m,m,atol=tol)); print(p.shape,p.dtype)
    w,vv=np.linalg.eigh(h); chk('eigh', np.allclose(h@vv,vv*w[...,None,:],atol=tol*50)); print(w.dtype,vv.dtype)
    chk('eigvalsh', np.allclose(np.linalg.eigvalsh(h,'U'),w,atol=tol*20))
    w,vv=np.linalg.eig(a); chk('eig', np.allclose(a@vv,vv*w[...,None,:],atol=tol*10)); print(w.dtype,vv.dtype)
    m=mk(7,3); y=mk(7,2)
    x,res,rk,sv=np.linalg.lstsq(m,y); print(x.shape,res.shape,rk,sv.shape,x.dtype,res.dtype,sv.dtype, np.allclose(m.conj().T@(m@x-y),0,atol=tol*10))
    x,res,rk,sv=np.linalg.lstsq(m[:2],y[:2,0]); print(x.shape,res.shape,rk,sv.shape, np.allclose(m[:2]@x,y[:2,0],atol=tol))
    print(np.linalg.matrix_rank(m), np.round(np.linalg.cond(np.eye(3,dtype=dt)*2),3), np.linalg.matrix_rank(np.zeros((3,3),dt)))
    u,s,vt=np.linalg.svd(h,hermitian=True); chk('svdh', np.allclose((u*s[...,None,:])@vt,h,atol=tol*50))
print(np.linalg.eigvals(np.array([[2,0],[0,3]])), np.linalg.eigvals(np.array([[0,-1],[1,0]])))
for f in (lambda: np.linalg.inv(np.zeros((2,2))), lambda: np.linalg.solve(np.ones((2,2)),np.ones(3)), lambda: np.linalg.cholesky(-np.eye(2)), lambda: np.linalg.eig(np.full((2,2),np.nan)),
          lambda: np.linalg.inv(np.ones((2,3))), lambda: np.linalg.svd(np.ones(3)), lambda: np.linalg.inv(np.ones((2,2),np.float16)), lambda: np.linalg.eigh(np.eye(2),'X'), lambda: np.linalg.qr(np.eye(2),'x'), lambda: np.linalg.lstsq(np.ones((2,2)),np.ones(3))):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(np.linalg.det(np.zeros((0,0))), np.linalg.inv(np.zeros((0,3,3))).shape, np.linalg.svd(np.zeros((0,3)))[0].shape, np.linalg.eigh(np.zeros((0,0)))[0].shape, np.linalg.slogdet(np.ones((2,2))), np.linalg.det(np.ones((3,3))), np.linalg.qr(np.zeros((3,0))).Q.shape, np.linalg.lstsq(np.zeros((0,2)),np.zeros((0,)))[0])
print(np.round([np.linalg.norm(np.arange(6.).reshape(2,3),2), np.linalg.norm(np.arange(6.).reshape(2,3),'nuc')], 9), np.round(np.linalg.matrix_power(np.array([[1,1],[1,0]]),-3)))
print(np.linalg.svd(np.zeros((3,2)))[1], np.linalg.solve(np.zeros((0,0)),np.zeros((0,2))).shape, np.linalg.matrix_rank(np.ones((4,3))), np.linalg.solve(np.eye(2,dtype=np.float32),np.eye(2)).dtype)
for f in (np.linalg.eigh, np.linalg.svd):
    try: print(f(np.full((3,3),np.nan)))
    except np.linalg.LinAlgError as e: print(e)
