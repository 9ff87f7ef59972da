# Closures: late binding, nonlocal, cells shared by functions, defaults as snapshots, recursion through a name.
def make(start):
    count, log = start, []
    def up(by=1):
        nonlocal count
        count += by
        log.append(count)
        return count
    def down():
        nonlocal count
        count -= 1
        return count
    return up, down, lambda: (count, log)

up, down, get = make(5)
print(up(), up(10), down(), get())
late, early = [lambda: i for i in range(3)], [lambda i=i: i for i in range(3)]
print([f() for f in late], [f() for f in early])
def outer():
    x = "outer"
    def middle():
        def inner():
            nonlocal x
            x = "inner"
        inner()
        return x
    return middle(), x
print(outer())
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
old, fact = fact, lambda n: "replaced"
print(old(3) if False else fact(3))
try:
    def f():
        print(y)
        y = 1
    f()
except UnboundLocalError as e:
    print(e)
def g():
    del z
try:
    g()
except UnboundLocalError as e:
    print(e)
memo = {}
def fib(n):
    if n not in memo:
        memo[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return memo[n]
print(fib(60), (lambda f: f(f, 10))(lambda f, n: 1 if n == 0 else n * f(f, n - 1)))
