# unittest.mock: autospec of functions in classes: methods bind, class and static methods do not.
from unittest import mock
from unittest.mock import patch, create_autospec


def g(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
class K:
    def m(self, a, b=2): return a+b
    @classmethod
    def c(cls, a): return a
    @staticmethod
    def s(a): return a
    x=3
with patch.object(K,"m",autospec=True) as m:
    k=K(); m.return_value=5
    print(k.m(1), m.call_args == mock.call(k,1), m.call_count, k.m.call_count, m.mock_calls == [mock.call(k, 1)])
    g(lambda: k.m()); g(lambda: k.m(1,2,3)); m.assert_called_once_with(k,1)
    g(lambda: K.m(1)); K.m(k, 4); g(lambda: m.call_count)
g(lambda: K().m(2))
with patch.object(K,"c",autospec=True) as m:
    m.return_value=6; print(K.c(1), K().c(2), len(m.mock_calls)); g(lambda: K.c())
with patch.object(K,"s",autospec=True) as m:
    m.return_value=6; print(K.s(1), K().s(2), m.call_count); g(lambda: K.s())
g(lambda: (K.c(7), K().s(8)))
with patch.object(K,"m",autospec=True, side_effect=lambda self, a: (type(self).__name__,a)) as m:
    print(K().m(4))
@patch.object(K, "m", autospec=True)
def decorated(m):
    m.return_value = "d"
    return K().m(3), m.call_args.args[1:]
g(decorated)
with patch.object(K,"x",autospec=True) as x: print(isinstance(x, int))
A=create_autospec(K); i=A(); g(lambda: i.m()); i.m.return_value=9; print(i.m(1)); g(lambda: i.q); i.m.assert_called_once_with(1)
with patch(__name__+".K",autospec=True) as M:
    M.return_value.m.return_value=3
    print(K().m(1)); g(lambda:K().m())
f=create_autospec(lambda a, b:a); g(lambda: f(1)); f.return_value=2; print(f(1,2), f.call_args)
class Q: pass
Q.f=f
print(Q().f(3))
