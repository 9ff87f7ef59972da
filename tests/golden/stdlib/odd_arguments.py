# What functions of the library say of arguments that they are seldom given, and what few ask of their objects.
import argparse
import collections
import contextlib
import datetime
import functools
import io
import pathlib
import random
import re
import statistics


def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e, repr(e.__context__))


class Named:
    @property
    def shown(self):
        return 1


counted = collections.Counter({'x': [], 'y': (1,)})
manager = contextlib.contextmanager(lambda: (i for i in (1, 2)))()
stream = io.StringIO('text')
for f in (manager.__enter__, manager.__enter__, lambda: argparse.ArgumentParser().formatter_class, lambda: counted, lambda: counted.update({'x': [2]}), lambda: counted,
          lambda: stream.truncate(9), lambda: stream.truncate(-1), lambda: io.StringIO(5), lambda: statistics.fmean([1, 2], weights=[1, -1]),
          lambda: random.Random(1).randrange(1.5), lambda: bytes(pathlib.PurePosixPath('a/b')), lambda: datetime.timezone(datetime.timedelta(0)),
          lambda: datetime.timezone(datetime.timedelta(0)) is datetime.timezone.utc, lambda: datetime.date(1, 1, 1).ctime(), lambda: datetime.datetime(12, 1, 1).ctime(),
          lambda: re.compile('(a)(?P<x>b)').groupindex, lambda: functools.partial(len).missing, lambda: functools.partial(), lambda: functools.partial(3),
          lambda: functools.partial(len).func, lambda: collections.Counter(x=[]) & collections.Counter(x=2), lambda: collections.Counter(x=[]) | collections.Counter(x=2),
          lambda: setattr(Named(), 'shown', 2), lambda: 'a'.replace(None, 'b'), lambda: 'a'.removeprefix(None), lambda: format(1, None),
          lambda: type('Local', (Named,), {'__qualname__': 'outer.<locals>.Local'})().__setattr__('shown', 1)):
    show(f)
