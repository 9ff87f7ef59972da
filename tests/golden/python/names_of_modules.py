# A module's names are listed and can be had, whether or not anything of it was used before.
import collections, enum, json, textwrap
import enum as again

for module, some in [(collections, ["namedtuple", "deque"]), (enum, ["Enum", "unique"]), (json, ["dumps"]),
                     (textwrap, ["dedent"])]:
    names = dir(module)
    assert names == sorted(names) and len(set(names)) == len(names)
    for name in some:
        assert name in names, name
        assert getattr(module, name) is getattr(module, name)
        assert name in module.__dict__, name
    for name in names:
        getattr(module, name)
assert vars(enum)["Enum"] is again.Enum
from textwrap import *
print(dedent("  a\n  b"), fill("one two three", 8))
