# Soft keywords as names, underscore, long names, unicode names, names of dunder, shadowing builtins, semicolons, continuation.
match = 1
case = 2
type = 3
_ = 'underscore'
print(match + case, type, _)
del type
match match:
    case 1:
        print('soft')
print(match, case)


def match_f(match, case=2, *, type=3):
    return match, case, type


print(match_f(1, type=5))
größe = 5
π = 3.14
名前 = 'name'
print(größe * π, 名前, 'π' in globals())
a = 1; b = 2; print(a, b)
long_sum = 1 + \
    2 + \
    3
parenthesised = (1 +
                 2
                 # a comment inside
                 + 3)
print(long_sum == parenthesised, [
    1,
    2,
], {
    'k':
        'v',
})
if a: print('one line')
while b > 1: b -= 1; print('loop', b)


class C: x = 1; y = 2


def one(): return 1
def two(): a = 1; return a + 1


print(C.x, C.y, one(), two())
list_ = list
list = [1]
print(list, list_('ab'))
del list
print(list('cd'))
sum = lambda *a: 'shadowed'
print(sum(1, 2))
del sum
print(sum([1, 2]))
for print_ in range(2): pass
print(print_)
__private = 'module private'
print(__private)
x = y = z = 0
x, y = y + 1, x + 2
print(x, y, z)
True_ = True
print(True_ is True, __debug__, Ellipsis is ..., NotImplemented)
_a1, _A1, A_1 = 1, 2, 3
print(_a1, _A1, A_1)
if True:
    # only a comment and pass
    pass
elif False: pass
else: pass
try: print('try on a line')
finally: print('finally on a line')
with_ = {'if': 1, 'class': 2}
print(with_['if'], with_)
print('a' 'b'
      'c', """triple
string""", '\
continued')


def documented():
    'doc'


def many(a,
         b=1,
         *args,
         c,
         **kw,
         ): return a, b, args, c, kw


print(documented.__doc__, many(1, c=2,), (1,), (), [(1, 2,),])
print(0xFF, 0o17, 0b11, 1_000, 1e3, 1.5e-3, .5, 10**2, 5 // 2, -3 ** 2, 2 ** -1, not 1 == 2, 1 if 1 else 2)
print(1 + 2 * 3 - 4 / 2 ** 2 % 3 // 1, (1 | 2) ^ 3 & 4, 1 << 2 + 1, ~5 + 1, -2 ** 2, 2 * -1, not True or True, 1 < 2 == True)
