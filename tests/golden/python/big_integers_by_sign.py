# Integers of one limb and more, of both signs: operators against the identities that hold for them.
import random

draw = random.Random(5)


def number():
    bits = draw.choice([1, 10, 60, 63, 64, 65, 127, 128, 129, 200, 400, 1000])
    edges = [draw.getrandbits(bits), 1 << bits, (1 << bits) - 1, 0, 1, 2**63, 2**63 - 1, 2**64, 2**64 - 1]
    return draw.choice(edges) * draw.choice([1, 1, -1])


digest = 0
for _ in range(3000):
    a, b, n = number(), number(), draw.choice([0, 1, 3, 31, 63, 64, 65, 128, 200, 1000])
    results = [a + b, a - b, a * b, a & b, a | b, a ^ b, a >> n, a << n, a < b, a == b, a >= b, int(str(a))]
    if b:
        results += [a // b, a % b, *divmod(a, b)]
        assert a // b * b + a % b == a and divmod(a, b) == (a // b, a % b)
    assert (a << n) >> n == a and a << n == a * 2**n and a >> n == a // 2**n
    assert (a & b) + (a | b) == a + b and a ^ b == (a | b) - (a & b)
    for result in results:
        digest = (digest * 1000003 + hash(result)) % (2**61 - 1)
print(digest)
