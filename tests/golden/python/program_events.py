# An event loop by callbacks, a priority queue, state machines, mixins, observers.
class Heap:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)
        i = len(self.items) - 1
        while i and self.items[i] < self.items[(i - 1) // 2]:
            j = (i - 1) // 2
            self.items[i], self.items[j] = self.items[j], self.items[i]
            i = j

    def pop(self):
        top, last = self.items[0], self.items.pop()
        if self.items:
            self.items[0], i, n = last, 0, len(self.items)
            while (k := 2 * i + 1) < n:
                if k + 1 < n and self.items[k + 1] < self.items[k]:
                    k += 1
                if not self.items[k] < self.items[i]:
                    break
                self.items[i], self.items[k] = self.items[k], self.items[i]
                i = k
        return top

    def __len__(self):
        return len(self.items)


class Event:
    count = 0

    def __init__(self, time, action):
        self.time, self.action = time, action
        Event.count += 1
        self.serial = Event.count

    def __lt__(self, other):
        return (self.time, self.serial) < (other.time, other.serial)


class Loop:
    def __init__(self):
        self.heap, self.now, self.log = Heap(), 0, []

    def at(self, delay, f, *args, **kw):
        self.heap.push(Event(self.now + delay, lambda: f(*args, **kw)))

    def run(self, limit=100):
        while self.heap and limit:
            event = self.heap.pop()
            self.now = event.time
            event.action()
            limit -= 1
        return self.log

    def note(self, text):
        self.log.append((self.now, text))


loop = Loop()
loop.at(5, loop.note, 'five')
loop.at(1, loop.note, 'one')
loop.at(1, loop.note, text='one again')


def ticker(n):
    loop.note(f'tick {n}')
    if n:
        loop.at(2, ticker, n - 1)


loop.at(0, ticker, 3)
print(loop.run())


class Observable:
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self._observers = {}

    def on(self, name):
        def register(f):
            self._observers.setdefault(name, []).append(f)
            return f
        return register

    def emit(self, name, *args):
        return [f(*args) for f in self._observers.get(name, ())]


class Named:
    def __init__(self, name):
        self.name = name


class Button(Observable, Named):
    def click(self, n=1):
        return self.emit('click', self, n)


b = Button('ok')


@b.on('click')
def first(button, n):
    return f'{button.name} clicked {n}'


@b.on('click')
def second(button, n):
    return n * 10


print(b.click(), b.click(3), b.emit('other'), first(b, 0))


class Machine:
    transitions = {('idle', 'start'): 'running', ('running', 'pause'): 'paused', ('paused', 'start'): 'running',
                   ('running', 'stop'): 'idle', ('paused', 'stop'): 'idle'}

    def __init__(self):
        self.state, self.history = 'idle', []

    def __getattr__(self, name):
        if any(event == name for _, event in self.transitions):
            return lambda: self.fire(name)
        raise AttributeError(f'{type(self).__name__!r} object has no attribute {name!r}')

    def fire(self, event):
        try:
            new = self.transitions[self.state, event]
        except KeyError:
            raise RuntimeError(f'cannot {event} when {self.state}') from None
        self.history.append((self.state, new))
        self.state = new
        return self


m = Machine()
print(m.start().pause().start().stop().history)
for bad in (lambda: m.stop(), lambda: m.explode()):
    try:
        bad()
    except (RuntimeError, AttributeError) as e:
        print(type(e).__name__, e, repr(e.__cause__))


class Money:
    rates = {'EUR': 100, 'USD': 90}

    def __init__(self, cents, currency='EUR'):
        self.cents, self.currency = cents, currency

    def __add__(self, o):
        if not isinstance(o, Money):
            return NotImplemented
        return Money(self.cents + o.to(self.currency).cents, self.currency)

    __radd__ = lambda self, o: self if o == 0 else NotImplemented

    def to(self, currency):
        return Money(self.cents * self.rates[self.currency] // self.rates[currency], currency)

    def __format__(self, spec):
        return format(f'{self.cents / 100:.2f} {self.currency}', spec)


print(f'{sum([Money(100), Money(250, "USD")]):>12}|{Money(5) + Money(7):<10}|')
