# SPDX-License-Identifier: Apache-2.0
"""From the text of a C source or a .def table to its single mutations.

In: a path and its text. Out: Mutants, each a span of the text and what takes its place, with a name that does not depend on line
numbers. A tokenizer that knows comments, strings and preprocessor lines is all that is needed of C: the sources are laid out by clang-format,
so a binary operator has a space on each side, and a compound literal has none before its brace.
"""
import bisect
import dataclasses
import hashlib
import pathlib
import re

TOKEN = re.compile(r'''
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<hash>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<str>"(?:\\.|[^"\\])*")
  | (?P<chr>'(?:\\.|[^'\\])*')
  | (?P<num>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<id>[A-Za-z_]\w*)
  | (?P<op>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|.)
''', re.VERBOSE | re.DOTALL)

COMPARE = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '=='}
ARITH = {'+': '-', '-': '+', '*': '+', '/': '*', '%': '/', '<<': '>>', '>>': '<<', '&': '|', '^': '&', '+=': '-=', '-=': '+='}
LOGIC = {'&&': '||', '||': '&&'}
KINDS = ('compare', 'arith', 'logic', 'constant', 'member', 'drop')

# Statements that give back memory show in no result; neither do the checks of the code on itself.
NOT_DROPPED = re.compile(r'(?i)free|fini|va_end|dispose|^BUG|assert|arena_|^va_')
CHECKS_ITSELF = re.compile(r'^(BUG\w*|assert|static_assert|_Static_assert|sizeof|__asm__|__attribute__|ARENA_\w+)$')
KEYWORDS = {'if', 'else', 'for', 'while', 'do', 'switch', 'case', 'default', 'return', 'break', 'continue', 'goto', 'static', 'const', 'typedef',
            'struct', 'enum', 'union', 'extern', 'sizeof'}


@dataclasses.dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    parens: int = 0          # how many ( and [ are open around it
    function: str = ''       # or table, at the top level
    braces: tuple = ()       # the kinds of the open braces around it: function, block, switch, init, type
    opens: int = -1          # the token of the innermost open brace


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str                # below the root of the tree
    function: str            # or table
    kind: str
    start: int
    end: int
    text: str                # instead of source[start:end]
    probe: int               # where in the source a statement can stand that is reached if this is; -1: unknown
    old: str                 # the lines around, in one line, before and after
    new: str
    id: str

    def key(self):
        return pathlib.PurePath(self.path).name, self.function, self.old, self.new

    def applied(self, source):
        return source[:self.start] + self.text + source[self.end:]


def squeeze(text):
    return re.sub(r'\s+', ' ', re.sub(r'//[^\n]*', ' ', text)).strip()


def tokenize(source):
    tokens = []
    for match in TOKEN.finditer(source):
        if match.lastgroup not in ('space', 'hash'):
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return tokens


class File:
    """The tokens of a source with what encloses them, and the mutants that they give."""

    def __init__(self, path, source):
        self.path, self.source = path, source
        self.tokens = tokenize(source)
        self.lines = [0] + [match.end() for match in re.finditer('\n', source)]
        self.partner = {}
        self.found = []
        self.enclose()

    # ---- what encloses what ----------------------------------------------------------------------
    def brace_kind(self, at, outer):
        token, before = self.tokens[at], self.tokens[at - 1] if at else None
        if outer and outer[-1] == 'init' or before is None:
            return 'init'
        if not outer:
            if before.text == ')':
                return 'function'
            return 'init' if before.text in ('=', ']') else 'type'
        if before.text in ('=', ',', '(', 'return', '?') or before.text == ')' and before.end == token.start:
            return 'init'
        if before.text == ')':
            opening = self.partner.get(at - 1, 0)
            return 'switch' if self.tokens[opening - 1].text == 'switch' else 'block'
        return 'type' if before.kind == 'id' and before.text not in ('else', 'do') else 'block'

    def name_before(self, at):
        """The function whose body, or the table whose rows, begin with the brace at `at`."""
        k = at - 1
        if self.tokens[k].text == ')':
            return self.tokens[self.partner[k] - 1].text
        while k > 0 and self.tokens[k].text in ('=', ']', '[') or self.tokens[k].kind == 'num' or self.tokens[k - 1].text == '[':
            k -= 1
        return self.tokens[k].text

    def enclose(self):
        braces, opens, parens, name = [], [], [], ''
        for i, token in enumerate(self.tokens):
            if token.text in (')', ']') and parens:
                self.partner[i] = parens.pop()
            if token.text == '}' and braces:
                self.partner[i] = opens.pop()
                braces.pop()
            token.parens, token.braces, token.opens = len(parens), tuple(braces), opens[-1] if opens else -1
            token.function = name if braces else ''
            if token.text in ('(', '['):
                parens.append(i)
            if token.text == '{':
                if not braces:
                    name = self.name_before(i)
                braces.append(self.brace_kind(i, braces))
                opens.append(i)
        self.closing = {opening: closing for closing, opening in self.partner.items()}

    # ---- making mutants --------------------------------------------------------------------------
    def line_of(self, offset):
        return bisect.bisect_right(self.lines, offset) - 1

    def add(self, kind, at, start, end, text):
        first, last = self.lines[self.line_of(start)], self.source.find('\n', end)
        old = squeeze(self.source[first:last])
        new = squeeze(self.source[first:start] + text + self.source[end:last])
        if old != new:
            self.found.append((kind, self.tokens[at].function, start, end, text, self.probe(at), old, new))

    def swap(self, kind, at, text):
        self.add(kind, at, self.tokens[at].start, self.tokens[at].end, text)

    def is_boundary(self, i):
        token = self.tokens[i]
        if token.parens or token.text not in (';', '{', '}'):
            return False
        if token.text in ('{', '}'):
            inner = self.tokens[(i if token.text == '{' else self.partner.get(i, i)) + 1].braces
            return bool(inner) and inner[-1] not in ('init', 'type')
        return not token.braces or token.braces[-1] not in ('init', 'type')

    def statement_start(self, at):
        """The first token after the statement before, and after labels."""
        i = at
        while i > 0 and not self.is_boundary(i - 1):
            i -= 1
        while i < at:
            if self.tokens[i].text in ('case', 'default') or self.tokens[i].kind == 'id' and self.tokens[i + 1].text == ':':
                while self.tokens[i].text != ':' and i < at:
                    i += 1
                i += 1
            else:
                break
        return i

    def probe(self, at):
        token = self.tokens[at]
        if 'function' not in token.braces:
            return -1
        i = self.statement_start(at)
        if self.tokens[at].text == 'case':  # the label itself: what follows it
            i = at
            while self.tokens[i].text != ':':
                i += 1
            return self.probe(i + 1)
        first = self.tokens[i]
        loops = first.text == 'while' and self.tokens[self.closing.get(i + 1, i)].end and self.tokens[self.closing.get(i + 1, i) + 1].text == ';'
        if first.text != 'else' and not loops and 'type' not in first.braces and i <= at:
            return first.start
        top = token.opens
        while self.tokens[top].braces:
            top = self.tokens[top].opens
        return self.tokens[top].end

    def spaced(self, i):
        token, source = self.tokens[i], self.source
        return source[token.start - 1].isspace() and source[token.end:token.end + 1].isspace()

    # ---- operators and constants -----------------------------------------------------------------
    def is_quiet(self, i):
        """Inside the arguments of a check of the code on itself, or of a declaration's size."""
        level = self.tokens[i].parens
        for k in range(i - 1, -1, -1):
            token = self.tokens[k]
            if token.parens < level and token.text in ('(', '['):
                level = token.parens
                if CHECKS_ITSELF.match(self.tokens[k - 1].text):
                    return True
                if self.tokens[k - 1].text == 'if' and CHECKS_ITSELF.match(self.tokens[self.closing[k] + 1].text):
                    return True
                if token.text == '[' and self.tokens[k - 2].kind == 'id' and self.tokens[k - 2].text not in ('return', 'case'):
                    return True
                if token.text == '[' and self.tokens[k - 2].text == '*' and not self.spaced(k - 2):
                    return True
                if token.text == '[' and self.tokens[k - 2].text == ',' and not token.parens and self.declares(k):
                    return True
            if not level or token.text in (';', '{', '}') and not token.parens:
                return False
        return False

    def declares(self, i):
        """Whether the statement begins with a type and a name."""
        first = self.statement_start(i)
        return self.tokens[first].kind == 'id' and self.tokens[first].text not in ('return', 'case') and self.tokens[first + 1].kind == 'id'

    def operators(self):
        for i, token in enumerate(self.tokens):
            if 'function' not in token.braces or self.is_quiet(i):
                continue
            if token.kind == 'op' and self.spaced(i) and 'sizeof' not in (self.tokens[i + 1].text, self.tokens[i - 1].text):
                for kind, table in (('compare', COMPARE), ('arith', ARITH), ('logic', LOGIC)):
                    if token.text in table:
                        self.swap(kind, i, table[token.text])
            elif token.text == '!' and self.tokens[i + 1].text != '!':
                self.swap('logic', i, '')

    def constants(self):
        for i, token in enumerate(self.tokens):
            in_code = any(kind in ('function', 'init') for kind in token.braces)
            if not in_code and not (token.braces and self.tokens[i - 1].text == '='):
                continue
            if token.text in ('true', 'false'):
                self.swap('constant', i, 'false' if token.text == 'true' else 'true')
            if token.kind != 'num' or self.is_quiet(i) or (self.tokens[i - 1].text, self.tokens[i + 1].text) == ('{', '}'):
                continue
            match = re.fullmatch(r'(0[xX][0-9a-fA-F]+|0|[1-9]\d*)([uUlL]*)', token.text)
            if not match:
                self.swap('constant', i, f'({token.text} * 1.5)')
                continue
            value = int(match[1], 0)
            more = value == 0 or self.pick(i, 2) == 0
            self.swap('constant', i, f'{value + 1 if more else value - 1}{match[2]}')

    def pick(self, at, count):
        token = self.tokens[at]
        line = self.source[self.lines[self.line_of(token.start)]:token.end]
        return hashlib.sha1(line.encode()).digest()[0] % count

    # ---- members of lists ------------------------------------------------------------------------
    def members(self):
        """`|| x` and `&& x` of a condition, `| x` of flags; labels of a switch; rows of a table."""
        for i, token in enumerate(self.tokens):
            if token.text in ('||', '&&', '|') and self.spaced(i) and not self.is_quiet(i):
                self.member_of_chain(i)
            elif token.text == 'case' and 'function' in token.braces:
                self.label(i)
            elif token.text == '{' and token.braces == ('init',) and self.tokens[i - 1].text in ('{', ','):
                self.row(i)

    def member_of_chain(self, i):
        token, ends = self.tokens[i], {'||', '&&', '|', ',', ';', '?', ':', '}'}
        inside = lambda other: other.parens > token.parens or len(other.braces) > len(token.braces)
        k = i + 1
        while self.tokens[k].parens >= token.parens and (self.tokens[k].text not in ends or inside(self.tokens[k])):
            k += 1
        self.add('member', i, self.tokens[i - 1].end, self.tokens[k - 1].end, '')

    def label(self, i):
        k = i + 1
        while self.tokens[k].text != ':' or self.tokens[k].parens > self.tokens[i].parens:
            k += 1
        stands_in_list = self.tokens[k + 1].text in ('case', 'default') or self.tokens[i - 1].text == ':'
        if stands_in_list:
            self.add('member', i, self.tokens[i].start, self.tokens[k].end, '')

    def row(self, i):
        closing = self.closing.get(i)
        if closing and self.tokens[closing + 1].text == ',':
            self.add('member', i, self.tokens[i].start, self.tokens[closing + 1].end, '')

    # ---- statements ------------------------------------------------------------------------------
    def statements(self):
        for i, token in enumerate(self.tokens):
            if token.parens or 'function' not in token.braces or token.braces[-1] == 'init' or not self.begins_statement(i):
                continue
            end = i
            while end < len(self.tokens) and (self.tokens[end].text != ';' or self.tokens[end].parens or len(self.tokens[end].braces) > len(token.braces)):
                end += 1
            if self.is_dropped(i, end):
                self.add('drop', i, token.start, self.tokens[end].end, ';')

    def begins_statement(self, i):
        before = self.tokens[i - 1]
        if self.is_boundary(i - 1) or before.text in ('else', 'do'):
            return True
        if before.text == ':':
            return self.statement_start(i) == i
        opening = self.partner.get(i - 1)
        return before.text == ')' and opening is not None and self.tokens[opening - 1].text in ('if', 'for', 'while') and before.parens == 0

    def is_dropped(self, i, end):
        first, second = self.tokens[i], self.tokens[i + 1]
        if first.text == 'break' and self.tokens[end + 1].text == '}' and first.braces[-1] == 'switch':
            return False  # the end of it all the same
        if first.text in ('break', 'continue') or first.text == 'return' and second.text == ';':
            return True
        if first.text == '*':
            return second.kind == 'id'
        if first.kind != 'id' or first.text in KEYWORDS or NOT_DROPPED.search(first.text):
            return False
        if second.kind == 'id' or second.text in (':', '*') or second.text == '&' or self.tokens[end].text != ';':
            return False
        return not any(token.text == '{' and self.tokens[k + 1].braces[-1] != 'init' for k, token in enumerate(self.tokens[i:end], i))

    # ---- tables in .def files --------------------------------------------------------------------
    def table(self):
        """Rows `MACRO(a, b, …)`: a row less, a member of a list less, another word of a column that has few, a number one off."""
        rows = []
        for i, token in enumerate(self.tokens[:-1]):
            if token.kind == 'id' and self.tokens[i + 1].text == '(' and not token.parens and i + 1 in self.closing:
                rows.append((i, self.columns(i + 1)))
        words = {}
        for i, columns in rows:
            for number, (first, last) in enumerate(columns):
                words.setdefault((self.tokens[i].text, number), set()).add(self.source[self.tokens[first].start:self.tokens[last].end])
        for i, columns in rows:
            self.tokens[i].function = self.tokens[columns[0][0]].text
            self.add('member', i, self.tokens[i].start, self.tokens[self.closing[i + 1]].end, '')
            for number, (first, last) in enumerate(columns):
                self.tokens[first].function = self.tokens[columns[0][0]].text
                self.cell(first, last, sorted(words[self.tokens[i].text, number]))

    def columns(self, opening):
        found, first = [], opening + 1
        for k in range(opening + 1, self.closing[opening] + 1):
            if self.tokens[k].parens == self.tokens[opening].parens + (k != self.closing[opening]) and (self.tokens[k].text == ',' or k == self.closing[opening]):
                if k > first:
                    found.append((first, k - 1))
                first = k + 1
        return found

    def cell(self, first, last, words):
        token = self.tokens[first]
        if first == last and token.kind == 'id' and 2 <= len(words) <= 8:
            others = [word for word in words if word != token.text and re.fullmatch(r'\w+', word)]
            if others:
                self.swap('member', first, others[self.pick(first, len(others))])
        elif first == last and token.kind == 'num' and token.text.isdigit():
            self.swap('constant', first, str(int(token.text) + 1))
        elif last > first + 2 and self.tokens[first + 1].text == '(':
            inner = self.columns(first + 1)
            for (_, before), (_, end) in zip(inner, inner[1:]):
                self.add('member', first, self.tokens[before].end, self.tokens[end].end, '')

    def mutants(self):
        if self.path.endswith('.def'):
            self.table()
        else:
            self.operators()
            self.constants()
            self.statements()
        self.members()
        seen, made = {}, []
        for kind, function, start, end, text, probe, old, new in self.found:
            key = '|'.join((pathlib.PurePath(self.path).name, function, old, new))
            seen[key] = seen.get(key, 0) + 1
            name = hashlib.sha1(f'{key}|{seen[key]}'.encode()).hexdigest()[:8]
            made.append(Mutant(self.path, function, kind, start, end, text, probe, old, new, name))
        return made


def of_file(path, source):
    return File(path, source).mutants()


def choose(mutants, seed):
    """All of them in the order of a campaign: kinds take turns, and within a kind the names' hashes decide, so a change of one file moves no other's."""
    queues = {kind: [] for kind in KINDS}
    for mutant in mutants:
        queues[mutant.kind].append(mutant)
    for queue in queues.values():
        queue.sort(key=lambda mutant: hashlib.sha1(f'{seed}|{mutant.id}'.encode()).digest())
    ordered = []
    for i in range(max(map(len, queues.values()), default=0)):
        ordered += [queue[i] for queue in queues.values() if i < len(queue)]
    return ordered
