# json: decoders and encoders of one's own, bytes in any encoding of Unicode, numbers at the edges, the modules of its parts.
import json
from json import decoder, encoder

print(decoder.JSONDecodeError is json.JSONDecodeError, encoder.JSONEncoder is json.JSONEncoder, json.JSONDecodeError)


class Hooked(json.JSONDecoder):
    def __init__(self, *args, **kwargs):
        super().__init__(object_hook=sorted, *args, **kwargs)


class Bare(json.JSONDecoder):
    def __init__(self):
        super().__init__()


class Marked(json.JSONEncoder):
    def iterencode(self, o, _one_shot=False):
        yield "<"
        yield from super().iterencode(o, _one_shot)
        yield ">"


print(json.loads('{"b": 1, "a": 2}', cls=Hooked), json.loads('{"a": 1}', cls=Bare))
print(json.dumps([1], cls=Marked), json.dumps([1, [2]], indent=True))
for text in ("[1]", "1", '"é"', '["😀"]'):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        assert json.loads(bytearray(text.encode(encoding))) == json.loads(text.encode(encoding)) == json.loads(text)
print(json.loads("[9223372036854775807, 9223372036854775808, -9223372036854775808, -9223372036854775809, 1e2, 12345678901234567890.5]"))
print(json.loads("[NaN, Infinity, -Infinity]"), json.dumps([float("nan"), float("inf"), -float("inf")]))
for bad in (lambda: json.dumps([float("nan")], allow_nan=False), lambda: json.loads("1.\u0661"), lambda: json.loads("[-]"),
            lambda: json.loads("[NaN1]")):
    try:
        bad()
    except ValueError as error:
        print(type(error).__name__, error)
