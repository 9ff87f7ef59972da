# argparse: types, defaults, choices, nargs, groups, subcommands, help text, errors as exceptions.
import argparse

p = argparse.ArgumentParser(prog="bench", description="Runs kernels.", exit_on_error=False)
p.add_argument("name", help="of the kernel")
p.add_argument("-n", "--count", type=int, default=3, help="how often (default: %(default)s)")
p.add_argument("--size", nargs=2, type=int, metavar=("M", "N"))
p.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
p.add_argument("-v", "--verbose", action="count", default=0)
p.add_argument("--check", action=argparse.BooleanOptionalAction, default=True)
p.add_argument("--tag", action="append")
p.add_argument("rest", nargs="*")
print(p.parse_args(["mm"]), p.parse_args(["mm", "-n", "5", "--size", "1", "2", "-vv", "--no-check", "--tag", "a", "--tag=b"]), vars(p.parse_args(["k", "--dtype", "bf16"])), p.parse_known_args(["k", "--what"]), sep="\n")
print(p.format_usage(), p.format_help(), sep="\n")
for bad in (["mm", "-n", "x"], ["mm", "--dtype", "f64"]):
    try:
        p.parse_args(bad)
    except argparse.ArgumentError as e:
        print(e)
q = argparse.ArgumentParser(prog="tool")
s = q.add_subparsers(dest="cmd", required=True)
a = s.add_parser("run")
a.add_argument("--fast", action="store_true")
a.set_defaults(func=lambda ns: f"run {ns.fast}")
s.add_parser("list")
ns = q.parse_args(["run", "--fast"])
print(ns.cmd, ns.func(ns), q.parse_args(["list"]))
g = argparse.ArgumentParser(prog="g").add_mutually_exclusive_group()
print(type(g).__name__, argparse.Namespace(a=1) == argparse.Namespace(a=1), argparse.Namespace(b="x"))
