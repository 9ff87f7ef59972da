# own: CPython 3.11 has no type parameters; what is printed is what CPython 3.12 prints
# Type parameters where their values are asked for: in the value of an alias, among the bases of a class.
from dataclasses import dataclass
from typing import Protocol, get_args, get_origin

type Table[K, V] = dict[K, list[V]]
type Number = int
print(Table, Table.__type_params__, Table.__value__, Table[str, int])
print(Number.__value__, Number.__type_params__)
type Call[T: int, *Ts, **P] = tuple[T, *Ts]
print(Call.__type_params__, Call.__value__)


class Stack[T](list[T]):
    def push(self, value: T) -> None:
        self.append(value)


stack = Stack[int]()
stack.push(3)
print(stack, get_origin(Stack[int]) is Stack, get_args(Stack[int]), Stack.__type_params__)


class Pair[K, V]:
    def __init__(self, first: K, second: V):
        self.first, self.second = first, second

    def swapped(self) -> "Pair[V, K]":
        return Pair(self.second, self.first)


print(Pair[str, int]("a", 1).swapped().first, Pair[int, str])


class Shape[*Ts]:
    pass


class Has[T](Protocol):
    def get(self) -> T: ...


@dataclass
class Node[T]:
    value: T
    next: "Node[T] | None" = None


print(get_args(Shape[int, str]), Has.__type_params__, Node(1, Node(2)))
T = 5
print(T, Stack.__mro__[1])
