# Squeezed scalars, signs of zero, NaN alone, 1e-4 in float32.
import numpy as np
print(repr(np.squeeze(np.array([5]))), repr(np.squeeze(np.array(5))), repr(np.squeeze(np.float64(2))), np.array([0.0]) // np.array([-1.0]), np.clip(np.array([-0.0, 0.0]), 0, 3), np.nanmax([np.nan]), np.nanmin([[np.nan, 1], [np.nan, np.nan]], axis=1), repr(np.array([np.nan, 1e-4], np.float32)), np.nanmax([1, 2]), np.nanmax(np.ones((2, 2)), keepdims=True), np.rot90([[1, 2], [3, 4]]))
print(np.array([1e-4], np.float16), np.array([1e-4, 1.0], np.float32), np.float32(1e-4))
