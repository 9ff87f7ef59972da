# SPDX-License-Identifier: Apache-2.0
# What is taken out of a list, a heap or a deque is not kept alive by the place where it was.
import collections
import gc
import heapq
import weakref


class Thing:
    def __init__(self, key=0):
        self.key = key

    def __lt__(self, other):
        return self.key < other.key


def delete(things):
    del things[2:]


def delete_some(things):
    del things[1::2]


def replace(things):
    things[1:] = [Thing()]


def pop(things):
    for _ in range(30):
        things.pop()


def remove(things):
    things.remove(things[7])


def start_again(things):
    things.__init__([1, 2])


def pop_heap(things):
    for _ in range(30):
        heapq.heappop(things)


def pop_both(things):
    for _ in range(10):
        things.pop(), things.popleft()


def rotate_and_clear(things):
    things.rotate(5)
    things.clear()


def alive(make, change):
    things = make(Thing(key) for key in range(50))
    seen = [weakref.ref(thing) for thing in things]
    change(things)
    return things, seen


for make, change in ((list, delete), (list, delete_some), (list, replace), (list, list.clear), (list, pop), (list, remove),
                     (list, start_again), (list, pop_heap), (collections.deque, pop_both), (collections.deque, rotate_and_clear)):
    things, seen = alive(make, change)
    gc.collect()
    # One or two may be left in registers.
    left = sum(thing() is not None for thing in seen) - sum(isinstance(thing, Thing) for thing in things)
    print(change.__name__, len(things), left <= 2)


class Shortens:
    def __init__(self, items):
        self.items = items

    def __eq__(self, other):
        self.items.clear()
        return False


items = [1, 2, 3, 4]
print(items.index(4) if Shortens(items) in items else items)
