# Names given where they cannot be; what is bound by lists that change meanwhile, by the last item of a dict, by views of bytes.
def rest_and_key(*rest, key=0):
    return rest, key


def key_only(a, *, key):
    return a, key


for call in (lambda: rest_and_key(1, 2, key=3), lambda: rest_and_key(rest=1), lambda: key_only(1, key=2), lambda: key_only(1, 2), lambda: key_only(1, 2, key=3)):
    try:
        print(call())
    except TypeError as e:
        print(e)

x = [1, 2, 3]
x[2], x[1], x[0] = x
print(x)
y = [1, 2, 3, 4, 5, 6]
y[5], y[4], y[3], y[2], y[1], y[0] = y
print(y)
[*first, y[0]] = y
print(first, y)

d = dict.fromkeys('abcdef', 0)
del d['f'], d['e']
print(d.popitem(), d.popitem(), d)
d.update(d)
print(d, d | {'a': 1, 'z': 2}, {'z': 2} | d)


class Falsy:
    def __init__(self, result):
        self.result = result

    def __lt__(self, other):
        return self.result


print(Falsy([]) < 1 < 2, Falsy([1]) < Falsy(()) < 2, Falsy('x') < Falsy('y') < 3)
print(''.join(['a', 'b']) == ''.join(['a', 'c']), ''.join(['a', 'b']) == ''.join(['a', 'b']), ''.join(['a']) == ''.join(['c']))

for subject in (memoryview(b'ab'), b'ab', bytearray(b'ab'), [97, 98], range(97, 99), 'ab'):
    match subject:
        case [97, last]:
            print('a sequence', last)
        case _:
            print('none')
for subject in ([1, 2], [2, 1], [3, 3]):
    match subject:
        case [x, 2] | [2, x]:
            print(x)
        case _:
            print('none', x)
