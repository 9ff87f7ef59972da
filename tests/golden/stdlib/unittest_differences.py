# What an assertion says of two values that differ: its first lines, before the diff that Python has behind them, or a line of its length.
import unittest

case = unittest.TestCase()
PAIRS = [([1, 2, 3], [1, 2, 4]), ((1, 2), (1, 2, 3)), ([1, 2, 3, 4], [1, 2]), (list(range(40)), list(range(39)) + [7]), ([], [0]), ("a", "b"),
         ({1, 2, 3}, {2, 3}), (frozenset([1]), frozenset([2])), ({"a": 1}, {"a": 2}), ([1], (1,)), (1, 2), ("x" * 100 + "a", "x" * 100 + "b"),
         (list(range(100)), list(range(1, 101)))]


def told(check, first, second, msg=None):
    try:
        check(first, second, msg)
    except AssertionError as error:
        return [line for line in str(error).split("\n") if line[:2] not in ("- ", "+ ", "? ", "  ", "Di")]


for first, second in PAIRS:
    print(*[line for line in told(case.assertEqual, first, second) if line], sep="\n")
    print("--")
print(told(case.assertSequenceEqual, [1], (2,))[:4])
print(told(case.assertCountEqual, [1, 1, 2], [1, 2, 2]))
print(told(case.assertEqual, 1, 2, "why"))
print(told(case.assertEqual, 1, 1))
