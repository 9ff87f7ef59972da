# __repr__, __str__, __format__ and what uses them.
class R:
    def __repr__(self):
        return 'R()'


class S(R):
    def __str__(self):
        return 'S!'


class F(S):
    def __format__(self, spec):
        return f'F<{spec}>'


r, s, f = R(), S(), F()
print(r, str(r), repr(r), [r], (r,), {r: r}, f'{r} {r!r} {r!s} {r!a}')
print(s, repr(s), [s], f'{s} {s!r}', '%s %r' % (s, s), '{} {!r}'.format(s, s))
print(f'{f} {f:abc} {f!r:>6} {f!s:<6}|', format(f, 'x'), '{:q}'.format(f), format(f))
try:
    format(r, 'x')
except TypeError as e:
    print(e)


class Bad:
    def __repr__(self):
        return 5


class BadStr:
    def __str__(self):
        return None


for make in (lambda: repr(Bad()), lambda: str(BadStr()), lambda: str(Bad())):
    try:
        make()
    except TypeError as e:
        print(e)


class Plain:
    pass


text = repr(Plain())
print(text.startswith('<__main__.Plain object at 0x'), text.endswith('>'))


def func():
    class Inner:
        pass
    return Inner()


print(repr(func()).startswith('<__main__.func.<locals>.Inner object at 0x'))
print(repr(func).startswith('<function func at 0x'), repr(len), repr(int), repr(R), type(None), type(...))
print(repr(R.__repr__).startswith('<function R.__repr__ at'), repr(r.__repr__))
width, prec, value = 10, 3, 3.14159
print(f'{value:{width}.{prec}f}|{value:<{width}}|{value!r:^{width + 4}}|{{literal}}')
print(f'{value=} {value=:.2f} {width = } {r=} {r=!s} {"q"!r}')
print(f"{'nested ' + f'{width:>{prec}}'}", f'{[x for x in range(3)]}', f'{ {"a": 1}["a"] }')
print(f'{1_000_000:,} {255:#x} {255:08b} {0.000012:g} {1e20:.3e} {-5:+d} {5: d} {12.5:%}')
print(f'{"left":<8}|{"right":>8}|{"mid":^8}|{"fill":*^8}|{"long text":.4}')
print(f'{True} {None} {3!r} {"é"!a} {1 if width > 3 else 2}')
print('%d %5.2f %-5s| %05d %x %o %e %c %%' % (42, 3.14159, 'ab', 42, 255, 8, 12345.678, 'z'))
print('%(a)s %(b)03d' % {'a': 1, 'b': 2}, '%s' % (1,), '%s and %s' % ('x', [1]))
print('{0} {1} {0} {name} {obj.unit} {lst[1]}'.format(1, 2, name='n', obj=type('U', (), {'unit': 'u'}), lst=[5, 6]))
lines = f"""multi {1 +
2} line"""
print(lines)
nested = [1, [2, [3]]]
nested.append(nested)
print(nested)
dd = {}
dd['self'] = dd
print(dd)
