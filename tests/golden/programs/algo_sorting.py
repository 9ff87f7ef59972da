# Sorts written out, compared with sorted().
def quick(x): return x if len(x) < 2 else quick([a for a in x[1:] if a < x[0]]) + [x[0]] + quick([a for a in x[1:] if a >= x[0]])
def merge(x):
    if len(x) < 2: return x
    m = len(x) // 2
    a, b, out = merge(x[:m]), merge(x[m:]), []
    while a and b: out.append((a if a[0] <= b[0] else b).pop(0))
    return out + a + b
def bubble(x):
    x = list(x)
    for i in range(len(x)):
        for j in range(len(x) - 1 - i):
            if x[j] > x[j + 1]: x[j], x[j + 1] = x[j + 1], x[j]
    return x
seed, data = 7, []
for _ in range(40):
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    data.append(seed % 100)
print(quick(data) == merge(data) == bubble(data) == sorted(data), sorted(data)[:5], sorted(data, key=lambda v: (v % 10, -v))[:6], sorted("banana", reverse=True))
