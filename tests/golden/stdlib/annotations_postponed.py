# Annotations that stay text: functools registers by their meaning, inspect evaluates them where it is asked to.
from __future__ import annotations

import functools
import inspect
import typing


class Shape:
    pass


@functools.singledispatch
def show(x, more=None):
    return 'object'


@show.register
def _(x: int, more: list = None):
    return 'int'


@show.register
def _(x: list | Shape):
    return 'list or Shape'


print([show(x) for x in (3, True, [1], Shape(), 2.5)], sorted(t.__name__ for t in show.registry))


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)


def unknown(x: Nowhere):
    pass


def no_class(x: 3):
    pass


tried(lambda: show.register(unknown))
tried(lambda: show.register(no_class))


class Printer:
    @functools.singledispatchmethod
    def of(self, x):
        return 'object'

    @of.register
    def _(self, x: int):
        return 'int'

    @of.register
    @classmethod
    def _(cls, x: str):
        return 'str of ' + cls.__name__


print(Printer().of(3), Printer().of('a'), Printer().of(2.5))


def f(a: int, b: Shape = None, *rest: 'str', key: list[int] = ()) -> dict[str, Shape]:
    pass


class Held:
    inner = float

    def __init__(self, size: int, kind: inner = 1.0):
        pass

    def method(self, x: Shape) -> None:
        pass

    def __call__(self, y: int):
        pass


print(inspect.signature(f), inspect.signature(f, eval_str=True), sep='\n')
print(inspect.signature(functools.partial(f, 1, key=[2]), eval_str=True))
print(inspect.signature(Held(1).method), inspect.signature(Held(1).method, eval_str=True))
print(inspect.signature(Held(1), eval_str=True), inspect.signature(Held, locals={'inner': bytes}, eval_str=True))
tried(lambda: inspect.signature(Held, eval_str=True))
tried(lambda: inspect.signature(unknown, eval_str=True))
print(inspect.signature(unknown, globals={'Nowhere': int}, eval_str=True), inspect.signature(unknown))


@functools.wraps(f)
def wrapper(*args):
    return f(*args)


class Fields:
    kind = int
    own: kind
    text: 'str'
    plain: list[int] = []


print(inspect.get_annotations(wrapper, eval_str=True))
print(inspect.get_annotations(f), inspect.get_annotations(Fields))
print(inspect.get_annotations(Fields, eval_str=True))
print(inspect.get_annotations(Fields, locals={'kind': set}, eval_str=True))
print(inspect.get_annotations(f, globals={'Shape': 1, 'list': tuple}, eval_str=True))
print(inspect.get_annotations(inspect), inspect.get_annotations(len), inspect.get_annotations(Shape))
tried(lambda: inspect.get_annotations(3))


def held(x: inner, y: Shape | None = None):
    pass


def hints(*args):
    tried(lambda: typing.get_type_hints(*args))


hints(held, None, {'inner': bytes})
hints(held, {'inner': bytes})
hints(held, {})
hints(held, {'inner': bytes, 'Shape': list}, {'inner': set})
hints(Fields)
hints(Fields, None, {'kind': float})
hints(Fields, {'kind': float})
