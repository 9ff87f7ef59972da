# Tracebacks name the code of a function, whatever its __name__ says.
import functools
import traceback


def checked(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) / 0
    return inner


class Model:
    @checked
    def step(self, x):
        return x

    @checked
    def steps(self, n):
        return self.step(n)


def plain():
    return 1 // 0


plain.__name__ = "renamed"
for call in (lambda: Model().step(1), lambda: Model().steps(2), plain):
    try:
        call()
    except (ZeroDivisionError, TypeError) as error:
        print([frame.name for frame in traceback.extract_tb(error.__traceback__)], error)
        print(error.__traceback__.tb_next.tb_frame.f_code.co_name, call.__name__, call.__code__.co_name)
        print([line.split(',')[-1].split('\n')[0] for line in traceback.format_exception(error)])
