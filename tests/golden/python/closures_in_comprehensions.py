# Functions made in a comprehension keep the variables of the functions around it, also when those have returned and others were called.
def listed(target, count):
    return [(lambda: target) for _ in range(count)]


def nested(target):
    return [[(lambda: (target, i)) for _ in range(2)] for i in range(2)]


def mapped(a, b):
    return {key: (lambda key=key: (a, key)) if key else (lambda: b) for key in range(3)}


def generated(target, extra):
    return [((target, i, j) for j in range(2)) for i in range(2)]


def deeper(target):
    return [[(lambda: [(lambda: target)() for _ in range(2)]) for _ in range(1)] for _ in range(1)]


a, b = listed('first', 2), listed('second', 2)
c, d = nested('x'), nested('y')
e, f = mapped(1, 2), mapped(3, 4)
g, h = generated('g', 0), generated('h', 1)
i, j = deeper('deep'), deeper('deeper')
print([one() for one in a + b])
print([one() for row in c + d for one in row])
print([one() for one in e.values()], [one() for one in f.values()])
print([list(one) for one in g + h])
print(i[0][0](), j[0][0]())
