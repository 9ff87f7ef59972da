async def waits(x):
    async with x as y:
        await y

    def inner():
        return 1
    return inner


def plain():
    return 7

