# What test code around kernels tries next.
import io
import numpy as np

print(np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]]), np.block([1, np.array([2, 3])]), np.choose([0, 1], [[1, 2], [3, 4]]))
a = np.zeros((3, 3))
np.fill_diagonal(a, [1, 2, 3])
t = np.zeros((5, 2), int)
np.fill_diagonal(t, 7, wrap=True)
print(a, t)
print(np.histogram([1, 2, 1, 5], bins=2, weights=[1, 2, 3, 4]), np.histogram([1, 2, 1], bins=2, density=True))
print(np.einsum('ij,jk->ik', np.ones((2, 3)), np.ones((3, 2))), np.einsum('ii', np.eye(3)), np.einsum('ii->i', np.arange(4).reshape(2, 2)))
print(np.einsum('i,j->ij', [1, 2], [3, 4]), np.einsum('bij,bjk->bik', np.ones((2, 2, 2)), np.ones((2, 2, 1)), optimize=True).shape, np.einsum('ij->j', [[1, 2], [3, 4]]))
print(np.einsum('...ij,...jk', np.ones((2, 1, 2, 3)), np.ones((4, 3, 2))).shape, np.einsum('ij,kj,kl', np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5))).shape)
print(np.einsum([[1, 2], [3, 4]], [0, 1], [5, 6], [1], [0]), np.einsum('ab,ab,ab->', *[np.full((2, 2), 2)] * 3), np.einsum('...', 3), np.einsum('ij->ji', [[1, 2]]))
print(np.lib.stride_tricks.sliding_window_view(np.arange(5), 3), np.lib.stride_tricks.sliding_window_view(np.arange(6).reshape(2, 3), (2, 2)).shape)
print(np.lib.stride_tricks.as_strided(np.arange(4), (2, 2), (8, 8)))
print(np.percentile([1, 2, 3, 4], [25, 50]), np.quantile([1, 2, 3], .25, method='lower'), np.median([[1, 3], [2, 4]], axis=0, keepdims=True), np.nanmedian([1, np.nan, 3]))
print(np.gradient([1, 4, 9.0]), np.gradient([[1, 2], [4, 8.0]])[0], np.gradient([1, 4, 9.0], [0, 1, 3], edge_order=2), np.correlate([1, 2, 3], [0, 1, .5]))
print(np.unique([[1, 2], [1, 2], [0, 4]], axis=0, return_inverse=True, return_counts=True), np.unique([np.nan, 1, np.nan]), np.unique([[1, 0, 1]], axis=1))
print(np.frexp([8.0, 0.3, 0, -5]), np.ldexp(.5, 4), np.modf([1.5, -2.25]), np.sinc([0, .5]), np.cov([1, 2, 3], [1, 2, 4]), np.corrcoef([1, 2, 3], [1, 2, 4]))
print(np.kron([1, 2], [1, 1]), np.kron(np.eye(2), [[1, 2]]), np.fromiter((i * i for i in range(4)), np.int32), np.resize([1, 2, 3], (2, 2)), np.trim_zeros([0, 1, 0]))
print(np.r_[1:4, 0, 4], np.c_[[1, 2], [3, 4]], np.partition([3, 1, 2], 1)[1], np.piecewise([1.0, 2.0, 3.0], [np.array([True, False, False])], [lambda x: -x, 5]))
print(np.min_scalar_type(300), np.min_scalar_type(-1), np.common_type(np.ones(1, np.float32), np.ones(1, int)), np.polyval([2, 1], 3), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6))
print(np.hanning(4).round(4), np.bartlett(5), np.unwrap([0, 3.0, 6.5, 0]).round(4), np.bitwise_count(np.array([7, 8])), np.cumulative_sum([1, 2], include_initial=True))
it = np.nditer(np.arange(4).reshape(2, 2), flags=['multi_index'])
for x in it:
    print(it.multi_index, x, end=' ')
print([(int(x), int(y)) for x, y in np.nditer([[1, 2], [[3], [4]]])])
x = np.arange(6).reshape(2, 3)
print(x.strides, x.T.strides, x.flags['C_CONTIGUOUS'], x.T.flags.c_contiguous, x.T.flags.f_contiguous, x.flags.writeable)
x.setflags(write=False)
try:
    x[0] = 1
except ValueError as error:
    print(error, x.flags.writeable)
print(np.loadtxt(io.StringIO('1 2 # no\n3 4\n')), np.loadtxt(io.StringIO('1,2\n3,4'), delimiter=',', dtype=int, usecols=1), np.genfromtxt(io.StringIO('1,,3'), delimiter=','))
table = io.StringIO()
np.savetxt(table, np.eye(2), fmt='%d', header='two', delimiter=',')
print(table.getvalue(), np.fromstring('1,2', sep=','))
p = np.array([1, 2, 3, 4])
np.putmask(p, p > 2, [10, 20])
np.place(p, p == 1, [5])
print(p, np.any([[0, 1], [0, 0]], axis=1, keepdims=True), np.sum([1, 2, 3], where=[True, False, True]), np.argmax([[1, 5]], axis=1, keepdims=True))
print(np.packbits([1, 0, 1, 1, 0, 0, 0, 0, 1]), np.unpackbits(np.array([176], np.uint8)), np.packbits([[1, 1], [0, 1]], axis=1, bitorder='little'), np.unpackbits(np.array([[3]], np.uint8), axis=1, count=3, bitorder='little'))
print(np.unique_counts([1, 1, 2]), np.isdtype(np.float32, 'real floating'), np.isdtype(np.int8, (np.int16, 'integral')), np.diag_indices_from(np.eye(2)), np.mask_indices(2, np.triu), np.cumulative_prod([1, 2, 3]))
from numpy.exceptions import AxisError
print(issubclass(AxisError, IndexError), AxisError(3, 2), np.little_endian)
