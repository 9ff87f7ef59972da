# Keyword-only defaults that are set anew, and many keywords at once.
def f(a, *, d, c=1): return a, d, c
f.__kwdefaults__ = {'d': 5, 'c': 7}
print(f(1), f.__kwdefaults__)
f.__kwdefaults__ = None
try: f(1, d=2)
except TypeError as e: print(e)
f.__kwdefaults__ = {'c': 9, 'zz': 3}
print(f(1, d=2))
try: f.__kwdefaults__ = 5
except TypeError as e: print(e)
del f.__kwdefaults__
def g(a, b=2, *args, c=3, **kw): return a, b, args, c, kw
g.__kwdefaults__ = {'c': 4}
print(g(1), g(1, 5, 6, x=7), g.__defaults__)
g.__defaults__ = (8, 9)
print(g(), g.__kwdefaults__)
def k(**kw): return len(kw)
d = {'k%d' % i: i for i in range(100000)}
print(k(**d), len(dict(**d)))
try: k(**d, k7=1)
except TypeError as e: print(e)
try: k(k7=1, **d)
except TypeError as e: print(e)
