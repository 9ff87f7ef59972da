# cProfile and pstats: how often functions are called, and by whom.
import cProfile
import io
import os
import pstats
import tempfile


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fails():
    raise ValueError


def ping(n):
    return pong(n - 1) if n else 0


def pong(n):
    return ping(n - 1) if n else 0


def main():
    for _ in range(4):
        try:
            fails()
        except ValueError:
            pass
    return fib(10) + ping(6)


def counts(stats):
    names = ("fib", "fails", "main", "ping", "pong")
    for label in sorted(stats.stats, key=lambda label: label[2]):
        primitive, calls, own, total, callers = stats.stats[label]
        if label[2] in names:
            print(label, calls, primitive, own <= total, sorted((caller[2], by[:2]) for caller, by in callers.items() if caller[2] in names))


profile = cProfile.Profile()
print(profile.runcall(main))
text = io.StringIO()
stats = pstats.Stats(profile, stream=text).strip_dirs().sort_stats("name")
counts(stats)
stats.print_stats("fib")
stats.print_callees("pong")
print([line for line in text.getvalue().splitlines() if "List reduced" not in line and "function calls" not in line and "0.0" not in line])
with cProfile.Profile() as inner:
    fib(5)
inner.create_stats()
print([(label[1], entry[:2]) for label, entry in inner.stats.items() if label[2] == "fib"])
path = os.path.join(tempfile.mkdtemp(), "stats")
profile.dump_stats(path)
loaded = pstats.Stats(path, profile).strip_dirs()
counts(loaded)
print(loaded.sort_stats(pstats.SortKey.CALLS).fcn_list[0], loaded.get_stats_profile().func_profiles["fib"].ncalls)
try:
    loaded.sort_stats("nothing")
except KeyError as error:
    print("KeyError", error)
