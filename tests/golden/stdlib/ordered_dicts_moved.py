# OrderedDict: what its two methods of order do, and to classes that derive from it.
from collections import OrderedDict
import copy


def outcome(function, *arguments, **named):
    try:
        return function(*arguments, **named)
    except Exception as error:
        return f'{type(error).__name__}: {error}'


d = OrderedDict((c, i) for i, c in enumerate('abcdef'))
d.move_to_end('b')
print(list(d))
d.move_to_end('e', last=False)
d.move_to_end('f', False)
print(list(d.items()), d.popitem(), d.popitem(last=False), list(d))
print(outcome(d.move_to_end, 'zz'), outcome(d.move_to_end, []), outcome(OrderedDict().popitem))
print(outcome(OrderedDict.popitem, {}), outcome(OrderedDict.move_to_end, d, 'a'), d)
for i in range(1000):
    d[i] = i
    d.move_to_end(list(d)[i % len(d)], i % 3)
    if len(d) > 10:
        d.popitem(i % 2)
print(list(d))
while d:
    print(d.popitem(False), end=' ')
print(outcome(d.popitem, False))


class Watched(OrderedDict):
    def pop(self, key, *default):
        print('pop', key)
        return super().pop(key, *default)

    def __getitem__(self, key):
        return ('got', super().__getitem__(key))

    def __delitem__(self, key):
        print('del', key)
        super().__delitem__(key)

    def move_to_end(self, key, last=True):
        print('move', key)
        super().move_to_end(key, last)


w = Watched(a=1, b=2, c=3)
w.move_to_end('a')
print(w.popitem(), w.popitem(False), w, w == OrderedDict(b=2), w == {'b': 2})


class Key:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self.n == other.n


keys = [Key(i) for i in range(4)]
d = OrderedDict((k, k.n) for k in keys)
d.move_to_end(Key(1))
print([k.n for k in d], [k is keys[k.n] for k in d], d.popitem()[0] is keys[1])
nested = {'a': [1, (2, [3])], (4, 5): {6: 'x'}, 'same': None}
nested['self'] = nested
made = copy.deepcopy(nested)
print(made['self'] is made, made['a'] is nested['a'], made['a'][1][1] is nested['a'][1][1], made[4, 5], list(made))
print('hello wORLD x1y'.title(), 'ǆ ß'.title(), '[`{@Az'.swapcase(), 'aZ[`{@'.capitalize())
