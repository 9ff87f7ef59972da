# Closures: capture by variable, nonlocal, global, default arguments, late binding, recursion.
def counter():
    n = 0

    def inc(by=1):
        nonlocal n
        n += by
        return n

    def get():
        return n
    return inc, get


inc, get = counter()
inc(); inc(5)
print(get(), counter()[1]())
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs])
fs = []
for j in range(3):
    def f():
        return j
    fs.append(f)
print([f() for f in fs])


def adder(a):
    def add(b):
        def more(c):
            return a + b + c
        return more
    return add


print(adder(1)(2)(3))


def deep():
    x = 1

    def mid():
        def inner():
            nonlocal x
            x += 1
            return x
        return inner
    i = mid()
    i()
    i()
    return x


print(deep())
total = 0


def add_global(n):
    global total, created
    total += n
    created = 'made'


add_global(3)
add_global(4)
print(total, created)


def mutable(x, acc=[]):
    acc.append(x)
    return acc


print(mutable(1), mutable(2), mutable(3, []))


def unbound():
    try:
        print(v)
    except UnboundLocalError as e:
        print(e)
    v = 1
    del v
    try:
        v
    except UnboundLocalError as e:
        print(e)


unbound()


def free():
    def g():
        return w
    try:
        g()
    except NameError as e:
        print(type(e).__name__, e)
    w = 1
    return g()


print(free())


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


print(fact(20), fact(30))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


print(is_even(100), is_odd(7))


def memo(f):
    cache = {}

    def wrapper(*args):
        if args not in cache:
            cache[args] = f(*args)
        return cache[args]
    wrapper.cache = cache
    return wrapper


@memo
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(60), len(fib.cache))


def shadow(x):
    def x_maker():
        x = 'inner'
        return x
    return x_maker() + x


print(shadow('outer'))


def comp_capture():
    k = 10
    return [(lambda: k + v)() for v in range(3)], {v: k for v in range(2)}


print(comp_capture())


class Acc:
    def make(self):
        def set(v):
            self.v = v
        return set


a = Acc()
a.make()(9)
print(a.v)


def late():
    def call():
        return helper()

    def helper():
        return 'defined later'
    return call()


print(late())


def loop_var():
    out = []
    for x in range(2):
        out.append(lambda: (x, y))
    y = 'y'
    return [f() for f in out]


print(loop_var())


def nested_default(a, b=lambda z: z * 2):
    return b(a)


print(nested_default(4), nested_default(4, lambda z: z + 1))


def compose(*fs):
    def run(x):
        for f in reversed(fs):
            x = f(x)
        return x
    return run


print(compose(lambda x: x + 1, lambda x: x * 2)(5))
print((lambda *a, k=1, **kw: (a, k, kw))(1, 2, k=3, z=4), (lambda: (yield_ := 5))())


def gen_env():
    base = 100
    g = (base + i for i in range(3))
    base = 200
    return list(g)


print(gen_env())
print((lambda f: f(f, 5))(lambda self, n: 1 if n == 0 else n * self(self, n - 1)))
