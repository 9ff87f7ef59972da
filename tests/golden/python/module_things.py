"""The module's own doc."""
# Modules as objects: names, imports of several forms, star imports, attributes.
import math
import math as m
import os.path
import collections.abc as cabc
from math import pi, sqrt as root
from functools import *
print(__name__, __doc__)
print(math is m, m.floor(2.7), pi == math.pi, root(16), os.path.join('a', 'b'), cabc.Mapping.__name__)
print(reduce(lambda a, b: a + b, [1, 2, 3]), partial(int, base=2)('101'))
print(math.__name__, type(math).__name__, hasattr(math, 'nope'))
try:
    math.nope
except AttributeError as e:
    print(e)
try:
    import nonexistent_module
except ModuleNotFoundError as e:
    print(e, e.name)
try:
    import math.sub
except ImportError as e:
    print(e)
try:
    from math import nope
except ImportError as e:
    print(str(e).split('(')[0])
try:
    from . import sibling
except ImportError as e:
    print(e)


def local_import():
    from itertools import chain
    import operator as op
    return list(chain([1], [2])), op.add(1, 2)


print(local_import())
try:
    chain
except NameError as e:
    print(e)


class Body:
    import math as mm
    from math import e as euler
    value = mm.floor(euler)


print(Body.value, Body.mm is math)
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import not_really_there
print(TYPE_CHECKING)
globals_seen = globals()
globals_seen['injected'] = 'yes'
print(injected, 'math' in globals(), __name__ == '__main__')


def uses_locals(a, b=2):
    c = 3
    return sorted(locals().items())


print(uses_locals(1))
math_copy = math
math_copy.custom = 5
print(math.custom)
del math_copy.custom
print(hasattr(math, 'custom'))
