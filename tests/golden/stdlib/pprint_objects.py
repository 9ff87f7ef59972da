import pprint, collections, dataclasses, types
@dataclasses.dataclass
class A:
    name: str
    shape: tuple = (1, 2, 3)
    inner: 'A | None' = None
    hidden: int = dataclasses.field(default=3, repr=False)
a = A("abcdefgh", (128, 256, 512), A("inner one", (1,) * 12, A("x")))
for w in (20, 40, 60, 200):
    pprint.pp(a, width=w)
    pprint.pp({"k": [a, a], "o": collections.OrderedDict(a=1, b=[1, 2, 3] * 4), "d": collections.defaultdict(list, {"z": [1] * 9, "a": [2]})}, width=w)
    pprint.pprint(collections.Counter("the quick brown fox jumps over it"), width=w)
    pprint.pprint(collections.deque(range(30), maxlen=25), width=w)
    pprint.pprint(collections.deque(["word"] * 9), width=w)
    pprint.pprint(collections.ChainMap({"a": list(range(9))}, {"b": 3}), width=w)
    pprint.pprint(types.SimpleNamespace(alpha=1, beta=[1, 2, 3], gamma=types.SimpleNamespace(x=list(range(12)))), width=w)
    pprint.pprint(types.MappingProxyType({"a": list(range(9)), "b": {"c": 2}}), width=w)
    pprint.pprint(collections.UserDict(a=1, b=list(range(12))), width=w)
    pprint.pprint([collections.OrderedDict(), collections.defaultdict(int), set(), frozenset({3, 1, 2}), ""], width=w)
    pprint.pprint({"text": "the quick brown fox jumps over the lazy dog " * 3, "t": (1,)}, width=w, indent=2)
    pprint.pprint(collections.Counter("hello world"), width=w, indent=4)
    pprint.pprint({"deep": {"deeper": {"deepest": [1, 2, [3, [4]]]}}}, width=w, depth=2)
    pprint.pprint(collections.namedtuple("P", "x y")(1, list(range(20))), width=w)
class R(dict): pass
pprint.pprint(R(a=1, b=2), width=5)
