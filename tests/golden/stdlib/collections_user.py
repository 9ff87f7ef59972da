# The User classes are what collections.abc says they are, and what derives from them is asked by every method.
import collections
import copy
from collections import UserDict, UserList, UserString, abc


def told(f, *args):
    try:
        return f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


class Sparse(UserDict):
    def __missing__(self, key):
        return 0

    def __setitem__(self, key, value):
        if value:
            super().__setitem__(key, value)
        else:
            self.pop(key)


class Lower(UserDict):
    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __delitem__(self, key):
        super().__delitem__(key.lower())

    def __contains__(self, key):
        return super().__contains__(key.lower())


print(told(Sparse, {1: 2, 3: 0}), Sparse({1: 2})[9], Sparse().get(4), isinstance(Sparse(), abc.MutableMapping), issubclass(UserList, abc.MutableSequence))
d = Lower(A=1, b=2)
d.update({"C": 3}, D=4)
print(d, d["a"], d.get("B"), d.pop("C"), d.setdefault("E", 5), "e" in d, len(d), list(d), d == {"a": 1, "b": 2, "d": 4, "e": 5}, d.keys() & {"a"}, told(d.pop, "zz"), d.pop("zz", None))
print(d | {"q": 1}, {"q": 1} | d, type(d | d).__name__, Lower.fromkeys("XY", 0), copy.copy(d) == d, d.copy() is d, d.popitem(), sorted(d.items()))
d |= {"z": 26}
print(d, told(lambda: d | 3), told(hash, d), told(lambda: d < d), bool(Lower()), isinstance(d, dict))


class Loud(UserList):
    def append(self, item):
        super().append(item.upper())


n = Loud("ab")
n.append("c")
n += ["d"]
n.extend(Loud("e"))
n.insert(0, "z")
print(n, n[1:3], type(n[1:]).__name__, n + ["x"], ["y"] + n, n * 2, n > ["a"], n <= n, n.index("C"), list(reversed(n)), n.count("a"), n.pop(), n.pop(0), "b" in n, copy.copy(n) == n, n.copy())
n.sort(reverse=True)
n.reverse()
n *= 2
n.remove("a")
print(n, len(n), told(n.remove, "nothing"), told(hash, n), n == ["C", "b", "d", "C", "a", "b", "d"])
n.clear()
print(n, bool(n))


class Name(UserString):
    pass


s = Name("Hello World")
print(s, repr(s), s.upper(), type(s.upper()).__name__, s[0], type(s[1:3]).__name__, s + "!", "-" + s, s * 2, "World" in s, s.split(), s.replace(Name("l"), "L"), s.startswith("He"), s.find(UserString("o")), len(s))
print(s == "Hello World", s < "I", hash(s) == hash("Hello World"), {s: 1}["Hello World"], int(UserString("42")), Name("%s-%d") % ("a", 3), "%s" % s, ", ".join(map(str, s[:3])), Name(",").join("ab"), s.title().swapcase(), s.encode(), s.center(15, "*"), s.partition(" "))
print(isinstance(s, abc.Sequence), isinstance(s, str), list(reversed(s))[0], s.index("W"), s.count("l"), s.isalpha(), s.removeprefix("Hel"), s.casefold(), s.translate({ord("l"): "1"}), f"{s:>13}" if False else format(str(s), ">13"))
print(isinstance(collections.ChainMap(), abc.MutableMapping), collections.ChainMap({"a": 1}, {"b": 2}).pop("a"), told(collections.ChainMap({}, {"b": 2}).pop, "b"))
