# A module that cannot be read is an exception like others: what is caught is not reported, and the program goes on.
from __future__ import annotations
import importlib
import importlib.util
import os
import sys
import tempfile
import typing

folder = tempfile.mkdtemp()
sys.path.insert(0, folder)
sys.dont_write_bytecode = True


def write(name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)
    importlib.invalidate_caches()


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, '(unread.py, line 2)' in str(e))


write('unread.py', 'x = 1\ndef (:\n')
for _ in range(2):
    try:
        import unread
    except SyntaxError as e:
        print('caught', type(e).__name__, '(unread.py, line 2)' in str(e), 'unread' in sys.modules)
write('outer.py', 'y = 1\nimport unread\n')
tried(lambda: importlib.import_module('outer'))
print('outer' in sys.modules)


def run(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, name + '.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.x


tried(lambda: run('unread'))
tried(lambda: run('nowhere'))
write('unread.py', 'x = 11\n')
tried(lambda: run('unread'))
import unread
print(unread.x)
write('unread.py', 'x = 2\ndef (:\n')
tried(lambda: importlib.reload(unread))
print(unread.x)
write('unread.py', 'x = 333\n')
print(importlib.reload(unread).x)
os.remove(os.path.join(folder, 'unread.py'))
tried(lambda: importlib.reload(unread))


class Fields:
    a: int


Fields.__annotations__['b'] = 'no expression'
try:
    typing.get_type_hints(Fields)
except SyntaxError as e:
    print(type(e).__name__)
