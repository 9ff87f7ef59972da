# json: dumps with every option, loads with hooks, errors with their places, custom encoders.
import dataclasses
import enum
import io
import json

doc = {"name": "k\u00e9rnel\n", "sizes": [1, 2.5, -3e10, 1e-7, 10**20], "flags": {"a": True, "b": None}, "empty": [{}, [], ""], 3: "int key", 1.5: "float key", None: 0, True: 1}
print(json.dumps(doc))
print(json.dumps(doc, indent=2, ensure_ascii=False))
print(json.dumps({"b": 1, "a": [1, 2]}, sort_keys=True, separators=(",", ":")), json.dumps([1, [2]], indent="\t"), json.dumps("\u2028\x00\"\\/"))
print(json.dumps([float("nan"), float("inf"), -float("inf")]), json.loads("[NaN, Infinity, -0.0, 1E5, 12345678901234567890]"))
text = '{"a": [1, 2.50, "x\\u00e9\\n\\ud83d\\ude00"], "b": {"c": null}, "a2": true}'
print(json.loads(text), json.loads(text, parse_float=lambda s: "F" + s, parse_int=lambda s: "I" + s), json.loads(text, object_pairs_hook=lambda p: p))
print(json.loads(text, object_hook=lambda d: tuple(d)))


class Kind(enum.IntEnum):
    A = 1


@dataclasses.dataclass
class Tile:
    m: int


class Encoder(json.JSONEncoder):
    def default(self, o):
        if dataclasses.is_dataclass(o):
            return dataclasses.asdict(o)
        if isinstance(o, (set, complex)):
            return repr(o)
        return super().default(o)


print(json.dumps({"k": Kind.A, "t": Tile(3), "s": {1}}, cls=Encoder), json.dumps(Tile(1), default=vars), json.dumps((1, (2,))))
f = io.StringIO()
json.dump([1, {"x": 2}], f)
f.seek(0)
print(f.getvalue(), json.load(f), json.loads(b'{"a": 1}'), json.dumps({(1, 2): 3, "a": 1}, skipkeys=True))
for bad in ("", "[1,]", '{"a" 1}', "{'a': 1}", "[1 2]", '"abc', "nul", '{"a": 1,}', "[1]\n x", '"\t"', "01", "-", '"\\q"'):
    try:
        print(json.loads(bad))
    except json.JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno)
for bad in (lambda: json.dumps({1, 2}), lambda: json.dumps({(1, 2): 3}), lambda: json.dumps(float("nan"), allow_nan=False), lambda: json.loads(3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
loop = []
loop.append(loop)
try:
    json.dumps(loop)
except ValueError as e:
    print(e)
print(json.JSONDecoder().raw_decode('[1] tail'), "".join(json.JSONEncoder().iterencode([1, "a"])))
