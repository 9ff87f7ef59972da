from __future__ import annotations
import abc, contextlib, dataclasses, datetime as dt, decimal, functools, typing as t
D = decimal.Decimal
class InsufficientFunds(Exception):
    def __init__(self, need: D, have: D): super().__init__(f'need {need:.2f}, have {have:.2f}'); self.need, self.have = need, have
@dataclasses.dataclass(order=True)
class Entry:
    when: dt.date
    amount: D = dataclasses.field(compare=False)
    note: str = dataclasses.field(default='', repr=False, compare=False)
    tags: list[str] = dataclasses.field(default_factory=list, compare=False)
    def __post_init__(self): self.amount = D(self.amount).quantize(D('0.01'), rounding=decimal.ROUND_HALF_EVEN)
class Account(abc.ABC):
    registry: t.ClassVar[dict[str, type]] = {}
    def __init_subclass__(cls, /, code, **kw): super().__init_subclass__(**kw); cls.registry[code] = cls
    def __init__(self, owner): self.owner = owner; self.entries: list[Entry] = []
    @abc.abstractmethod
    def fee(self, amount: D) -> D: ...
    @functools.cached_property
    def id(self): return f'{type(self).__name__}-{len(self.owner):03}'
    @property
    def balance(self): return sum((e.amount for e in self.entries), D(0))
    def withdraw(self, amount, when):
        total = D(amount) + self.fee(D(amount))
        if total > self.balance: raise InsufficientFunds(total, self.balance)
        self.entries.append(Entry(when, -total, 'out'))
    def deposit(self, amount, when): self.entries.append(Entry(when, D(amount), 'in', ['cash']))
class Basic(Account, code='b'):
    def fee(self, amount): return amount * D('0.0125')
class Gold(Account, code='g'):
    def fee(self, amount): return D(0)
@contextlib.contextmanager
def transaction(acc):
    saved = list(acc.entries)
    try: yield acc
    except InsufficientFunds as e: acc.entries[:] = saved; print('rolled back:', e, e.args); raise
    else: print('ok', acc.balance)
a = Account.registry['b']('ann'); d0 = dt.date(2024, 2, 28)
a.deposit('100.005', d0); a.deposit('0.015', d0 + dt.timedelta(days=1))
with transaction(a): a.withdraw(50, d0 + dt.timedelta(weeks=1))
with contextlib.suppress(InsufficientFunds), transaction(a): a.withdraw(10, d0); a.withdraw(1000, d0)
print(a.entries); print(sorted(a.entries)[0], max(a.entries), a.id, a.__dict__['id'])
try: Account('x')
except TypeError as e: print(e)
print(dataclasses.asdict(a.entries[0]), dataclasses.replace(a.entries[0], amount=5), dataclasses.fields(Entry)[1].name, Entry.__match_args__)
try: Entry()
except TypeError as e: print(e)
print(D('1.10') + D('2.2'), D(1) / D(3), D('1e5'), D('123.456').to_eng_string(), D(2).sqrt(), D('NaN'), round(D('2.675'), 2), f"{D('1234567.891'):,.2f}", D('0.1') == 0.1, hash(D(1)) == hash(1), D('-0'), D(10) ** -2, divmod(D(7), D(-2)), D('1E+3').normalize(), int(D('3.9')), D(3.7))
with decimal.localcontext() as c: c.prec = 5; print(D(1) / D(7), D(22) / 7)
try: D('x')
except decimal.InvalidOperation as e: print(type(e).__name__, e)
try: D(1) / 0
except decimal.DivisionByZero as e: print(type(e).__name__)
