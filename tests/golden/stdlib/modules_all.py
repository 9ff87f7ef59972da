import copy, types, contextlib, string, textwrap, json, inspect, numbers, weakref, threading, contextvars, warnings, os, sys, time, io, gc
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
# copy
a = [1, [2, 3], {'k': (1, [2])}]; b = copy.copy(a); c = copy.deepcopy(a); a[1].append(9); print(b, c, b[1] is a[1], c[2] is a[2])
class C:
    def __init__(self): self.v = [1]
class D(C):
    def __copy__(self): return 'copied'
    def __deepcopy__(self, memo): return 'deep'
x = C(); y = copy.copy(x); z = copy.deepcopy(x); x.v.append(2); print(y.v, z.v, copy.copy(D()), copy.deepcopy([D()]))
l = [1]; l.append(l); m = copy.deepcopy(l); print(m[1] is m, copy.deepcopy((1, 2)), copy.copy({1, 2}), copy.copy(len) is len)
class LL(list): pass
ll = LL([1, [2]]); ll.tag = [3]; k = copy.deepcopy(ll); ll[1].append(5); print(k, k.tag, type(k).__name__, copy.copy(ll))
t = ([1],); print(copy.deepcopy(t)[0] is t[0], copy.copy(t) is t)
# types
ns = types.SimpleNamespace(a=1, b='x'); ns.c = 3; print(ns, ns == types.SimpleNamespace(a=1, b='x', c=3), vars(ns))
mp = types.MappingProxyType({'a': 1}); print(mp, mp['a'], list(mp), len(mp), 'a' in mp, dict(mp), mp.get('z', 5)); tr(lambda: mp.__setitem__('b', 2))
def seti(): mp['b'] = 2
tr(seti)
print(isinstance(tr, types.FunctionType), isinstance(len, types.BuiltinFunctionType), isinstance(C().__init__, types.MethodType), isinstance(os, types.ModuleType), types.NoneType, isinstance(int | None, types.UnionType), isinstance(list[int], types.GenericAlias))
md = types.ModuleType('mymod', 'doc'); md.q = 5; print(md.q, md.__name__, md.__doc__); print(types.new_class('NC', (C,))().v, types.MethodType(lambda self, x: (self, x), 5)(6))
# contextlib
with contextlib.nullcontext(5) as n: print(n)
with contextlib.suppress(ValueError, KeyError): raise KeyError('x')
tr(lambda: contextlib.suppress(ValueError).__enter__())
out = io.StringIO()
with contextlib.redirect_stdout(out): print('hidden', 1)
print(repr(out.getvalue()))
class CM:
    def __init__(self, n): self.n = n
    def __enter__(self): print('enter', self.n); return self
    def __exit__(self, *e): print('exit', self.n, e[0]); return self.n == 'sw'
with contextlib.ExitStack() as st:
    st.enter_context(CM('a')); st.enter_context(CM('b')); st.callback(print, 'cb', 1); st.push(lambda *e: print('push', e[0]))
with contextlib.ExitStack() as st:
    st.enter_context(CM('sw')); st.enter_context(CM('in')); raise ValueError('inner')
print('after')
with contextlib.closing(types.SimpleNamespace(close=lambda: print('closed'))): pass
class Deco(contextlib.ContextDecorator):
    def __enter__(self): print('in'); return self
    def __exit__(self, *e): print('out')
@Deco()
def fn(x): return x + 1
print(fn(1))
# string, textwrap
print(string.ascii_letters, string.digits, string.hexdigits, repr(string.punctuation), string.capwords('hello  world foo'), string.Template('$a ${b} $$ x').substitute(a=1, b=2), string.Template('$a $z').safe_substitute(a=1))
tr(lambda: string.Template('$z').substitute()); tr(lambda: string.Template('$ x').substitute())
print(repr(textwrap.dedent('''
    hello
      world

    end
  ''')), repr(textwrap.indent('a\n\nb\n', '> ')), textwrap.wrap('The quick brown fox jumps over the lazy dog, well-known and so-on', 20), repr(textwrap.fill('aaa bbb ccc ddd', 7)), textwrap.shorten('hello there big world', 15), textwrap.wrap('averyveryverylongword in a text', 8), textwrap.wrap('a b c', 3, initial_indent='*', subsequent_indent='  '))
# json
obj = {'a': [1, 2.5, None, True, False, 'é"\n\u2028😀'], 'b': {'c': {}}, '1': [], 2: 'k', None: 1, True: 2, 1.5: 3}
print(json.dumps(obj)); print(json.dumps(obj, indent=2)); print(json.dumps({'b': 1, 'a': 2}, sort_keys=True, separators=(',', ':')), json.dumps('é', ensure_ascii=False), json.dumps([float('inf'), float('nan')]), json.dumps((1, 2)), json.dumps(10**20), json.dumps([], indent=2), json.dumps([[1]], indent='\t'))
print(json.loads('{"a": [1, 2.5, -3e2, null, true, false, "x\\u00e9\\n\\ud83d\\ude00"], "b": {}}'), json.loads(' [1 , 2 ] '), json.loads('"a"'), json.loads('1E5'), json.loads('-0'), json.loads('{"a":1}', object_hook=lambda d: list(d)), json.loads('[1.5]', parse_float=str), json.loads('NaN'), json.loads(json.dumps(obj)))
for bad in ['', '{', '[1,', '{"a" 1}', '{a: 1}', '[1 2]', 'tru', '"abc', '1 2', '{"a":1,}', '[1,]', '"\\q"', '"\t"', '01', '-', '"\\u12"']:
    tr(lambda: json.loads(bad))
tr(lambda: json.dumps(object)); tr(lambda: json.dumps({(1,): 2})); tr(lambda: json.dumps({1, 2})); tr(lambda: json.dumps(float('nan'), allow_nan=False)); tr(lambda: json.dumps({(1,): 2}, skipkeys=True)); print(json.dumps({'s': {1}}, default=list))
cyc = []; cyc.append(cyc); tr(lambda: json.dumps(cyc)); tr(lambda: json.loads(5))
# inspect
def sig(a, /, b, c=3, *args, d, e: int = 5, **kw) -> str: ...
s = inspect.signature(sig); print(s, list(s.parameters), s.parameters['d'].kind, s.parameters['c'].default, s.parameters['e'].annotation, s.return_annotation, s.parameters['a'].default is inspect.Parameter.empty)
bd = s.bind(1, 2, d=4); print(bd.arguments, bd.args, bd.kwargs); bd.apply_defaults(); print(bd.arguments); tr(lambda: s.bind(1)); tr(lambda: s.bind(1, 2, d=1, b=3)); tr(lambda: inspect.signature(lambda x: 0).bind(1, 2)); tr(lambda: inspect.signature(lambda x: 0).bind(y=1))
import functools
print(inspect.signature(functools.partial(sig, 1, c=9)), inspect.signature(C), inspect.signature(C().__init__), inspect.isfunction(sig), inspect.isclass(C), inspect.ismethod(C().__init__), inspect.isbuiltin(len), inspect.getfullargspec(lambda a, b=1, *c, d=2, **e: 0))
print([n for n, v in inspect.getmembers(C()) if not n.startswith('_')], inspect.cleandoc('  a\n    b\n  c'), inspect.isroutine(len), inspect.getmro(D)[1:2])
@functools.wraps(sig)
def wrapped(*a, **k): pass
print(inspect.signature(wrapped), inspect.unwrap(wrapped) is sig)
# numbers
print(isinstance(5, numbers.Number), isinstance(5, numbers.Integral), isinstance(2.5, numbers.Real), isinstance(2.5, numbers.Integral), isinstance('a', numbers.Number), isinstance(True, numbers.Integral), issubclass(int, numbers.Rational))
# weakref, threading, contextvars
r = weakref.ref(x); print(r() is x); lk = threading.Lock()
with lk: print(lk.locked())
print(lk.locked(), threading.current_thread().name)
cv = contextvars.ContextVar('cv', default=1); tk = cv.set(5); print(cv.get()); cv.reset(tk); print(cv.get(), cv.name)
tr(lambda: contextvars.ContextVar('e').get(3)); 
# warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always'); warnings.warn('hey', DeprecationWarning); warnings.warn('there')
print(len(w), w[0].category, str(w[0].message), w[1].category.__name__)
with warnings.catch_warnings():
    warnings.simplefilter('error'); tr(lambda: warnings.warn('boom'))
with warnings.catch_warnings():
    warnings.simplefilter('ignore'); warnings.warn('quiet')
tr(lambda: warnings.warn('x', int))
# os.path, sys, time
p = os.path
print(p.join('a', 'b', '/c', 'd'), p.join('a/', 'b'), p.basename('/x/y.z'), p.dirname('/x/y.z'), p.splitext('a/b.tar.gz'), p.splitext('.bashrc'), p.split('/a/b/'), p.normpath('a//b/../c/./d'), p.isabs('/a'), p.exists('/nonexistent'), p.isdir('/'), p.commonprefix(['abc', 'abd']), p.relpath('/a/b/c', '/a/d'), p.normpath('/../a'), os.sep)
os.environ['QQ'] = '1'; print(os.environ.get('QQ'), os.getenv('NOPE', 'd'), 'QQ' in os.environ, os.environ['QQ']); tr(lambda: os.environ['NOPE_X'])
print(sys.version_info >= (3, 8), sys.version_info[:2], sys.version_info.major, sys.maxsize, sys.float_info.max, sys.float_info.epsilon, sys.byteorder, 'os' in sys.modules, sys.getrecursionlimit(), sys.float_info.dig, sys.hash_info.modulus, sys.int_info.bits_per_digit)
tr(lambda: sys.exit) if False else None
try: sys.exit(3)
except SystemExit as e: print('exit', e.code, repr(e))
sys.stdout.write('written\n'); print(time.time() > 1e9, time.perf_counter() <= time.perf_counter(), type(time.monotonic()), time.time_ns() > 10**18)
try: 1/0
except ZeroDivisionError: print(sys.exc_info()[0], sys.exc_info()[1])
s = io.StringIO(); print('to', 'io', file=s, end='!'); print(s.getvalue(), io.StringIO('a\nb\n').readlines(), gc.collect() >= 0)
