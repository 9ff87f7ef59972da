# Truth, chained comparisons, identity, short circuits, sorting of mixed, all/any, ternaries.
print([bool(x) for x in (0, 1, "", "0", [], [0], {}, None, 0.0, 0j, (), range(0), range(1), set(), b"", float("nan"), object)])
def t(v): print("t", v); return v
print(t(1) < t(2) < t(3), t(3) < t(2) < t(1), t(0) or t(5) or t(6), t(1) and t(0) and t(2), not t(0))
print(1 == 1.0 == True, 1 is True, "a" == b"a", [1, 2] == (1, 2), (1, 2) < (1, 2, 0), [1, [2, 3]] < [1, [2, 4]], "abc" < "abd", {1} < {1, 2}, {1: 2} == {1: 2.0}, None == 0, 0.1 + 0.2 == 0.3, [x := float("nan")] == [x])
print(1 < 2 > 1 != 3 in [3], "x" if [] else "y" if 0 else "z", (1 if True else 2) + 3, not 1 == 2, 5 and 6 or 7, 0 and 6 or 7, [] is not [], 3 if 2 > 1 else 1 / 0)
for f in (lambda: 1 < "a", lambda: [1] < (1,), lambda: None < 1, lambda: {} < {}, lambda: 1j < 2j, lambda: sorted([1, None]), lambda: max("a", 1), lambda: object() < object(), lambda: 1 in 5, lambda: "a" in 5, lambda: 1 in "a"):
    try: print(f())
    except TypeError as e: print(e)
