# What has a length and items is a sequence to NumPy, whatever its class.
import collections
import jax.numpy as jnp
import numpy as np


class Grid:
    def __init__(self, *dims):
        self.dims = dims

    def __len__(self):
        return len(self.dims)

    def __getitem__(self, i):
        return self.dims[i]


class Items:
    def __getitem__(self, i):
        return [1, 2][i]


class Keyed:
    def __len__(self):
        return 3

    def __getitem__(self, key):
        raise KeyError(key)


class Text(str):
    pass


class Failing:
    def __len__(self):
        return 1

    def __getitem__(self, i):
        raise ZeroDivisionError('an item')


grid = Grid(2, 3, 2)
print(repr(np.asarray(grid)), np.prod(grid), np.array([grid, grid]).shape, np.sum(grid), np.mean(Grid(1, 2)), np.array(Grid([1, 2], [3, 4])))
print(np.array(Items()).dtype, np.array(Keyed()).dtype, np.array(Text('ab')), np.array([Text('a')]), np.array(Grid('a', 'b')))
print(np.array(collections.deque([1, 2])), np.array(collections.UserList([1, 2])), np.array({1: 2}).dtype)
print(np.array(np.array(['a', 'b'])), np.array([np.array([None, 1], object)]).shape, jnp.array([grid, grid]).shape)
try:
    np.array(Failing())
except ZeroDivisionError as error:
    print('raised:', error)
