# Life, sieve, collatz, a bank, a virtual machine, a random number generator, sorting algorithms.
def life(cells):
    near = {}
    for r, c in cells:
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr or dc:
                    near[r + dr, c + dc] = near.get((r + dr, c + dc), 0) + 1
    return {p for p, n in near.items() if n == 3 or n == 2 and p in cells}


glider = {(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
for _ in range(8):
    glider = life(glider)
print(sorted(glider))


def sieve(n):
    flags = [True] * (n + 1)
    flags[:2] = [False, False]
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]:
            flags[i * i::i] = [False] * len(flags[i * i::i])
    return [i for i, f in enumerate(flags) if f]


print(sieve(60), len(sieve(5000)))


def collatz(n, memo={1: 1}):
    if n not in memo:
        memo[n] = 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return memo[n]


print(max(range(1, 300), key=collatz), collatz(27))


class Insufficient(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0):
        self.owner, self._balance, self.log = owner, balance, []

    balance = property(lambda self: self._balance)

    def deposit(self, n):
        if n <= 0:
            raise ValueError('deposit must be positive')
        self._balance += n
        self.log.append(('+', n))
        return self

    def withdraw(self, n):
        if n > self._balance:
            raise Insufficient(f'{self.owner} has {self._balance}, needs {n}')
        self._balance -= n
        self.log.append(('-', n))
        return self


class Savings(Account):
    def __init__(self, *args, rate=0.1, **kw):
        super().__init__(*args, **kw)
        self.rate = rate

    def interest(self):
        return self.deposit(int(self.balance * self.rate))


def transfer(a, b, n):
    before = a.balance
    try:
        a.withdraw(n)
        b.deposit(n)
    except Insufficient:
        return False
    else:
        return True
    finally:
        assert a.balance <= before


x, y = Account('x', 100), Savings('y', balance=50, rate=0.2)
print(transfer(x, y, 30), transfer(x, y, 500), x.balance, y.interest().balance, y.log)
try:
    x.deposit(-1)
except ValueError as e:
    print(e)


class VM:
    def __init__(self, code):
        self.code, self.stack, self.pc, self.out, self.vars = code, [], 0, [], {}

    def run(self, limit=1000):
        while self.pc < len(self.code):
            limit -= 1
            if limit < 0:
                raise RuntimeError('out of steps')
            op, *args = self.code[self.pc]
            self.pc += 1
            getattr(self, 'op_' + op)(*args)
        return self.out

    def op_push(self, v): self.stack.append(v)
    def op_add(self): self.stack.append(self.stack.pop() + self.stack.pop())
    def op_mul(self): self.stack.append(self.stack.pop() * self.stack.pop())
    def op_store(self, n): self.vars[n] = self.stack.pop()
    def op_load(self, n): self.stack.append(self.vars[n])
    def op_print(self): self.out.append(self.stack[-1])
    def op_jnz(self, to):
        if self.stack.pop():
            self.pc = to


vm = VM([('push', 1), ('store', 'acc'), ('push', 5), ('store', 'n'), ('load', 'acc'), ('load', 'n'), ('mul',),
         ('print',), ('store', 'acc'), ('load', 'n'), ('push', -1), ('add',), ('store', 'n'), ('load', 'n'), ('jnz', 4)])
print(vm.run(), vm.vars)
for code in ([('push', 1), ('jnz', 0)], [('nope',)], [('add',)]):
    try:
        VM(code).run()
    except (RuntimeError, AttributeError, IndexError) as e:
        print(type(e).__name__, e)


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (2 ** 64 - 1)
        return self.state >> 33


r = Random(42)
data = [r.next() % 100 for _ in range(12)]
print(data)


def quick(a):
    return a if len(a) < 2 else quick([v for v in a[1:] if v < a[0]]) + [a[0]] + quick([v for v in a[1:] if v >= a[0]])


def merge(a):
    if len(a) < 2:
        return a
    l, r, out = merge(a[:len(a) // 2]), merge(a[len(a) // 2:]), []
    while l and r:
        out.append((l if l[0] <= r[0] else r).pop(0))
    return out + l + r


def insertion(a):
    a = a[:]
    for i in range(1, len(a)):
        j = i
        while j and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a


print(quick(data) == merge(data) == insertion(data) == sorted(data), quick(data))


def hanoi(n, a='A', b='B', c='C'):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [a + c] + hanoi(n - 1, b, a, c)


print(len(hanoi(8)), hanoi(3))


def bits(n):
    return bin(n)[2:].zfill(8)


print([bits(n ^ n >> 1) for n in range(6)], sum(map(int, str(2 ** 1000))), str(3 ** 200)[-10:])
