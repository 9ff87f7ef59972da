import contextlib


@contextlib.contextmanager
def entered(x):
    """What enters."""
    yield x


async def waits(x):
    async with x as y:
        await y

    def inner():
        return 1
    return inner


def outer():
    def numbers():
        yield 1
    return numbers


def plain():
    return 7


lazy = lambda: (yield)
