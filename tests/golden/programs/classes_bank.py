# Accounts with properties, class attributes, ordering and errors of their own.
from functools import total_ordering


class InsufficientFunds(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need:.2f}, have {have:.2f}")
        self.need, self.have = need, have


@total_ordering
class Account:
    count = 0

    def __init__(self, owner, balance=0.0):
        self.owner, self._balance = owner, balance
        type(self).count += 1

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise InsufficientFunds(-value + self._balance, self._balance)
        self._balance = value

    def __lt__(self, other):
        return self._balance < other._balance

    def __eq__(self, other):
        return isinstance(other, Account) and self._balance == other._balance

    def __hash__(self):
        return hash(self.owner)

    def __repr__(self):
        return f"{type(self).__name__}({self.owner!r}, {self._balance!r})"


class Savings(Account):
    def __init__(self, owner, balance, *, rate):
        super().__init__(owner, balance)
        self.rate = rate

    def accrue(self, years=1):
        for _ in range(years):
            self.balance *= 1 + self.rate
        return round(self.balance, 4)


a, b = Account("ada", 10), Savings("bob", 100, rate=0.03)
print(a, b, a < b, a >= b, max(a, b), Account.count, Savings.count, b.count)
print(b.accrue(3), sorted([b, a]))
try:
    a.balance -= 25
except InsufficientFunds as e:
    print(type(e).__name__, e, e.args, e.need, e.have)
try:
    a.owner.balance = 3
except AttributeError as e:
    print(e)
try:
    del a.balance
except AttributeError as e:
    print(e)
print({a: 1, b: 2}[a], a != b, a == 10)
