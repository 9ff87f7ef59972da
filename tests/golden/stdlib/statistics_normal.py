# Pairs of samples, and the normal distribution.
from statistics import NormalDist, StatisticsError, correlation, covariance, linear_regression
x, y = [1, 2, 3, 4.5], [2, 4, 5, 9.25]
print(round(covariance(x, y), 12), round(correlation(x, y), 12))
slope, intercept = linear_regression(x, y)
print(round(slope, 12), round(intercept, 12), linear_regression([1, 2], [2, 4], proportional=True))
d = NormalDist(100, 15)
print(d, d.mean, d.median, d.mode, d.stdev, d.variance, round(d.pdf(110), 12), round(d.cdf(110), 12), d.zscore(130))
print([round(q, 9) for q in d.quantiles(5)], [round(NormalDist().inv_cdf(p), 9) for p in (1e-9, 0.001, 0.5, 0.975, 1 - 1e-9)])
print(d + 5, d - 5, d * 2, d / 4, -d, d + NormalDist(1, 8), d - NormalDist(1, 8), 5 - d, 2 * d, d == NormalDist(100, 15), NormalDist.from_samples([1, 2, 3]))
for f in (lambda: NormalDist(0, -1), lambda: NormalDist(1, 0).pdf(1), lambda: d.inv_cdf(1), lambda: correlation([1], [2]), lambda: covariance([1, 2], [1]),
          lambda: correlation([1, 1], [1, 2]), lambda: linear_regression([1, 1], [1, 2])):
    try:
        print(f())
    except StatisticsError as e:
        print(e)
