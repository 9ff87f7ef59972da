# Arguments of NumPy that few programs have: ends of pad, directives of r_, weights of quantiles, tables in text, parts of linalg and fft.
from modules.cases import tell

CASES = r'''
np.diag(np.array([[1,2],[3,4]],object), 1)
np.diagonal(np.array([["a","b"],["c","d"]]))
np.trace(np.array([[1,2],[3,4]],object))
np.take(np.array([["a","b"],["c","d"]]), 1)
np.mean(np.array([[1,2],[3,4]],object), 1)
np.fft.ifft(np.arange(6,dtype="f2").reshape(2,3))
np.fft.fft(np.ones((3, 4)), axis=2)
np.fft.rfft(np.arange(3) * 1j)
np.fft.fftn(np.ones((3,4)), s=(2,3), axes=(0,))
np.fft.fft2(np.ones(3))
np.fft.fftfreq(5.)
np.fft.fftfreq(5,device="gpu")
np.linalg.matrix_power(np.eye(2), 1.5)
np.linalg.matrix_transpose(np.arange(3.))
np.linalg.solve(np.eye(2), 3)
np.linalg.multi_dot([np.ones((3,3))])
np.linalg.pinv(np.eye(2), rcond=.1, rtol=.1)
np.linalg.cond(np.ones((2,2)))
np.linalg.lstsq(np.array([[2.,1],[1,3]]), np.zeros((2,0)))[0]
np.tensordot(np.ones((2,3)), np.ones((3,2)), axes=2)
np.einsum()
np.einsum("ij,jk")
np.pad(np.arange(4), 2, "reflect", reflect_type="odd")
np.pad(np.arange(6.).reshape(2,3), 5, "reflect", reflect_type="odd")
np.pad(np.arange(6.).reshape(2,3), ((0,4),(7,1)), "symmetric", reflect_type="odd")
np.pad([7], 3, "reflect", reflect_type="odd")
np.pad(np.arange(6.).reshape(2,3), 2, lambda v,w,i,k: v.__setitem__(slice(0,w[0]),k.get("p",7)), p=9)
np.pad(np.arange(4), 2, "edge", constant_values=1)
np.pad(np.arange(4), 1.5, "mean")
np.pad(np.arange(4), -1, "wrap")
np.pad(np.arange(4), 2, "mean", stat_length=-1)
np.pad(np.arange(4), 2, "bad")
np.r_["1,2,0",[1,2],[3,4]]
np.r_["0,2",[1,2],[3,4]]
np.r_["-1",np.ones((1,2)),np.zeros((1,1))]
np.r_["1,3",[1,2]]
np.r_["0,3,1",[1,2],[3,4]]
np.r_["0,3,-2",[1,2],[3,4]]
np.r_["bad",1]
np.r_["a,b",1]
np.r_[1,"0,2"]
np.c_[1:3,[4,5]]
np.c_[np.ones((2,1)),[4,5]]
np.quantile(np.array([[1.,5,2],[np.nan,4,3]]), [0.25,0.5], axis=1, method="inverted_cdf", weights=[1,0,2])
np.quantile(np.array([[1.,5,2],[7,4,3]]), [0,.5,1], axis=1, method="inverted_cdf", weights=[0,1,2])
np.nanquantile(np.array([[1.,5,2],[np.nan,4,3]]), [0.25,0.5], method="inverted_cdf", weights=[[1,2,3],[3,2,1]])
np.percentile([1,2,3], 50, method="inverted_cdf", weights=[1,-1,2])
np.percentile(np.ones((2,3)), 50, method="inverted_cdf", weights=[1,2])
np.percentile([3,1,2], 50, method="x")
np.char.center(np.array([b"abc", b"x"]), 5)
np.char.compare_chararrays(["a ", "b"], "a", "==", True)
np.strings.slice(["hello", "a"], 1, [3, 2])
np.strings.partition(["a-b", "c"], "-")
np.fromfunction(lambda i,k: i+k, (2,), k=3)
np.fromstring("1,a,3", int, sep=",")
np.fromstring("1 2")
import io;; np.loadtxt(io.StringIO("1 a"))
import io;; np.loadtxt(io.StringIO("a b\nc d"), dtype=str)
import io;; np.loadtxt(io.StringIO('"1,5";2\n3;4'), dtype=str, delimiter=";", quotechar='"')
import io;; np.loadtxt(io.StringIO("1 2\n3 4"), usecols=5)
import io;; np.loadtxt(io.StringIO("1+2j 2"), dtype=complex)
import io;; np.genfromtxt(io.StringIO("1,2"), delimiter=",", dtype=None)
import io;; np.genfromtxt(io.StringIO("a,bc"), delimiter=",", dtype=None)
import io;; np.genfromtxt(io.StringIO("12 34"), delimiter=2)
import io;; np.genfromtxt(io.StringIO("1 2\n3 4"), unpack=True, max_rows=1)
import io;; np.genfromtxt(io.StringIO("1 2\n3 4"), converters={0:lambda s: 9.})
import io;; np.genfromtxt(io.StringIO("1 x\n3 4"), dtype=int)
import io;; np.savetxt(io.StringIO(), np.ones((2,2)), fmt="x")
import io;; np.savetxt(io.StringIO(), ["a"])
'''

tell(CASES)
