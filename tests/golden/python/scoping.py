# Which variable a name is: local, enclosing, global, builtin, class.
x = 'global'


def reads():
    return x


def local():
    x = 'local'
    return x


def declared():
    global x
    x = 'changed'
    return x


print(reads(), local(), reads(), declared(), reads(), x)


def outer():
    x = 'outer'

    def inner():
        return x

    def setter():
        nonlocal x
        x = 'set'

    def declared():
        global x
        return x
    before = inner()
    setter()
    return before, inner(), declared()


print(outer())
len_ = len


def shadow_builtin():
    len = lambda v: 'shadowed'
    return len([])


print(shadow_builtin(), len([]))


def conditional(flag):
    if flag:
        v = 1
    try:
        return v
    except UnboundLocalError as e:
        return str(e)


print(conditional(True), conditional(False))


def for_scope():
    for i in range(3):
        inside = i
    return i, inside


print(for_scope())


def del_then():
    a = 1
    del a
    try:
        return a
    except UnboundLocalError as e:
        return type(e).__name__


print(del_then())


def except_scope():
    e = 'before'
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError as exc:
        return 'deleted'


print(except_scope())


def params(a, b=x):
    a = a + 1
    return a, b


x = 'later'
print(params(1))


def recursion_locals(n):
    mine = n
    if n:
        recursion_locals(n - 1)
    return mine


print(recursion_locals(5))


class K:
    x = 'class x'

    def method(self):
        return x

    def via_self(self):
        return self.x

    y = [x for _ in range(1)]
    z = (lambda: x)()


print(K().method(), K().via_self(), K.y, K.z)


def many():
    def a():
        return b() + 1

    def b():
        return 41
    return a()


print(many())


def with_class():
    v = 'function v'

    class C:
        def get(self):
            return v

        class D:
            w = v
    v = 'changed v'
    return C().get(), C.D.w


print(with_class())


def nested_nonlocal():
    a = 0

    def one():
        def two():
            nonlocal a
            a += 1

            def three():
                nonlocal a
                a += 10
            three()
        two()
    one()
    return a


print(nested_nonlocal())


def swap_names():
    print_ = print
    return [print_ is print]


print(swap_names())


def global_in_nested():
    def g():
        global made_here
        made_here = 5
    g()
    return made_here


print(global_in_nested(), made_here)
try:
    del not_there
except NameError as e:
    print(e)
exec_order = []
for exec_order_i in range(2):
    exec_order.append(exec_order_i)
else:
    exec_order.append('else')
print(exec_order, exec_order_i)
import_like = __name__
print(import_like, __doc__)
