"""numpy.char and numpy.strings: methods of texts over arrays."""
import numpy as np

words = np.array([["alpha", "Beta"], ["gamma delta", "x"]])
for value in (np.char.upper(words), np.char.title(words), np.char.capitalize("abc"), np.char.add(words, "!"), np.char.add(["a", "b"], ["c", "dd"]), np.char.multiply(["ab", "c"], [2, 3]),
              np.char.str_len(words), np.char.find(words, "a"), np.char.count(words, "a"), np.char.startswith(words, "a"), np.char.endswith(words, ["a", "x"]), np.char.isalpha(words),
              np.char.center(["a", "bb"], 5, "*"), np.char.ljust("a", 3), np.char.rjust(["a"], [3], "-"), np.char.zfill(["-1", "12"], 4), np.char.replace(words, "a", "4"), np.char.strip([" a ", "b "]),
              np.char.strip(["xax"], "x"), np.char.split(["a b", "c"]), np.char.partition(["a-b", "c"], "-"), np.char.join("-", ["abc", "de"]), np.char.encode(["é"]), np.char.decode([b"a"]),
              np.char.mod(["%d", "%03d"], [1, 2]), np.char.equal(["a"], ["a"]), np.char.splitlines(["a\nb"]), np.char.rfind(["abab"], "a"), np.char.lower(np.array([b"AB"])), np.strings.upper(["q"]), np.strings.str_len("abc"),
              np.char.index(["ab"], "b"), np.char.swapcase("aB"), np.char.isdigit(["1", "a"])):
    print(repr(value))
for wrong in (lambda: np.char.upper([1, 2]), lambda: np.char.index(["a"], "z"), lambda: np.char.nothing):
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)
