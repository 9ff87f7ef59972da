# unittest.mock: calls, specs, patches and special methods.
import re, unittest, sys, types, os
from unittest import mock
from unittest.mock import *
def t(f):
    try: print("=", re.sub("id='[0-9]*'", "id", repr(f())))
    except BaseException as e: print("!", type(e).__name__, str(e)[:300])
class C:
    x = 1
    def m(self, a, b=2, *c, d, **e): return a
    @classmethod
    def k(cls, a): return a
    @staticmethod
    def s(a): return a
    @property
    def p(self): return 5
def fn(a, b=1, *, c): return a
mod = types.ModuleType("mod_x"); mod.f = fn; mod.C = C; mod.v = {"a": 1}; sys.modules["mod_x"] = mod
m = Mock(name="q"); m.a.b(1, x=2); m(3); m.a.b.return_value = 9
t(lambda: m.mock_calls); t(lambda: m.method_calls); t(lambda: m.call_args); t(lambda: m.a.b()); t(lambda: m.call_args.args); t(lambda: m.a.b.call_args_list); t(lambda: m.a.b.call_args_list[0].kwargs)
t(lambda: m.assert_called_once_with(3)); t(lambda: m.assert_called_with(4)); t(lambda: m.assert_not_called()); t(lambda: m.a.assert_called()); t(lambda: m.assert_has_calls([call.a.b(1, x=2), call(3)])); t(lambda: m.assert_has_calls([call(3), call.a.b(1)])); t(lambda: m.assert_any_call(3)); t(lambda: m.a.b.assert_any_call(7)); t(lambda: m.asert_called())
s = Mock(side_effect=[1, ValueError("z"), DEFAULT], return_value=7)
for _ in range(4): t(lambda: s())
t(lambda: Mock(side_effect=lambda *a: sum(a))(1, 2)); t(lambda: Mock(side_effect=KeyError("k"))()); t(lambda: Mock(side_effect=lambda: DEFAULT, return_value=3)())
t(lambda: Mock(spec=C).zz); t(lambda: Mock(spec=C).m(1)); t(lambda: isinstance(Mock(spec=C), C)); t(lambda: setattr(Mock(spec_set=C), "q", 1)); t(lambda: setattr(Mock(spec=C), "q", 1)); t(lambda: Mock(spec=["a"]).b)
a = create_autospec(C)
t(lambda: a(1, 2)); t(lambda: a().m()); t(lambda: a().m(1, d=2) is not None); t(lambda: a().m.assert_called_once_with(1, d=2)); t(lambda: a.k(1, 2)); t(lambda: a.s()); t(lambda: a().zz); t(lambda: create_autospec(fn)(1)); t(lambda: create_autospec(fn, return_value=4)(1, c=2)); t(lambda: create_autospec(C, instance=True)()); t(lambda: create_autospec(fn).assert_called_once())
mm = MagicMock(); mm.__getitem__.return_value = 5; mm.__len__.return_value = 3; mm.__iter__.return_value = [1, 2]; mm.__enter__.return_value = "e"
t(lambda: (mm[1], len(mm), list(mm), bool(mm), int(mm), float(mm), 1 in mm, str(mm)[:11], hash(mm) == hash(mm), mm == mm, mm != 1))
def w():
    with mm as x: return x
t(w); t(lambda: mm.mock_calls[:3]); t(lambda: MagicMock() + 1 is not None); t(lambda: Mock()[1]); t(lambda: MagicMock(__str__=Mock(return_value="S")).__str__()); t(lambda: MagicMock() < 1); t(lambda: list(MagicMock())); t(lambda: complex(MagicMock())); t(lambda: os.fspath(MagicMock())[:10])
with patch("mod_x.f", return_value=3) as p: t(lambda: (mod.f(1), p.called, p.call_count))
t(lambda: mod.f(1, c=2))
with patch("mod_x.f", autospec=True) as p: t(lambda: mod.f()); t(lambda: mod.f(1, c=2) is p.return_value)
with patch.object(C, "m", autospec=True) as p: o = C(); o.m(1, d=3); t(lambda: p.call_args == call(o, 1, d=3))
with patch.object(C, "p", new_callable=PropertyMock, return_value=8) as p: t(lambda: (C().p, p.mock_calls))
with patch.dict(mod.v, {"b": 2}, clear=True): t(lambda: mod.v)
t(lambda: mod.v)
with patch.dict(mod.v, c=3): t(lambda: mod.v)
with patch.dict("os.environ", {"QQ": "1"}): t(lambda: os.environ["QQ"])
t(lambda: os.environ.get("QQ"))
with patch.multiple("mod_x", f=DEFAULT, v=5) as p: t(lambda: (list(p), mod.v))
@patch("mod_x.v", 7)
@patch("mod_x.f")
def dec(x, f): return (x, f is mod.f, mod.v)
t(lambda: dec(1))
@patch.object(mod, "v", new=11)
class TC(unittest.TestCase):
    def test_a(self): assert mod.v == 11
    def helper(self): return mod.v
t(lambda: unittest.TextTestRunner(stream=open(os.devnull, "w")).run(unittest.defaultTestLoader.loadTestsFromTestCase(TC)).wasSuccessful())
t(lambda: patch("mod_x.nope").start()); t(lambda: patch("nomodule_q.x").start()); t(lambda: patch("x")); 
with patch("mod_x.nope", create=True): t(lambda: hasattr(mod, "nope"))
p = patch("mod_x.f"); q = p.start(); t(lambda: mod.f is q); patch.stopall(); t(lambda: mod.f is fn)
o = mock_open(read_data="a\nb\n")
with patch("builtins.open", o):
    with open("x") as f: t(lambda: (f.read(2), f.readline(), list(f)))
    open("y", "w").write("z")
t(lambda: o.mock_calls); t(lambda: o().write.call_args)
t(lambda: call(1, a=2)); t(lambda: call.a.b(1).c()); t(lambda: call(1) == call(1)); t(lambda: call(1) == ((1,),)); t(lambda: tuple(call.f(1, b=2))); t(lambda: call.a().b(2).call_list())
t(lambda: ANY == 3); t(lambda: call(ANY, 2) == call(1, 2)); t(lambda: sentinel.a is sentinel.a); t(lambda: sentinel.a); t(lambda: repr(DEFAULT)); t(lambda: repr(ANY))
m = Mock(); m.attach_mock(Mock(), "z"); m.z(1); t(lambda: m.mock_calls); m.configure_mock(**{"a.return_value": 3, "b": 4}); t(lambda: (m.a(), m.b)); m.reset_mock(); t(lambda: (m.mock_calls, m.a())); m.reset_mock(return_value=True); t(lambda: m.a() == 3)
m = Mock(wraps=[1, 2]); t(lambda: m.index(2)); t(lambda: m.append(3)); m = NonCallableMock(); t(lambda: m()); s = seal; m = Mock(); m.a = 1; seal(m); t(lambda: m.b); t(lambda: m.a)
m = Mock(); del m.x; t(lambda: m.x); t(lambda: repr(Mock(name="n", spec=C))[:20]); m = Mock(return_value=Mock(name="in")); t(lambda: str(m().a())[:22])
m = Mock(); m(1); m(2); t(lambda: m.assert_called_once()); t(lambda: m.assert_called_once_with(2)); m = Mock(); t(lambda: m.assert_called()); t(lambda: m.assert_called_once()); t(lambda: m.assert_called_with(1)); t(lambda: m.assert_called_once_with()); t(lambda: m.call_args); t(lambda: m.call_args_list == [])
m = MagicMock(spec=dict); t(lambda: m.keys()is not None); t(lambda: isinstance(m, dict)); m.__contains__.side_effect = lambda k: k == 1; t(lambda: (1 in m, 2 in m)); m = Mock(**{"m.side_effect": OSError("o"), "x": 1}); t(lambda: m.m()); t(lambda: m.x)
for kw in (dict(new=1, new_callable=Mock), dict(new=1, autospec=True), dict(new=1, spec=int), dict(new=1, spec_set=int), dict(new=1, foo=3), dict(autospec=True, spec=int), dict(autospec=True, new_callable=Mock), dict(spec=int, spec_set=int)):
    try:
        with patch("sys.argv", **kw) as p: print(kw, type(p))
    except Exception as e: print(sorted(kw), type(e).__name__, e)
class A:
    def __init__(self): self.q = 1
    def __dir__(self): return sorted({*object.__dir__(self), "zz"})
print([x for x in dir(A()) if not x.startswith("__")])
