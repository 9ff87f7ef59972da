# A doubly linked list and a dict: a cache with a limit.
class Node:
    __slots__ = ('key', 'value', 'prev', 'next')

    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.prev = self.next = None


class LRU:
    def __init__(self, size):
        self.size, self.table = size, {}
        self.head, self.tail = Node(), Node()
        self.head.next, self.tail.prev = self.tail, self.head
        self.hits = self.misses = 0

    def _unlink(self, n):
        n.prev.next, n.next.prev = n.next, n.prev

    def _push(self, n):
        n.prev, n.next = self.head, self.head.next
        self.head.next.prev = n
        self.head.next = n

    def __getitem__(self, key):
        if key not in self.table:
            self.misses += 1
            raise KeyError(key)
        self.hits += 1
        n = self.table[key]
        self._unlink(n)
        self._push(n)
        return n.value

    def __setitem__(self, key, value):
        if key in self.table:
            self._unlink(self.table[key])
        elif len(self.table) >= self.size:
            last = self.tail.prev
            self._unlink(last)
            del self.table[last.key]
        n = self.table[key] = Node(key, value)
        self._push(n)

    def __len__(self):
        return len(self.table)

    def __iter__(self):
        keys, n = [], self.head.next
        while n is not self.tail:
            keys.append(n.key)
            n = n.next
        return iter(keys)

    def __repr__(self):
        return 'LRU(' + ', '.join(f'{k}={self.table[k].value}' for k in self) + ')'


def cached(size):
    def wrap(f):
        cache = LRU(size)

        def inner(*args):
            try:
                return cache[args]
            except KeyError:
                cache[args] = value = f(*args)
                return value
        inner.cache = cache
        return inner
    return wrap


c = LRU(2)
c['a'] = 1
c['b'] = 2
print(c['a'], c, len(c))
c['c'] = 3
print(c, 'b' in c.table, list(c))
try:
    c['b']
except KeyError as e:
    print('missing', e)
c['a'] = 10
print(c, c.hits, c.misses)


@cached(50)
def ways(n, k):
    if n == 0:
        return 1
    if n < 0 or k == 0:
        return 0
    return ways(n - k, k) + ways(n, k - 1)


print(ways(40, 40), ways.cache.hits > 100, len(ways.cache))
