# Generators that are left and gone on with between statements: every way in, out and around.
import itertools


def show(name, generator, most=50):
    try:
        print(name, list(itertools.islice(generator, most)))
    except Exception as error:
        print(name, type(error).__name__, error)


def nested(n):
    for i in range(n):
        if i % 4 == 1:
            continue
        j = 0
        while j < i:
            if j == 3:
                break
            if j % 2:
                yield (i, j)
            elif j == 0:
                yield "first"
            else:
                yield from range(j)
            j += 1
        else:
            yield "whole"
        if i == 6:
            break
    else:
        yield "never left"
        return
    yield "left"


show("nested", nested(5))
show("nested", nested(9))


def empty():
    return
    yield


def only_else(items):
    for _ in items:
        yield 1
    else:
        yield "else"
    while items:
        break
    else:
        yield "no items"


show("empty", empty())
show("else", only_else([1, 2]))
show("else", only_else([]))


def talker():
    heard = []
    while True:
        word = yield len(heard)
        if word is None:
            continue
        if word == "stop":
            return heard
        a = b = yield word * 2
        heard.append((word, a, b))


def outer(sink):
    result = yield from talker()
    sink.append(result)
    x = yield from []
    sink.append(x)
    return (yield from iter("ab"))


sink = []
g = outer(sink)
print(next(g), g.send("x"), g.send("y"), g.send(None), next(g), g.send("z"), next(g))
print(g.send("stop"), next(g))
try:
    next(g)
except StopIteration as stop:
    print("returned", stop.value)
print(sink)


def returns_sent():
    return (yield "give")


def returns_loop():
    for i in range(10):
        for j in range(10):
            yield i, j
            if j == 1:
                return "done"


def value_of(generator, *sent):
    try:
        out = [next(generator)]
        for s in sent:
            out.append(generator.send(s))
    except StopIteration as stop:
        return stop.value
    return out


print(value_of(returns_sent(), 5), value_of(returns_loop(), None, None, None))


class Mine(Exception):
    pass


def raises_inside(n):
    yield 1
    if n == 1:
        raise Mine("inside")
    if n == 2:
        raise StopIteration("stopped")
    yield undefined  # noqa: F821


for n in range(1, 4):
    g = raises_inside(n)
    print(next(g))
    for _ in range(2):
        try:
            print(next(g))
        except Exception as error:
            print(type(error).__name__, error, repr(error.__cause__))


def thrown_into():
    for i in range(3):
        got = yield i
        print("got", got)


g = thrown_into()
print(next(g), g.send("a"))
try:
    g.throw(Mine("thrown"))
except Mine as error:
    print("out again", error, error.__context__)
print(list(g))
g = thrown_into()
try:
    g.throw(ValueError, "before it began")
except ValueError as error:
    print(error)
print(list(g))
try:
    thrown_into().send(1)
except TypeError as error:
    print(error)

def logged(name, log, n=3):
    try:
        for i in range(n):
            yield name + str(i)
    finally:
        log.append(name)


def over(log, way):
    for a in logged("a", log):
        for b in logged("b", log):
            if way == "raise" and b == "b1":
                raise Mine(a + b)
            if way == "break" and b == "b1":
                break
            if way == "return" and b == "b1":
                return a + b
            yield a + b


for way in "through", "break", "return", "raise":
    log = []
    show(way, over(log, way))
    print(log)
log = []
g = over(log, "through")
print(next(g), next(g))
g.close()
print(log, list(g))
log = []
g = over(log, "through")
print(next(g))
try:
    g.throw(Mine("between"))
except Mine as error:
    print(error, log)


def delegating(log):
    yield 0
    yield from logged("d", log)
    yield 9


log = []
g = delegating(log)
print(next(g), next(g), g.gi_yieldfrom is not None, g.gi_suspended, g.gi_running)
g.close()
print(log, g.gi_yieldfrom)
g = delegating(log)
print(next(g), next(g))
try:
    g.throw(Mine("to the inner one"))
except Mine as error:
    print(error, log)


def calls_itself():
    yield 1
    try:
        next(me)
    except ValueError as error:
        print(error)
    yield 2


me = calls_itself()
print(list(me))


def closed_over():
    total = 0

    def add(n):
        nonlocal total
        total += n
        return total
    for n in range(4):
        yield add, add(n)
    yield [total + k for k in range(3)], (lambda: total)()


out = list(closed_over())
print([v for _, v in out], out[0][0](10))


def deep(n):
    if n:
        yield n
        yield from deep(n - 1)


print(sum(deep(150)))


def endless():
    yield from endless()


try:
    next(endless())
except RecursionError:
    print("RecursionError")


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


print(list(Node(4, Node(2, Node(1), Node(3)), Node(6, Node(5)))))
a, b = thrown_into(), thrown_into()
print(next(a), next(b), next(a), next(b))
print([x for pair in zip(nested(3), nested(3)) for x in pair])
first, *rest = nested(5)
print(first, rest, max(deep(5)), "whole" in nested(5), dict(enumerate(deep(2))))


def inner_yields(n):
    total = (yield n) + (yield n + 1)
    try:
        yield total
    except Mine:
        yield "caught"
    with open(__file__) as f:
        yield f.closed
    yield [(yield 1), (yield 2)]


g = inner_yields(3)
print(next(g), g.send(10), g.send(20), g.throw(Mine), next(g), next(g), g.send(1), g.send(2), next(g, "end"))


def conditional(flag):
    if flag:
        yield 1
    elif flag is None:
        yield 2
    else:
        print("nothing")
    finished.append(flag)


finished = []
print(list(conditional(True)), list(conditional(None)), list(conditional(False)), finished)
print(list((lambda n: [(yield n), (yield n + 1)])(4)), list((lambda: (yield))()))
