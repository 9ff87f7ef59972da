# Bit generators, seeds that spawn, and distributions: the streams of numpy.random, new and old.
import numpy as np
def t(name,f):
    try:
        r=f(); print(name, r if not isinstance(r,np.ndarray) else (r.dtype,r.shape,r.ravel()[:3].tolist(), float(r.sum())))
    except Exception as e: print(name, type(e).__name__,e)
for B in (np.random.PCG64,np.random.PCG64DXSM,np.random.Philox,np.random.SFC64,np.random.MT19937):
    g=np.random.Generator(B(42)); print(g)
    t("raw",lambda: B(7).random_raw(5)); t("random",lambda: g.random(5)); t("normal",lambda:g.normal(size=500)); t("f32",lambda:g.random(3,dtype=np.float32)); t("int",lambda:g.integers(0,100,7)); t("i8",lambda:g.integers(0,100,7,dtype=np.int8)); t("exp",lambda:g.exponential(size=300)); t("perm",lambda:g.permutation(10)); t("choice",lambda:g.choice(100,5,replace=False)); t("bytes",lambda:g.bytes(7)); t("u64",lambda:g.integers(0,2**64-1,3,dtype=np.uint64)); t("n32",lambda:g.standard_normal(300,dtype=np.float32)); t("spawn",lambda:[c.random() for c in g.spawn(3)]); t("int32",lambda:g.integers(0,2**20,9,dtype=np.int32)); t("big",lambda: g.integers(0,2**40,300)); t("shuf",lambda: g.permuted(np.arange(20)))
ss=np.random.SeedSequence(1234); print(ss.spawn(2)[1].generate_state(4), ss.spawn(1)[0].spawn(2)[1].generate_state(3,np.uint64), ss, np.random.SeedSequence(2**100+5,spawn_key=(3,2**40)).generate_state(2)); print(np.random.default_rng(np.random.SeedSequence(5)).random(), np.random.default_rng([1,2,3]).random(), np.random.default_rng(np.random.Philox(3)).integers(10))
for name,mk in (("new",lambda: np.random.default_rng(11)),("old",lambda: np.random.RandomState(11))):
    g=mk()
    D=[("standard_gamma",(0.3,)),("standard_gamma",(1.0,)),("standard_gamma",(0.0,)),("standard_gamma",(5.5,)),("gamma",(2.0,3.0)),("gamma",(.5,2.)),("beta",(.5,.5)),("beta",(2.,3.)),("beta",(.01,.02)),("chisquare",(3,)),("chisquare",(.5,)),("f",(3,5)),("standard_cauchy",()),("pareto",(3.,)),("weibull",(2.,)),("weibull",(0,)),("power",(3.,)),("rayleigh",(2.,)),("standard_t",(5,)),("triangular",(0,1,3)),("vonmises",(.5,2.)),("vonmises",(3,1e-9)),("vonmises",(3,1e-6)),("vonmises",(1,1e7)),("poisson",(3.,)),("poisson",(50.5,)),("poisson",(0,)),("poisson",(1e6,)),("binomial",(10,.3)),("binomial",(100,.7)),("binomial",(1000,.5)),("binomial",(100000,.2)),("binomial",(10**7,.999)),("binomial",(0,.5)),("negative_binomial",(5,.3)),("geometric",(.5,)),("geometric",(.01,)),("zipf",(2.,)),("zipf",(1.1,)),("logseries",(.6,)),("logseries",(.99,))]
    for d,a in D:
        t(name+d,lambda: getattr(g,d)(*a,size=400)); t(name+d,lambda: getattr(g,d)(*a))
    t("bc",lambda: g.gamma([1,2,.5],[[1.],[2]])); t("bc",lambda: g.poisson([1,20],(3,2))); t("bc",lambda: g.binomial([10,100],.5))
    t("multinomial",lambda: g.multinomial(20,[1/6]*6)); t("multinomial",lambda: g.multinomial(100,[.1,.2,.7],size=5)); t("multinomial",lambda: g.multinomial(3,[.5,.5],(2,2)))
    t("dirichlet",lambda: g.dirichlet([1,2,3.])); t("dirichlet",lambda: g.dirichlet([.01,.02,.05],4)); t("dirichlet", lambda: g.dirichlet([10,5,3],(2,2)))
    t("lognormal",lambda: g.lognormal(1,2,3).shape); t("bytes",lambda: g.bytes(5)); t("laplace",lambda: g.laplace(size=50)); t("after",lambda: g.random(2))
    for d,a in (("gamma",(-1,)),("gamma",(1,-1)),("beta",(0,1)),("chisquare",(0,)),("poisson",(-1,)),("poisson",(np.nan,)),("poisson",(1e19,)),("binomial",(-1,.5)),("binomial",(5,1.5)),("geometric",(0,)),("geometric",(1.5,)),("zipf",(1,)),("logseries",(1,)),("pareto",(0,)),("weibull",(-1,)),("standard_t",(0,)),("triangular",(3,2,5)),("triangular",(1,3,2)),("triangular",(1,1,1)),("vonmises",(0,-1)),("rayleigh",(-1,)),("negative_binomial",(0,.5)),("negative_binomial",(1,0)),("dirichlet",([-1,2],)),("multinomial",(5,[.9,.9,.1])),("multinomial",(-1,[.5,.5])),("f",(0,1)),("power",(0,)),("poisson",([-1,2],)),("gamma",([-1,2],)), ("gamma",(np.nan,))):
        t(name+d+str(a),lambda: getattr(g,d)(*a))
np.random.seed(3); t("g",lambda: np.random.gamma(2.)); t("g",lambda: np.random.binomial(10,.5,3)); t("p",lambda:np.random.poisson(3,2)); t("b", lambda: np.random.beta(1,2))
for d,a in (("negative_binomial",(5,.3)),("geometric",(.5,)),("geometric",(.01,)),("zipf",(2.,)),("zipf",(1.1,)),("logseries",(.6,)),("logseries",(.99,)),("dirichlet",([1,2,3.],)),("dirichlet",([.01,.02,.05],)),("bytes",(5,)),("laplace",()),("multinomial",(20,[.1,.2,.7])),("binomial",(0,.5)),("binomial",(5,0)),("poisson",(0,)),("binomial",(10,.5)),("binomial",(10,.7)),("binomial",(100,.999))):
    g=np.random.RandomState(11); x=[getattr(g,d)(*a) for _ in range(20)]; print(d,a,x[:5],g.random_sample())
