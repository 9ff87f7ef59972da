# f-strings: nesting, conversions, specs from variables, debugging, quotes, lambdas, dict look-ups.
name, n, pi, d, w = "Ann", 42, 3.14159265, {"k": [1, 2]}, 10
print(f"{name!r:>{w}}|{n:0{w}d}|{pi:.{n - 39}f}|{d['k'][1]}|{(lambda x: x * 2)(n)}|{'a' 'b'}|{{{n}}}|{n:#x}|{n!s:^6}|{name.upper():.2}")
print(f"{n=} {n = } {n=:>5} {name=!s} {pi=:.2f} {n+1=} {d['k']=}", f"{'yes' if n > 3 else 'no'}", f"{[i ** 2 for i in range(3)]}", f"{ {1: 2} }", f"{n:,} {-n:+} {n / 7:.3e} {n:b} {0.5:.0%} {1e9:g}", f'{"q"}' f"{'x'}" "plain{}", rf"\d{n}\n", f"""multi
{n}""", f"{name:*<6}{name:->6}{name:^7}.", f"{None} {True} {b'x'} {1j}", f"{n:{'>' + str(w)}}", sep="\n")
class F:
    def __format__(self, spec): return f"<{spec or 'none'}>"
    def __repr__(self): return "F()"
    def __str__(self): return "str F"
print(f"{F()} {F():abc} {F()!r} {F()!s:>7} {F():%Y-%m}", format(F(), "z"), "{:q}".format(F()), "%s %r" % (F(), F()), str([F()]))
for bad in (lambda: f"{n:.2q}", lambda: f"{name:d}", lambda: f"{d:5}", lambda: f"{undefined_name}", lambda: f"{n:{None}}", lambda: f"{1/0}"):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
