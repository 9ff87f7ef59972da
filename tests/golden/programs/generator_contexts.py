# What is thrown into generators and has which context; entries of dicts one at a time; divmod of what has none.
def tell(e):
    print(type(e).__name__, e, "ctx", repr(e.__context__))
def gen():
    yield 1
    yield 2
def f():
    g = gen()
    next(g)
    try:
        "a"[5]
    except IndexError as e:
        tell(e)
    try:
        g.throw(ValueError("in"))
    except ValueError as e:
        tell(e)
f()
def gen2():
    "abc"[5]
    yield
def h():
    g = gen2()
    try:
        next(g)
    except IndexError as e:
        tell(e)
    try:
        g.throw(ValueError("in"))
    except ValueError as e:
        tell(e)
    try:
        raise KeyError(1)
    except KeyError as e:
        tell(e)
h()
def gen3():
    try:
        "abc"[5]
    except IndexError:
        yield 1
        yield 2
def k():
    g = gen3()
    next(g)
    try:
        raise KeyError(2)
    except KeyError as e:
        tell(e)
    try:
        g.throw(ValueError("in"))
    except ValueError as e:
        tell(e)
    try:
        raise KeyError(3)
    except KeyError as e:
        tell(e)
k()
def m():
    try:
        1/0
    except ZeroDivisionError:
        try:
            g = gen()
            g.throw(ValueError("fresh"))
        except ValueError as e:
            tell(e)
m()
try:
    divmod([], 3)
except TypeError as e:
    tell(e)
try:
    divmod(3, "a")
except TypeError as e:
    tell(e)
def g5():
    for i in range(3):
        print("made", i)
        yield [i], i
try:
    dict(g5())
except TypeError as e:
    tell(e)
try:
    dict(zip(([i] for i in range(3) if not print(i)), "abc"))
except TypeError as e:
    tell(e)
try:
    set(([i] for i in range(3) if not print(i)))
except TypeError as e:
    tell(e)
