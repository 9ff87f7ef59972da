# Arrays of an index that stand apart, elements beyond their type, one element for many places.
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
b = np.arange(120).reshape(2, 3, 4, 5)
print(b[:, [0, 1], :, [2, 3]].shape, b[:, [0, 1], [2, 3]].shape, b[[0, 1], :, [2, 3]].shape, b[:, 1, :, [2, 3]].shape)
print(a[:, [0, 2], [1, 3]].tolist(), b[0][:, [0, 1], [2, 3]].tolist(), b[:, [0, 1], :, 2].tolist())
x = np.zeros(3, np.int32)
for value in (2**31 - 1, -2**31, 2**31, -2**31 - 1, True, 1.9):
    try:
        x[1] = value
        print(x)
    except OverflowError as e:
        print(e)
for row in ([[5]], [[1, 2, 3]]):
    y = np.zeros((1, 3), np.int64)
    y[[0, 0], :] = np.array(row)
    y[:, [2]] = np.array([[9]])
    print(y)
