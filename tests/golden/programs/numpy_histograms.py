# Histograms of one, two and more dimensions, weights, ranges; interp with ends and periods; averages along axes.
import numpy as np

x, y = np.array([0.1, 0.5, 0.9, 1.0, 2.5]), np.array([1, 1, 2, 3, 3])
print(np.histogram(x, 4), np.histogram(x, [0, 0.5, 1]), np.histogram(x, 3, range=(0, 3), weights=y), np.histogram(x, 2, density=True), np.histogram([1, 1], 2), np.histogram_bin_edges(x, 3), np.histogram2d(x, y, [2, 3]), np.histogramdd(np.stack([x, y], 1), 2)[0], np.histogram([], 2))
print(np.interp([-1, 0.5, 5], [0, 1, 2], [0, 10, 5]), np.interp([-1, 5], [0, 1], [2, 3], left=-9, right=9), np.interp([370, -10], [0, 90, 180], [0, 1, 0], period=360), np.interp(0.5, [0, 1], [1j, 2]), np.average([[1, 2], [3, 4]], axis=0, weights=[1, 3]), np.average([1, 2], weights=[1, 3], returned=True), np.average(np.ones((2, 3)), axis=1, keepdims=True))
print(np.histogram(np.array([0.0, 5e-324]), bins=1), np.histogram(np.array([0.0, 1e-320]), bins=2, range=(0, 1e-320)))
for f in (lambda: np.histogram([0.0, 5e-324], 2), lambda: np.histogram(x, 0), lambda: np.histogram(x, [1, 0]), lambda: np.histogram([np.nan], 2), lambda: np.histogram(x, 2, range=(3, 1)), lambda: np.average([1, 2], weights=[0, 0]), lambda: np.interp(1, [1, 2], [1])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
