# The command line of a program, and what it prints of itself.
import argparse, io, os, sys
os.environ["COLUMNS"] = "80"
def told(f, *a, **k):
    out = io.StringIO()
    real, sys.stderr = sys.stderr, out
    try:
        return f(*a, **k)
    except SystemExit as e:
        return f"exit {e.code}: {out.getvalue()}"
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    finally:
        sys.stderr = real
p = argparse.ArgumentParser(prog="bench", description="Measures kernels on this machine, one after the other, and prints what it saw in a table of its own.", epilog="See the README.")
p.add_argument("kernel", help="which kernel")
p.add_argument("sizes", nargs="*", type=int, default=[8], help="sizes")
p.add_argument("-n", "--count", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
p.add_argument("--dtype", choices=["f32", "bf16"], default="f32", help="element type")
p.add_argument("-v", "--verbose", action="count", default=0)
p.add_argument("--check", action=argparse.BooleanOptionalAction, default=True, help="compare")
p.add_argument("--tag", action="append", help="a tag; this text is so long that it has to be wrapped at the width of the terminal, which is eighty")
p.add_argument("--scale", type=float, default="1.5")
p.add_argument("--shape", type=int, nargs=2, metavar=("M", "N"))
p.add_argument("--const", action="store_const", const=42)
p.add_argument("--off", action="store_false", dest="on")
p.add_argument("--version", action="version", version="%(prog)s 1.2")
g = p.add_mutually_exclusive_group()
g.add_argument("--fast", action="store_true", help="fast")
g.add_argument("--slow", action="store_true", help="slow")
p.add_argument("--a-rather-long-option-name", help="below")
p.add_argument("--hidden", help=argparse.SUPPRESS)
for args in (["mm"], ["mm", "1", "2"], ["mm", "-n", "5", "--dtype=bf16"], ["-vv", "mm", "-n7", "3"], ["mm", "--no-check", "--tag", "a", "--tag=b"],
             ["mm", "--shape", "2", "3", "--const", "--off", "--fast"], ["--ver", "mm"], ["mm", "--verb"], ["mm", "--scale", "-2.5"], ["mm", "--", "4"],
             [], ["mm", "x"], ["mm", "--dtype", "f64"], ["mm", "--fast", "--slow"], ["mm", "--bogus", "1"], ["mm", "-n"], ["mm", "--shape", "1"], ["mm", "--s", "1"],
             ["mm", "--fast=1"], ["mm", "-n", "x"], ["mm", "--s=1"], ["mm", "-vn4"], ["mm", "--co", "3"], ["mm", "--const"], ["mm", "-1"]):
    print(args, told(p.parse_args, args))
print(p.parse_known_args(["mm", "--bogus", "7", "-q"]))
print(p.format_help())
print(p.format_usage())
told(p.parse_args, ["-h"])
q = argparse.ArgumentParser("tool", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
q.add_argument("--level", type=int, default=3, help="level")
s = q.add_subparsers(dest="command", required=True, help="what to do")
a = s.add_parser("run", help="runs", aliases=["r"]); a.add_argument("file"); a.add_argument("--seed", type=int, default=0); a.set_defaults(func="run_it")
b = s.add_parser("check", help="checks"); b.add_argument("files", nargs="+")
for args in (["run", "x"], ["--level", "1", "r", "x", "--seed", "4"], ["check", "a", "b"], ["check"], [], ["nothing"], ["run", "x", "--oops"]):
    print(args, told(q.parse_args, args))
print(q.format_help(), a.format_help(), b.format_usage())
r = argparse.ArgumentParser(prog="r", add_help=False, argument_default=argparse.SUPPRESS)
r.add_argument("--x", type=int); r.add_argument("rest", nargs=argparse.REMAINDER)
print(r.parse_args([]), r.parse_args(["--x", "1", "a", "--x", "2"]), told(r.add_argument, "--x"), told(r.add_argument, "y", action="nope"))
c = argparse.ArgumentParser(prog="c", parents=[r], exit_on_error=False)
print(c.format_help(), told(c.parse_args, ["--x", "q"]), c.parse_args(["--x", "3"], argparse.Namespace(k=1)))
class Twice(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (values * 2, option_string))
def odd(text):
    if int(text) % 2 == 0: raise argparse.ArgumentTypeError(f"{text} is even")
    return int(text)
d = argparse.ArgumentParser(prog="d", usage="%(prog)s [what you like]")
d.add_argument("-t", action=Twice); d.add_argument("--odd", type=odd); d.add_argument("opt", nargs="?", const=1, default="none")
h = d.add_argument_group("numbers", "about numbers"); h.add_argument("--more", nargs="+", type=int, required=True); e = d.add_mutually_exclusive_group(required=True); e.add_argument("--left", action="store_true"); e.add_argument("--right")
for args in (["--more", "1", "2", "--left"], ["-tab", "--odd", "3", "--more", "1", "--right", "r"], ["--odd", "4", "--more", "1", "--left"], ["--more", "1"], ["--left"], ["x", "--left", "--more", "5"]):
    print(args, told(d.parse_args, args))
print(d.format_help(), argparse.Namespace(a=1) == argparse.Namespace(a=1), "a" in argparse.Namespace(a=1))
