# difflib: matcher, close matches, the four kinds of diffs.
import difflib, random

s = difflib.SequenceMatcher(None, "abxcd", "abcdef")
print(s.ratio(), s.quick_ratio(), s.real_quick_ratio(), s.get_matching_blocks(), s.get_opcodes(), s.find_longest_match())
s = difflib.SequenceMatcher(lambda c: c == " ", " abcd", "abcd abcd")
print(s.find_longest_match(0, 5, 0, 9), s.bjunk, round(s.ratio(), 3))
print(difflib.SequenceMatcher(a=[1, 2, 3], b=[2, 3, 4]).get_opcodes(), difflib.SequenceMatcher(None, "", "").ratio())
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.get_close_matches("matmull", ["matmul", "mat", "add"], n=1), difflib.get_close_matches("x", ["y"]))
for bad in (lambda: difflib.get_close_matches("a", ["b"], n=0), lambda: difflib.get_close_matches("a", ["b"], cutoff=2)):
    try:
        bad()
    except ValueError as e:
        print(e)
a = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n".splitlines(True)
b = "zero\none\ntwo!\nthree\nfour\nfive\nsix\nseven\neight\nnine\n\ttens\n".splitlines(True)
print("".join(difflib.unified_diff(a, b, "a.txt", "b.txt", "then", "now")), "".join(difflib.unified_diff(a, b, n=1)), "".join(difflib.context_diff(a, b, "x", "y", n=1)), "".join(difflib.ndiff(a, b)), sep="---\n")
print(list(difflib.unified_diff(["a"], ["a"])), list(difflib.unified_diff([], ["a"], lineterm="")), list(difflib.context_diff(["x"], [], lineterm="")))
delta = list(difflib.ndiff(a, b))
print("".join(difflib.restore(delta, 1)) == "".join(a), "".join(difflib.restore(delta, 2)) == "".join(b))
try:
    list(difflib.unified_diff([b"x"], ["y"]))
except TypeError as e:
    print(e)
rng = random.Random(3)
for _ in range(60):  # what is equal, moved, repeated and changed, in some sizes
    x = ["".join(rng.choices("abc ", k=rng.randint(0, 6))) + "\n" for _ in range(rng.randint(0, 8))]
    y = list(x)
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(y))
        change = rng.randrange(3)
        if change == 0:
            y.insert(at, "".join(rng.choices("abc ", k=4)) + "\n")
        elif change == 1 and at < len(y):
            del y[at]
        elif at < len(y):
            y[at] = y[at].replace("a", "bb", 1)
    print(list(difflib.ndiff(x, y)), list(difflib.unified_diff(x, y, n=rng.randint(0, 2))), list(difflib.context_diff(x, y)), difflib.SequenceMatcher(None, "".join(x), "".join(y)).get_opcodes())
long = [rng.choice("abcdefgh") for _ in range(300)]
print(difflib.SequenceMatcher(None, long, long[5:] + long[:5]).ratio(), sorted(difflib.SequenceMatcher(None, [], long).bpopular), difflib.SequenceMatcher(None, [], long, autojunk=False).bpopular)
