# Names that begin with two underscores are private to the class that they stand in.
class Account:
    __limit = 100

    def __init__(self, balance):
        self.__balance = balance

    def __check(self, amount):
        return amount <= self.__limit

    def withdraw(self, amount):
        if not self.__check(amount):
            return 'too much'
        self.__balance -= amount
        return self.__balance

    def compare(self, other):
        return self.__balance - other.__balance


class Sub(Account):
    __limit = 5

    def limit(self):
        return self.__limit


s = Sub(50)
print(s.withdraw(60), s.withdraw(200), s.limit(), s._Account__balance)
print(sorted(s.__dict__), Account._Account__limit, Sub._Sub__limit)
print(s.compare(Account(1)))
try:
    s.__balance
except AttributeError as e:
    print(e)


class _Lead:
    __x = 1
    __dunder__ = 2

    def get(self):
        def inner():
            return self.__x
        return inner() + self.__dunder__


print(_Lead().get(), hasattr(_Lead, '_Lead__x'))
