# Orders in which products of einsum may be made, and their costs.
import warnings
import numpy as np

CASES = r'''
np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)))
np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize="optimal")
np.einsum_path("ij,jk->ik",np.ones((2,3)),np.ones((3,4)),optimize=False)
np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=("greedy",100))
np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=("greedy",1))
np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=["einsum_path",(0,1),(0,1)])
np.einsum_path("ea,fb,abcd,gc,hd->efgh",*[np.ones((10,10))]*2,np.ones((10,10,10,10)),*[np.ones((10,10))]*2)
np.einsum_path("ea,fb,abcd,gc,hd->efgh",*[np.ones((10,10))]*2,np.ones((10,10,10,10)),*[np.ones((10,10))]*2,optimize="optimal")
np.einsum_path("i,j,k->ijk",np.ones(2),np.ones(3),np.ones(4))
np.einsum_path("i,j,k->",np.ones(2),np.ones(3),np.ones(4))
np.einsum_path("i,j,k->",np.ones(2),np.ones(3),np.ones(4),optimize="optimal")
np.einsum_path("ii->",np.eye(2))
np.einsum_path("ij,jk,kl",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=True)
np.einsum_path("ij,jk,kl",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=5)
np.einsum_path("ij,jk,kl",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize="zz")
np.einsum_path("ij,jk",np.ones((2,3)),np.ones((4,5)))
np.einsum("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)),optimize=np.einsum_path("ij,jk,kl->il",np.ones((2,3)),np.ones((3,4)),np.ones((4,5)))[0])
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
