# statistics and fractions.
import statistics as st
from fractions import Fraction as F

x = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(x), st.median(x), st.mode(x), st.pstdev(x), st.variance(x), st.stdev([1.5, 2.5]), st.median_low(x), st.median_high([1, 2]), st.multimode("aabbc"), st.fmean(x), st.geometric_mean([1, 4]), st.harmonic_mean([1, 2]), st.quantiles(x, n=4), st.pvariance([1, 2, 3]))
a = F(3, 4)
print(a, a + F(1, 4), a * 2, a / 3, a ** 2, a ** -1, F("0.125"), F(0.5), F(10, -4), F("3/9"), a.numerator, a.denominator, float(a), int(F(7, 2)), round(F(7, 2)), a > 0.7, a == 0.75, F(22, 7).limit_denominator(5), repr(a), hash(F(2)) == hash(2), sum([F(1, 3)] * 3), F(-7, 2) // 1, F(7, 2) % 1, abs(F(-1, 2)), a + 0.25, F(1, 3) + 1)
for bad in (lambda: st.mean([]), lambda: st.mode([]), lambda: st.stdev([1]), lambda: F(1, 0), lambda: F("a"), lambda: F(1.5, 2), lambda: F(float("nan"))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
