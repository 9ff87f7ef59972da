# Equal items keep their order in lists longer than what is sorted by insertion; zeros of remainders
# have the divisor's sign; bounds of slices that no int64 holds.
import math

for n in (7, 8, 9, 16, 40, 100):
    items = [(i * 7 % 5, i) for i in range(n)]
    by_key = sorted(items, key=lambda item: item[0])
    assert by_key == sorted(items), n
    down = sorted(items, key=lambda item: item[0], reverse=True)
    assert down == sorted(items, key=lambda item: (-item[0], item[1])), n
print([i for i in sorted(range(20), key=lambda i: i % 3)])

for x, y in ((6.0, 3.0), (-6.0, 3.0), (6.0, -3.0), (-0.0, 3.0), (0.0, -3.0), (1.0, 0.1), (0.7, 0.1), (-0.7, 0.1), (1e300, 7.0)):
    print(x, y, x % y, x // y, divmod(x, y), math.copysign(1, x % y), math.copysign(1, x // y))

big = 2**63
text = 'abcdef'
for part in (slice(-big - 5, None), slice(None, big + 5), slice(None, None, -big), slice(None, None, -big - 1), slice(big, None, -1), slice(None, -big, -1), slice(None, -big - 1, -2), slice(big, -big, -3), slice(5, -7, -2), slice(6, 0, -1)):
    print(text[part], len(range(6)[part]))
