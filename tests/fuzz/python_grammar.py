# SPDX-License-Identifier: Apache-2.0
"""Draws programs for random_python.py: statements over expressions of known types.

What they print depends on nothing but the language: sets are shown sorted, numbers are kept small enough that loops end and memory does not grow,
and no text holds an address.
"""

from library_grammar import Library, MODULES, HEAD as LIBRARY

HEAD = f'import {", ".join(MODULES)}\n' + '''

def show(v, depth=0):
    if depth > 6:
        return "..."
    if isinstance(v, (set, frozenset)):
        return type(v).__name__ + "{" + ", ".join(sorted(show(x, depth + 1) for x in v)) + "}"
    if isinstance(v, dict):
        return type(v).__name__ + "{" + ", ".join(show(k, depth + 1) + ": " + show(x, depth + 1) for k, x in v.items()) + "}"
    if type(v) in (list, tuple):
        return type(v).__name__[0] + "[" + ", ".join(show(x, depth + 1) for x in v) + "]"
    if isinstance(v, type) or inspect.isroutine(v) or hasattr(v, "__next__"):
        return "<" + type(v).__name__ + ">"
    return re.sub(" at 0x[0-9a-f]+", "", repr(v))[:400]


def run(number, case):
    print("#case", number)
    try:
        print("=>", show(case()))
    except Exception as e:
        tell(e)


def tell(e):
    chain = []
    while e is not None and len(chain) < 4:
        chain.append(type(e).__name__ + ": " + re.sub(" at 0x[0-9a-f]+", "", str(e))[:300])
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)
    print("!!", " <- ".join(chain))


@contextlib.contextmanager
def managed(name, swallow=()):
    print("enter", name)
    try:
        yield name
    except swallow as e:
        print("swallowed", type(e).__name__)
    finally:
        print("leave", name)
''' + LIBRARY

TYPES = ('int', 'float', 'bool', 'str', 'list', 'tuple', 'dict', 'set', 'none', 'complex', 'bytes')
WEIGHTS = (30, 12, 8, 22, 20, 12, 12, 6, 2, 2, 4)
ERRORS = ('ValueError', 'TypeError', 'KeyError', 'IndexError', 'ZeroDivisionError', 'AttributeError', 'LookupError', 'ArithmeticError', 'Exception', 'RuntimeError', 'StopIteration',
          'AssertionError', 'NameError', 'UnboundLocalError', 'OverflowError')
STRINGS = ('""', '"a"', '"ab"', '"Hello World"', '"x,y,,z"', '" pad "', '"12"', '"-7"', '"3.5"', '"ÄöÜß"', '"tab\\tnew\\nline"', '"it\'s"', "'say \"hi\"'", '"aXbXc"', 'r"\\d"', '"abc" "def"', '"z" * 3')
INTS = ('0', '1', '2', '3', '5', '7', '10', '-1', '-2', '-3', '255', '1000', '0x1F', '0b101', '1_000', '2**31', '2**63', '-2**64', '10**20', 'True')
FLOATS = ('0.0', '1.0', '-1.5', '0.1', '2.5', '3.5', '1e3', '1e-3', '1e16', '1e-7', '123456.789', '-0.0', '1e300', '5e-324', '0.30000000000000004', 'float("inf")', 'float("nan")')
SPECS = ('', 'd', '5d', '<6', '>6', '^7', '05', '+', 'x', '#x', 'b', ',', '.2f', '8.3f', 'e', 'g', '.3g', 'r', 's', '>8s', '.2', '%', '_', '*^9', 'c', '=+6', 'n')


class Program(Library):
    """One function `case` of no parameters."""

    def __init__(self, rng):
        self.rng = rng
        self.names = {}      # of the scope: name -> type
        self.functions = []  # (name, types of parameters, type of its result)
        self.count = 0
        self.loops = 0
        self.in_function = True

    def text(self):
        lines = self.block(self.rng.randint(2, 8), 1)
        lines.append('    return ' + self.some_names())
        return '\n'.join(['def case():', *lines])

    def pick(self, *choices):
        return self.rng.choice(choices)

    def fresh(self, kind):
        self.count += 1
        name = f'v{self.count}'
        self.names[name] = kind
        return name

    def kind(self):
        return self.rng.choices(TYPES, WEIGHTS)[0]

    def some_names(self):
        names = list(self.names)
        self.rng.shuffle(names)
        return '[' + ', '.join(names[:6]) + ']'

    # ---- expressions ----------------------------------------------------------------------------------------------------------------

    def expr(self, kind=None, depth=3):
        kind = kind or self.kind()
        if self.rng.random() < 0.02:
            kind = self.kind()
        known = [n for n, k in self.names.items() if k == kind]
        if known and self.rng.random() < 0.35:
            return self.rng.choice(known)
        if depth <= 0 or self.rng.random() < 0.12:
            return self.literal(kind)
        if self.rng.random() < 0.15:
            return self.any_form(kind, depth - 1)
        makers = [(n, p) for n, p, r in self.functions if r == kind]
        if makers and self.rng.random() < 0.2:
            name, parameters = self.rng.choice(makers)
            return f'{name}({", ".join(self.expr(p, depth - 1) for p in parameters)})'
        return getattr(self, kind + '_')(depth - 1)

    def literal(self, kind):
        rng = self.rng
        return {'int': rng.choice(INTS), 'float': rng.choice(FLOATS), 'bool': self.pick('True', 'False'), 'str': rng.choice(STRINGS),
                'list': self.pick('[]', '[1]', '[3, 1, 2]', '["b", "a"]', '[0.5, 2]', '[[1, 2], [3]]', 'list(range(6))', '[None, True]'),
                'tuple': self.pick('()', '(1,)', '(1, 2)', '("a", 3)', '(1, (2, 3))', '(0.5, None)'),
                'dict': self.pick('{}', '{"a": 1}', '{1: 2, 3: 4}', '{"x": [1], "y": (2,)}', 'dict(k=1, z=2)'),
                'set': self.pick('set()', '{1, 2}', '{"a"}', 'frozenset({3, 4})', '{1, 2, 3, 2}'), 'none': 'None',
                'complex': self.pick('1j', '(2+3j)', '(-1.5-0.5j)', '0j'), 'bytes': self.pick('b""', 'b"ab"', 'b"\\x00\\xff"', 'bytes(3)', 'b"hello world"')}[kind]

    def any_form(self, kind, d):
        """What gives a value of any type."""
        e, form = self.expr, self.rng.randrange(9)
        if form == 0:
            return f'({e(kind, d)} if {e("bool", d)} else {e(kind, d)})'
        if form == 1:
            return f'({e(kind, d)} {self.pick("or", "and")} {e(kind, d)})'
        if form == 2:
            return f'(lambda {self.pick("q=1", "*q", "*q, r=2")}: {e(kind, d)})({self.pick("", "1", "")})'
        if form == 3:
            return f'[{e(kind, d)}, {e(kind, d)}][{self.pick("0", "1", "-1", e("bool", d))}]'
        if form == 4:
            return f'{{"k": {e(kind, d)}}}["k"]'
        if form == 5:
            return f'{{}}.get({e("str", d)}, {e(kind, d)})'
        if form == 6:
            return f'max([{e(kind, d)}, {e(kind, d)}], key={self.pick("repr", "str", "type(1).__name__.__eq__", "lambda z: len(repr(z))", "id and repr")})'
        if form == 7:
            return f'next(iter([{e(kind, d)}]), None)'
        name = self.fresh(kind)
        text = e(kind, d)
        return f'({name} := {text})' if self.in_function else text

    def int_(self, d):
        e = self.expr
        form = self.rng.randrange(24)
        if form < 6:
            return f'({e("int", d)} {self.pick("+", "-", "*", "//", "%", "&", "|", "^")} {e("int", d)})'
        if form == 6:
            return f'({e("int", d)} {self.pick("<<", ">>")} ({e("int", d)} % 9))'
        if form == 7:
            return f'(({e("int", d)}) % 1000) ** {self.pick("0", "1", "2", "3", "5")}'
        return (lambda: f'{self.pick("-", "+", "~")}{e("int", d)}', lambda: f'abs({e("int", d)})', lambda: f'len({e(self.pick("str", "list", "tuple", "dict", "set", "bytes"), d)})',
                lambda: f'int({e(self.pick("float", "str", "bool", "int"), d)})', lambda: f'round({e("float", d)})', lambda: f'{e("str", d)}.{self.pick("find", "count", "index", "rfind")}({e("str", d)})',
                lambda: f'sum({self.ints(d)})', lambda: f'{self.pick("min", "max")}({self.ints(d)}, default={e("int", d)})', lambda: f'{e("list", d)}.count({e(depth=d)})',
                lambda: f'{e("int", d)}.bit_length()', lambda: f'math.{self.pick("floor", "ceil", "trunc")}({e("float", d)})', lambda: f'math.gcd({e("int", d)}, {e("int", d)})',
                lambda: f'divmod({e("int", d)}, {e("int", d)})[{self.pick("0", "1")}]', lambda: f'ord({e("str", d)}[0])', lambda: f'functools.reduce(operator.{self.pick("add", "sub", "xor", "or_")}, {self.ints(d)}, {e("int", d)})',
                lambda: f'round({e("int", d)}, {self.pick("-1", "-2", "0", "1")})')[form - 8]()

    def ints(self, d):
        e = self.expr
        return self.pick(lambda: f'[{e("int", d)}, {e("int", d)}]', lambda: f'(i * {e("int", d)} for i in range({self.pick("0", "2", "4")}))', lambda: f'range({e("int", d)} % 7)',
                         lambda: f'map(len, [{e("str", d)}, {e("list", d)}])', lambda: f'(ord(c) for c in {e("str", d)})')()

    def float_(self, d):
        e = self.expr
        form = self.rng.randrange(12)
        if form < 4:
            return f'({e(self.pick("float", "int"), d)} {self.pick("+", "-", "*", "/", "//", "%")} {e("float", d)})'
        return (lambda: f'({e("int", d)} / {e("int", d)})', lambda: f'float({e(self.pick("int", "str", "bool", "float"), d)})', lambda: f'round({e("float", d)}, {self.pick("0", "1", "2", "3", "-1")})',
                lambda: f'abs({e("float", d)})', lambda: f'-{e("float", d)}', lambda: f'math.{self.pick("sqrt", "fabs", "copysign")}({e("float", d)})'.replace('copysign(', 'copysign(-1.0, '),
                lambda: f'math.fsum([{e("float", d)}, {e("float", d)}])', lambda: f'{self.pick("min", "max")}({e("float", d)}, {e("float", d)})')[form - 4]()

    def bool_(self, d):
        e = self.expr
        form = self.rng.randrange(14)
        if form < 4:
            k = self.pick('int', 'float', 'str', 'list', 'tuple', 'int', 'set', 'bytes')
            return f'({e(k, d)} {self.pick("<", "<=", ">", ">=", "==", "!=")} {e(k, d)})'
        return (lambda: f'(not {e(depth=d)})', lambda: f'({e("int", d)} < {e("int", d)} {self.pick("<", "<=", "!=", "==")} {e("int", d)})', lambda: f'({e("str", d)} {self.pick("in", "not in")} {e("str", d)})',
                lambda: f'({e("int", d)} in {e(self.pick("list", "tuple", "dict", "set"), d)})', lambda: f'({e(depth=d)} is {self.pick("", "not ")}None)', lambda: f'isinstance({e(depth=d)}, {self.pick("int", "str", "(int, float)", "list", "dict | set", "bool", "object")})',
                lambda: f'bool({e(depth=d)})', lambda: f'{self.pick("any", "all")}({e(depth=0)} for _ in range(2))', lambda: f'{e("str", d)}.{self.pick("isdigit", "isalpha", "islower", "isupper", "isspace", "isalnum", "isidentifier", "istitle")}()',
                lambda: f'{e("str", d)}.{self.pick("startswith", "endswith")}({self.pick("", e("str", 0) + ", ")}{e("str", 0)})'.replace('(' + e('str', 0) + ', ', '('))[form - 4]()

    def str_(self, d):
        e = self.expr
        form = self.rng.randrange(21)
        if form < 3:
            return f'({e("str", d)} + {e("str", d)})'
        if form == 3:
            return f'({e("str", d)} * ({e("int", d)} % 4))'
        if form < 6:
            return f'{e("str", d)}{self.slice(d)}'
        return (lambda: f'{e("str", d)}[{e("int", d)}]', lambda: f'str({e(self.pick("int", "float", "bool", "none", "str", "tuple", "list", "complex", "bytes"), d)})', lambda: f'repr({e(self.pick("int", "float", "str", "list", "tuple", "bytes"), d)})',
                lambda: f'{e("str", d)}.{self.pick("upper", "lower", "title", "strip", "swapcase", "capitalize", "lstrip", "rstrip", "casefold", "expandtabs")}()',
                lambda: f'{e("str", d)}.replace({e("str", 0)}, {e("str", 0)}{self.pick("", ", 1", ", -1")})', lambda: f'{e("str", d)}.join({self.strings(d)})', lambda: f'f"{{{self.plain(d)}{self.pick("", "!r", "!s", "!a")}:{self.rng.choice(SPECS)}}}"',
                lambda: f'format({e(self.pick("int", "float", "str", "bool"), d)}, "{self.rng.choice(SPECS)}")', lambda: f'("%{self.pick("s", "r", "d", "5d", ".2f", "x", "-6s", "e", "g", "c", "05d", "+d")}|" % ({e(self.pick("int", "float", "str", "bool"), d)},))',
                lambda: f'"{{}}-{{{self.pick("", "!r", ":>5", ":.1f", "[0]", ".real")}}}".format({e(depth=d)}, {e(self.pick("int", "float", "str", "tuple"), d)})', lambda: f'{e("str", d)}.{self.pick("center", "ljust", "rjust")}({e("int", d)} % 12{self.pick("", ", chr(42)")})',
                lambda: f'{e("str", d)}.zfill({e("int", d)} % 9)', lambda: f'chr({e("int", d)} % 1000)', lambda: f'{self.pick("hex", "bin", "oct")}({e("int", d)})', lambda: f'type({e(depth=d)}).__name__')[form - 6]()

    def plain(self, d):
        """An expression without quotes, braces and marks, as an f-string of Python 3.11 holds it."""
        names = [n for n, k in self.names.items() if k not in ('set', 'dict')]
        return self.rng.choice(names) if names else str(self.rng.randint(0, 99))

    def strings(self, d):
        e = self.expr
        return self.pick(lambda: f'[{e("str", d)}, {e("str", d)}]', lambda: f'map(str, {e(self.pick("list", "tuple"), d)})', lambda: f'(c.upper() for c in {e("str", d)})', lambda: f'{e("str", d)}.{self.pick("split()", "split(chr(44))", "splitlines()", "partition(chr(88))", "rsplit(None, 1)")}',
                         lambda: f'sorted({e("str", d)})', lambda: f'reversed({e("str", d)})')()

    def slice(self, d):
        part = lambda: self.pick('', '', self.expr('int', 0), str(self.rng.randint(-5, 5)))
        return f'[{part()}:{part()}{self.pick("", ":", ":" + str(self.pick(1, 2, -1, -2, 3)))}]'

    def list_(self, d):
        e = self.expr
        form = self.rng.randrange(18)
        if form < 3:
            return '[' + ', '.join(self.pick('', '', '', '*')[:1] * 0 + e(depth=d) for _ in range(self.rng.randint(0, 4))) + ']'
        if form < 6:
            return self.comprehension(d)
        return (lambda: f'({e("list", d)} + {e("list", d)})', lambda: f'({e("list", d)} * ({e("int", d)} % 3))', lambda: f'{e("list", d)}{self.slice(d)}', lambda: f'[*{e(self.pick("list", "tuple", "str", "dict", "bytes"), d)}, {e(depth=d)}]',
                lambda: f'sorted({self.pick(self.ints(d), self.strings(d))}{self.pick("", ", reverse=True", ", key=str", ", key=lambda z: (len(str(z)), z)")})', lambda: f'list({self.pick("reversed", "enumerate", "iter")}({e(self.pick("list", "tuple", "str"), d)}))',
                lambda: f'list(zip({e("list", d)}, {e("str", d)}{self.pick("", "", ", strict=True")}))', lambda: f'list({e("dict", d)}{self.pick("", ".items()", ".keys()", ".values()")})', lambda: f'{e("str", d)}.split({self.pick("", "chr(44)", "chr(88), 1", e("str", 0))})',
                lambda: f'list(map({self.pick("str", "repr", "lambda z: (z, z)", "type(1)", "bool", "len")}, {e("list", d)}))', lambda: f'list(filter({self.pick("None", "bool", "lambda z: z", "callable")}, {e("list", d)}))',
                lambda: f'list(itertools.{self.pick("accumulate", "chain", "islice", "permutations", "combinations", "pairwise", "zip_longest")}({e("list", d)}))'.replace('islice(', 'islice([1, 2, 3], 2) or (').replace('permutations(', 'permutations("ab") or (').replace('combinations(', 'combinations("abc", 2) or ('))[form - 6]()

    def comprehension(self, d):
        e, saved = self.expr, dict(self.names)
        self.count += 1
        name = f'c{self.count}'
        source, kind = self.pick((f'range({self.rng.randint(0, 5)})', 'int'), (e('str', d), 'str'), (self.ints(d), 'int'), (f'{e("list", d)}', 'any'))
        self.names[name] = kind
        inside, self.in_function = self.in_function, False
        test = f' if {e("bool", d)}' if self.rng.random() < 0.5 else ''
        second = f' for {name}b in {e("tuple", d)}' if self.rng.random() < 0.2 else ''
        text = f'[{e(self.pick(None, "int", "str", "tuple"), d) if self.rng.random() < 0.7 else name} for {name} in {source}{test}{second}]'
        self.names, self.in_function = saved, inside
        return text

    def tuple_(self, d):
        e = self.expr
        return self.pick(lambda: f'({e(depth=d)}, {e(depth=d)})', lambda: f'({e(depth=d)},)', lambda: f'tuple({e(self.pick("list", "str", "dict", "bytes"), d)})', lambda: f'({e("tuple", d)} + {e("tuple", d)})', lambda: f'{e("tuple", d)}{self.slice(d)}', lambda: f'divmod({e(self.pick("int", "float"), d)}, {e(self.pick("int", "float"), d)})',
                         lambda: f'({e("tuple", d)} * {self.pick("0", "1", "2")})', lambda: f'{e("str", d)}.{self.pick("partition", "rpartition")}({e("str", 0)})', lambda: f'(*{e("list", d)}, {e(depth=d)})', lambda: f'{e("float", d)}.as_integer_ratio()')()

    def key(self, d):
        return self.expr(self.pick('int', 'str', 'str', 'float', 'tuple', 'bool', 'none'), d)

    def dict_(self, d):
        e = self.expr
        return self.pick(lambda: '{' + ', '.join(f'{self.key(d)}: {e(depth=d)}' for _ in range(self.rng.randint(0, 3))) + '}', lambda: f'{{**{e("dict", d)}, {self.key(d)}: {e(depth=d)}}}', lambda: f'({e("dict", d)} | {e("dict", d)})', lambda: f'dict(zip({e("str", d)}, {e("list", d)}))',
                         lambda: f'dict({e("dict", d)}, a={e(depth=d)})', lambda: f'{{k: {e(depth=d)} for k in {e(self.pick("str", "list", "tuple"), d)}}}', lambda: f'dict.fromkeys({e("str", d)}, {e(depth=d)})', lambda: f'dict(collections.Counter({e("str", d)}))', lambda: f'dict(enumerate({e("str", d)}))')()

    def set_(self, d):
        e = self.expr
        return self.pick(lambda: f'set({e(self.pick("str", "list", "tuple"), d)})', lambda: f'({e("set", d)} {self.pick("|", "&", "-", "^")} {e("set", d)})', lambda: f'{{{self.key(d)}, {self.key(d)}}}', lambda: f'{{c for c in {e("str", d)}}}', lambda: f'{e("set", d)}.{self.pick("union", "difference", "intersection", "symmetric_difference")}({e(self.pick("list", "set", "str"), d)})')()

    def none_(self, d):
        return f'{self.expr("list", d)}.{self.pick("append", "extend", "remove", "insert", "reverse")}({self.expr("list", d)})' if self.rng.random() < 0.4 else 'None'

    def complex_(self, d):
        e = self.expr
        return self.pick(lambda: f'({e("complex", d)} {self.pick("+", "-", "*", "/")} {e(self.pick("complex", "float", "int"), d)})', lambda: f'complex({e("float", d)}, {e("float", d)})', lambda: f'{e("complex", d)}.conjugate()')()

    def bytes_(self, d):
        e = self.expr
        return self.pick(lambda: f'{e("str", d)}.encode({self.pick("", repr("utf-8"), repr("ascii"), repr("latin-1"))})', lambda: f'({e("bytes", d)} + {e("bytes", d)})', lambda: f'{e("bytes", d)}{self.slice(d)}', lambda: f'bytes({self.ints(d)})', lambda: f'{e("bytes", d)}.{self.pick("upper()", "hex().encode()", "strip()", "title()")}',
                         lambda: f'({e("int", d)} % 65536).to_bytes({self.pick("2", "4", "1")}, {self.pick(repr("big"), repr("little"))})')()

    # ---- statements -----------------------------------------------------------------------------------------------------------------

    def block(self, count, depth):
        lines = []
        for _ in range(count):
            lines += self.statement(depth)
        return lines or ['    ' * depth + 'pass']

    def statement(self, depth):
        pad, rng = '    ' * depth, self.rng
        forms = ['assign'] * 6 + ['augmented', 'unpack', 'show', 'mutate', 'mutate', 'show']
        if depth < 4:
            forms += ['branch', 'loop', 'attempt', 'attempt', 'context', 'function', 'function', 'class_', 'generator', 'pattern', 'while_', 'closure', 'raising', 'scopes', 'hierarchy', 'traced', 'library', 'library', 'library']
        return [pad + line for line in getattr(self, rng.choice(forms))(depth)]

    def nested(self, depth, count=None):
        """A block one deeper, whose names are gone behind it, for it may not have run."""
        saved = dict(self.names)
        lines = self.block(count or self.rng.randint(1, 3), 1)
        self.names = saved
        return lines

    def assign(self, depth):
        kind = self.kind()
        text = self.expr(kind, 3)
        if self.rng.random() < 0.3 and self.names:
            name = self.rng.choice(list(self.names))
            self.names[name] = kind
            return [f'{name} = {text}']
        if self.rng.random() < 0.1:
            a, b = self.fresh(kind), self.fresh(kind)
            return [f'{a} = {b} = {text}']
        return [f'{self.fresh(kind)} = {text}']

    def augmented(self, depth):
        known = [(n, k) for n, k in self.names.items() if k in ('int', 'float', 'str', 'list', 'set', 'tuple', 'dict')]
        if not known:
            return self.assign(depth)
        name, kind = self.rng.choice(known)
        op = {'int': self.pick('+', '-', '*', '//', '%', '&', '|', '^'), 'float': self.pick('+', '-', '*', '/', '//'), 'str': '+', 'list': '+', 'tuple': '+', 'set': self.pick('|', '&', '-', '^'), 'dict': '|'}[kind]
        return [f'{name} {op}= {self.expr(kind, 2)}']

    def unpack(self, depth):
        e = self.expr
        form, source = self.pick(('{}, {}', f'{e(depth=1)}, {e(depth=1)}'), ('{}, *{}', e('list', 2)), ('*{}, {}', e(self.pick('str', 'tuple', 'list'), 2)), ('({}, {})', e(self.pick('tuple', 'list', 'str', 'dict'), 2)), ('[{}, [{}, *_]]', f'[1, {e("list", 2)}]'))
        return [f'{form.format(self.fresh("any"), self.fresh("any"))} = {source}']

    def show(self, depth):
        return [f'print("at", show({self.expr(depth=3)}))']

    def mutate(self, depth):
        e = self.expr
        known = [(n, k) for n, k in self.names.items() if k in ('list', 'dict', 'set')]
        if not known:
            return self.assign(depth)
        name, kind = self.rng.choice(known)
        if kind == 'list':
            return [self.pick(lambda: f'{name}.append({e(depth=2)})', lambda: f'{name}.insert({e("int", 1)}, {e(depth=1)})', lambda: f'print("pop", show({name}.pop({self.pick("", "0", "-1", e("int", 1))})))', lambda: f'{name}.extend({e(self.pick("list", "tuple", "str"), 2)})', lambda: f'{name}{self.slice(1)} = {e("list", 2)}',
                              lambda: f'{name}[{e("int", 1)}] = {e(depth=2)}', lambda: f'del {name}{self.pick(self.slice(1), "[0]", "[-1]")}', lambda: f'{name}.sort({self.pick("key=str", "key=repr, reverse=True", "")})', lambda: f'{name}.reverse()', lambda: f'{name}.remove({e(depth=1)})', lambda: f'{name}[{e("int", 0)}] += {e("int", 1)}')()]
        if kind == 'dict':
            return [self.pick(lambda: f'{name}[{self.key(1)}] = {e(depth=2)}', lambda: f'print("pop", show({name}.pop({self.key(1)}{self.pick("", ", None")})))', lambda: f'{name}.update({e("dict", 2)})', lambda: f'{name}.setdefault({self.key(1)}, []).append({e(depth=1)})', lambda: f'del {name}[{self.key(1)}]', lambda: f'print("item", show({name}.popitem()))',
                              lambda: f'{name}[{self.key(0)}] {self.pick("+=", "-=")} {e("int", 1)}')()]
        return [self.pick(lambda: f'{name}.add({self.key(1)})', lambda: f'{name}.discard({self.key(1)})', lambda: f'{name}.remove({self.key(1)})', lambda: f'{name}.update({e("str", 1)})')()]

    def branch(self, depth):
        lines = [f'if {self.expr("bool", 2)}:', *self.nested(depth)]
        if self.rng.random() < 0.4:
            lines += [f'elif {self.expr(depth=2)}:', *self.nested(depth)]
        if self.rng.random() < 0.5:
            lines += ['else:', *self.nested(depth)]
        return lines

    def loop(self, depth):
        if self.loops >= 2:
            return self.assign(depth)
        e, saved = self.expr, dict(self.names)
        self.loops += 1
        self.count += 1
        n = self.count
        head, new = self.pick((f'for i{n} in range({self.rng.randint(0, 4)})', {f'i{n}': 'int'}), (f'for i{n} in {e("str", 1)}[:4]', {f'i{n}': 'str'}), (f'for i{n}, j{n} in enumerate({e(self.pick("list", "tuple"), 1)}[:4], {self.rng.randint(-1, 2)})', {f'i{n}': 'int', f'j{n}': 'any'}),
                              (f'for i{n}, j{n} in list({e("dict", 1)}.items())[:4]', {f'i{n}': 'any', f'j{n}': 'any'}), (f'for i{n}, *j{n} in zip({e("str", 1)}[:3], {e("list", 1)}, range(3))', {f'i{n}': 'str', f'j{n}': 'list'}), (f'for i{n} in {e("list", 1)}[:4]', {f'i{n}': 'any'}))
        self.names.update(new)
        lines = [head + ':', *self.nested(depth)]
        if self.rng.random() < 0.4:
            lines += [f'    if {e("bool", 2)}:', f'        {self.pick("break", "continue")}', *self.nested(depth, 1)]
        self.names = saved
        if self.rng.random() < 0.3:
            lines += ['else:', *self.nested(depth, 1)]
        self.loops -= 1
        return lines

    def while_(self, depth):
        if self.loops >= 2:
            return self.assign(depth)
        self.loops += 1
        self.count += 1
        n = f'n{self.count}'
        lines = [f'{n} = iter(range({self.rng.randint(0, 4)}))', f'while next({n}, None) is not None:', *self.nested(depth)]
        if self.rng.random() < 0.3:
            lines += ['else:', *self.nested(depth, 1)]
        self.loops -= 1
        return lines

    def attempt(self, depth):
        lines = ['try:', *self.nested(depth)]
        clauses = self.rng.randint(0, 2)
        for i in range(clauses):
            kinds = self.pick(self.rng.choice(ERRORS), f'({self.rng.choice(ERRORS)}, {self.rng.choice(ERRORS)})', 'Exception')
            lines += [f'except {kinds} as e:', '    tell(e)', *self.nested(depth, 1)]
            if self.rng.random() < 0.15:
                lines += ['    ' + self.pick('raise', 'raise RuntimeError("again") from e', 'raise RuntimeError("again")', 'raise KeyError(1) from None')]
        if clauses and self.rng.random() < 0.3:
            lines += ['else:', *self.nested(depth, 1)]
        if not clauses or self.rng.random() < 0.4:
            lines += ['finally:', '    print("finally")', *self.nested(depth, 1)]
        return lines

    def raising(self, depth):
        return [f'if {self.expr("bool", 2)}:', '    ' + self.pick(f'raise {self.rng.choice(ERRORS)}({self.expr(depth=1)})', f'assert {self.expr("bool", 1)}, {self.expr(depth=1)}', f'raise {self.rng.choice(ERRORS)}', 'return "early"', f'return {self.expr(depth=2)}')]

    def context(self, depth):
        return [f'with managed({self.expr("str", 1)}{self.pick("", ", " + self.rng.choice(ERRORS), ", Exception")}) as {self.fresh("str")}:', *self.nested(depth)]

    def inner(self, parameters):
        """A body in a scope of its own, which sees the names around it."""
        saved, saved_functions, loops = dict(self.names), list(self.functions), self.loops
        self.names = {n: k for n, k in saved.items()} | parameters
        self.loops += 1
        lines = []
        # A name that is assigned is local: only new ones are.
        for _ in range(self.rng.randint(0, 2)):
            kind = self.kind()
            text = self.expr(kind, 2)
            lines.append(f'    {self.fresh(kind)} = {text}')
        return lines, (saved, saved_functions, loops)

    def leave(self, state):
        self.names, self.functions, self.loops = state

    def function(self, depth):
        self.count += 1
        name = f'f{self.count}'
        kinds = [self.kind() for _ in range(self.rng.randint(0, 3))]
        parameters = {f'p{self.count}_{i}': k for i, k in enumerate(kinds)}
        heads = list(parameters)
        if heads and self.rng.random() < 0.4:
            heads[-1] += '=' + self.expr(kinds[-1], 1)
        extra = self.rng.random()
        heads += ['*rest'] if extra < 0.2 else ['*', f'k{self.count}=1'] if extra < 0.3 else ['**named'] if extra < 0.4 else []
        if len(parameters) == len(heads) and heads and self.rng.random() < 0.1:
            heads.append('/')
        lines, state = self.inner(parameters)
        result = self.kind()
        lines.append(f'    return {self.expr(result, 3)}')
        self.leave(state)
        self.functions.append((name, kinds, result))
        decorator = self.pick([], [], [], ['@functools.lru_cache(maxsize=None)'], ['@(lambda g: lambda *a, **k: g(*a, **k))'])
        calls = [f'print("call", show({name}({", ".join(self.expr(k, 2) for k in kinds)}{", " if kinds else ""}{self.pick("", "", "z=1", "*[1, 2]", "**{}", "k=2")})))'] if self.rng.random() < 0.5 else []
        return [*decorator, f'def {name}({", ".join(heads)}):', *lines, *calls]

    def closure(self, depth):
        self.count += 1
        n = self.count
        start = self.expr('int', 1)
        return [f'def outer{n}(start={start}):', f'    total{n} = start', f'    def step(by={self.expr("int", 1)}):', f'        nonlocal total{n}', f'        total{n} {self.pick("+=", "-=", "^=")} by', f'        return total{n}', '    return step',
                f's{n} = outer{n}()', f'print("steps", s{n}(), s{n}({self.expr("int", 1)}), outer{n}(3)(), [g(1) for g in [lambda z, k=k: z + k for k in range(3)]], [g() for g in [lambda: k for k in "ab"]])']

    def scopes(self, depth):
        self.count += 1
        n = self.count
        return [f'x{n} = {self.expr("int", 1)}', f'def shadow{n}():', f'    {self.pick(f"x{n} = x{n}", f"print(x{n}); x{n} = 2", f"del x{n}", f"x{n} += 1", "y = [x for x in range(3)]; x", f"x{n}, y = 1, 2", f"class C: y = x{n}")}', f'    return [x{n}]',
                'try:', f'    print("scope", shadow{n}())', 'except NameError as e:', '    tell(e)']

    def class_(self, depth):
        self.count += 1
        n, e = self.count, self.expr
        a, b = e(self.pick('int', 'str', 'float', 'list'), 2), e('int', 1)
        methods = [[f'    def __repr__(self): return f"C{n}({{self.a!r}})"'],
                   [f'    def __eq__(self, other): return {self.pick("NotImplemented", "self.a == getattr(other, chr(97), other)", "True")}', f'    def __hash__(self): return {b}'] if self.rng.random() < 0.5 else [],
                   [f'    def __add__(self, other): return {self.pick("NotImplemented", "type(self)(self.a + other)", "(self.a, other)")}'] if self.rng.random() < 0.5 else [],
                   ['    def __radd__(self, other): return ("radd", other)'] if self.rng.random() < 0.4 else [],
                   [f'    def __getitem__(self, i): return {self.pick("[self.a, i][i]", "[self.a][i]", "[10, 20, 30][i]")}'] if self.rng.random() < 0.4 else [],
                   [f'    def __len__(self): return {self.pick("0", "3", "2")}'] if self.rng.random() < 0.4 else [],
                   ['    def __lt__(self, other): return repr(self.a) < repr(getattr(other, "a", other))'] if self.rng.random() < 0.4 else [],
                   ['    def __getattr__(self, name): return f"no {name}"' if self.rng.random() < 0.5 else '    def __contains__(self, x): return x == self.a'] if self.rng.random() < 0.3 else [],
                   [f'    def __{self.pick("bool", "int", "float", "index", "str", "call", "iter", "abs", "neg", "enter")}__(self): return {self.pick("self.a", "True", b, "iter([1, 2])", repr("s"))}'],
                   ['    @property', f'    def twice(self): return {self.pick("self.a * 2", "self.a + self.a", "self.missing")}', '    @twice.setter', '    def twice(self, v): self.a = v'],
                   ['    @classmethod', '    def make(cls, *a): return cls(*a)', '    @staticmethod', f'    def st(x={b}): return x']]
        uses = [f'o{n} + 1', f'1 + o{n}', f'o{n}[1]', f'len(o{n})', f'bool(o{n})', f'list(o{n})', f'o{n} < o{n}', f'o{n} == {b}', f'o{n} in [1, o{n}]', f'1 in o{n}', f'o{n}.twice', f'o{n}.zz', f'C{n}.make()', f'C{n}.make(5).a', f'C{n}.st()', f'int(o{n})', f'float(o{n})', f'str(o{n})', f'o{n}()', f'abs(o{n})', f'-o{n}', f'sorted([o{n}, C{n}(2)])',
                f'{{o{n}: 1}}', f'[1, 2, 3][o{n}]', f'o{n}.__class__.__name__', f'setattr(o{n}, "twice", 4) or o{n}.a', f'D{n}(1)', f'D{n}(1) == o{n}', f'super(D{n}, D{n}(3)).make().a', f'D{n}.__mro__[1].__name__', f'o{n} + D{n}(2)', f'isinstance(D{n}(), C{n})', f'"%s" % o{n}', f'f"{{o{n}!s:>9}}"', f'o{n} * 2', f'o{n}.make().twice', f'vars(o{n})', f'max(o{n}, o{n})', f'{{**o{n}}}', f'[*o{n}]', f'range(o{n})']
        self.rng.shuffle(uses)
        lines = [f'class C{n}:', f'    shared = {b}', f'    def __init__(self, a={a}): self.a = a', *(line for m in methods for line in m), f'class D{n}(C{n}):', f'    def {self.pick("__init__(self, *a)", "make2(self, *a)")}: super().__init__(*a); self.d = self.shared', f'o{n} = C{n}()']
        for use in uses[:self.rng.randint(2, 6)]:
            lines += ['try:', f'    print("use", show({use}))', 'except Exception as e:', '    tell(e)']
        return lines

    def hierarchy(self, depth):
        """Classes over each other, with super, descriptors, hooks and a metatype, and what is asked of the last."""
        self.count += 1
        n, rng = self.count, self.rng
        lines = [f'class De{n}:', '    def __set_name__(self, owner, name): self.name = name; print("named", name, owner.__name__)', f'    def __get__(self, o, owner=None): return {self.pick("self", "(self.name, o is None)", "o.__dict__.get(self.name, 0)", "o.missing")}']
        if rng.random() < 0.6:
            lines.append(f'    def __set__(self, o, v): {self.pick("o.__dict__[self.name] = v", "raise AttributeError(self.name)", "o.__dict__[self.name] = (v,)")}')
        if rng.random() < 0.3:
            lines.append('    def __delete__(self, o): print("deleted", self.name)')
        meta = rng.random() < 0.25
        if meta:
            lines += [f'class Me{n}(type):', self.pick('    def __call__(cls, *a, **k): print("made", cls.__name__); return super().__call__(*a, **k)', '    def __getattr__(cls, name): return "meta " + name', '    def __len__(cls): return len(cls.__name__)', '    def __new__(m, name, bases, space, **k): return super().__new__(m, name, bases, {**space, "extra": sorted(k)})', '    def mro(cls): return super().mro()', '    def __contains__(cls, x): return x == 1', '    def __iter__(cls): return iter("ab")')]
        count = rng.randint(2, 5)
        for i in range(count):
            bases = rng.sample([f'K{n}_{j}' for j in range(i)], min(i, rng.randint(0, 3))) if i else []
            inner = [f'    def who(self, *a): return ["{i}", *a' + (', *super().who(*a)]' if bases and rng.random() < 0.7 else ']')]
            inner += rng.sample([f'    x{self.pick(0, 1)} = De{n}()', f'    shared = {self.expr("int", 1)}', '    @property\n    def shared(self): return ("prop", type(self).__name__)', f'    def __init__(self, *a, **k): {self.pick("super().__init__(*a, **k)", "super().__init__()", "self.a = a", "self.a = a; super().__init__(**k)")}',
                                 '    def __init_subclass__(cls, **k): print("sub", cls.__name__, sorted(k)); super().__init_subclass__()', '    def __getattr__(self, name): return self.who() if name == "lost" else object.__getattribute__(self, name)', '    def __getattribute__(self, name): return "got" if name == "a" else super().__getattribute__(name)', f'    __slots__ = ({self.pick("", "*chr(97)", "chr(98), chr(99)")},)' if i == 0 else '    pass',
                                 f'    def __setattr__(self, k, v): {self.pick("super().__setattr__(k, (v,))", "print(k); object.__setattr__(self, k, v)", "raise TypeError(k)")}', '    def __class_getitem__(cls, k): return (cls.__name__, k)', f'    def __{self.pick("eq", "ne", "lt", "add", "mul", "getitem", "contains", "matmul", "rsub", "iadd", "floordiv", "xor")}__(self, o): return {self.pick("NotImplemented", "[o]", "self", "True")}', '    @classmethod\n    def cm(cls): return cls.__name__, getattr(super(), "cm", lambda: 0)()', '    @functools.cached_property\n    def shared(self): print("once"); return 5', '    @staticmethod\n    def cm(): return "static"',
                                 f'    def __{self.pick("bool", "len", "hash", "index", "int", "str", "repr", "format", "dir", "enter", "call", "del")}__(self, *a): return {self.pick("1", "0", chr(34) + "s" + chr(34), "[1]", "True")}', '    def __new__(cls, *a, **k): return super().__new__(cls)', '    def __instancecheck__(self, o): return True', '    __hash__ = None', '    who2 = lambda self: self.who(2)', f'    class Inner: v = {i}'], rng.randint(1, 4))
            if meta and i == 0:
                bases.append(f'metaclass=Me{n}')
            lines += [f'class K{n}_{i}({", ".join(bases)}):', *(line for text in inner for line in text.split('\n'))]
        c = f'K{n}_{count - 1}'
        lines.append(f'o{n} = {c}({self.pick("", "", "1", "k=2", "1, 2")})')
        uses = [f'o{n}.who()', f'o{n}.who(7)', f'[k.__name__ for k in {c}.__mro__]', f'o{n}.x0', f'o{n}.shared', f'o{n}.lost', f'o{n}.a', f'o{n}.nope', f'{c}.x0', f'{c}[3]', f'o{n}.cm()', f'{c}.cm()', f'setattr(o{n}, "x0", 5) or o{n}.x0', f'setattr(o{n}, "a", 5) or o{n}.a', f'setattr(o{n}, "shared", 1) or o{n}.shared', f'delattr(o{n}, "x0")', f'o{n} == 1', f'o{n} != 1', f'o{n} + 1', f'1 - o{n}', f'o{n} * 2', f'o{n} < 2', f'o{n}[0]', f'1 in o{n}', f'len(o{n})', f'bool(o{n})',
                f'str(o{n})[:3]', f'f"{{o{n}:>4}}"', f'[5, 6][o{n}]', f'int(o{n})', f'sorted(vars(o{n}))', f'isinstance(o{n}, K{n}_0)', f'super({c}, o{n}).who()', f'super(K{n}_0, o{n}).who()', f'{c}.who(o{n})', f'K{n}_0.who({c}())', f'len({c})', f'{c}.zzz', f'1 in {c}', f'list({c})', f'type({c}).__name__', f'o{n}.who2()', f'o{n}.Inner.v', f'{c}.__dict__.keys() >= {{"who"}}', f'type("T", ({c}, K{n}_0), {{}})().who()', f'type("U", (K{n}_0, {c}), {{}})', f'o{n}()', f'{c}.__name__, {c}.__qualname__, {c}.__bases__', f'o{n}.__class__ is {c}', f'{c}.who.__qualname__', f'o{n}.who.__self__ is o{n}', f'"shared" in dir(o{n})',
                f'isinstance(5, {c})', f'issubclass({c}, K{n}_0)', f'getattr(o{n}, "nope", "default")', f'hasattr(o{n}, "lost")', f'o{n}.__dict__', f'copy.copy(o{n}).who()', f'o{n} @ 1', f'o{n} ^ 1', f'{c}.mro()[-1]', f'{c}.__init__ is object.__init__']
        for use in rng.sample(uses, rng.randint(3, 8)):
            lines += ['try:', f'    print("use", show({use}))', 'except Exception as e:', '    tell(e)']
        return lines

    def traced(self, depth):
        """An exception out of some calls, with what led to it, as its traceback is printed."""
        self.count += 1
        n, e = self.count, self.expr
        fault = self.pick(f'return {e("int", 2)} // 0', 'return {}["k"]', 'return [][x]', f'raise {self.rng.choice(ERRORS)}({e("str", 1)})', 'return x.nope', 'return undefined_name', 'return int("z", base=10)', f'assert x is None, {e(depth=1)}', 'return "a" + x', f'return inner{n}(x - 1) if x > 0 else 1 / x', 'return sum(1 / y for y in [x, 0])', 'return (lambda: x + None)()', 'x.y.z = 1', 'a, b = x,', 'del x[0]', 'raise Exception', 'return x()', 'return inner_()', 'import nothing_of_that_name', 'return -"a"', 'return x < "a"', 'return x[0][1]')
        around = self.pick([f'    return inner{n}(x)'], ['    try:', f'        return inner{n}(x)', f'    except {self.pick("Exception", "(TypeError, ValueError)", "ZeroDivisionError")} as e:', '        ' + self.pick('raise RuntimeError("led to") from e', 'raise RuntimeError("while")', 'raise', 'raise e', 'raise KeyError("alone") from None', 'e.add_note("a note\\nof two lines"); raise')], ['    try:', f'        return inner{n}(x)', '    finally:', f'        {self.pick("len(0)", "print(1)", "x = 2")}'], [f'    return [inner{n}(y) for y in [x]] and max([x], key=inner{n})' if False else f'    return max([x], key=inner{n})'], ['    with managed("t"):', f'        return inner{n}(x)'], [f'    return (1, inner{n}(x) + 1)'], [f'    return sorted([x, x],', f'                  key=inner{n})'], [f'    yield inner{n}(x)'])
        call = f'outer{n}({self.pick(3, 0, 2)})'
        if 'yield' in around[0]:
            call = f'list({call})'
        return [f'def inner{n}(x):', *(fault.replace('\n', '\n    ').split('\n') and ['    ' + fault.split('\n')[0], *fault.split('\n')[1:]]), f'def outer{n}(x):', *around, 'try:', f'    print("whole", show({call}))', 'except Exception as e:', f'    print(traceback.{self.pick("format_exc()", "format_exc()", "format_exc(limit=1)", "format_exc(chain=False)", "format_exception_only(e)", "format_exception(e)", "format_tb(e.__traceback__)", "extract_tb(e.__traceback__)[-1].line")})', '    tell(e)']

    def generator(self, depth):
        self.count += 1
        n, e = self.count, self.expr
        whole = self.rng.random() < 0.6  # a generator that is left in its middle is closed when it is collected: then nothing may be printed
        body = [self.pick(lambda: [f'    got = yield {e(depth=2)}', '    print("got", show(got))'], lambda: [f'    yield from {e(self.pick("list", "str", "tuple"), 2)}'], lambda: [f'    for i in range({self.rng.randint(0, 3)}):', f'        yield i, {e("int", 1)}'],
                          lambda: ['    try:', f'        yield {e("int", 1)}', f'    except {self.pick("ValueError", "Exception", "KeyError")} as x:', '        tell(x)', '        yield "handled"', '    finally:', '        print("closing")' if whole else '        len("closing")'], lambda: [f'    if {e("bool", 1)}: return {e(depth=1)}'])() for _ in range(self.rng.randint(1, 3))]
        uses = [f'list(gen{n}())', f'next(g{n})', f'g{n}.send({self.pick("None", "1", "None")})', f'g{n}.throw(ValueError("in"))', f'g{n}.close()', f'next(g{n}, "end")', f'sum(1 for _ in gen{n}())'] + ([] if whole else [f'[*itertools.islice(gen{n}(), 2)]', f'dict(zip(gen{n}(), "abc"))', f'3 in gen{n}()'])
        lines = [f'def gen{n}():', '    if False: yield', *(line for part in body for line in part), f'    return {e(depth=1)}', f'g{n} = gen{n}()']
        for _ in range(self.rng.randint(2, 6)):
            lines += ['try:', f'    print("gen", show({self.rng.choice(uses)}))', 'except (Exception, StopIteration) as x:', '    tell(x)']
        return lines + [f'g{n}.close()']

    def pattern(self, depth):
        e = self.expr
        self.count += 1
        n = self.count
        patterns = [f'[m{n}, *_]', f'(m{n}, 2 | 3)', f'{{"a": m{n}, **more}}', f'int() | float() as m{n}', f'str(m{n})', '[]', 'None', 'True', '"a" | "ab"', '{}', f'[[m{n}, _], *_]', f'tuple() as m{n}', '-1', '1.5', f'bool(m{n})', f'list([m{n}])', f'[*m{n}, 2]', f'dict(m{n})', f'{{1: _}} as m{n}', f'complex(real=m{n})', f'set() as m{n}']
        self.rng.shuffle(patterns)
        lines = [f'm{n} = "unset"', f'match {e(depth=2)}:']
        for p in patterns[:self.rng.randint(1, 4)]:
            lines += [f'    case {p}{self.pick("", "", " if " + e("bool", 1))}:', f'        print("matched", show(m{n}))']
        return lines + ['    case _:', '        print("other")']
