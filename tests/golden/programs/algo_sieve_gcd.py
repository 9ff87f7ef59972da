# Number theory in small.
def sieve(n):
    flags = bytearray([1]) * 0 if False else [True] * (n + 1)
    flags[:2] = [False, False]
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]: flags[i * i::i] = [False] * len(flags[i * i::i])
    return [i for i, f in enumerate(flags) if f]
def factor(n):
    out, p = [], 2
    while p * p <= n:
        while n % p == 0: out.append(p); n //= p
        p += 1
    return out + [n] * (n > 1)
def egcd(a, b): return (a, 1, 0) if b == 0 else (lambda g, x, y: (g, y, x - a // b * y))(*egcd(b, a % b))
print(sieve(60), factor(2 ** 20 - 1), factor(600851475143), egcd(240, 46), pow(3, -1, 11), [n for n in range(1, 500) if sum(d for d in range(1, n) if n % d == 0) == n])
