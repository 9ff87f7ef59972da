double = partial(int, base=2)
