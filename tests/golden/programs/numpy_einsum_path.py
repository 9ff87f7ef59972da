# Orders in which products of einsum may be made, and their costs.
from modules.cases import tell

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

tell(CASES)
