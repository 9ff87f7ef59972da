# What of typing is called as what it stands for; texts of errors; a process that leaves at once.
import os
import subprocess
import sys
import typing

for name in ("OrderedDict", "DefaultDict", "Deque", "Counter", "ChainMap"):
    form = getattr(typing, name)
    print(type(form()).__name__, type(form[int]() if name in ("Deque", "Counter") else form[int, str]()).__name__)
print(typing.DefaultDict(list)["a"], typing.Counter("aab"), typing.OrderedDict(a=1), typing.Deque([1], 2))
for form in (typing.List, typing.Dict, typing.Set, typing.FrozenSet, typing.Tuple, typing.Type, typing.List[int], typing.Any, typing.Optional, typing.Iterable):
    try:
        print(form())
    except TypeError as e:
        print(e)
print(os.strerror(2), os.strerror(13))
print(subprocess.run([sys.executable, "-c", "import os, atexit; atexit.register(print, 'no'); os._exit(4)"], capture_output=True).returncode)
