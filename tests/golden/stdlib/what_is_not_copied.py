# What cannot be copied or pickled says so; weak references and bytearrays.
import copy
import io
import pickle
import sys
import threading
import types
import weakref


class Job:
    def __init__(self):
        self.lock = threading.Lock()


def local():
    def inner():
        pass
    return inner


for value in ((i for i in ()), sys, types.MappingProxyType({}), {}.keys(), threading.Lock(), threading.RLock(), threading.local(), Job(), open(__file__), local()):
    for how in (copy.copy, copy.deepcopy, pickle.dumps):
        try:
            print(how.__name__, type(how(value)).__name__)
        except (TypeError, AttributeError) as e:
            print(how.__name__, type(e).__name__, e)
job = Job()
r = weakref.ref(job)
print(copy.copy(r) is r, copy.deepcopy([r])[0] is r, copy.deepcopy(weakref.WeakValueDictionary(a=job))["a"] is job)
b = bytearray(b"ab")
c, d = copy.copy(b), copy.deepcopy(b)
b[0] = 0
print(b, c, d, copy.copy(io.BytesIO(b"x")).read())
