# ExceptionGroup, except*, and how they are printed.
import traceback


def show(thunk):
    try:
        thunk()
    except BaseException as e:
        print(type(e).__name__, "|", e, "|", getattr(e, "exceptions", None), "|", repr(e.__context__), repr(e.__cause__))
    else:
        print("nothing")


def inner():
    return ExceptionGroup("inner", [KeyError("k"), ValueError("v")])


# ---- the classes -------------------------------------------------------------------------------
e = ExceptionGroup("several", [ValueError(1), TypeError(2), inner()])
print(repr(e), str(e), e.args)
print(e.message, e.exceptions, ExceptionGroup.__mro__, ExceptionGroup("one", [OSError(3)]))
print(type(BaseExceptionGroup("b", [ValueError()])), type(BaseExceptionGroup("b", [KeyboardInterrupt()])))
print(e.split(ValueError))
print(e.split((TypeError, KeyError)))
print(e.subgroup(lambda one: isinstance(one, KeyError)), e.subgroup(OSError), e.split(Exception)[0] is e)
for arguments in ((), ("m",), ("m", []), ("m", 3), (3, [ValueError()]), ("m", [3]), ("m", [KeyboardInterrupt()])):
    try:
        print(ExceptionGroup(*arguments))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error if arguments and len(arguments) > 1 else "")


class Mine(ExceptionGroup):
    def derive(self, excs):
        return Mine(self.message + "'", excs)


print(repr(Mine("x", [ValueError(1), KeyError(2)]).split(ValueError)))
noted = ExceptionGroup("n", [ValueError(1), KeyError(2)])
noted.add_note("a note")
print(noted.subgroup(ValueError).__notes__)


# ---- except* -----------------------------------------------------------------------------------
def handled():
    try:
        raise e
    except* ValueError as part:
        print("values", repr(part))
    except* (TypeError, KeyError) as part:
        print("others", repr(part))


show(handled)


def part_left():
    try:
        raise e
    except* TypeError:
        print("a type error")


show(part_left)


def bare():
    try:
        raise ValueError("alone")
    except* ValueError as part:
        print(repr(part))
    else:
        print("not here")
    finally:
        print("finally")


show(bare)


def bare_left():
    try:
        raise ValueError("alone")
    except* KeyError:
        print("not here")


show(bare_left)


def raises_again():
    try:
        raise e
    except* ValueError:
        raise
    except* TypeError:
        pass


show(raises_again)


def raises_new():
    try:
        raise e
    except* ValueError:
        raise RuntimeError("new")
    except* KeyError:
        raise RuntimeError("newer")


show(raises_new)


def raises_one():
    try:
        raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError as part:
        raise RuntimeError("new") from part


show(raises_one)


def nothing_raised():
    for i in range(3):
        try:
            if i == 1:
                raise KeyError(i)
        except* KeyError:
            for j in range(2):
                if j:
                    break
            print("key", i, j)
        else:
            print("else", i)


show(nothing_raised)


def wrong_class():
    try:
        raise ValueError(1)
    except* ExceptionGroup:
        pass


show(wrong_class)


def name_is_gone():
    try:
        raise ValueError(1)
    except* ValueError as part:
        pass
    print(part)


show(name_is_gone)


# ---- printed -----------------------------------------------------------------------------------
def fails(text):
    raise ValueError(text)


def caught(thunk):
    try:
        thunk()
    except Exception as error:
        return error


def plain(text):
    """Without the marks under the parts of a line, and the folder."""
    lines = [line for line in text.splitlines() if line.strip(" |~^")]
    return "\n".join([line.replace(__file__, "FILE") for line in lines])


def grouped():
    raise ExceptionGroup("outer", [caught(lambda: fails("a\nb")), inner(), TypeError("t")])


print(plain("".join(traceback.format_exception(caught(grouped)))))
print(plain("".join(traceback.format_exception(ExceptionGroup("never raised", [ValueError(i) for i in range(18)])))))


def chained():
    try:
        grouped()
    except Exception as error:
        raise RuntimeError("because") from error


print(plain("".join(traceback.format_exception(caught(chained)))))


def group_of_chained():
    raise ExceptionGroup("last", [caught(chained), inner()])


print(plain("".join(traceback.format_exception(caught(group_of_chained)))))
