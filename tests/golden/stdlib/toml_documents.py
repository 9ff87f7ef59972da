# TOML: documents with what they mean, and what is wrong with others.
import io
import tomllib
from decimal import Decimal

GOOD = [
    'a = 1', 'a.b.c = "x"\na.b.d = 2\na.e = 3', '"a b" = 1\n\'c"d\' = 2\n"" = 3', '1 = 1\n2.2 = 3', 'x = [1, 2, # c\n 3,\n]', 'x = []\ny = {}',
    'x = {a = 1, b.c = 2, b.d = [ {e = 3} ]}', '[a]\nb = 1\n[a.c]\nd = 2\n[e.f.g]\n[e]\nh = 1', '[[a]]\nb = 1\n[[a]]\n[a.c]\nd = 1\n[[a.e]]\n[[a.e]]\nf = 2',
    'i = [+1, -0, 0, 1_000, 0xdead_BEEF, 0o17, 0b1_0]', 'f = [1.5, -2e3, 6.626e-34, 1_0.0_1, 1E+2, inf, -inf, +inf, nan]',
    't = [1979-05-27T07:32:00Z, 1979-05-27 00:32:00.999999-07:00, 1979-05-27t07:32:00, 1979-05-27, 07:32:00, 00:32:00.1234567]',
    's = "\\b\\t\\n\\f\\r\\"\\\\\\u00e9\\U0001F600"', "s = 'C:\\no\\escape'", 's = """\nfirst\n  second"""', 's = """a \\\n    b\\   \n\n   c"""', "s = '''\nraw \\ ''text'''''",
    's = """"quoted" ""two"" """""', 'a = true\nb = false', '\n\n# only\n  # comments \t\n', 'a = 1 # c\r\nb = 2\r\n', '[ a . "b" . c ]\nd = 1', '[fruit]\napple.color = 1\n[fruit.apple.taste]\nsweet = true',
    'long = 9223372036854775807123', '[a]\n[a.b]\n[[a.b.c]]\n[a.d]',
]
BAD = [
    'a', 'a =', 'a = \n', '= 1', 'a = 1 b = 2', 'a = 1\na = 2', 'a.b = 1\na = 2', 'a = 1\na.b = 2', '[a]\n[a]', '[a]\nb = 1\n[a.b]', '[[a]]\n[a]', '[a]\n[[a]]', 'a = []\n[[a]]', 'a = {}\n[a.b]',
    'a = {b = 1}\na.c = 2', '[a.b]\n[a]\nb.c = 1', '[a]\nb.c = 1\n[a.b]', '[a', '[[a]', '[]', '[a.]', 'a. = 1', '.a = 1', 'a = 01', 'a = 1__0', 'a = 1_', 'a = .5', 'a = 5.', 'a = 1.e3', 'a = 0xg', 'a = +0x1',
    'a = tru', 'a = True', 'a = "x', 'a = "\n"', 'a = """x', "a = 'x", "a = '''x", 'a = "\\q"', 'a = "\\u12"', 'a = "\\ud800"', 'a = "\\', 'a = """\\ x"""', 'a = "\x01"', "a = '\x02'", 'a = 1 # \x03', '# \x7f',
    'a = [1 2]', 'a = [1,,2]', 'a = [', 'a = [1', 'a = {b = 1', 'a = {b = 1,}', 'a = {b = 1 c = 2}', 'a = {b = 1, b = 2}', 'a = {b = {}, b.c = 1}', 'a = {b.c = 1, b = 2}', 'a = {\n}', 'a = {b = 1, b.c = 2}',
    'a = 2021-02-30', 'a = 2021-13-01', 'a = 25:00:00', 'a = 07:32', '"a" "b" = 1', 'a b = 1', '[a] b = 1', '"""a""" = 1', 'a = 1\r', '\xa0a = 1', 'é = 1', 'a = [{x = 1}]\n[[a]]', 'a = [{x = 1}]\n[a.b]', '[[a.b]]\n[a.b.c]\n[a]\nb.d = 1',
]
for text in GOOD:
    print(tomllib.loads(text))
for text in BAD:
    try:
        print('no error', repr(text), tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        print(f'{text!r:32} {error}')
print(tomllib.loads('a = 1.10\nb = 2', parse_float=Decimal), tomllib.load(io.BytesIO(b'a = "\xc3\xa9"')), issubclass(tomllib.TOMLDecodeError, ValueError))
for wrong in (lambda: tomllib.load(io.StringIO('a = 1')), lambda: tomllib.loads('a = 1.5', parse_float=lambda s: [s])):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    tomllib.loads('a = ' + '[' * 100000)
except (RecursionError, tomllib.TOMLDecodeError) as error:
    print(type(error).__name__)
