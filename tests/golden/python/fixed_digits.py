# Digits behind the point, rounded as the double's own digits say: ties to even, the smallest and the largest that are
# rounded as integers, and what lies beyond them.
import math

ties = [0.5, 1.5, 2.5, 0.125, 0.375, 0.0625, 1.03125, 9.5, 99.5, 999999999.5]
edges = [0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1e-9, 5e-9, 4.9999999e-9, 9.9999999, math.nextafter(1e10, 0), 1e10, 2.0**52, 1e22]
for x in ties + edges:
    print(repr(x), *[f"{x:.{n}f}" for n in range(11)])
for n in range(10):
    print(f"%.{n}f %.{n}f" % (2 / 3, -1234567.8901234567), f"{-0.0:+.{n}f} {1e-3:012.{n}f} {2.5:#.{n}f}")
checked = sum(abs(float(f"{i / 1000:.3f}") - i / 1000) for i in range(-5000, 5000))
print(checked, f"{10**9 / 7:,.3f}", f"{1e9 / 7:,.8f}", round(2.675, 2), f"{2.675:.2f}")
