import traceback, sys, io
def inner(x):
    return 1 / x
def outer():
    class C:
        def m(self):
            return inner(0)
    C().m()
def catches():
    try:
        outer()
    except ZeroDivisionError as e:
        print(traceback.format_exc().replace("    " + "^" * 9, "").count("File"), "in outer" in traceback.format_exc(), "in catches" in traceback.format_exc(), "in inner" in traceback.format_exc())
        lines = [line for line in traceback.format_exc().splitlines() if "^" not in line]
        print([line.split("line")[-1] for line in lines])
        print(traceback.format_exception_only(e), traceback.format_exception_only(type(e), e))
        try:
            raise ValueError("two") from e
        except ValueError:
            f = io.StringIO(); traceback.print_exc(file=f)
            print([line for line in f.getvalue().splitlines() if "^" not in line and "File" not in line])
        try:
            {}["q"]
        except KeyError as k:
            print([line for line in traceback.format_exception(k) if "File" not in line])
catches()
print(repr(traceback.format_exc()))
class Odd(Exception): pass
try:
    try: raise Odd()
    except Odd as o: o.add_note("a note"); raise
except Odd as o: print(traceback.format_exception_only(o))
