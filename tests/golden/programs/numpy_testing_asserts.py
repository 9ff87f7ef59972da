# numpy.testing: what passes, and what failing ones say.
import numpy as np
import numpy.testing as npt

npt.assert_allclose([1, 2], [1, 2 + 1e-9])
npt.assert_array_equal([1, np.nan], [1, np.nan])
npt.assert_equal({"a": [1, (2, 3)]}, {"a": [1, (2, 3)]})
npt.assert_almost_equal(1.0000001, 1.0)
npt.assert_array_less([1, 2], 3)
npt.assert_raises(ValueError, int, "x")
cases = [lambda: npt.assert_allclose([1.0, 2, 3], [1, 2.5, 3]), lambda: npt.assert_allclose(np.ones((2, 2)), np.zeros((2, 2)), err_msg="mine", rtol=0.1, atol=0.5), lambda: npt.assert_array_equal([1, 2, 3], [1, 2, 4]), lambda: npt.assert_array_equal([1, 2], [1, 2, 3]),
         lambda: npt.assert_equal([1, 2], [1, 3]), lambda: npt.assert_equal({"a": 1}, {"b": 1}), lambda: npt.assert_equal("a", "b"), lambda: npt.assert_almost_equal(1.1, 1.0, decimal=2), lambda: npt.assert_array_almost_equal([1.1], [1.0]), lambda: npt.assert_array_less([1, 5], [2, 3]),
         lambda: npt.assert_allclose([np.nan, 1], [1, np.nan]), lambda: npt.assert_allclose(np.float32([1e-3, 5]), np.float32([2e-3, 5])), lambda: npt.assert_array_equal(np.array([True, False]), np.array([True, True])), lambda: npt.assert_allclose(1, [1, 2]), lambda: npt.assert_array_equal([1], [1.0], strict=True), lambda: npt.assert_allclose([np.inf, 1], [1, 1]), lambda: npt.assert_approx_equal(1.0, 1.1, significant=3)]
for c in cases:
    try:
        c()
        print("passed")
    except AssertionError as e:
        print(e)
try:
    with npt.assert_raises(KeyError):
        pass
except AssertionError as e:
    print(e)
with npt.assert_raises_regex(ValueError, "inv.*"):
    int("x")
print(npt.assert_raises is not None)
