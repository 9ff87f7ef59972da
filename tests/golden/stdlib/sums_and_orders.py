# What has a loop of its own in sums, sizes and orders gives what the general way gives.
print(sum(b"abc"), sum(bytearray(b"\xff\xff"), 5), sum(b"ab", 1.5), sum(b""), sum(b"a", True), sum(b"\x01", 2**63 - 1))
print(abs(3 + 4j), abs(complex(float("inf"), float("nan"))))


class Own(complex):
    def __abs__(self):
        return "mine"


class Text(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        return False

    def __lt__(self, other):
        return "less"


try:
    abs(complex(1e308, 1e308))
except OverflowError as error:
    print(error)
nan = float("nan")
print(abs(Own(1)), (nan,) == (nan,), (nan,) < (1.0,), (1.0, "b") < (1.0, "a"), ("é", 1) > ("z", 0), (0.0,) == (-0.0,), (1, "x") <= (1.0, "x"))
print(("a",) < ("a", "b"), ["a", "c"] >= ["a", "b"], ("a", "b") == ("a", "c"), ("\U0001f600",) > ("\uffff",))
print((Text("a"),) == (Text("a"),), (Text("a"),) < (Text("b"),), sorted([("b", 2.5), ("a", 3.5), ("b", 1.5)]))
