# Arguments of numpy.random: arrays as bounds, out=, single precision, seeds, jumps, and what is refused.
import warnings
import numpy as np

CASES = r'''
np.random.RandomState(0).normal([1,2], [[1],[2]])
np.random.RandomState(0).randint([1,2,3], [10,20,30])
np.random.RandomState(1).randint([1,2]*5,[300,7]*5,dtype=np.int16)
np.random.RandomState(0).random_integers(3, 5, 4)
np.random.RandomState([7]).rand(2)
np.random.RandomState(np.array([7])).rand(2)
np.random.RandomState(np.random.PCG64(3)).randn(3)
np.random.RandomState(np.random.MT19937(3)).rand(2)
np.random.RandomState(1.5)
np.random.RandomState(0).choice([], 3)
np.random.RandomState(0).choice(3, p=[.5,.5,.5])
np.random.RandomState(0).choice([],0)
np.random.RandomState(0).nosuch
o = np.empty(3);; np.random.default_rng(0).random(out=o) is o
o = np.empty(3, 'f4');; np.random.default_rng(0).random(out=o)
o = np.empty(3, 'f4');; np.random.default_rng(0).random(out=o, dtype='f4')
o = np.empty(3);; np.random.default_rng(0).random(4, out=o)
o = np.empty(6)[::2];; np.random.default_rng(0).random(out=o)
o = np.zeros((2,3),order='F');; np.random.default_rng(0).random(out=o)
o = np.zeros(4,'f4');; np.random.default_rng(0).standard_gamma(2.,out=o,dtype='f4')
np.random.default_rng(0).choice([],(0,3))
np.random.default_rng(0).choice(3.)
np.random.default_rng(0).integers([1,2,3], [10,20,30], dtype=np.uint8)
np.random.default_rng(0).integers([[1],[2]],[3,7],(2,2))
np.random.default_rng(0).integers([1,2],[1,7])
np.random.default_rng(0).integers(0, 2**64, 3, dtype=np.uint64)
np.random.default_rng(0).integers(2, dtype=float)
np.random.default_rng(0).multivariate_hypergeometric([3,5,7],12,3)
np.random.default_rng(0).multivariate_hypergeometric([3,5,7],12,3,method='count')
np.random.default_rng(0).multivariate_hypergeometric([3,5,7],4,(2,2),method='count')
np.random.default_rng(0).multivariate_hypergeometric([3,5,7],60)
o = np.zeros((2,3), 'f4');; np.random.default_rng(0).permuted(np.arange(6).reshape(2,3), axis=1, out=o)
np.random.default_rng(0).shuffle([1,2], axis=1)
np.random.default_rng(0).standard_exponential(400,dtype='f4')[-4:]
np.random.default_rng(0).standard_exponential(200000,dtype='f4').max()
np.random.default_rng(0).standard_exponential(3, 'f4', 'inv')
np.random.default_rng(0).standard_exponential(3, method='inv')
np.random.default_rng(0).standard_gamma([.3,1,4.5,20],(3,4),dtype='f4')
np.random.default_rng(0).uniform([1, 2], [3, 4])
np.random.default_rng(0).uniform(3, 1)
np.random.default_rng(0).uniform([3,1],[1,2])
np.random.default_rng(0).normal([1,2],[3,4], 3)
np.random.default_rng(0).normal([1,2],[3,4], (3, 2))
np.random.default_rng(0).exponential(-1)
np.random.default_rng(0).exponential([1.,2.],(2,2))
np.random.default_rng(0).lognormal([1.,2.])
np.random.default_rng(1.5)
np.random.default_rng('a')
np.random.default_rng(2**200).random()
np.random.SeedSequence(5).generate_state(2, np.int32)
np.random.SeedSequence(5, pool_size=8)
np.random.SeedSequence(5, pool_size=8, spawn_key=(3,)).generate_state(3)
np.random.SeedSequence(5, pool_size=2)
np.random.SeedSequence([1,2,2**40]).state
np.random.SeedSequence(5).pool
np.random.SeedSequence(-5)
np.random.PCG64(np.random.SeedSequence(5,pool_size=8)).random_raw(2)
np.random.PCG64(0).jumped(2).random_raw(2)
np.random.PCG64DXSM(0).jumped().random_raw(2)
np.random.Philox(3).jumped(3).random_raw(3)
b = np.random.Philox(3);; b.random_raw(3);; b.advance(2).random_raw(3)
np.random.seed([])
np.random.nosuch
'''


def shown(x):
    if isinstance(x, np.ndarray):
        return f"{x.dtype} {x.shape} {x.tolist()}"
    if isinstance(x, (tuple, list)):
        return f"{type(x).__name__} of {', '.join(map(shown, x))}"
    return f"{type(x).__name__} {x!r}"


for case in CASES.strip().splitlines():
    *before, last = case.split(';; ')
    names = {'np': np}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter('always')
        try:
            for statement in before:
                exec(statement, names)
            result = shown(eval(last, names))
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
    print(case, '->', result, *[f"{w.category.__name__}: {w.message}" for w in seen])
