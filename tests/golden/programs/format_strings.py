# Format specs of ints, floats, strings, dates; f-strings with nesting, debugging, conversions; percent; str.format.
import datetime

x, n, s = 1234567.891, 42, "text"
for spec in ("", "f", ".2f", ",.3f", "e", ".3e", "g", ".3g", "+.1f", "012.2f", "%", ".1%", "_", ">15,.1f", "<15.0f", "^+15.2f", "#.0f", "n", " .1f", "=+15.1f", "*^14.1e", "G", "F", "z.1f"):
    print(spec, format(x, spec), format(-0.04, spec), format(0.0, spec), sep=" ~ ")
for spec in ("", "d", "5d", "<5d", "05d", "+d", "x", "#x", "#X", "o", "#o", "b", "#010b", "_b", ",", "c", "e", ".1f", "%", "^9", "n", "=+6d", "_x"):
    print(spec, format(n, spec), format(1000000, spec) if spec != "c" else "", sep=" ~ ")
for spec in ("", "10", ">10", "^10", "*^11", ".2", "5.1", "s", "<6s", "é>7"):
    print(spec, format(s, spec), sep=" ~ ")
w, p = 12, 3
print(f"{x:{w}.{p}f}|{x!r:>{w}}|{s!a:^{w}}|{n=}|{n = :04d}|{s=!s}|{x*2=:.1f}|{{}}|{'nested ' + f'{n:x}'}|{[i for i in range(3)]}|{ {'a': 1}['a'] }")
print("%d %5.1f %-6s| %s %r %x %o %e %g %c %% %05d %+d %i %*d" % (n, x, s, [1], "q", 255, 8, 12345.678, 1e-5, "z", 42, 7, 3, 6, 9), "%(a)s-%(b)03d" % {"a": 1, "b": 2}, "%s" % (("t",),), "%.3s|%10.2s" % ("abcdef", "xyz"))
print("{} {}".format(1, 2), "{1} {0} {a}".format(1, 2, a=3), "{0[1]} {1.real} {2[k]}".format([5, 6], 7, {"k": 8}), "{:{}^{}}".format("m", "*", 7), "{!r:>6}".format("a"), "{a[0]}{b}".format_map({"a": "xy", "b": 1}))
print(f"{datetime.date(2024, 2, 29):%d.%m.%Y}", f"{datetime.timedelta(days=1, seconds=3)}", format(True), format(True, "d"), format(None), format([1]), f"{1+2j:.1f}", format(3 - 4j, "+.2e"))
for bad in (lambda: format(1.5, "d"), lambda: format("a", "d"), lambda: format(1, "s"), lambda: format(1, ".2d"), lambda: "{} {}".format(1), lambda: "{a}".format(), lambda: "{0} {}".format(1), lambda: "%d" % "a", lambda: "%d %d" % (1,), lambda: "%d" % (1, 2),
            lambda: "{".format(), lambda: "%q" % 1, lambda: format([], "5"), lambda: "{x.y}".format(x=1), lambda: format("a", "=5"), lambda: format(1, "zz")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(str(1e16), str(1e15), 1e-5, 0.0001, 1e22, 123456789012345680.0, 0.1 + 0.2, 1/3, 5e-324, 1.7976931348623157e308, -0.0, 100.0, 1e100)
print("abc".center(9, "-"), "7".zfill(3), "-7".zfill(4), "a\tb".expandtabs(4), "x".ljust(3, ".") + "x".rjust(3, "."), "{:>{w}}".format("r", w=4))
