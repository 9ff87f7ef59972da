import math, datetime
x, n, s, neg = 1234.56789, 255, 'text', -42
print(f'{x:.2f} {x:,.1f} {x:e} {x:.3e} {x:g} {x:10.1f}| {x:<10.1f}| {x:^12.2f}| {x:+.1f} {x:010.2f} {x:%} {1e20:g} {1e-7:g} {x!r:>14}')
print(f'{n:b} {n:#b} {n:o} {n:#x} {n:X} {n:08b} {n:c} {neg:05d} {neg:+d} {n: d} {10**9:,} {10**9:_} {0xdeadbeef:_x} {n:>6}|{n:<6}|{n:^6}|{n:=+6}|')
print(f'{s:>8}|{s:<8}|{s:^8}|{s:*^8}|{s:.2}|{s!r}|{s!s:>6}|{s=}|{x=:.2f}|{n + 1 = }|{s.upper()!a}')
w, p = 10, 3; print(f'{x:{w}.{p}}|{x:>{w}.{p}f}|{"nested " + f"{n}"}|{{}}|{ {"a": 1}["a"] }|{(lambda q: q * 2)(4)}|{"yes" if n else "no"}|{datetime.date(2024, 1, 2):%d.%m.%y}')
print(f'{float("nan"):.1f} {float("inf"):5} {-0.0:.0f} {0.5:.0f} {1.5:.0f} {2.5:.0f} {1e16:.1f} {123456789.0:.3g} {1e100:.0f} {0.1 + 0.2} {1e16} {1e15} {1.0} {100000000000000000000.0} {5e-324} {1/3}')
print('{0} {1} {0}'.format('a', 'b'), '{a[0]} {a[1]} {b.real} {c[k]}'.format(a=[1, 2], b=3j, c={'k': 'v'}), '{:{}}'.format('x', 5) + '|', '{:.{p}f}'.format(math.pi, p=3), '{!r}'.format('q'), '{{}}'.format())
print('%5d|%-5d|%05d|%+d|% d|%x|%#o|%e|%.3g|%s|%r|%c|%%|%5.1f%%|%*d|%.*f' % (1, 2, 3, 4, 5, 255, 8, 1234.5, 0.00012345, 'a', 'b', 'c', 99.5, 6, 7, 2, math.e), '%(a)s-%(b)03d' % {'a': 'x', 'b': 7})
for bad in ['{:d}', '{:q}', '{0.x}', '{a}', '{', '{:,s}', '{} {1}']:
    try: print(bad.format('s'))
    except (ValueError, KeyError, AttributeError, IndexError) as e: print(repr(bad), type(e).__name__, e)
try: '%d' % 'x'
except TypeError as e: print(e)
try: '%s %s' % (1,)
except TypeError as e: print(e)
try: f'{3:.2s}'
except ValueError as e: print(e)
class V:
    def __format__(self, spec): return f'V<{spec}>'
    def __str__(self): return 'str'
    def __repr__(self): return 'rep'
print(f'{V()} {V():abc} {V()!s} {V()!r:>5}', format(V(), 'z'), str([V()]), '%s %r' % (V(), V()), f'{True:d} {True} {None} {[1, "a"]} {1+2j:.1f} {b"x"} {3:.1f} {"é":>3} {"日本":>5}|')
print(repr('a\'b"c\n\t\\\x00\x7f\u200b\U0001F600é'), ascii('é😀'), r'\n', 'a' 'b', '\N{GREEK SMALL LETTER ALPHA}', '\x41\u0042', 'tab\tq', len('é'), 'x'.join('abc'), 'aXbX'.rsplit('X', 1), ' a '.strip() + '|', 'xxaxx'.lstrip('x'), 'abc'.find('z'), 'ababa'.count('aba'), 'Hello'.swapcase(), 'a1'.isalnum(), '²'.isdigit(), '½'.isnumeric(), 'abc'.removeprefix('a'), 'a\nb\r\nc'.splitlines(True), 'abc'[::-1], 'abc' < 'abd', 'ab' * 2, 'z' in 'xyz', 'abcabc'.index('c', 3), 'x'.isidentifier(), 'A'.islower())
