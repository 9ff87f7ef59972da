# pytest.approx of complex numbers; ExceptionInfo.group_contains.
import pytest, numpy as np
assert 1j == pytest.approx(1j + 1e-9)
assert 1j != pytest.approx(1j + 1e-3)
print(repr(pytest.approx(1j)), repr(pytest.approx(1+0j)), repr(pytest.approx(3.0)), [1j,2]==pytest.approx([1j,2+1e-9j]))
print(complex("nan") == pytest.approx(complex("nan"), nan_ok=True), complex("nan")==pytest.approx(complex("nan")), complex("inf")==pytest.approx(complex("inf")), 1j==pytest.approx(complex(0,float("inf"))))
print(np.array([1j]) == pytest.approx(np.array([1j+1e-9])), 1.0==pytest.approx(1+1e-9j))
with pytest.raises(ExceptionGroup) as e:
    raise ExceptionGroup("a", [ValueError("x1"), ExceptionGroup("b",[TypeError("t"), ExceptionGroup("c",[KeyError("k")])])])
for a in (ValueError, TypeError, KeyError, ExceptionGroup, (OSError, KeyError), OSError):
    print(a, [e.group_contains(a, depth=d) for d in (None,1,2,3,4)], e.group_contains(a, match="^t|b"))
try: e.group_contains(ValueError, depth=0)
except AssertionError as x: print(x)
