# Functions that are left to be called at the end, the last one first; those of a program that ends by sys.exit, too.
import atexit
import sys


@atexit.register
def last():
    print("the first that was registered comes last")


def bye(name, *, mark="."):
    print("bye", name + mark)


atexit.register(bye, "one")
atexit.register(bye, "two", mark="!")
atexit.register(bye, "none")
atexit.register(print, "never")
atexit.unregister(print)
try:
    atexit.register(3)
except TypeError as e:
    print(e)


def more():
    print("registers another one")
    atexit.register(print, "which is too late")


atexit.register(more)
print("the program")
sys.exit(0)
