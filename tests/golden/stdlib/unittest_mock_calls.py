# unittest.mock: what mocks note of calls below them, misspelt assertions, specs, autospec, special methods, patches of several names.
import inspect
import math
from unittest import mock


def show(name, f):
    try:
        print(name, repr(f()))
    except Exception as e:
        print(name, '!', type(e).__name__, e)


m = mock.MagicMock()
m(1); m(2, k=3); m.foo(4); m.foo().bar(5); m.a.b.c(6)
show('calls', lambda: (m.call_args_list, m.mock_calls, m.method_calls))
show('has', lambda: m.assert_has_calls([mock.call(1), mock.call(2, k=3), mock.call.foo(4)]))
show('has not', lambda: m.assert_has_calls([mock.call(9)]))
show('any order', lambda: m.assert_has_calls([mock.call.a.b.c(6), mock.call(1)], any_order=True))
show('any', lambda: m.assert_any_call(7))
show('with', lambda: m.assert_called_with(8))
show('once', lambda: m.assert_called_once())
show('once with', lambda: m.assert_called_once_with(2, k=3))
show('not called', lambda: m.assert_not_called())
show('never', lambda: mock.Mock(name='named').assert_called_with(1))
show('misspelt', lambda: m.assert_caled_once())
show('misspelt too', lambda: m.asert_called_with(1))
show('chain', lambda: m.mock_calls[-2] == mock.call.foo().bar(5))
show('parts', lambda: (m.call_args.args, m.call_args[1], m.mock_calls[2][0], m.call_args == ((2,), {'k': 3})))
show('reset', lambda: (m.reset_mock(), m.call_count, m.mock_calls, m.foo.called))
show('effects', lambda: [s() for s in [mock.Mock(side_effect=[1, 2])] for _ in range(2)])
show('wraps', lambda: mock.Mock(wraps=math).sqrt(9))
show('spec', lambda: (isinstance(mock.Mock(spec=int), int), mock.Mock(spec=['a']).b))
show('spec_set', lambda: setattr(mock.Mock(spec_set=['a']), 'b', 1))
show('attributes', lambda: mock.Mock(a=1, **{'b.return_value': 3, 'c.side_effect': KeyError}).b())
q = mock.MagicMock()
q.__len__.return_value = 5
q.__enter__.return_value = 'inside'
q.__getitem__.side_effect = lambda key: key * 2
q.__iter__.return_value = [1, 2]
with q as inside:
    show('magic', lambda: (len(q), inside, q[4], list(q), bool(q), int(q), 3 in q, q.__getitem__.call_args))
q.__bool__ = lambda self: False
show('own magic', lambda: (bool(q), q.mock_calls[:3]))
show('compare', lambda: mock.MagicMock() < 3)
show('seal', lambda: (mock.seal(q), q.other))


class Kernel:
    size = 3

    def run(self, x, y=2):
        return x


f = mock.create_autospec(lambda a, b=1: 0, return_value=7)
show('autospec', lambda: (f(1, b=2), f.assert_called_once_with(1, 2)))
show('autospec few', lambda: f())
show('autospec many', lambda: f(1, 2, 3))
K = mock.create_autospec(Kernel)
show('autospec class', lambda: (isinstance(K(), Kernel), K().run(1).foo is not None, K().run.call_args))
show('autospec method', lambda: K().run())
show('autospec attribute', lambda: K().fly)
with mock.patch.multiple(math, tau=1, inf=2):
    show('multiple', lambda: (math.tau, math.inf))


@mock.patch.multiple(math, tau=mock.DEFAULT)
def several(tau):
    return math.tau is tau


show('multiple decorated', several)
started = mock.patch('math.floor', return_value=9)
started.start()
show('started', lambda: math.floor(1.5))
mock.patch.stopall()
show('stopped', lambda: math.floor(1.5))
with mock.patch('math.sqrt', autospec=True, side_effect=ValueError('no')) as sqrt:
    show('patched', lambda: math.sqrt(4))
opened = mock.mock_open(read_data='one\ntwo\n')
with mock.patch('builtins.open', opened):
    with open('nowhere', 'w') as file:
        show('open', lambda: (file.read(), file.write('x')))
    show('lines', lambda: (open('nowhere').readlines(), list(open('nowhere')), open('nowhere').readline()))
show('opened', lambda: opened.call_args_list[0])


class Thing:
    pass


Thing.level = mock.PropertyMock(return_value=4)
show('property', lambda: (Thing().level, vars(Thing)['level'].call_count))
manager = mock.Mock()
manager.attach_mock(mock.Mock(name='x'), 'first')
manager.first(1)
show('attached', lambda: manager.mock_calls)
