# Frames: sys._getframe, inspect.currentframe, inspect.stack, traceback of a frame.
import inspect
import os
import sys
import traceback

level = 7


def where(depth=1):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno


def outer(a, b=2):
    c = a + b
    frame = inspect.currentframe()
    print(frame.f_code.co_name, sorted(frame.f_locals)[:3], frame.f_locals['c'], frame.f_globals['level'], frame.f_back.f_code.co_name)
    print(where(), where(0), frame.f_code is not None, frame.f_code.co_varnames[:2], frame.f_back.f_globals is globals())
    return inner()


def inner():
    calls = inspect.stack()
    print([(call.function, call.lineno, call.index) for call in calls], calls[1].code_context, os.path.basename(calls[0].filename))
    shown = traceback.extract_stack(inspect.currentframe())
    print([entry.name for entry in shown], shown[-1].line)
    return inspect.getframeinfo(calls[0].frame)[1:3]


class Here:
    frame = sys._getframe()
    name = frame.f_code.co_name


print(outer(1), Here.name, inspect.isframe(Here.frame), Here.frame.f_locals['name'])
print([call.function for call in (lambda: inspect.stack())()], [inspect.currentframe().f_code.co_name for _ in range(1)][0] != '')
try:
    sys._getframe(50)
except ValueError as error:
    print(error)
try:
    outer('x')
except TypeError as error:
    print([info.function for info in inspect.trace()], error.__traceback__.tb_frame.f_lineno > 0)
