# Loops with else, nested breaks, while, conditional expressions, short circuit, assert, pass, del.
for i in range(3):
    if i == 5:
        break
else:
    print('for else')
for i in range(3):
    if i == 1:
        break
else:
    print('not here')
n = 3
while n:
    n -= 1
else:
    print('while else', n)
while True:
    n += 1
    if n % 2:
        continue
    if n > 5:
        break
else:
    print('not here')
print(n)


def find(matrix, v):
    for r, row in enumerate(matrix):
        for c, x in enumerate(row):
            if x == v:
                break
        else:
            continue
        break
    else:
        return None
    return r, c


print(find([[1, 2], [3, 4]], 3), find([[1]], 9))
log = []


def t(v):
    log.append(v)
    return v


print(t(0) or t('') or t([]) or t('last'), t(1) and t(2) and t(0) and t(3), log)
print(1 if t(0) else 2 if t(0) else 3, not t(0), (t(1) or t(2), t(0) and t(5)))
print(None or 'default', [] and 1, 'a' and 'b', 0 or None)
lst = list(range(10))
del lst[0], lst[-1]
del lst[::2]
print(lst)
lst[1:2] = ['x', 'y', 'z']
print(lst, lst[::-1], lst[-2:], lst[:2], lst[5:1:-2])
lst[::2] = [0] * len(lst[::2])
print(lst)
it = [1, 2, 3, 4]
for v in it:
    if v == 2:
        it.remove(2)
print(it)
grow = [1]
for v in grow:
    if v < 5:
        grow.append(v + 1)
print(grow)
d = {'a': 1, 'b': 2}
try:
    for k in d:
        d[k + k] = 0
except RuntimeError as e:
    print(e)
s = 0
for a, b in zip(range(5), 'abc'):
    s += a
print(s, a, b)
for i, (k, v) in enumerate({'x': 1, 'y': 2}.items(), 1):
    print(i, k, v)
for x in (): pass
else: print('empty')
for c in 'ab': print(c, end=' ')
print()
for i in range(10, 0, -3): print(i, end=',')
print()
x = 5
if x < 0: r = 'neg'
elif x == 0: r = 'zero'
elif x < 10: r = 'small'
else: r = 'big'
print(r)
i = 0
while i < 3: i += 1; print(i, end=';')
print()
if (m := len('hello')) > 3: print('long', m)
total = 0
for i in range(5):
    for j in range(5):
        if j > i: break
        if (i + j) % 2: continue
        total += i * j
print(total)
print([i for i in range(20) if i % 2 == 0 and i % 3 == 0 or i == 7])


def early(v):
    if v:
        return 'yes'
    print('falls through')


print(early(1), early(0))


def loop_return():
    for i in range(5):
        while True:
            if i == 3:
                return i
            break


print(loop_return())
a = b = c = 0
a += 1; b -= 1
print(a, b, c)
pass
...
'expression statement'
print(1 < 2 < 3 == 3 != 4, (1 < 2) < 3, 1 < (2 < 3))
