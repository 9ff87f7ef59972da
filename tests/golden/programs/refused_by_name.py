# own: what is not there says so by its name
import decimal
import numpy as np
import numpy.testing


class Boxed:
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return ufunc.__name__


class Own(Boxed):
    def __array__(self, dtype=None, copy=None):
        return np.ones(2)

    def __array_function__(self, func, types, args, kwargs):
        return func.__name__


def numbers():
    yield 1


for name, ask in (("ufunc of an object", lambda: np.add(Boxed(), 1)), ("array and object", lambda: np.arange(2) + Boxed()),
                  ("scalar and object", lambda: np.float32(1) * Boxed()), ("one operand", lambda: np.sin(Own())),
                  ("function of an object", lambda: np.mean(Own())), ("inside of a list", lambda: np.concatenate([Own(), [1]])),
                  ("frame", lambda: numbers().gi_frame),
                  ("testing", lambda: np.testing.suppress_warnings()), ("tree", lambda: compile("1", "x", "eval", 0x400)),
                  ("array of dates", lambda: np.array(["2020-01-01"], dtype="datetime64[D]"))):
    try:
        print(name, ask())
    except NotImplementedError as error:
        print(f"{name}: {error}")
g = numbers()
list(g)
print(g.gi_frame, numbers.__closure__, hasattr(decimal.Decimal(1), "nothing"))

import subprocess
for keyword in ({"umask": 0}, {"start_new_session": True}, {"user": 0}, {"process_group": 0}, {"restore_signals": False}):
    try:
        print(subprocess.run(["true"], **keyword))
    except NotImplementedError as e:
        print(e)
try:
    subprocess.Popen(["sleep", "5"]).send_signal(1000)
except OSError as e:
    print(e)
