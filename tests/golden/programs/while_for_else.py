# Loops with else, break, continue, nested; ranges; enumerate; iterating while changing a copy.
for n in range(2, 12):
    for d in range(2, n):
        if n % d == 0: break
    else:
        print(n, end=" ")
print()
i = 0
while True:
    i += 1
    if i % 2: continue
    if i > 7: break
    print(i, end=",")
else: print("never")
while i > 100: pass
else: print("else")
x = [1, 2, 3, 4]
for v in x[:]:
    if v % 2: x.remove(v)
print(x, v, [i for i in range(10, -1, -4)], list(range(0)), len(range(1, 10, 3)), 7 in range(1, 10, 3), range(5)[-1], range(1, 3) == range(1, 3, 1), range(0, 10, 2).index(4), range(3).count(1), sum(range(1000)))
for i in range(3): i = 10
print(i, [(a, b) for a in range(3) for b in range(a)], [j for j in range(3) if j if j > 1])
def find(xs, p):
    for i, x in enumerate(xs):
        if p(x): return i
    return -1
print(find("abc", str.isupper), find("abC", str.isupper))
for a, b in zip(range(3), iter("xy")): print(a, b)
