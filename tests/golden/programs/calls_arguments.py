# Calls: positional, keyword, defaults, stars, order of evaluation, errors of binding, mutable defaults.
def f(a, b=2, *args, c, d=4, **kw): return a, b, args, c, d, kw
print(f(1, c=3), f(1, 5, 6, 7, c=8, e=9), f(*[1, 2], **{"c": 3, "z": 4}), f(*(1,), *[2, 3], c=0, **{}, **{"q": 1}))
def po(a, b, /, c, *, d): return a, b, c, d
print(po(1, 2, 3, d=4), po(1, 2, c=3, d=4))
def g(x, acc=[]): acc.append(x); return acc
print(g(1), g(2), g(3, []), g.__defaults__)
order = []
def t(v): order.append(v); return v
f(t(1), *[t(2)], c=t(3), **{"k": t(4)})
print(order, (lambda *a, k=t(5): (a, k))(t(6)), order)
for h in (lambda: f(), lambda: f(1), lambda: f(1, c=1, a=2), lambda: po(1, b=2, c=3, d=4), lambda: po(1, 2, 3, 4), lambda: po(1, 2), lambda: f(1, c=1, **{"c": 2}), lambda: f(*5), lambda: f(**5), lambda: (lambda a, b: 0)(1), lambda: (lambda: 0)(1), lambda: f(1, 2, c=3, **{1: 2}), lambda: len(1, 2), lambda: len(), lambda: [].append()):
    try: print(h())
    except TypeError as e: print(e)
