# Dataclasses as kernels' configurations: defaults, order, frozen, replace, fields, slots, kw_only, post-init, inheritance.
import dataclasses
from dataclasses import KW_ONLY, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, make_dataclass, replace
from typing import ClassVar


@dataclass(frozen=True, order=True)
class Tile:
    m: int = 128
    n: int = 128
    tags: tuple = field(default=(), compare=False)
    limit: ClassVar[int] = 4

    @property
    def area(self):
        return self.m * self.n


@dataclass
class Config:
    name: str
    tile: Tile = field(default_factory=Tile)
    extra: dict = field(default_factory=dict, repr=False)
    scale: InitVar[float] = 1.0
    scaled: float = field(init=False)
    _: KW_ONLY
    debug: bool = False

    def __post_init__(self, scale):
        self.scaled = self.tile.area * scale


@dataclass
class Deep(Config):
    layers: list = field(default_factory=list, kw_only=True, metadata={"doc": "sizes"})


a, b = Tile(), Tile(64, tags=("x",))
print(a, b, a > b, a == Tile(128, 128, ("y",)), sorted([a, b]), hash(a) == hash(Tile()), a.area)
c = Config("mm", scale=0.5)
d = replace(c, name="other", scale=2.0, debug=True)
print(c, d, asdict(c), astuple(d), sep="\n")
e = Deep("deep", b, layers=[1, 2])
print(e, [f.name for f in fields(e)], fields(e)[-1].metadata["doc"], is_dataclass(e), is_dataclass(int))
for bad in (lambda: setattr(a, "m", 3), lambda: Config(), lambda: Config("a", Tile(), {}, 1.0, True), lambda: a < 3, lambda: replace(c, scaled=1.0), lambda: Tile(o=1)):
    try:
        print(bad())
    except Exception as x:
        print(type(x).__name__, x)
P = make_dataclass("P", [("x", int), ("y", int, field(default=5))], namespace={"sum": lambda self: self.x + self.y})
print(P(1), P(1).sum(), P(1) == P(1, 5), P.__match_args__)


@dataclass(slots=True, eq=False)
class S:
    v: int


s = S(3)
print(s, s == S(3), hasattr(s, "__dict__"), S.__slots__)
try:
    s.w = 1
except AttributeError as x:
    print(type(x).__name__)
match b:
    case Tile(64, n):
        print("tile", n)


@dataclass
class Node:
    value: int
    kids: "list[Node]" = field(default_factory=list)


n = Node(1, [Node(2), Node(3, [Node(4)])])
n.kids[0].kids.append(n.kids[1])
print(asdict(n))
print(n)
try:
    @dataclass
    class Bad:
        x: list = []
except ValueError as x:
    print(x)
try:
    @dataclass
    class Worse:
        x: int = 1
        y: int
except TypeError as x:
    print(x)
print(dataclasses.field(default=3).default, dataclasses.MISSING is not None)
