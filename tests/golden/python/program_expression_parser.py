# A tokenizer, a recursive descent parser and an evaluator for arithmetic.
class ParseError(Exception):
    def __init__(self, message, at):
        super().__init__(f'{message} at {at}')
        self.at = at


class Token:
    def __init__(self, kind, text, at):
        self.kind, self.text, self.at = kind, text, at

    def __repr__(self):
        return f'{self.kind}:{self.text}'


def tokenize(text):
    tokens, i = [], 0
    while i < len(text):
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == '.':
            j = i
            while j < len(text) and (text[j].isdigit() or text[j] == '.'):
                j += 1
            tokens.append(Token('num', text[i:j], i))
            i = j
        elif c.isalpha() or c == '_':
            j = i
            while j < len(text) and (text[j].isalnum() or text[j] == '_'):
                j += 1
            tokens.append(Token('name', text[i:j], i))
            i = j
        elif text[i:i + 2] == '**':
            tokens.append(Token('op', '**', i))
            i += 2
        elif c in '+-*/%(),=':
            tokens.append(Token('op', c, i))
            i += 1
        else:
            raise ParseError(f'bad character {c!r}', i)
    tokens.append(Token('end', '', len(text)))
    return tokens


class Parser:
    levels = [('+', '-'), ('*', '/', '%')]

    def __init__(self, text):
        self.tokens, self.pos = tokenize(text), 0

    @property
    def current(self):
        return self.tokens[self.pos]

    def accept(self, *texts):
        if self.current.kind == 'op' and self.current.text in texts:
            self.pos += 1
            return self.tokens[self.pos - 1].text
        return None

    def expect(self, text):
        if not self.accept(text):
            raise ParseError(f'expected {text!r}, found {self.current.text!r}', self.current.at)

    def parse(self):
        tree = self.binary(0)
        if self.current.kind != 'end':
            raise ParseError(f'unexpected {self.current.text!r}', self.current.at)
        return tree

    def binary(self, level):
        if level == len(self.levels):
            return self.unary()
        left = self.binary(level + 1)
        while op := self.accept(*self.levels[level]):
            left = (op, left, self.binary(level + 1))
        return left

    def unary(self):
        if self.accept('-'):
            return ('neg', self.unary())
        return self.power()

    def power(self):
        base = self.atom()
        if self.accept('**'):
            return ('**', base, self.unary())
        return base

    def atom(self):
        t = self.current
        self.pos += 1
        match t.kind, t.text:
            case 'num', text:
                return float(text) if '.' in text else int(text)
            case 'name', name:
                if not self.accept('('):
                    return ('var', name)
                args = []
                while not self.accept(')'):
                    args.append(self.binary(0))
                    if not self.accept(','):
                        self.expect(')')
                        break
                return ('call', name, args)
            case 'op', '(':
                inner = self.binary(0)
                self.expect(')')
                return inner
        raise ParseError(f'unexpected {t.text or "end"!r}', t.at)


OPS = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '/': lambda a, b: a / b,
       '%': lambda a, b: a % b, '**': lambda a, b: a ** b}
FUNCS = {'max': max, 'min': min, 'sum': lambda *a: sum(a), 'abs': abs}


def evaluate(tree, env):
    match tree:
        case int() | float():
            return tree
        case ('var', name):
            if name not in env:
                raise NameError(f'unknown variable {name!r}')
            return env[name]
        case ('neg', x):
            return -evaluate(x, env)
        case ('call', name, args):
            return FUNCS[name](*(evaluate(a, env) for a in args))
        case (op, a, b):
            return OPS[op](evaluate(a, env), evaluate(b, env))


for text in ['1 + 2 * 3', '(1 + 2) * 3', '-2 ** 2', '2 ** 3 ** 2', '10 / 4 - 1', 'x * (y + 1)', 'max(1, x, 3) + min(2, 1)',
             'abs(-5) % 3', '1 +', '2 $ 3', '(1', 'sum(1, 2, 3) z', 'q + 1', 'nope(1)', '1 / 0', '1.5 * 2', 'sum()']:
    try:
        print(text, '=', evaluate(Parser(text).parse(), {'x': 4, 'y': 2.5}))
    except (ParseError, NameError, ZeroDivisionError, KeyError) as e:
        print(text, '!', type(e).__name__, e)
print(Parser('1+2*x').parse(), tokenize('a1 + 22'))
