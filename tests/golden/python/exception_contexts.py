# SPDX-License-Identifier: Apache-2.0
# What was being handled when an exception was raised, thrown into a generator, or raised again.
def gen():
    for i in range(3): yield i
def gen2():
    try:
        yield 1
    except KeyError: pass
def gen3():
    try:
        yield 1
    except ValueError as e:
        print('in', repr(e.__context__)); raise
def gen4():
    try:
        yield 1
    except ValueError as e:
        raise KeyError('k')
def gen5():
    yield from gen()
def gen6():
    yield from gen4()
def fresh(make, how):
    try:
        try:
            1 / 0
        finally:
            g = make(); 
            if how != 'unstarted': next(g)
            if how == 'type': g.throw(ValueError)
            elif how == 'close': g.close(); raise OSError
            else: g.throw(ValueError('v'))
    except BaseException as e:
        chain = []
        while e: chain.append(repr(e)); e = e.__context__
        print(make.__name__, how, chain)
for m in (gen, gen2, gen3, gen4, gen5, gen6):
    for how in ('value', 'type', 'unstarted', 'close'): fresh(m, how)
def fresh2(make):
    try:
        try: 1 / 0
        except ZeroDivisionError:
            g = make(); next(g); g.throw(ValueError('v'))
    except BaseException as e:
        chain = []
        while e: chain.append(repr(e)); e = e.__context__
        print(make.__name__, chain)
for m in (gen, gen2, gen3, gen4, gen5, gen6): fresh2(m)
import contextlib
@contextlib.contextmanager
def cm():
    try: yield
    except ValueError as e: raise KeyError('q') from e
try:
    try: 1/0
    except ZeroDivisionError:
        with cm(): raise ValueError('w')
except KeyError as e:
    print(repr(e), repr(e.__context__), repr(e.__cause__), repr(e.__context__.__context__))

def chain(e):
    out = []
    while e is not None and len(out) < 9: out.append(repr(e)); e = e.__context__
    return out
def show_all(f):
    try: f()
    except BaseException as e: print(f.__name__, chain(e), repr(e.__cause__), e.__suppress_context__)
def a():
    try: 1 / 0
    except ZeroDivisionError as z: first = z
    try: raise KeyError(1)
    except KeyError: raise first
def b():
    try:
        try: 1 / 0
        except ZeroDivisionError as z:
            first = z
            raise KeyError(1)
    except KeyError: raise first
def c():
    try:
        try: raise ValueError(1)
        except ValueError: raise KeyError(2)
    except KeyError as k:
        try: raise TypeError(3)
        except TypeError: raise k
def d():
    e = ValueError('self')
    e.__context__ = e
    try: raise KeyError
    except KeyError: raise e
def d2():
    e, f = ValueError('e'), ValueError('f')
    e.__context__, f.__context__ = f, e
    try: raise e
    except ValueError: raise KeyError('k')
def e():
    try:
        try: 1 / 0
        except ZeroDivisionError as z: raise z
    finally: pass
def f():
    class C:
        def __enter__(self): return self
        def __exit__(self, *a): raise OSError('exit')
    with C(): raise KeyError('body')
def g():
    class C:
        def __enter__(self): return self
        def __exit__(self, t, v, tb):
            try: raise TypeError('inner')
            except TypeError: raise v
    with C(): raise KeyError('body')
def h():
    try: {}['k']
    except KeyError as k:
        try: int('x')
        except ValueError as v:
            v.__context__ = None
            raise
def i():
    def inner():
        try: raise KeyError('i')
        finally: raise_again()
    def raise_again(): raise ValueError('again')
    try: raise OSError('out')
    except OSError: inner()
def j():
    from concurrent.futures import Future
    fu = Future(); fu.set_exception(KeyError('fut'))
    try: raise OSError('o')
    except OSError: fu.result()
def k():
    err = RuntimeError('once')
    for n in range(2):
        try:
            try: raise ValueError(n)
            except ValueError: raise err
        except RuntimeError as r: print(chain(r))
    raise err
def l():
    err = ValueError('a')
    try: raise err
    except ValueError:
        try: raise KeyError('b') from err
        except KeyError as k: raise err from k
for fn in (a, b, c, d, d2, e, f, g, h, i, j, k, l): show_all(fn)
