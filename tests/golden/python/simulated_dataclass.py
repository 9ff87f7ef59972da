# What a dataclass decorator does, written out: annotations, generated methods, defaults, order, replace.
MISSING = object()


class Field:
    def __init__(self, default=MISSING, factory=MISSING):
        self.default, self.factory = default, factory
        self.name = None

    def has_default(self):
        return self.default is not MISSING or self.factory is not MISSING

    def value(self):
        return self.factory() if self.factory is not MISSING else self.default


def field(**kw):
    return Field(**kw)


def record(cls=None, *, frozen=False, order=False):
    def wrap(cls):
        fields = {}
        for base in reversed(cls.__mro__[1:]):
            fields.update(getattr(base, '__record_fields__', {}))
        for name, kind in cls.__dict__.get('__annotations__', {}).items():
            default = cls.__dict__.get(name, MISSING)
            f = default if isinstance(default, Field) else Field(default)
            f.name, f.kind = name, kind
            fields[name] = f
            if f.default is not MISSING:
                setattr(cls, name, f.default)
            elif isinstance(default, Field):
                delattr(cls, name)
        cls.__record_fields__ = fields

        def __init__(self, *args, **kwargs):
            names = list(fields)
            if len(args) > len(names):
                raise TypeError(f'{cls.__name__} takes {len(names)} values but {len(args)} were given')
            values = dict(zip(names, args))
            for k, v in kwargs.items():
                if k not in fields or k in values:
                    raise TypeError(f'bad keyword {k!r}')
                values[k] = v
            for name, f in fields.items():
                if name not in values:
                    if not f.has_default():
                        raise TypeError(f'missing {name!r}')
                    values[name] = f.value()
                object.__setattr__(self, name, values[name])
            post = getattr(self, '__post_init__', None)
            if post is not None:
                post()

        def __repr__(self):
            inside = ', '.join(f'{n}={getattr(self, n)!r}' for n in fields)
            return f'{type(self).__qualname__}({inside})'

        def key(self):
            return tuple(getattr(self, n) for n in fields)

        def __eq__(self, other):
            if other.__class__ is self.__class__:
                return key(self) == key(other)
            return NotImplemented

        for method in (__init__, __repr__, __eq__):
            if method.__name__ not in cls.__dict__:
                setattr(cls, method.__name__, method)
        cls.__match_args__ = tuple(fields)
        if frozen:
            def refuse(self, name, *value):
                raise AttributeError(f'cannot assign to field {name!r}')
            cls.__setattr__ = cls.__delattr__ = refuse
            cls.__hash__ = lambda self: hash(key(self))
        else:
            cls.__hash__ = None
        if order:
            cls.__lt__ = lambda a, b: key(a) < key(b)
        return cls
    return wrap if cls is None else wrap(cls)


def replace(obj, **changes):
    values = {n: getattr(obj, n) for n in obj.__record_fields__}
    values.update(changes)
    return type(obj)(**values)


@record
class Point:
    x: int
    y: int = 2
    tags: list = field(factory=list)

    def norm(self):
        return self.x ** 2 + self.y ** 2


@record
class Point3(Point):
    z: float = 0.5

    def __post_init__(self):
        self.total = self.x + self.y + self.z


@record(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0

    def __str__(self):
        return f'{self.major}.{self.minor}'


p = Point(1)
q = Point(1, 2)
p.tags.append('t')
print(p, q, p == q, Point(5, y=6).norm(), Point.__annotations__)
print(Point3(1, 2, z=3), Point3(1).total, Point3.__match_args__, list(Point3.__record_fields__))
v = Version(1, 2)
print(v, repr(v), v < Version(1, 3), sorted([Version(2), Version(1, 5), Version(1)]), {v: 'x'}[Version(1, 2)])
for action in (lambda: setattr(v, 'major', 3), lambda: Point(), lambda: Point(1, 2, 3, 4), lambda: Point(1, q=2),
               lambda: hash(p), lambda: Point(1, x=2)):
    try:
        action()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)
print(replace(p, x=9), replace(v, minor=7))
match replace(p, tags=[]):
    case Point(1, y, tags=[]):
        print('matched', y)
print(Point(1) != Point(2), Point(1) == Version(1), Point.y, hasattr(Point, 'tags'))
