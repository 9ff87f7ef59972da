# Marks below the lines of a traceback, as CPython 3.11 puts them (its output is the golden one).
import io
import traceback

d, rows, n, zero = {}, [1, 2], None, 0


class Thing:
    @property
    def ratio(self):
        return 1 / zero

    def method(self, *args, **kwargs):
        return fail()

    def __getitem__(self, i):
        raise LookupError(i)


thing = Thing()


def fail():
    raise KeyError("fail")


def adds(): x = 1 + n
def adds_groups(): x = ((rows)) + (n)
def adds_tuple(): return (1, 2) + n
def adds_tight(): return 1+(n)
def power(): x = 2 ** -1 ** n
def negative_power(): return -"a" ** 2
def products(): x = 2 * 3 - n * 2
def floors(): x = 2 // zero
def items(): return rows[ 5 ]
def items_of_group(): return (rows)[(5)]
def items_deep(): return d.get("a", {})["b"]["c"]
def sliced(): return thing[1:2]
def inside(): return 1 if zero else d["q"] + 1
def in_call(): return print(d["x"], file=None)
def in_text(): return f"abc {1 / zero:.2f} x"
def method(): return thing.method(1, *rows, k=2)
def attribute(): return n.real.imag
def attribute_fails(): return thing.ratio + 1
def name(): return undefined_name + 1
def compares(): return 1 < n
def quoted(): return "a + b"[7]
def augmented(): d["a"] += 1
def deletes(): del d["zz"]
def wide(): return "é" + d["é"]
def lambdas(): return (lambda q: q / 0)(1)
def two_lines():
    return (1 +
            n)
def whole():
    fail()
def whole_item():
    rows[7]


for f in (adds, adds_groups, adds_tuple, adds_tight, power, negative_power, products, floors, items, items_of_group, items_deep, sliced, inside,
          in_call, in_text, method, attribute, attribute_fails, name, compares, quoted, augmented, deletes, wide, lambdas, two_lines, whole, whole_item):
    try:
        f()
    except Exception as e:
        text = "".join(traceback.format_exception(e)).replace(__file__, "FILE")
        print(f.__name__, text.partition("\n    f()\n        ^^^\n")[2] or text)

frame = traceback.extract_tb(None)
print(frame)
try:
    adds()
except TypeError as e:
    last = traceback.extract_tb(e.__traceback__)[-1]
    print(last.lineno == last.end_lineno, last.colno, last.end_colno, last.line, len(last))
print(traceback.format_list([("file.py", 3, "f", "x = 1")]))
