# Unpacking in assignments, loops, calls, displays; swaps; nested; starred; errors.
a, b = 1, 2; a, b = b, a
(c, d), [e, *f] = (1, 2), "xyz"
*g, h = range(4)
[i, [j, *k], l] = 1, (2, 3, 4), 5
print(a, b, c, d, e, f, g, h, i, j, k, l)
m = n = []; n.append(1); print(m)
x = [0, 1, 2]; p = 0
p, x[p] = 2, 9; print(p, x)
for q, (r, *s) in [(1, "ab"), (2, [3])]: print(q, r, s)
print([*range(2), *"a", *{5: 6}], {*[1, 1]}, {**{"a": 1}, "a": 2}, (*(), 1), [(u, v) for u, v in {"k": "w"}.items()], dict(a=1, **{"b": 2}))
o = type("O", (), {})(); o.x, o.y = 3, 4; print(o.x + o.y)
z, = [7]; print(z)
def ret(): return 1, *[2, 3]
print(ret(), max(*[3, 4]), "{} {}".format(*"ab"))
for code in (lambda: [0 for a, b in [(1,)]], lambda: [0 for a, b in [(1, 2, 3)]], lambda: [0 for a, *b in [()]], lambda: [0 for a, b in [5]], lambda: [*5], lambda: {**[1]}, lambda: [0 for a, b in [None]]):
    try: print(code())
    except (ValueError, TypeError) as e: print(type(e).__name__, e)
