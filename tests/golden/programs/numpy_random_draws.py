# What is drawn at once, and one by one: the same stream, types and refusals.
import numpy as np
s=np.random.RandomState(1);r=np.random.default_rng(5)
print(r.random(3,dtype=np.float32),r.random(4,dtype=np.float32),r.random(),r.random(2),r.standard_normal(3,dtype=np.float32),r.integers(0,5,3,dtype=np.int32),r.random(3,dtype=np.float32))
print(r.normal(),r.normal(1,2),r.normal(1,2,3),r.normal([1,2],3),r.uniform(2,5),r.uniform(1,2,(2,2)),r.integers(5),r.integers(1,5),r.integers(5,5,endpoint=True),r.integers(1,9,4),type(r.integers(5)),type(r.integers(5,dtype=int)),r.integers(0,2**63-1),r.integers(-2**63,2**63-1,2), r.integers(0,2**40,2),r.integers(3,size=0),r.integers(0,200,4,dtype=np.uint8))
for f in (lambda:r.normal(0,-1),lambda:r.integers(5,5),lambda:r.integers(0),lambda:r.uniform(0,np.inf), lambda:r.integers(3,2,endpoint=True),lambda: s.randint(0), lambda: s.randint(4,4)):
    try: print(f())
    except Exception as e: print(type(e).__name__,e)
print(r.exponential(2,3),r.standard_exponential(2))
s=np.random.RandomState(3)
print(s.rand(3),s.randn(3),s.randint(0,100,5),s.randint(7),s.uniform(1,2),s.normal(1,2,2),s.rand(),s.randint(0,2**40,2),s.randint(0,10,3,dtype=np.int32), s.random_sample(2), s.standard_normal())
x=s.rand(5000); print(x.sum(), s.randint(0,1000,5000).sum(), s.randn(5000).sum(), r.random(5001,dtype=np.float32).sum(dtype=np.float64), r.standard_normal(5001,dtype=np.float32).sum(dtype=np.float64))
