# super(): without arguments in methods, class methods, properties, nested functions; with arguments; attributes.
class A:
    value = 'A.value'

    def f(self):
        return 'A.f'

    @classmethod
    def c(cls):
        return 'A.c of ' + cls.__name__

    @staticmethod
    def s():
        return 'A.s'

    @property
    def p(self):
        return 'A.p'

    def __getitem__(self, i):
        return ('A', i)

    def __eq__(self, other):
        return 'A.eq'

    def __len__(self):
        return 5


class B(A):
    value = 'B.value'

    def f(self):
        return 'B.f ' + super().f()

    @classmethod
    def c(cls):
        return 'B.c ' + super().c()

    @staticmethod
    def s():
        return 'B.s ' + super(B, B).s()

    @property
    def p(self):
        return 'B.p ' + super().p

    def __getitem__(self, i):
        return super().__getitem__(i + 1)

    def __eq__(self, other):
        return super().__eq__(other)

    def __len__(self):
        return super().__len__() + 1

    def nested(self):
        def inner():
            return super(B, self).f()
        return inner()

    def v(self):
        return super().value, self.value

    def lam(self):
        return (lambda: super(B, self).f())()

    def aliased(this):
        return super().f()

    def missing(self):
        try:
            return super().nothing
        except AttributeError as e:
            return str(e)


b = B()
print(b.f(), b.c(), B.c(), b.s(), b.p, b[1], b == 3, len(b))
print(b.nested(), b.v(), b.lam(), b.aliased(), b.missing())


class C(B):
    def f(self):
        return 'C.f ' + super().f()


print(C().f(), C.c(), super(B, C()).f(), super(C, C).c())


class M1:
    def go(self):
        return ['M1']


class M2:
    def go(self):
        return ['M2'] + (super().go() if hasattr(super(), 'go') else [])


class D(M2, M1):
    def go(self):
        return ['D'] + super().go()


print(D().go(), M2().go())
try:
    super(B, A()).f()
except TypeError as e:
    print(e)


class E(A):
    def __init__(self):
        super().__init__()
        super().__setattr__('x', 1)
        self.cls = __class__


e = E()
print(e.x, e.cls is E)


def method(self):
    return 'from outside ' + super(E, self).f()


E.method = method
print(e.method())
print(super(B, b).f.__func__ is A.f, super(B, b).__thisclass__ is B, super(B, b).__self__ is b)


class Decorated(A):
    @property
    def q(self):
        return super().f()

    def chain(self):
        return [super(Decorated, self).f() for _ in range(2)]


print(Decorated().q, Decorated().chain())
def f(x): super().foo
try: f(1)
except RuntimeError as e: print(e)
def g(): super().foo
try: g()
except RuntimeError as e: print(e)
try: super().foo
except RuntimeError as e: print(e)
class A:
  try: super().foo
  except RuntimeError as e: print(e)
  @staticmethod
  def f(): super().foo
try: A.f()
except RuntimeError as e: print(e)
for wrong in (None, "ab", object()):
    x = 1
    try: x **= wrong
    except TypeError as e: print(str(e))
