# In which order the parts of expressions and statements are evaluated.
log = []


def n(name, value=None):
    log.append(name)
    return value


def show(title):
    print(title, ' '.join(log))
    log.clear()


class T:
    def __add__(self, o):
        return 0

    def __init__(self, name):
        self.__dict__['name'] = name

    def __getattr__(self, a):
        log.append(f'{self.name}.{a}')
        return T(f'{self.name}.{a}')

    def __setattr__(self, a, v):
        log.append(f'{self.name}.{a}=')

    def __getitem__(self, i):
        log.append(f'{self.name}[]')
        return 1

    def __setitem__(self, i, v):
        log.append(f'{self.name}[]=')

    def __delitem__(self, i):
        log.append(f'del {self.name}[]')

    def __call__(self, *a, **k):
        log.append(f'{self.name}()')
        return 5


n('a', 1) + n('b', 2) * n('c', 3)
show('binary')
n('f', lambda *a, **k: None)(n('x'), *n('y', [1]), k=n('z'), **n('w', {}))
show('call')
n('d', {})[n('k', 1)] = n('v', 2)
show('item assignment')
n('o', T('t')).attr = n('v', 2)
show('attribute assignment')
a = n('d1', {})[n('k1', 1)] = n('d2', {})[n('k2', 1)] = n('v', 3)
show('chained assignment')
n('o', T('t'))[n('i', 0)] += n('v', 1)
show('augmented item')
n('o', T('t')).x.y += n('v', 1)
show('augmented attribute')
{n('k1', 1): n('v1', 1), n('k2', 2): n('v2', 2)}
show('dict')
[n('e1'), *n('e2', [])], (n('e3'), n('e4')), {n('e5')}
show('displays')
n('t', 1) if n('cond', False) else n('else', 2)
show('conditional')
n('1', 1) < n('2', 0) < n('3', 3)
show('comparison stops')
n('1', 1) < n('2', 2) < n('3', 3)
show('comparison goes on')
n('l', [1, 2, 3])[n('from', 0):n('to', 2):n('step', 1)]
show('slice')


def deco(name):
    log.append(f'make {name}')
    return lambda f: n(f'apply {name}', f)


@deco('outer')
@deco('inner')
def f(a=n('default a', 1), *, b=n('default b', 2)) -> None:
    pass


show('function')


@deco('cls')
class C(n('base', object), **n('kw', {})):
    x = n('body')


show('class')
lst = [0, 0]
i = 0
i, lst[i] = 1, 9
print(lst, i)
del n('o', T('t'))[n('k')], n('o2', T('u'))[n('k2')]
show('del')
for n('target', [0])[0] in n('iter', [1]):
    n('body')
show('for')
assert n('ok', True), n('message')
show('assert')
x = T('m').a.b(n('arg')).bit_length()
show('method chain')
f'{n("p1", 1)} {n("p2", 2):{n("spec", 3)}}'
show('f-string')
n('a', 0) or n('b', '') or n('c', 1) or n('d')
show('or')
with n('mgr', type('M', (), {'__enter__': lambda s: n('enter'), '__exit__': lambda s, *a: n('exit')})()) as n('t', [0])[0]:
    n('body')
show('with')


class Key:
    def __init__(self, name):
        self.name = n(name, name)

    def __hash__(self):
        return n('hash of ' + self.name, 1)


def sent():
    return {(yield 1): (yield 2), Key('last'): (yield 3)}


d = {Key('k'): n('v'), Key('l'): n('w'), **{n('inner'): 4}, Key('m'): n('x')}
show('keys are hashed behind their values')
try:
    d = {[]: n('value', 1), **n('not reached', {})}
except TypeError as e:
    print(e)
show('hashed before the mapping behind them')
steps = sent()
print([steps.send(x) for x in (None, Key('sent'), 3)])
show('in a generator')
