# __init_subclass__, __set_name__, __class_getitem__, metaclasses and class keywords.
class Field:
    def __init__(self, kind, default=None):
        self.kind, self.default = kind, default

    def __set_name__(self, owner, name):
        self.name = name
        owner.fields = {**getattr(owner, "fields", {}), name: self}

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__.get(self.name, self.default)

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{type(instance).__name__}.{self.name} is {self.kind.__name__}, not {type(value).__name__}")
        instance.__dict__[self.name] = value


class Model:
    known = {}

    def __init_subclass__(cls, /, table=None, **rest):
        super().__init_subclass__(**rest)
        Model.known[table or cls.__name__.lower()] = cls

    def __init__(self, **values):
        for k, v in values.items():
            setattr(self, k, v)

    def __class_getitem__(cls, key):
        return f"{cls.__name__}[{key}]"


class Point(Model, table="points"):
    x = Field(int, 0)
    y = Field(int)


class Point3(Point):
    z = Field(float, 1.5)


print(Model.known.keys(), list(Point3.fields), Point[1, 2], Model["a"])
p = Point3(x=4)
print(p.x, p.y, p.z, p.__dict__, Point.x.kind, Point.x is Point3.x)
try:
    p.z = 3
except TypeError as e:
    print(e)


class Meta(type):
    def __new__(mcs, name, bases, namespace, **kw):
        cls = super().__new__(mcs, name, bases, namespace)
        cls.upper = {k.upper(): v for k, v in namespace.items() if not k.startswith("_")}
        cls.kw = kw
        return cls

    def __init__(cls, name, bases, namespace, **kw):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args, **kwargs):
        print("making", cls.__name__, args, kwargs)
        return super().__call__(*args, **kwargs)

    def __len__(cls):
        return len(cls.upper)

    def __iter__(cls):
        return iter(sorted(cls.upper))

    def __contains__(cls, x):
        return x in cls.upper

    def __getattr__(cls, name):
        if name.startswith("no"):
            raise AttributeError(name)
        return f"meta {name}"

    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, kw)
        return {"seed": 7}


class Config(metaclass=Meta, strict=True):
    width = 3
    height = width * 2 + seed

    def __init__(self, a, b=2):
        self.a = a


c = Config(1, b=3)
print(type(Config), Config.kw, len(Config), list(Config), "WIDTH" in Config, Config.anything, c.a, Config.height)
try:
    Config.nothing
except AttributeError as e:
    print("AttributeError", e)
print(isinstance(Config, Meta), Meta.__mro__[1], type("T", (Config,), {"q": 1}).q)
