# f-strings and formats with everything nested; conversions; percent and format on objects.
name, n, pi, items = 'World', 42, 3.14159265, [1, 'two', None]
print(f'Hello {name}! {n:>6}|{n:<6}|{n:^6}|{n:06}|{n:+}|{-n:+}|{n:,}|{n:x}|{n:#b}|{n:e}|{n!r:>4}')
print(f'{pi:.2f} {pi:8.3f} {pi:<8.1f}| {pi:e} {pi:g} {pi:.0f} {pi:%} {pi!s:.4} {1e10:g} {1e-10} {1e16} {123456789.0}')
print(f'{name!r} {name!s} {name!a} {name:>10} {name:*^11} {name:.3} {name[0]} {name.lower()} {len(name)}')
print(f'{items} {items[1]!r} {items[-1]} {[i for i in items if i]} {dict(a=1)["a"]} {(lambda x: x * 2)(4)}')
print(f'{{}} {{{n}}} {"quoted"} {"it" + "s"} {n if n > 40 else "small"} {n == 42} {not n}')
w, p, fill, align = 12, 3, '-', '^'
print(f'{pi:{w}.{p}} {pi:{fill}{align}{w}} {name:{fill}>{w}} {n:{"0"}{w}d}')
print(f'{n=} {n + 1=} {name=} {pi=:.1f} {name=!s} { n = } {items[0]=} {f"{n}"=}')
print(f'''triple {name
} "double" 'single' {n:
>4}''')
print(f'a' 'b' f'{n}' "c" f"{name}", 'x' f'{1}{2}' 'y', f'' == '', rf'\d{n}', f'\t{n}\x41\u00e9')
print(f"{f'{n}'}", f'{"a" if True else "b"}', f'{ {1, 2} == {2, 1} }', f'{{"k": {n}}}')


class F:
    def __format__(self, spec):
        return f'<{spec}>' if spec else 'empty'

    def __str__(self):
        return 'str'

    def __repr__(self):
        return 'repr'


f = F()
print(f'{f} {f:x} {f!s:>5} {f!r:<6}| {f:{n}} {f!a}', '%s %r %a' % (f, f, f), '{} {:y} {!s} {!r}'.format(f, f, f, f))
print('{0}{1}{0} {a} {b[k]} {c.real} {d[0][1]}'.format('x', 'y', a=1, b={'k': 2}, c=3, d=[(4, 5)]))
print('{:>{w}} {:{}.{}f}'.format('r', 3.14159, 8, 2, w=5), '{:,} {:_} {:.1%} {:c} {:n}'.format(1234567, 1234567, 0.256, 65, 5))
print('%5d|%-5d|%05d|%+d|%x|%X|%o|%e|%.2f|%g|%s|%r|%c|%%' % (1, 2, 3, 4, 255, 255, 8, 1234.5, 2.345, 0.0001, 'a', 'a', 66))
print('%(x)s-%(y)5.1f' % {'x': 1, 'y': 2.25}, '%*d|%.*f' % (5, 42, 2, 3.14159), '%s' % None, '%s' % [1], '%s %s' % ('a', (1,)))
for bad in (lambda: '%d' % 'a', lambda: '%s %s' % 1, lambda: '%s' % (1, 2), lambda: '{} {}'.format(1), lambda: '{x}'.format(),
            lambda: f'{n:q}', lambda: f'{name:d}', lambda: f'{pi:d}', lambda: '{0.zz}'.format(1), lambda: '{'.format(), lambda: '%z' % 1,
            lambda: f'{items:>3}', lambda: f'{None:>3}', lambda: '{:.2f}'.format('a'), lambda: 'a'.join([1]), lambda: 'a' % 1):
    try:
        bad()
        print('no error')
    except Exception as e:
        print(type(e).__name__, e)
print(str(1.0), str(1e100), str(-0.0), str(1 / 3), repr(0.1), str(1e16), str(123456789012345680.0), str(float('nan')), 1e-7, 2.5e-5)
print(str(True), str(None), str([1.5, 'a', (2,), {}]), str({'k': 'v'}), str({1}), str(frozenset()), str(range(3)), str(b'x'))
print('abc'.replace('b', 'BB'), 'a-b-c'.rsplit('-', 1), 'abc'.partition('b'), ' a '.lstrip(), 'xxaxx'.strip('x'), 'ab\ncd'.splitlines())
print('Hello'.swapcase(), 'hello world'.title(), 'hello'.capitalize(), '42'.zfill(5), 'a'.isalpha(), '1'.isdigit(), 'abc'.startswith(('x', 'a')))
print('abcabc'.find('c', 3), 'abcabc'.rfind('a'), 'abc'.index('b'), 'aXbX'.count('X'), 'abc'.endswith('bc'), 'tEST'.lower(), '\t'.expandtabs(4) + '|')
print('a,b;c'.translate({ord(','): ' ', ord(';'): None}), 'abc'.removeprefix('a').removesuffix('c'), 'x' * 0 == '', 'a' < 'B', 'a' > 'B')
print('%s' % 3.0, '%d' % 3.99, '%i' % -5, '%5.1f%%' % 99.55, '%-10s|' % 'left', '%+.3e' % 12345.678, '%#x' % 255, '% d' % 5)
for of in 'a'.startswith, 'a'.endswith:
    for affix in 5, ('a', 5), (5, 'a'):
        try:
            print(of(affix))
        except TypeError as e:
            print(e)
