# Whose elements a view shows: the array that was made, through views of views, and of arrays that took memory over.
import numpy as np

x = np.arange(12)
y = x.reshape(3, 4)
print(x.base is None, y.base is x, y.T.base is x, y[1:].base is x, y[1:][:, 2:].base is x, y.ravel().base is x)
print(np.diagonal(y).base is x, np.expand_dims(y, 0).base is x, y.squeeze().base is x, y.view(np.int32).base is x, y.swapaxes(0, 1).base is x)
print(y.copy().base, y[[0, 2]].base, (y + 1).base, y.T.ravel().base, np.sort(y).base, np.concatenate([y, y]).base)
f = np.array(y, order='F')
print(f.base, f.T.base is f, f[1].base is f, f.flags.owndata, f.T.flags.owndata)
one = np.float32(3)
print(one.base, np.asarray(one).base)
big = np.zeros(4)
big.resize(8)
tail = big[2:]
print(big.base, tail.base is big, tail[1:].base is big, big.shape)
tail[0] = 5
print(big)
z = np.zeros((2, 2), np.complex64)
z.real[0] = 3
z.imag[:, 1] = 4
print(z.real.base is z, z)
row, column = np.arange(3.0), np.arange(4.0)
print(row @ np.ones((3, 2)), np.ones((2, 4)) @ column, (row @ row), row.base, column.base)
print(np.einsum('ij,jk->ik', y, y.T).base, np.einsum('ij->ji', y).base is not None)
