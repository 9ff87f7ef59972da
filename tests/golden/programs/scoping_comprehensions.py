# Comprehensions have scopes of their own; class bodies are not closures; globals, walrus, del.
x = "global"
print([x for x in range(3)], x, {x: y for x in "ab" for y in (1, 2)}, x)
print([(y := i * 2) for i in range(3)], y, any((hit := n) > 3 for n in [1, 5, 9]), hit)
class C:
    x = "class"
    a = [x for _ in range(2)]
    b = (lambda: x)()
    c = [v for v in x]
    n = 3
    d = [i for i in range(n)]
print(C.a, C.b, C.c, C.d)
def f():
    global made
    made = [i + j for i in range(2) for j in range(i, 3) if (i + j) % 2]
    return made
print(f(), made, [[r * c for c in range(3)] for r in range(3)], {i % 3 for i in range(10)} == {0, 1, 2}, {**{"a": 1}, "b": 2})
def g(*args, **kw):
    return [a for a in args if a] or {k: v for k, v in kw.items() if v}
print(g(0, 1), g(a=0, b=2), [*map(lambda t: t[0] + t[1], zip("ab", "cd"))], sum(i * i for i in range(4) if i % 2), sorted({w.lower() for w in "The the cat".split()}))
try:
    del x
    print(x)
except NameError as e:
    print(e)
print([a if a % 2 else -a for a in range(5)], [b for a in [[1, 2], [3]] for b in a], ["%d:%s" % p for p in enumerate("xy", 1)], list(i for i in [1, 2] for _ in "ab"))
