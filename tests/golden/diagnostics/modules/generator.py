def plain():
    return 1


def numbers(n):
    for i in range(n):
        yield i
