# Filters of warnings: patterns of messages and modules, lines, and what is recorded of the place.
import re
import warnings


def tell(text, category=UserWarning, level=1):
    warnings.warn(text, category, stacklevel=level)


def seen(filters, text="old way (1)", **more):
    """What becomes of a warning under filters, the last of which decides."""
    with warnings.catch_warnings(record=True) as log:
        warnings.resetwarnings()
        warnings.simplefilter("always")
        for words in filters:
            warnings.filterwarnings(*words)
        try:
            tell(text, **more)
        except Warning as error:
            return f"raised {error!r}"
        return [str(item.message) for item in log]


for pattern in ("old", "OLD", "o.d", "way", ".*way", "old way (1)", r"old way \(1\)", "old|new", "$", "(?-i:OLD)", re.escape("old way (1)")):
    print(pattern, seen([("ignore", pattern)]), seen([("error", pattern)]))
print(seen([("ignore", "", UserWarning, "__main__")]), seen([("ignore", "", UserWarning, "__MAIN__")]), seen([("ignore", "", UserWarning, "main")]))
print(seen([("ignore", "", UserWarning, ".*main__$")]), seen([("ignore", "", UserWarning, "_")]), seen([("ignore", "", UserWarning, "__main__", 7)]), seen([("ignore", "", UserWarning, "", 8)]))
print(seen([("ignore", "", UserWarning, "", 18)], level=2), seen([("ignore", "", UserWarning, "sys", 1)], level=99))
print(seen([("error",), ("ignore", "a"), ("ignore", "b")], "axe"), seen([("ignore", "a"), ("error",), ("ignore", "b")], "axe"))
try:
    warnings.filterwarnings("ignore", "a(")
except re.error as error:
    print("error:", error)
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    tell("here")
    tell("there", DeprecationWarning, 2)
    warnings.warn_explicit("said", UserWarning, "file.py", 12)
    warnings.filterwarnings("ignore", "", UserWarning, "file$", 13)
    warnings.warn_explicit("unsaid", UserWarning, "file.py", 13)
    warnings.warn_explicit(DeprecationWarning("as it is"), None, "file.py", 14, "of")
    for item in log:
        print(item.message, item.category.__name__, item.filename.rpartition("/")[2].removeprefix("warning_"), item.lineno)
with warnings.catch_warnings():
    warnings.resetwarnings()
    warnings.filterwarnings("ignore", "a")
    warnings.filterwarnings("error", "b")
    warnings.filterwarnings("ignore", "a")
    warnings.filterwarnings("error", "b", append=True)
    print([(action, pattern.pattern, cls.__name__, module, line) for action, pattern, cls, module, line in warnings.filters])
with warnings.catch_warnings(action="error", category=DeprecationWarning):
    try:
        tell("caught", DeprecationWarning)
    except DeprecationWarning as error:
        print("raised", error)
