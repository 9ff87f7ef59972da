# SPDX-License-Identifier: Apache-2.0
# Ordinary loops of Python, run by CPython and by `pallasc run` (ratios). A row is a function that gives a value, by which both are compared. Names of rows
# as arguments: they are measured; none: all rows are listed.
import bisect
import collections
import contextlib
import dataclasses
import datetime
import functools
import hashlib
import heapq
import itertools
import json
import math
import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from clock import fastest

ROWS = []
COUNT = 2000
NUMBERS = [(i * 7919) % 1009 for i in range(COUNT)]
WORDS = [f"word{i % 97}" for i in range(COUNT)]
TABLE = {f"key{i}": i for i in range(100)}
KEYS = list(TABLE)
STEP = 3
total = 0


def row(function):
    assert function.__name__ not in [other.__name__ for other in ROWS], f"two rows of the name {function.__name__}"
    ROWS.append(function)
    return function


@row
def integer_arithmetic():
    x = 1
    for i in range(COUNT):
        x = (x * 3 + i) % 1000003 ^ (i << 2) & 0xFF
        x -= i // 3
    return x


@row
def float_arithmetic():
    x = 0.5
    for i in range(COUNT):
        x = x * 1.0001 + i / 3.0 - 0.25
        x += x * 0.5 - x / 2.0
    return x


@row
def while_loop():
    i = count = 0
    while i < COUNT:
        if i % 3 == 0:
            count += 1
        i += 1
    return count


def add(a, b):
    return a + b


def scaled(x, factor=2, offset=1):
    return x * factor + offset


def gather(*values):
    return len(values)


def options(x, **more):
    return x + len(more)


def only(x, *, scale, shift=1):
    return x * scale + shift


@row
def positional_calls():
    x = 0
    for i in range(COUNT):
        x = add(x, i)
    return x


@row
def keyword_calls():
    x = 0
    for i in range(COUNT):
        x += scaled(i, offset=2, factor=3) + only(i, scale=2)
    return x


@row
def calls_with_defaults():
    x = 0
    for i in range(COUNT):
        x += scaled(i) + scaled(i, 3)
    return x


@row
def star_calls():
    x = 0
    pair = (1, 2)
    for i in range(COUNT):
        x += gather(i, i, i) + add(*pair)
    return x


@row
def double_star_calls():
    x = 0
    more = {"factor": 3, "offset": 4}
    for i in range(COUNT):
        x += scaled(i, **more) + options(i, a=1, b=2)
    return x


@row
def closures():
    def adder(n):
        def inner(x):
            return x + n
        return inner
    plus = adder(5)
    x = 0
    for i in range(COUNT):
        x = plus(x)
    for i in range(200):
        x += adder(i)(i)
    return x


class Point:
    scale = 2

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        return self.x * self.x + self.y * self.y

    def moved(self, dx, dy=0):
        return self.x + dx + dy

    @property
    def width(self):
        return self.x

    @width.setter
    def width(self, value):
        self.x = value

    @staticmethod
    def fixed(a):
        return a + 1

    @classmethod
    def made(cls, a):
        return cls.scale + a

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __eq__(self, other):
        return self.x == other.x

    def __getitem__(self, i):
        return self.x + i

    def __len__(self):
        return 2


class Point3(Point):
    def __init__(self, x, y, z):
        super().__init__(x, y)
        self.z = z


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


@row
def method_calls():
    p = Point(1, 2)
    x = 0
    for i in range(COUNT):
        x += p.norm() + p.moved(i) + p.moved(1, dy=2)
    return x


@row
def static_and_class_methods():
    p = Point(1, 2)
    x = 0
    for i in range(COUNT):
        x += p.fixed(i) + Point.made(i)
    return x


@row
def attributes():
    p = Point(1, 2)
    for i in range(COUNT):
        p.x = p.y + i
        p.y = p.x - i + p.scale
    return p.x


@row
def deep_attributes():
    p = Point(Point(Point(1, 2), 3), 4)
    x = 0
    for i in range(COUNT):
        x += p.x.x.x + p.x.x.y
    return x


@row
def properties():
    p = Point(1, 2)
    for i in range(COUNT):
        p.width = p.width + 1
    return p.x


@row
def slots():
    s = Slotted(1, 2)
    for i in range(COUNT):
        s.a = s.b + i
        s.b = s.a - i
    return s.b


@row
def instances():
    x = 0
    for i in range(COUNT):
        x += Point(i, 1).x + Point3(i, 1, 2).z
    return x


@row
def classes():
    x = 0
    for i in range(60):
        class Local(Point):
            size = i

            def area(self):
                return self.size
        x += Local(1, 2).area()
    return x


@row
def operators_of_classes():
    p, q = Point(1, 2), Point(3, 4)
    x = 0
    for i in range(COUNT):
        x += p[i] + len(p) + (p == q)
    return x + (p + q).x


@row
def isinstance_checks():
    items = [1, 2.0, "a", Point(1, 2), None, [1]]
    x = 0
    for i in range(COUNT // 4):
        for v in items:
            if isinstance(v, int):
                x += 1
            elif isinstance(v, (float, str)):
                x += 2
            elif isinstance(v, Point):
                x += 3
    return x


@row
def list_append():
    out = []
    for i in range(COUNT):
        out.append(i * 2)
    return len(out) + out[-1]


@row
def list_index():
    items = list(range(COUNT))
    for i in range(1, COUNT):
        items[i] = items[i - 1] + items[i] % 7
    return items[-1]


@row
def list_slices():
    items = list(range(100))
    x = 0
    for i in range(COUNT):
        x += len(items[i % 50:i % 50 + 10]) + items[-3:][0]
    return x


@row
def list_comprehension():
    x = 0
    for k in range(10):
        x += len([i * 2 + k for i in range(COUNT // 10) if i % 3])
    return x


@row
def nested_lists():
    grid = [[0] * 20 for _ in range(20)]
    for i in range(20):
        for j in range(20):
            grid[i][j] = grid[j][i] + i * j
    return sum(sum(line) for line in grid)


@row
def dict_get_set():
    counts = {}
    for word in WORDS:
        counts[word] = counts.get(word, 0) + 1
    for i in range(COUNT):
        counts[i % 50] = i
    return len(counts)


@row
def dict_iteration():
    x = 0
    for _ in range(COUNT // 100):
        for key, value in TABLE.items():
            x += value
        for key in TABLE:
            x += TABLE[key]
    return x


@row
def dict_comprehension():
    x = 0
    for k in range(20):
        x += len({key: i + k for i, key in enumerate(KEYS)})
    return x


@row
def sets():
    seen = set()
    x = 0
    for n in NUMBERS:
        if n % 100 in seen:
            x += 1
        seen.add(n % 100)
    return x + len(seen & {1, 2, 3}) + len({n % 7 for n in NUMBERS})


@row
def tuple_unpacking():
    pairs = [(i, i + 1) for i in range(COUNT)]
    a, b = 0, 1
    for x, y in pairs:
        a, b = b, (a + x) % 1000
        first, *rest = x, y, a
    return a + b + len(rest)


@row
def string_building():
    out = ""
    parts = []
    for i in range(COUNT):
        out = out + "x" if i % 50 else "y"
        parts.append("a" + "b" * (i % 3))
    return len(out) + len("".join(parts))


@row
def split_and_join():
    line = "alpha beta gamma delta epsilon"
    x = 0
    for i in range(COUNT // 2):
        x += len(",".join(line.split()))
    return x


@row
def f_strings():
    x = 0
    for i in range(COUNT):
        x += len(f"{i}: {i * 2:>5} and {line_of(i)}")
    return x


def line_of(i):
    return "{} of {:d}".format(i, COUNT)


@row
def string_methods():
    x = 0
    for word in WORDS:
        if word.startswith("word1") and word.endswith("1"):
            x += 1
        x += len(word.upper().replace("WORD", "w").strip()) + word.find("d")
    return x


@row
def string_characters():
    text = "the quick brown fox jumps over the lazy dog"
    x = 0
    for _ in range(20):
        for c in text:
            if c in "aeiou":
                x += ord(c)
            elif c == " ":
                x -= 1
    return x


def count_to(n):
    i = 0
    while i < n:
        yield i
        i += 1


def chained(n):
    yield from count_to(n)


@row
def generators():
    x = 0
    for i in count_to(COUNT):
        x += i
    return x


@row
def short_generators():
    x = 0
    for k in range(200):
        for i in count_to(3):
            x += i
    return x


@row
def yield_from():
    x = 0
    for i in chained(COUNT):
        x += i
    return x


@row
def generator_expressions():
    x = 0
    for _ in range(4):
        x += sum(i * 2 for i in range(COUNT // 4)) + any(n > 5000 for n in NUMBERS)
    return x


@row
def enumerate_and_zip():
    x = 0
    for i, n in enumerate(NUMBERS):
        x += i * n
    for a, b in zip(NUMBERS, WORDS):
        x += a
    return x


@row
def map_and_filter():
    return sum(map(lambda n: n + 1, filter(lambda n: n % 2, NUMBERS))) + len(list(map(str, NUMBERS)))


@row
def builtins_of_sequences():
    x = 0
    for i in range(100):
        part = NUMBERS[i:i + 20]
        x += min(part) + max(part) + sum(part) + len(part) + abs(-i) + all(part) + list(reversed(part))[0]
    return x


@row
def sorting_with_key():
    return sorted(NUMBERS, key=lambda n: -n)[10] + sorted(WORDS, key=len)[0].__len__() + sorted(NUMBERS)[5]


@row
def try_without_raise():
    x = 0
    for i in range(COUNT):
        try:
            x += i
        except ValueError:
            x -= 1
        finally:
            x += 1
    return x


@row
def try_with_raise():
    x = 0
    for i in range(COUNT // 4):
        try:
            if i % 2:
                raise ValueError("odd")
            x += TABLE["missing"]
        except KeyError as error:
            x += 2
        except ValueError:
            x += 1
    return x


class Context:
    def __enter__(self):
        return 1

    def __exit__(self, kind, value, trace):
        return False


@contextlib.contextmanager
def managed():
    yield 2


@row
def with_statements():
    x = 0
    context = Context()
    for i in range(COUNT):
        with context as n:
            x += n
    for i in range(COUNT // 10):
        with managed() as n:
            x += n
    return x


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@row
def recursion():
    return fib(15)


@row
def globals_and_nonlocals():
    global total
    total = 0
    count = 0

    def bump():
        nonlocal count
        count += 1
    for i in range(COUNT):
        total += STEP
        bump()
    return total + count


@row
def lambdas():
    double = lambda x: x * 2
    x = 0
    for i in range(COUNT):
        x += double(i)
    return x


@dataclasses.dataclass
class Item:
    name: str
    price: float
    count: int = 1
    tags: list = dataclasses.field(default_factory=list)

    def cost(self):
        return self.price * self.count


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int
    b: int


@row
def dataclass_objects():
    x = 0.0
    for i in range(COUNT // 4):
        item = Item("a", 1.5, count=i)
        x += item.cost() + (Frozen(i, 1) == Frozen(i, 2))
    return x


Pair = collections.namedtuple("Pair", "left right")


@row
def namedtuples():
    x = 0
    for i in range(COUNT):
        p = Pair(i, right=2)
        x += p.left + p[1] + p.right
    return x


@row
def comparison_chains():
    x = 0
    for i in range(COUNT):
        if 10 <= i < 500 or i > 1900 and i != 1950:
            x += 1
        if not (0 < i <= 3) and i is not None:
            x += 2
    return x


@row
def bool_logic():
    a, b, x = True, False, 0
    for i in range(COUNT):
        a = (a or b) and not (a and b)
        b = i % 2 == 0 and a
        x += 1 if a else 2
    return x


@row
def math_functions():
    x = 0.0
    for i in range(1, COUNT):
        x += math.sqrt(i) + math.sin(i) * math.floor(i / 3) + math.log(i)
    return x


@row
def heaps():
    heap = []
    for n in NUMBERS:
        heapq.heappush(heap, (n, 1))
    x = 0
    while heap:
        x += heapq.heappop(heap)[0]
    return x


@row
def iterators_of_itertools():
    x = 0
    for a, b in itertools.product(range(20), range(20)):
        x += a * b
    for a, b in itertools.combinations(range(25), 2):
        x += a
    for n in itertools.chain(NUMBERS[:200], itertools.islice(itertools.count(), 200)):
        x += n
    for n in itertools.accumulate(NUMBERS[:200]):
        x += n
    return x


def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return wrapper


@doubled
def decorated(a, b=1):
    return a + b


@functools.lru_cache(maxsize=None)
def cached(n):
    return n * n


@row
def decorators():
    x = 0
    for i in range(COUNT // 2):
        x += decorated(i) + decorated(i, b=2) + cached(i % 10)
    return x


@row
def partials():
    plus = functools.partial(add, 3)
    tripled = functools.partial(scaled, factor=3)
    x = 0
    for i in range(COUNT):
        x += plus(i) + tripled(i)
    return x


@row
def deques():
    queue = collections.deque()
    x = 0
    for i in range(COUNT):
        queue.append(i)
        if len(queue) > 10:
            x += queue.popleft()
    return x


@row
def counters():
    counts = collections.defaultdict(int)
    groups = collections.defaultdict(list)
    for n in NUMBERS:
        counts[n % 50] += 1
        groups[n % 9].append(n)
    return len(counts) + len(groups) + collections.Counter(WORDS)["word3"]


@row
def match_statements():
    x = 0
    for i in range(COUNT):
        match (i % 3, i):
            case (0, n):
                x += n
            case (1, _):
                x += 1
            case _:
                x += 2
    return x


@row
def large_integers():
    x = 1
    for i in range(1, 200):
        x = x * (i + 12345678901) % (2 ** 127 - 1)
    return x % 1000003


def evens(items):
    for n in items:
        if n % 2 == 0:
            yield n


def squares(items):
    for n in items:
        yield n * n


def running(items):
    seen = 0
    for n in items:
        seen += n
        yield seen, n


@row
def generator_pipelines():
    x = 0
    for seen, n in running(squares(evens(NUMBERS))):
        x ^= seen + n
    return x


def averager():
    count = seen = 0
    while True:
        value = yield seen / max(count, 1)
        seen += value
        count += 1


@row
def generator_sends():
    worker = averager()
    next(worker)
    x = 0.0
    for i in range(COUNT):
        x += worker.send(i)
    worker.close()
    return x


class Tree:
    def __init__(self, value, children=()):
        self.value = value
        self.children = list(children)

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child


@row
def generator_recursion():
    def grow(depth):
        return Tree(depth, [grow(depth - 1) for _ in range(3)] if depth else ())
    return sum(grow(4)) + sum(grow(4))


@row
def string_appending():
    text = ""
    for i in range(COUNT):
        text += chr(97 + i % 26)
    lines = ""
    for word in WORDS[:300]:
        lines += word + "\n"
    return len(text) + len(lines) + text.count("a")


@dataclasses.dataclass(order=True)
class Version:
    major: int
    minor: int = 0

    def bumped(self):
        return dataclasses.replace(self, minor=self.minor + 1)

    def text(self):
        return f"{self.major}.{self.minor}"


@row
def dataclass_methods():
    x = 0
    low = Version(1, 2)
    for i in range(COUNT // 4):
        version = Version(i % 3, minor=i)
        x += len(version.text()) + (low < version) + (version == low)
    return x + low.bumped().minor + len(repr(low))


@row
def try_finally_and_return():
    def guarded(i):
        try:
            if i % 3:
                return i
            return -1
        finally:
            done.append(i)
    done = []
    x = 0
    for i in range(COUNT):
        x += guarded(i)
    return x + len(done)


def depth_of_raise(n):
    if n == 0:
        raise LookupError("deep")
    return depth_of_raise(n - 1)


@row
def raise_through_calls():
    x = 0
    for i in range(200):
        try:
            depth_of_raise(5)
        except LookupError as error:
            x += len(error.args)
        try:
            int("x")
        except ValueError:
            x += 1
    return x


@row
def nested_functions():
    def outer(a):
        def middle(b):
            def inner(c):
                return a + b + c
            return inner(b) + a
        return middle(a + 1)
    x = 0
    for i in range(COUNT // 2):
        x += outer(i)
    return x


@row
def nested_unpacking():
    rows = [(i, (i + 1, [i + 2, i + 3])) for i in range(COUNT // 2)]
    x = 0
    for a, (b, [c, d]) in rows:
        x += a * b - c * d
    for i, (key, value) in enumerate(TABLE.items()):
        x += i * value + len(key)
    return x


@row
def dict_methods():
    groups = {}
    x = 0
    for word in WORDS:
        groups.setdefault(word, []).append(1)
        x += TABLE.get(word, 1)
    for i in range(200):
        counts = dict(a=1, b=i)
        counts.update(c=2)
        x += counts.pop("a") + len(counts)
        if "d" not in counts:
            counts["d"] = i
        x += sum(counts.values())
    return x + len(groups)


@row
def set_operations():
    odd, third = {n for n in NUMBERS if n % 2}, {n for n in NUMBERS if n % 3 == 0}
    x = 0
    for _ in range(10):
        x += len(odd | third) + len(odd & third) + len(odd - third) + len(odd ^ third)
    for n in NUMBERS:
        if n in odd and n not in third:
            x += 1
    return x


@row
def bisections():
    ordered = sorted(NUMBERS)
    x = 0
    for n in NUMBERS[:1000]:
        x += bisect.bisect_left(ordered, n) + bisect.bisect(ordered, n + 1)
    kept = []
    for n in NUMBERS[:300]:
        bisect.insort(kept, n)
    return x + kept[10]


@row
def counter_methods():
    counts = collections.Counter()
    for word in WORDS:
        counts[word] += 1
    counts.update(WORDS)
    return counts.most_common(3)[0][1] + sum((counts + counts).values())


@row
def line_parsing():
    text = "\n".join(f"name{i}: {i}, {i * 2} # note" for i in range(200))
    x = 0
    for line in text.splitlines():
        code, _, note = line.partition("#")
        name, values = code.split(":")
        x += sum(int(v) for v in values.strip().split(",")) + len(name.strip()) + len(note)
    return x


@row
def formatted_numbers():
    x = 0
    for i in range(COUNT // 2):
        x += len(f"{i / 7:.3f} {i:04d} {i!r:>6} {i:x}") + len("%d %s %.2f" % (i, "a", i / 3))
    return x


def spread(first, *rest, last=0, **options):
    return first + len(rest) + last + len(options)


@row
def star_arguments():
    x = 0
    items = [1, 2, 3]
    more = {"last": 4, "other": 5}
    for i in range(COUNT // 2):
        x += spread(i, *items, last=2) + spread(*items, i, **more)
        x += max(*items, i)
    return x


@row
def sorting_of_records():
    records = [(n % 50, word, n) for n, word in zip(NUMBERS, WORDS)]
    points = [Point(n, -n) for n in NUMBERS[:500]]
    x = sorted(records)[100][2] + sorted(records, key=lambda r: (r[1], -r[2]))[50][2]
    points.sort(key=lambda p: p.y, reverse=True)
    x += min(points, key=lambda p: p.x).x
    return x + points[3].x


class Shape:
    def area(self):
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Disc(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return 3 * self.radius ** 2


@row
def class_hierarchies():
    shapes = [Square(i) if i % 2 else Disc(i) for i in range(100)]
    x = 0
    for _ in range(10):
        for shape in shapes:
            if isinstance(shape, Square):
                x += shape.area()
            elif isinstance(shape, (Disc, list)):
                x += shape.area() + 1
            if type(shape) is Disc and hasattr(shape, "radius"):
                x += getattr(shape, "radius", 0)
    return x


@row
def while_with_breaks():
    x = 0
    for n in range(2, 400):
        d = 2
        while d * d <= n:
            if n % d == 0:
                break
            d += 1
        else:
            x += n
    while True:
        x -= 3
        if x < 100:
            break
        if x % 2:
            continue
        x -= 2
    return x


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


@row
def iterator_classes():
    x = 0
    for n in Countdown(COUNT // 2):
        x += n
    return x + sum(Countdown(200))


@row
def byte_strings():
    data = bytes(range(256)) * 4
    x = 0
    for b in data:
        x = (x * 31 + b) & 0xFFFF
    out = bytearray()
    for i in range(500):
        out.append(i & 255)
    return x + len(out) + data[10] + len(data[5:50])


@row
def matrix_of_lists():
    n = 14
    a = [[i * n + j for j in range(n)] for i in range(n)]
    b = [list(column) for column in zip(*a)]
    c = [[sum(x * y for x, y in zip(line, column)) for column in b] for line in a]
    return c[3][4] + sum(map(sum, c))


@row
def memo_in_dict():
    memo = {}

    def paths(i, j):
        if i == 0 or j == 0:
            return 1
        if (i, j) not in memo:
            memo[i, j] = paths(i - 1, j) + paths(i, j - 1)
        return memo[i, j]
    return paths(20, 20)


@row
def work_list():
    edges = {i: [(i * 3 + 1) % 300, (i * 7 + 2) % 300] for i in range(300)}
    seen, todo = {0}, collections.deque([0])
    while todo:
        at = todo.popleft()
        for to in edges[at]:
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return len(seen)


# ---- programs in small --------------------------------------------------------------------------


@row
def json_building():
    x = 0
    for i in range(100):
        record = {"name": f"step{i}", "loss": i / 7, "shape": [i, i + 1], "ok": i % 2 == 0, "note": None}
        x += len(json.dumps(record)) + json.loads(json.dumps(record))["shape"][1]
    return x


@row
def text_parsing():
    text = "\n".join(f"key{i} = {i * 3}  # of {i}" for i in range(200))
    table = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line or line.startswith("["):
            continue
        key, _, value = line.partition("=")
        table[key.strip()] = int(value)
    return sum(table.values())


@row
def matrix_by_index():
    a = [[(i * j) % 7 for j in range(12)] for i in range(12)]
    out = [[0] * 12 for _ in range(12)]
    for i in range(12):
        for j in range(12):
            s = 0
            for k in range(12):
                s += a[i][k] * a[k][j]
            out[i][j] = s
    return sum(map(sum, out))


@row
def sieve():
    n = 3000
    prime = [True] * (n + 1)
    prime[0] = prime[1] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for k in range(i * i, n + 1, i):
                prime[k] = False
        i += 1
    return sum(prime)


@row
def queens():
    def place(row_, columns, up, down):
        if row_ == 6:
            return 1
        found = 0
        for c in range(6):
            if c not in columns and row_ + c not in up and row_ - c not in down:
                found += place(row_ + 1, columns | {c}, up | {row_ + c}, down | {row_ - c})
        return found
    return place(0, set(), set(), set())


@row
def edit_distance():
    a, b = "kitten sitting on the mat", "sitting kitten at the mall"
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        line = [i]
        for j, y in enumerate(b, 1):
            line.append(min(last[j] + 1, line[j - 1] + 1, last[j - 1] + (x != y)))
        last = line
    return last[-1]


@row
def table_of_text():
    lines = []
    for i in range(200):
        lines.append("{:<12}|{:>8.3f}|{:>6d}".format("row" + str(i), i / 3, i))
        lines.append("%-10s %5d %s" % ("x", i, "yes" if i % 2 else "no"))
    return len("\n".join(lines))


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def move(self, amount):
        if self.balance + amount < 0:
            raise ValueError(f"{self.owner} has {self.balance}")
        self.balance += amount
        self.history.append(amount)
        return self


@row
def simulation():
    accounts = [Account(f"a{i}", 100) for i in range(10)]
    refused = 0
    for i in range(600):
        try:
            accounts[i % 10].move(-(i % 37))
            accounts[(i * 7) % 10].move(i % 37)
        except ValueError:
            refused += 1
    return refused + sum(len(account.history) for account in accounts)


@row
def memo_dict():
    memo = {}

    def ways(n, k):
        if n == 0:
            return 1
        if n < 0 or k == 0:
            return 0
        key = (n, k)
        if key not in memo:
            memo[key] = ways(n - k, k) + ways(n, k - 1)
        return memo[key]
    return ways(40, 40)


@row
def dijkstra():
    graph = {i: [((i * 7 + k) % 60, (i * k) % 11 + 1) for k in range(1, 5)] for i in range(60)}
    distance, heap = {0: 0}, [(0, 0)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distance[node]:
            continue
        for other, weight in graph[node]:
            if other not in distance or d + weight < distance[other]:
                distance[other] = d + weight
                heapq.heappush(heap, (d + weight, other))
    return sum(distance.values())


@row
def regex_loops():
    pattern = re.compile(r"(\w+)=(\d+)")
    x = 0
    for i in range(100):
        for m in pattern.finditer(f"a={i} bb={i * 2} c=x"):
            x += int(m.group(2)) + len(m.group(1))
        x += len(re.sub(r"\s+", " ", "a  b   c"))
    return x


@dataclasses.dataclass(order=True)
class Job:
    priority: int
    name: str = dataclasses.field(compare=False)


@row
def dataclass_sorting():
    jobs = [Job((i * 37) % 101, f"job{i}") for i in range(100)]
    first = sorted(jobs)[0]
    return first.priority + len(sorted(jobs, key=lambda job: (job.priority, job.name))[3].name) + len({dataclasses.astuple(job) for job in jobs})


@row
def breadth_first():
    size = 20
    seen, queue = {(0, 0)}, collections.deque([(0, 0, 0)])
    far = 0
    while queue:
        x, y, steps = queue.popleft()
        far = max(far, steps)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            at = (x + dx, y + dy)
            if 0 <= at[0] < size and 0 <= at[1] < size and at not in seen and (at[0] * at[1]) % 5 != 3:
                seen.add(at)
                queue.append((*at, steps + 1))
    return far + len(seen)


def numbers_of(lines):
    for line in lines:
        for word in line.split():
            yield int(word)


@row
def generator_of_lines():
    lines = [f"{i} {i + 1} {i + 2}" for i in range(200)]
    return sum(n * n for n in evens(numbers_of(lines)))


@row
def word_counts():
    text = "the quick brown fox jumps over the lazy dog and the cat " * 20
    counts = collections.Counter(text.split())
    letters = collections.Counter(text)
    return counts.most_common(1)[0][1] + letters["e"] + len(counts + letters)


def logged(prefix):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            inner.calls += 1
            return function(*args, **kwargs)
        inner.calls = 0
        return inner
    return wrap


@logged("f")
def logged_sum(a, b=2, *, c=1):
    return a * b + c


@row
def decorated_calls():
    x = 0
    for i in range(COUNT // 4):
        x += logged_sum(i) + logged_sum(i, 3, c=i) + logged_sum(a=i, b=1)
    return x


@contextlib.contextmanager
def counted(log):
    log.append(1)
    try:
        yield log
    finally:
        log.append(2)


@row
def context_managers():
    log = []
    for _ in range(100):
        with counted(log) as other:
            other.append(0)
    return sum(log)


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))


@row
def vectors():
    at, speed = Vector(0, 0), Vector(1, 2)
    seen = set()
    for i in range(300):
        at = at + speed * (i % 3)
        seen.add(at)
    return at.x + at.y + len(seen)


@row
def nested_records():
    records = [{"id": i, "tags": ["a", "b"][: i % 3], "at": {"x": i, "y": -i}} for i in range(200)]
    x = 0
    for record in records:
        if "a" in record["tags"] and record["at"]["x"] > 10:
            x += record["at"]["y"]
        record.update(done=True)
    groups = {}
    for record in records:
        groups.setdefault(len(record["tags"]), []).append(record["id"])
    return x + sum(len(ids) * k for k, ids in groups.items())


class Expression:
    def __init__(self, op, *parts):
        self.op, self.parts = op, parts


def evaluated(e):
    match e:
        case int():
            return e
        case Expression(op="+", parts=(a, b)):
            return evaluated(a) + evaluated(b)
        case Expression(op="*", parts=(a, b)):
            return evaluated(a) * evaluated(b)


@row
def matched_trees():
    tree = 1
    for i in range(60):
        tree = Expression("+" if i % 2 else "*", tree, i % 3 + 1)
    return evaluated(tree) % 1000


@row
def binary_bytes():
    data = bytearray()
    for i in range(300):
        data += (i * 259).to_bytes(4, "little")
        data.append(i & 255)
    x = 0
    for k in range(0, len(data), 5):
        x += int.from_bytes(data[k:k + 4], "little") + data[k + 4]
    return x


@row
def tokens_of_text():
    text = "x1 = (alpha + 42) * beta - 7 / gamma_2 " * 8
    at, found = 0, []
    while at < len(text):
        c = text[at]
        if c.isspace():
            at += 1
        elif c.isalpha():
            begin = at
            while at < len(text) and (text[at].isalnum() or text[at] == "_"):
                at += 1
            found.append(("name", text[begin:at]))
        elif c.isdigit():
            begin = at
            while at < len(text) and text[at].isdigit():
                at += 1
            found.append(("number", int(text[begin:at])))
        else:
            found.append(("op", c))
            at += 1
    return len(found)


@row
def values_of_builtins():
    x = 0
    for i in range(200):
        pair = tuple([i, i + 1])
        x += len(list(range(i % 9))) + len(set(pair)) + int("12") + int(float(i)) + len(dict(zip(pair, pair)))
    return x


@row
def pairs_in_loops():
    x = 0
    for _ in range(20):
        for i, word in enumerate(WORDS[:50]):
            x += i
        for (key, value), (i, j) in zip(TABLE.items(), enumerate(NUMBERS)):
            x += value - j
        for key, value in TABLE.items():
            x += value
    return x


def forwarded(*args, **kwargs):
    return add(*args, **kwargs)


@row
def forwarding_wrappers():
    x = 0
    for i in range(COUNT // 4):
        x += forwarded(i, 1)
    return x


@row
def sorted_words_and_sets():
    x = 0
    for i in range(10):
        x += len(sorted(WORDS[: 50 + i])) + len(sorted(set(NUMBERS[:100]))) + max(NUMBERS[i : i + 50])
    return x


class Particle:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z
        self.w = None
        self.v = 1


@row
def objects_of_five_attributes():
    return sum(Particle(i, 1, 2).x for i in range(COUNT // 4))


@row
def digests_of_short_bytes():
    return sum(len(hashlib.sha256(b"row %d" % i).hexdigest()) for i in range(COUNT // 8))


MOMENTS = [datetime.datetime(2020, 1 + i % 12, 1 + i % 28, i % 24, i % 60) for i in range(300)]


@row
def sorted_moments():
    return sorted(MOMENTS)[10].isoformat()


@row
def binomials():
    return sum(math.comb(40, i % 40) for i in range(COUNT // 4))


@row
def wrapped_paragraphs():
    return len(textwrap.wrap(" ".join(WORDS[:200]), 60))


@row
def sums_of_bytes():
    return sum(bytearray(b"ab" * COUNT)) + sum(b"c" * COUNT)


@row
def escape_times():
    x = 0
    for i in range(COUNT // 40):
        z, c = 0j, complex(i % 20 / 10 - 1.5, i % 7 / 7)
        for k in range(20):
            z = z * z + c
            if abs(z) > 2:
                break
        x += k
    return x


@dataclasses.dataclass(order=True)
class Priced:
    price: int
    name: str = dataclasses.field(compare=False)
    tags: list = dataclasses.field(default_factory=list, compare=False)


@row
def sorted_dataclasses():
    return sorted(Priced(i * 37 % 101, "x") for i in range(COUNT // 10))[0].price


def measure(function):
    result, best = fastest(function, 0.004, 7)
    print(f"{function.__name__}|{best:.9f}|{result!r}", flush=True)


for function in ROWS:
    if function.__name__ in sys.argv[1:]:
        measure(function)
if len(sys.argv) == 1:
    print("\n".join(function.__name__ for function in ROWS))
