import contextlib, functools, io, sys, time
class Timer(contextlib.ContextDecorator):
    def __enter__(self): print('>'); return self
    def __exit__(self, *exc): print('<', exc[0] and exc[0].__name__); return exc[0] is KeyError
@Timer()
def f(): raise KeyError('swallowed')
print(f())
@contextlib.contextmanager
def tag(n):
    print(f'<{n}>')
    try: yield n.upper()
    except ValueError as e: print('caught', e)
    finally: print(f'</{n}>')
with tag('a') as x, tag('b') as y: print(x, y); raise ValueError('inner')
with (tag('p') as p, tag('q')): print(p)
with contextlib.ExitStack() as st:
    for n in 'xyz': st.enter_context(tag(n))
    st.callback(print, 'cb', sep='!'); st.push(lambda *a: print('push', a[0])); 
    moved = st.pop_all()
print('--'); moved.close()
out = io.StringIO()
with contextlib.redirect_stdout(out): print('hidden')
print(repr(out.getvalue())); 
with contextlib.suppress(ZeroDivisionError, KeyError): {}['x']
with contextlib.closing(io.StringIO('q')) as c: print(c.read())
print(c.closed); 
with contextlib.nullcontext(5) as n: print(n)
try:
    with tag('e'): raise RuntimeError('thru')
except RuntimeError as e: print('outer', e, e.__context__)
try:
    try: 1 / 0
    except ZeroDivisionError as e: raise ValueError('bad') from e
except ValueError as e: print(repr(e.__cause__), e.__suppress_context__); e.add_note('note'); print(e.__notes__)
def gen():
    try:
        while True:
            v = yield; print('got', v)
    except GeneratorExit: print('closing'); raise
    finally: print('fin')
g = gen(); next(g); g.send(1); g.close()
def outer(): r = yield from inner(); print('r', r); yield 'end'
def inner(): x = yield 1; print('x', x); return x * 2
o = outer(); print(next(o), o.send(21)); 
try: o.throw(IndexError('t'))
except IndexError as e: print('thrown', e)
def tr():
    try: return 'try'
    finally: print('finally')
print(tr()); 
for i in range(5):
    try:
        if i == 1: continue
        if i == 3: break
        print(i)
    finally: print('f', i)
else: print('never')


