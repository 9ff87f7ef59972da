import ast, json, dataclasses, functools, collections, io, csv, sys, enum, operator
class Unit(enum.Enum):
    KG = 'kg'; PC = 'pc'
    def __format__(self, spec): return format(self.value, spec)
@dataclasses.dataclass
class Item:
    sku: str; qty: float; unit: Unit = Unit.PC; price: float = 0.0; meta: dict = dataclasses.field(default_factory=dict)
    def __post_init__(self):
        if self.qty < 0: raise ValueError(f'{self.sku}: negative {self.qty}')
    @property
    def value(self): return self.qty * self.price
    def to_json(self): return {**dataclasses.asdict(self), 'unit': self.unit.value}
    @classmethod
    def from_row(cls, row): return cls(row['sku'], float(row['qty']), Unit(row['unit']), float(row['price']), ast.literal_eval(row['meta'] or '{}'))
src = '''sku,qty,unit,price,meta
A1,10,pc,2.5,"{'tags': ['x', 'y'], 'dim': (1, -2.5, None)}"
B2,3.5,kg,11.25,
C3,1,pc,99.99,"{'raw': b'\\x00a', 'ok': True, 1: 0x1f, 'c': 1+2j, 'set': {3}}"
'''
items = [Item.from_row(r) for r in csv.DictReader(io.StringIO(src))]
for i in items: print(f'{i.sku:<4}|{i.qty:>6.2f} {i.unit:>3}|{i.value:>9,.2f}|{i.meta}')
print(json.dumps([i.to_json() for i in items[:2]], indent=1, default=str)); print(functools.reduce(operator.add, (i.value for i in items)), max(items, key=operator.attrgetter('value')).sku)
for bad in ["f(1)", "__import__('os')", "[1, x]", "1 +", "{", "'a' 'b'", "-(-3)", "(1,)", "()", "'''t\nq'''", "r'\\d'", "'\\u00e9\\n'", "1_000", "0b101", "1e3", "[1, [2, {'k': (3, )}],]", "{1, 2, 1}", "True", "  7", "3-4j", "'a'.upper()", "1 if 1 else 2", "{'a': 1, **{}}", "not True", "2**3", "...", "u'x' \"y\"", "-'a'", "[\n1,\n 2 # c\n]"]:
    try: print(repr(bad), '->', repr(ast.literal_eval(bad)))
    except (ValueError, SyntaxError) as e: print(repr(bad), '!!', type(e).__name__)
groups = collections.defaultdict(float)
for i in items: groups[i.unit] += i.value
print({k.name: round(v, 3) for k, v in groups.items()}, sorted(items, key=lambda i: (i.unit.value, -i.price))[0].sku)
try: Item('X', -1)
except ValueError as e: print(e)
