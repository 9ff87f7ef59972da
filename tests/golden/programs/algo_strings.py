# Texts: edit distance, palindromes, run lengths, anagrams, roman numbers, Caesar.
from itertools import groupby
def edit(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]
def roman(n):
    out = ""
    for v, s in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        while n >= v: out, n = out + s, n - v
    return out
rle = lambda s: "".join(f"{k}{len(list(g))}" for k, g in groupby(s))
caesar = lambda s, k: "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.islower() else c for c in s)
groups = {}
for w in "eat tea tan ate nat bat".split(): groups.setdefault("".join(sorted(w)), []).append(w)
print(edit("kitten", "sitting"), [roman(n) for n in (4, 9, 1994, 2024)], rle("aaabccd"), caesar(caesar("hello, zoo", 5), -5), groups, [s for s in ("racecar", "abc") if s == s[::-1]])
