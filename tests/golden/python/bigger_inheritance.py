# A deeper hierarchy: visitors, mixins that count, overridden properties, polymorphic construction.
class Node:
    kinds = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Node.kinds[cls.__name__.lower()] = cls

    def __init__(self, *children, **attrs):
        self.children, self.attrs = list(children), attrs

    def accept(self, visitor):
        for cls in type(self).__mro__:
            method = getattr(visitor, 'visit_' + cls.__name__.lower(), None)
            if method is not None:
                return method(self)
        raise LookupError(f'{type(visitor).__name__} cannot visit {type(self).__name__}')

    @classmethod
    def build(cls, spec):
        kind, *rest = spec
        attrs = {k: v for k, v in rest[0].items()} if rest and isinstance(rest[0], dict) else {}
        children = rest[1:] if attrs else rest
        return cls.kinds[kind](*[cls.build(c) if isinstance(c, tuple) else c for c in children], **attrs)


class Inline(Node): pass
class Block(Node): pass
class Bold(Inline): pass
class Link(Inline): pass
class Para(Block): pass
class Doc(Block): pass


class Visitor:
    def visit(self, node):
        return node.accept(self) if isinstance(node, Node) else self.text(node)

    def text(self, s):
        return str(s)

    def inside(self, node):
        return ''.join(self.visit(c) for c in node.children)


class Html(Visitor):
    def visit_node(self, n):
        tag = {'bold': 'b', 'para': 'p', 'doc': 'html'}.get(type(n).__name__.lower(), 'span')
        return f'<{tag}>{self.inside(n)}</{tag}>'

    def visit_link(self, n):
        return f'<a href="{n.attrs["to"]}">{self.inside(n)}</a>'

    def text(self, s):
        return super().text(s).replace('<', '&lt;')


class Plain(Visitor):
    def visit_block(self, n):
        return self.inside(n) + '\n'

    def visit_inline(self, n):
        return self.inside(n)


class Counting:
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.n = 0

    def visit(self, node):
        self.n += 1
        return super().visit(node)


class CountingHtml(Counting, Html):
    pass


class Only(Visitor):
    def visit_doc(self, n):
        return self.inside(n)


doc = Node.build(('doc', ('para', 'a < b ', ('bold', 'very'), ' end'), ('para', ('link', {'to': 'x.html'}, 'here'))))
print(Html().visit(doc))
print(repr(Plain().visit(doc)))
c = CountingHtml()
c.visit(doc)
print(c.n, [k.__name__ for k in CountingHtml.__mro__], sorted(Node.kinds))
try:
    Only().visit(doc)
except LookupError as e:
    print(e)


class Vehicle:
    wheels = 4
    _speed = 0

    @property
    def speed(self):
        return self._speed

    @speed.setter
    def speed(self, v):
        self._speed = min(v, self.limit)

    limit = 100

    def __repr__(self):
        return f'<{type(self).__name__} {self.wheels}w {self.speed}>'


class Bike(Vehicle):
    wheels = 2
    limit = 30


class Electric:
    @property
    def limit(self):
        return super().limit + 10


class EBike(Electric, Bike):
    @property
    def speed(self):
        return super().speed

    @speed.setter
    def speed(self, v):
        Vehicle.speed.fset(self, v)
        self.log = v


vs = [Vehicle(), Bike(), EBike()]
for v in vs:
    v.speed = 500
print(vs, vs[2].log, Vehicle._speed)
Vehicle.limit = 50
vs[0].speed = 99
print(vs[0])


class Meta:
    def __init__(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)

    def __eq__(self, o):
        return type(self) is type(o) and self.__dict__ == o.__dict__

    def __ror__(self, o):
        return type(self)(**{**o, **self.__dict__}) if isinstance(o, dict) else NotImplemented

    def __or__(self, o):
        return type(self)(**{**self.__dict__, **(o if isinstance(o, dict) else o.__dict__)})


m = Meta(a=1) | {'b': 2} | Meta(c=3)
print(m.__dict__, ({'z': 0} | m).__dict__, m == Meta(a=1, b=2, c=3), m != Meta())
