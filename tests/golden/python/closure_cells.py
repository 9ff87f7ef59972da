# The variables of functions around a function, as the cells of its __closure__.
import types


def make(scale, unused=1):
    count = 0

    def outer(x):
        nonlocal count
        count += 1

        def inner(y):
            return scale * x + y
        return inner

    def both():
        return count, outer

    def later():
        return name
    empty = later.__closure__
    name = "bound"
    return outer, both, later, empty, lambda: [scale for _ in range(2)]


outer, both, later, empty, listed = make(3)
for f in (outer, both, later, listed, outer(2), make):
    print(f.__name__, f.__code__.co_freevars, f.__closure__ and len(f.__closure__))
print([c.cell_contents for c in outer(5).__closure__])
outer(1)
print(both.__closure__[0].cell_contents, both.__closure__[1].cell_contents is outer)
print(type(empty[0]).__name__, isinstance(empty[0], types.CellType), empty[0].cell_contents)
inner = outer(7)
inner.__closure__[0].cell_contents = 100
print(inner(1), listed())


def waits():
    def reads():
        return value
    try:
        reads.__closure__[0].cell_contents
    except ValueError as error:
        print(error)
    value = 1
    return reads.__closure__[0].cell_contents


print(waits())


class A:
    def method(self):
        return super().__repr__

    def plain(self):
        return self


print(A.plain.__closure__)
