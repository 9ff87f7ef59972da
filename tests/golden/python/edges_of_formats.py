# Fields of no width, of no characters, within each other; signs of complex numbers; names among places.
print([format('abc', spec) for spec in ('.0', '3.0', '.1', '3', '2', '4')])
for z in (1 + 2j, -1 - 2j, complex(0, 2), complex(-0.0, 2)):
    print([format(z, spec) for spec in ('', '-', '+', ' ', '-.2f', '+g')])


def show(make):
    try:
        print(make())
    except (TypeError, ValueError, KeyError, IndexError) as e:
        print(type(e).__name__, e)


show(lambda: '{:{}}'.format('x', 5))
show(lambda: '{:{:{}}}'.format('x', 5, 6))
show(lambda: '%(a)s %s' % {'a': 1})
show(lambda: '%(a)s %(a)s' % {'a': 1})
show(lambda: '%s %(a)s' % {'a': 1})
show(lambda: '%s' % {'a': 1})
