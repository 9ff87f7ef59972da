# string.Formatter and what derives from it, UserString, base85, common paths, help of subcommands, JSON's DEL.
import argparse, base64, collections, json, os.path, string


class Loose(string.Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"<{key}>") if isinstance(key, str) else args[key]

    def format_field(self, value, spec):
        return str(value).upper() if spec == "up" else super().format_field(value, spec)

    def check_unused_args(self, used, args, kwargs):
        print("used", sorted(map(str, used)))


print(Loose().format("{0} {x} {y} {0:up} {z.real:>{w}} {}", "a", x=2, z=3, w=5) if False else Loose().format("{0} {x} {y} {0:up} {z.real:>{w}}", "a", x=2, z=3, w=5))
f = string.Formatter()
print(f.format("{} {} {0!r}".replace("{0!r}", "{!r:>5}"), 1, "b", "c"), f.vformat("{a[0]}{b[k]}", (), {"a": [3], "b": {"k": 4}}))
print(list(f.parse("a{b!r:>{c}}d{{e}}f")), list(f.parse("")), list(f.parse("x{}")))
for bad in ("{", "}", "{0", "{0!x}", "{} {0}", "{a}", "{0.}", "{0[}", "{0!r5}"):
    try:
        print(f.format(bad, 1))
    except Exception as e:
        print(repr(bad), type(e).__name__, e)
u = collections.UserString("Hello")
print(u.upper(), u + "!", "<" + u, u[1:3], u == "Hello", u.split("l"), u.replace("l", collections.UserString("L")), len(u), u * 2, hash(u) == hash("Hello"), u < "I", type(u.lower()).__name__, "ell" in u, list(u), f"{u}", u.center(9, "*"), int(collections.UserString("12")))
for data in (b"", b"a", b"hello", bytes(range(20)), bytes(4), b"    x"):
    print(base64.b85encode(data), base64.a85encode(data), base64.a85encode(data, adobe=True, wrapcol=10), base64.a85encode(data, foldspaces=True), base64.b85decode(base64.b85encode(data)) == data, base64.a85decode(base64.a85encode(data)) == data)
try:
    base64.b85decode(b"a b")
except ValueError as e:
    print(e)
print(os.path.commonpath(["/a/b/c", "/a/b/d"]), os.path.commonpath(["x/y", "x/z/w"]), os.path.expandvars("$NOT_SET/${ALSO_NOT}"), os.path.splitdrive("/a/b"), os.path.normcase("A/b"))
try:
    os.path.commonpath(["/a", "b"])
except ValueError as e:
    print(e)
parser = argparse.ArgumentParser(prog="tool")
commands = parser.add_subparsers(title="commands", metavar="CMD")
commands.add_parser("train", help="train it", aliases=["t"])
commands.add_parser("eval", help="evaluate it")
parser.print_help()
parser = argparse.ArgumentParser(prog="tool")
commands = parser.add_subparsers()
for name in ("a" * 20, "b" * 20, "c" * 30):
    commands.add_parser(name, help="some")
parser.print_help()
print(json.dumps("\x7f\x1f"), json.dumps("\x7f", ensure_ascii=False))
