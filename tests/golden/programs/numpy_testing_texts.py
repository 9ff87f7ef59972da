import warnings
import numpy as np
import numpy.testing as npt
warnings.simplefilter("ignore")
n = 0
def check(f):
    global n; n += 1
    try: r = f(); print(n, "passed", r)
    except AssertionError as e: print(n, e)
    except Exception as e: print(n, type(e).__name__, e)
nan, inf = np.nan, np.inf
pairs = [([1., 2, 3], [1., 2.1, 3]), ([1, nan, 3], [1, nan, 3.5]), ([1, nan], [nan, 1]), ([inf, 1], [1, inf]), ([inf, 1], [-inf, 1]), ([inf, 2], [inf, 3]), ([1, 2], [1, 2, 3]), (1., [1, 1, 2]), ([1, 1, 2], 1), (3, 4), (nan, nan), (nan, 1.), ([nan, nan], nan), (inf, inf), ([True, False], [True, True]), (np.uint8([3, 255]), np.uint8([5, 0])), (np.int8([-128]), np.int8([127])), (np.arange(8), np.arange(8) + 1), (np.arange(30).reshape(5, 6), np.arange(30).reshape(5, 6) * 2), ([1j, 2], [1j, 3]), ([0., 1], [0., 0]), ([], []), ([], [1.]), (np.float32([1]), np.float64([1])), ([[1, 2]], [[1, 3]]), (np.float32(1), np.float32(2)), ([complex(nan, 1)], [complex(nan, 2)]), ([1e300, 1], [1e-300, 1]), ([1, nan, inf, 4], [1, nan, inf, 5]), ([nan, 2], [nan, inf])]
for a, b in pairs:
    a, b = np.asarray(a), np.asarray(b)
    check(lambda: npt.assert_array_equal(a, b))
    check(lambda: npt.assert_allclose(a, b, rtol=1e-3))
    check(lambda: npt.assert_allclose(a, b, equal_nan=False, verbose=False))
    check(lambda: npt.assert_array_almost_equal(a, b, 3, "msg", verbose=False))
    check(lambda: npt.assert_array_less(a, b))
    check(lambda: npt.assert_equal(a, b, "why"))
    check(lambda: npt.assert_array_equal(a, b, strict=True, err_msg="s"))
    check(lambda: npt.assert_array_compare(lambda x, y: x <= y, a, b, header="le", equal_inf=False, names=("p", "q")))
for a, b in [(1, 2), (1.0, 1.0), (0.0, -0.0), (nan, nan), (1, "a"), ("a", "b"), ([1, [2]], [1, [3]]), ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 1}), ({"a": 1}, [1]), (None, 1), (1j, 1j), (complex(0., 1), complex(-0., 1)), (1 + nan * 1j, 1 + nan * 1j), (np.float32(1), 1.0), (np.float32(1), np.float64(2)), ((1,), [1]), ([1, 2], [1]), (True, 1), (b"a", b"a"), (nan, 1.), (inf, inf), (1.0, [1.0])]:
    check(lambda: npt.assert_equal(a, b)); check(lambda: npt.assert_equal(a, b, err_msg="e", verbose=False))
for a, b in [(1.0, 1.00000001), (1.0, 1.1), (nan, nan), (inf, -inf), (1j, 1j + .1), ([1.], [1.2]), (np.float32(1), 1.5), (0, 0)]:
    check(lambda: npt.assert_almost_equal(a, b)); check(lambda: npt.assert_almost_equal(a, b, decimal=2, err_msg="x" * 90, verbose=False))
for a, b in [(1.0, 1.0001), (0.0, 0.0), (1e10, 1.0000001e10), (nan, nan), (nan, 1), (inf, 1), (0., 1e-9)]:
    check(lambda: npt.assert_approx_equal(a, b)); check(lambda: npt.assert_approx_equal(a, b, 3, "m"))
for a, b in [("a", "a"), ("abc", "abd"), ("a\nb\n", "a\nc\n"), ("a", 1), ("a\n", "a\nb\n"), ("hello world", "help wordl"), ("x\ny\nz\n", "x\nz\n")]:
    check(lambda: npt.assert_string_equal(a, b))
for a, b in [(1.0, 1 + 2e-16), (np.float32([1, 2]), np.float32([1.0000001, 2.000001])), (-1e-45, 1e-45), (1, 2), (nan, nan), (np.float16(1), np.float16(1.01)), (1j, 1j)]:
    check(lambda: npt.assert_array_max_ulp(a, b)); check(lambda: npt.assert_array_max_ulp(a, b, maxulp=50, dtype=np.float32)); check(lambda: npt.assert_array_almost_equal_nulp(a, b)); check(lambda: npt.assert_array_almost_equal_nulp(a, b, nulp=10))
check(lambda: npt.assert_raises(ValueError, int, "x")); check(lambda: npt.assert_raises(ValueError, int, "1")); check(lambda: npt.assert_raises((ValueError, TypeError), int, "1")); check(lambda: npt.assert_raises_regex(ValueError, "zzz", int, "x")); check(lambda: npt.assert_(0, lambda: "called")); check(lambda: npt.assert_(False, "text")); check(lambda: npt.print_assert_equal("t", [1], [2]))
check(lambda: npt.assert_no_warnings(max, 1, 2)); check(lambda: npt.assert_warns(UserWarning, warnings.warn, "x")); check(lambda: npt.assert_warns(UserWarning, int, "3"))
def warns(): warnings.warn("w", RuntimeWarning); return 4
check(lambda: npt.assert_warns(RuntimeWarning, warns))
def ctx():
    with npt.assert_warns(RuntimeWarning): warns()
    with npt.assert_raises(KeyError) as c: {}[1]
    with npt.assert_no_warnings(): pass
    with npt.tempdir() as d, npt.temppath(suffix=".x", dir=d) as p: print(p.endswith(".x"), p.startswith(d))
    return repr(c.exception)
check(ctx)
print(npt.build_err_msg([1, np.ones(3)], "there", header="Head", names=("a", "b")), npt.IS_64BIT, npt.SkipTest.__name__)
