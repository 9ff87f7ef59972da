def add(x: f33[8]):
    return x
