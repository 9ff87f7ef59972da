# Arrays and scalars that only an expression has are used again; those that a call has kept are not.
import functools
import numpy as np

f = np.arange(10, dtype=np.float32)
keep = []


def keeps(x):
    keep.append(x)
    return 1


def keeps_and_makes(x):
    keep.append(x)
    return x + 1


class Keeper:
    def __call__(self, x):
        keep.append(x)
        return 1

    def method(self, x):
        keep.append(x)
        return x * 2


for i in range(3):
    keeps((f + i)[3])
    keeps_and_makes(f + i)
    Keeper()((f + i)[2:4])
    Keeper().method(f + i)
    functools.partial(keeps)((f + i)[5])
    functools.partial(keeps_and_makes)(f * i)
    functools.lru_cache(keeps)((f * i)[9])
    functools.reduce(lambda p, q: keeps(p), [1], (f + i)[6])
    max((f + i)[7], 0, key=keeps)
    list(map(keeps, [(f + i)[1]]))
    keep.append((f + f)[i:])
    keep.append([(f * 3)[i], {"view": (f * 5)[i:i + 2]}])
rows = [(f + i)[2:4] for i in range(5)]
values = [(f * i)[3] for i in range(5)]
table = {}
for i in range(100):
    table[i] = (f + i)[3]
    table[-i - 1] = (f * i)[2:6]
more = [f * k for k in range(50)] + [f[k % 10] * 3 for k in range(500)]
print(keep)
print(rows, values, table[50], table[-50], sum(float(np.sum(v)) for v in table.values()))

large = np.ones(1 << 20, np.float32)
keep.clear()
keeps_and_makes(large + large)
Keeper().method(large + large)
more = [large * k for k in range(20)]
print([float(x[7]) for x in keep], [float(x[7]) for x in more])
total = 0.0
for i in range(10):
    total += f[i] * 2.0
print(total, float((f + f)[3]), int((f + f)[2:][1]), bool((f + f)[0]), ((f + f)[1:4] + (f * f)[2:5])[1:], (f[2:5] @ f[3:6]).item())
