# Names of modules that are deleted, specs of modules, and what an error of an import names.
import json
import os
import tempfile
from concurrent.futures import Future
import numpy as np

kept = os.getcwd
del os.getcwd
print(hasattr(os, 'getcwd'))
os.getcwd = kept
print(hasattr(os, 'getcwd'), os.getcwd is kept)
del json.dumps, np.zeros
print(hasattr(json, 'dumps'), hasattr(np, 'zeros'), np.ones(2))
for wrong in ('json.dumps', 'json.nope'):
    try:
        exec(f'del {wrong}')
    except AttributeError as error:
        print(error)
for names in ('from json import dumps', 'from json import nope'):
    try:
        exec(names)
    except ImportError as error:
        print(error.name, str(error).split(' (')[0])

print(__spec__, json.__spec__.name, os.path.__name__ != '')

outside = os.dup(1)
with tempfile.TemporaryFile('w+') as file:
    os.dup2(file.fileno(), 1)
    os.write(1, b'raw\n')
    print('printed', flush=True)
    os.system('echo child')
    os.dup2(outside, 1)
    os.close(outside)
    file.seek(0)
    print(file.read().split())

future = Future()
future.set_running_or_notify_cancel()
print(repr(future).split(' ', 3)[3])
future.set_result(9)
print(repr(future).split(' ', 3)[3])
failed = Future()
failed.set_exception(KeyError(1))
print(repr(failed).split(' ', 3)[3])
