# copy and deepcopy: sharing, cycles, hooks, of every kind of container.
import copy

a = [1, [2, 3], {"k": (4, [5])}]
b, c = copy.copy(a), copy.deepcopy(a)
a[1].append(9)
a[2]["k"][1].append(7)
print(b, c, b[1] is a[1], c[1] is a[1])
loop = [1]
loop.append(loop)
d = copy.deepcopy(loop)
print(d[1] is d, d is not loop)
class N:
    def __init__(self, v, kids=()): self.v, self.kids = v, list(kids)
    def __eq__(self, o): return self.v == o.v and self.kids == o.kids
shared = N(1)
tree = N(0, [shared, shared])
t = copy.deepcopy(tree)
print(t == tree, t.kids[0] is t.kids[1], t.kids[0] is not shared)
class H:
    def __init__(self): self.log = []
    def __copy__(self): return "copied"
    def __deepcopy__(self, memo): return ["deep", len(memo) >= 0]
print(copy.copy(H()), copy.deepcopy([H()]), copy.copy((1, 2)) == (1, 2), copy.deepcopy({1, 2}) == {1, 2}, copy.copy(len) is len, copy.deepcopy(N) is N, copy.deepcopy(range(3)), copy.copy(frozenset([1])))
class S:
    __slots__ = ("a", "b")
    def __init__(self): self.a = [1]
s = S()
u = copy.deepcopy(s)
s.a.append(2)
print(u.a, hasattr(u, "b"), copy.copy(s).a is s.a)
