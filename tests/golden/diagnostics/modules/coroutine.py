def plain():
    return 1


async def numbers(n):
    return await n
