# dir() of exceptions has their attributes, and so has inspect.getmembers.
import inspect

for error in (ArithmeticError("a", 1), OSError(2, "gone"), StopIteration(1), KeyError(), SystemExit(3), ImportError("m"), AttributeError(), NameError(), SyntaxError()):
    print(type(error).__name__, [name for name in dir(error) if not name.startswith("__")], "__cause__" in dir(error))
print(inspect.getmembers(ArithmeticError("a", 1), lambda member: isinstance(member, tuple)), "args" in dir(ValueError))
