import re, enum, dataclasses, typing
class Kind(enum.Enum):
    NUM = enum.auto(); ID = enum.auto(); OP = enum.auto(); LP = '('; RP = ')'; END = enum.auto()
@dataclasses.dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    pos: int = dataclasses.field(default=0, compare=False)
SPEC = [('NUM', r'\d+(?:\.\d*)?(?:[eE][+-]?\d+)?'), ('ID', r'[A-Za-z_]\w*'), ('OP', r'\*\*|//|[-+*/%^=<>]'), ('LP', r'\('), ('RP', r'\)'), ('WS', r'\s+'), ('BAD', r'.')]
MASTER = re.compile('|'.join(f'(?P<{n}>{p})' for n, p in SPEC))
def tokenize(s: str) -> typing.Iterator[Token]:
    for m in MASTER.finditer(s):
        k = m.lastgroup
        if k == 'WS': continue
        if k == 'BAD': raise SyntaxError(f'unexpected {m.group()!r} at {m.start()}')
        yield Token(Kind[k], m[0], m.start())
    yield Token(Kind.END, '', len(s))
class Parser:
    PREC = {'+': 1, '-': 1, '*': 2, '/': 2, '//': 2, '%': 2, '**': 4}
    def __init__(self, s): self.toks = list(tokenize(s)); self.i = 0
    @property
    def cur(self): return self.toks[self.i]
    def eat(self, kind):
        t = self.cur
        if t.kind is not kind: raise SyntaxError(f'expected {kind.name}, got {t.kind.name} at {t.pos}')
        self.i += 1; return t
    def expr(self, p=0):
        left = self.unary()
        while self.cur.kind is Kind.OP and (q := self.PREC.get(self.cur.text, -1)) >= p and q >= 0:
            op = self.eat(Kind.OP).text
            left = (op, left, self.expr(q if op == '**' else q + 1))
        return left
    def unary(self):
        match self.cur:
            case Token(Kind.OP, '-'): self.i += 1; return ('neg', self.expr(3))
            case Token(Kind.NUM, text): self.i += 1; return float(text) if any(ch in text for ch in '.eE') else int(text)
            case Token(kind=Kind.ID, text=name): self.i += 1; return name
            case Token(Kind.LP): self.i += 1; e = self.expr(); self.eat(Kind.RP); return e
            case t: raise SyntaxError(f'unexpected {t}')
import operator as o
OPS = {'+': o.add, '-': o.sub, '*': o.mul, '/': o.truediv, '//': o.floordiv, '%': o.mod, '**': o.pow}
def ev(t, env):
    match t:
        case int() | float(): return t
        case str(): return env[t]
        case ('neg', x): return -ev(x, env)
        case (op, a, b): return OPS[op](ev(a, env), ev(b, env))
for s in ['1 + 2 * 3', '-2 ** 2', '2 ** 3 ** 2', '(a + b) * 1.5e1 % 7', '1 / 0', '3 +', '4 $ 4', 'q', '7 // 2 - -x']:
    try: p = Parser(s); t = p.expr(); p.eat(Kind.END); print(s, '->', t, '=', ev(t, {'a': 3, 'b': 4, 'x': 9}))
    except (SyntaxError, ZeroDivisionError, KeyError) as e: print(s, '!!', type(e).__name__, e)
print(Token(Kind.NUM, '1', 5) == Token(Kind.NUM, '1', 9), list(Kind), Kind('('), Kind['ID'].value, hash(Token(Kind.ID, 'x')) == hash(Token(Kind.ID, 'x', 4)))
try: Token(Kind.ID, 'x').text = 'y'
except dataclasses.FrozenInstanceError as e: print(type(e).__mro__[1].__name__, e)
