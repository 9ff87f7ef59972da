# itertools: every function, and recipes made of them.
import itertools as it
import operator

print(list(it.accumulate([1, 2, 3, 4], operator.mul)), list(it.accumulate([3, 1, 2], max, initial=0)), list(it.accumulate("abc")))
print(list(it.chain("ab", [1], ())), list(it.chain.from_iterable([[1], [2, 3]])), list(it.combinations("abcd", 2))[:4], len(list(it.combinations_with_replacement("abc", 3))))
print(list(it.permutations([1, 2, 3], 2)), list(it.product("ab", [0, 1], repeat=1)), len(list(it.product(range(3), repeat=3))))
print(list(it.compress("abcdef", [1, 0, 1, 0, 1, 1])), list(it.dropwhile(lambda x: x < 3, [1, 3, 2])), list(it.takewhile(lambda x: x < 3, [1, 3, 2])), list(it.filterfalse(None, [0, 1, "", 2])))
print([(k, list(g)) for k, g in it.groupby("aaabbca")], [(k, [*g]) for k, g in it.groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)])
print(list(it.islice(it.count(5, 3), 4)), list(it.islice(range(20), 3, 15, 4)), list(it.islice("abc", None)), list(it.repeat("x", 3)), list(it.starmap(pow, [(2, 5), (3, 2)])))
a, b, c = it.tee(iter([1, 2, 3]), 3)
print(next(a), list(b), list(a), list(c), list(it.zip_longest("ab", [1], fillvalue="-")), list(it.pairwise("abcd")))
print([x for x, _ in zip(it.cycle("xyz"), range(7))], next(it.count(0.5, 0.25)))


def sliding(iterable, n):
    iters = it.tee(iterable, n)
    for i, x in enumerate(iters):
        next(it.islice(x, i, i), None)
    return zip(*iters)


def batched(iterable, n):
    items = iter(iterable)
    while batch := tuple(it.islice(items, n)):
        yield batch


def flatten(x):
    return it.chain.from_iterable(map(flatten, x)) if isinstance(x, list) else [x]


def powerset(s):
    return it.chain.from_iterable(it.combinations(s, r) for r in range(len(s) + 1))


def roundrobin(*iterables):
    pending, nexts = len(iterables), it.cycle(iter(x).__next__ for x in iterables)
    while pending:
        try:
            for n in nexts:
                yield n()
        except StopIteration:
            pending -= 1
            nexts = it.cycle(it.islice(nexts, pending))


print(list(sliding(range(5), 3)), list(batched("abcdefg", 3)), list(flatten([1, [2, [3, [4]], 5]])), list(powerset([1, 2, 3])), list(roundrobin("ABC", "D", "EF")))
for bad in (lambda: list(it.islice([1], -1)), lambda: it.tee([1], -1), lambda: next(it.combinations([1], 2)), lambda: it.permutations(3), lambda: list(it.starmap(pow, [3]))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(it.count(3), it.repeat(4, 2), it.count(1.5, 2))
