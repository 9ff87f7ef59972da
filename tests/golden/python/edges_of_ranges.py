# Ranges of one and of none: what is equal, what it is backwards, and steps that no slice of them takes.
for r in (range(7, 8), range(0), range(3, 4, 9), range(3, 20, 4)):
    print(r, list(reversed(r)), r[::-1], list(r[::-3]))
print(range(0, 1, 2) == range(0, 1, 5), range(0, 2, 2) == range(0, 2, 5), range(0, 4, 2) == range(0, 4, 3), range(3, 3) == range(9, 2))
print(hash(range(0, 1, 2)) == hash(range(0, 1, 5)), hash(range(3, 3)) == hash(range(9, 2)), hash(range(0, 4, 2)) == hash(range(0, 4, 3)))
print(list(range(5, 6, 2**62)[::-3]), list(range(5, 6, 2**62)[::3]))

# An int beside a float that is the first one beyond 64 bits.
for i in (2**63 - 1, 2**63, -2**63, -2**63 - 1):
    print(i, [i < f for f in (2.0**63, -2.0**63)], [i == f for f in (2.0**63, -2.0**63)], [f < i for f in (2.0**63, -2.0**63)])
