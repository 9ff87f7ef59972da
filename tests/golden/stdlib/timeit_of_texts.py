# timeit: statements as texts and as functions.
import timeit

seen = []
print(timeit.timeit('x + 1', setup='x = 1', number=100) > 0, len(timeit.repeat('seen.append(1)', number=3, repeat=2, globals={'seen': seen})), len(seen))
print(timeit.Timer('y = 0\nfor i in range(3):\n    seen.append(i)', 'z = 1', globals=globals()).timeit(2) > 0, seen)
print(timeit.Timer(lambda: seen.append('f'), lambda: seen.append('s')).timeit(2) >= 0, seen[-3:], timeit.default_number)
for bad in (lambda: timeit.Timer('x +'), lambda: timeit.Timer(3)):
    try:
        bad()
    except (SyntaxError, ValueError) as error:
        print(type(error).__name__)
