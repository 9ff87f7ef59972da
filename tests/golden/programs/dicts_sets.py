# dict and set: order, views, merging, methods, comparison, comprehension, errors, frozenset keys.
d = {"b": 1, "a": 2}
d["c"] = 3
d.update(a=5, z=6)
d |= {"y": 0}
print(d, list(d), d.keys() & {"a", "q"}, sorted(d.items()), d.get("n", 9), d.setdefault("k", []), d.pop("b"), d.pop("nope", None), d.popitem(), list(reversed(d)), {"x": 1} | d, d == dict(reversed(list(d.items()))))
print({1: "a", True: "b", 1.0: "c"}, dict(a=1, **{"b": 2}), dict([("k", 1)]), dict.fromkeys("ab", 0), {k: v for k, v in zip("ab", [1, 2])}, {(1, 2): 3}[1, 2], {frozenset([1]): 2}[frozenset([1])], len({}), bool({}), "a" in d, d.keys() - {"a"} == {"c", "z"} or sorted(d.keys() - {"a"}))
v = d.values()
k = d.keys()
d["new"] = 1
print(len(v), "new" in k, list(k), k.isdisjoint({"q"}), d.items() >= {("a", 5)}, type(k).__name__, repr(d.keys())[:11], d.copy() is not d)
s, t = {1, 2, 3}, frozenset([2, 3, 4])
print(sorted(s | t), sorted(s & t), sorted(s - t), sorted(s ^ t), s <= {1, 2, 3, 4}, s < s, s.isdisjoint({9}), {1}.issubset(s), s.issuperset([1]), type(s | t).__name__, type(t | s).__name__, len({1, 1.0, True}), s == {3, 2, 1}, sorted(s.union([7], (8,))), hash(t) == hash(frozenset([4, 3, 2])))
s.add(9), s.discard(100), s.remove(1), s.update([5], {6}), s.intersection_update({2, 5, 9}), s.symmetric_difference_update({2, 7})
print(sorted(s), set("hello") == set("olleh"), {*()}, set(), frozenset(), {1}, frozenset({1}), sorted({x % 3 for x in range(9)}))
for bad in (lambda: d["zz"], lambda: {}.popitem(), lambda: {[1]: 2}, lambda: {1, [2]}, lambda: s.remove(77), lambda: set().pop(), lambda: dict(1), lambda: dict([1]), lambda: dict(["abc"]), lambda: {1} + {2}, lambda: frozenset([1]).add(2), lambda: d.update(5), lambda: {} < {}, lambda: set([[]]), lambda: {}.fromkeys(3), lambda: s | [1]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
