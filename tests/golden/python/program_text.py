# Text processing: counting, wrapping, tables, a template engine, run lengths, ciphers, roman numerals.
TEXT = '''the quick brown fox jumps over the lazy dog
the dog barks; the fox runs away
quick quick said the fox'''

counts = {}
for word in TEXT.replace(';', '').split():
    counts[word] = counts.get(word, 0) + 1
for word, n in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:4]:
    print(f'{word:<8}{n:>3} {"*" * n}')


def wrap(text, width):
    lines, line = [], ''
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f'{line} {word}' if line else word
    return lines + [line]


for line in wrap(TEXT, 28):
    print('|' + line.ljust(28) + '|')


def table(rows, sep=' | '):
    widths = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    return '\n'.join(sep.join(str(v).rjust(w) if isinstance(v, (int, float)) else str(v).ljust(w)
                              for v, w in zip(r, widths)) for r in rows)


print(table([('name', 'qty', 'price'), ('apple', 3, 1.25), ('kiwi', 12, 0.5)]))


def render(template, **env):
    out, rest = [], template
    while rest:
        before, brace, rest = rest.partition('{{')
        out.append(before)
        if not brace:
            break
        name, close, rest = rest.partition('}}')
        if not close:
            raise SyntaxError(f'unclosed {name[:10]!r}')
        obj = env
        for part in name.strip().split('.'):
            obj = obj[part] if isinstance(obj, dict) else getattr(obj, part)
        out.append(str(obj))
    return ''.join(out)


class User:
    name, tags = 'Ann', ['a', 'b']


print(render('Hi {{ user.name }}, {{ n }} new {{ cfg.unit }} {{user.tags}}', user=User, n=3, cfg={'unit': 'mails'}))
try:
    render('{{ oops')
except SyntaxError as e:
    print(e)


def rle(s):
    out = []
    for c in s:
        if out and out[-1][0] == c:
            out[-1][1] += 1
        else:
            out.append([c, 1])
    return ''.join(c + (str(n) if n > 1 else '') for c, n in out)


def unrle(s):
    out, i = '', 0
    while i < len(s):
        j = i + 1
        while j < len(s) and s[j].isdigit():
            j += 1
        out += s[i] * int(s[i + 1:j] or 1)
        i = j
    return out


print(rle('aaabccdddd'), unrle(rle('aaabccdddd')) == 'aaabccdddd', rle(''), unrle('x12y'))


def caesar(s, k):
    def shift(c):
        if not c.isalpha():
            return c
        base = ord('a') if c.islower() else ord('A')
        return chr((ord(c) - base + k) % 26 + base)
    return ''.join(map(shift, s))


print(caesar('Hello, World!', 3), caesar(caesar('Hello, World!', 3), -3))


def roman(n):
    out = ''
    for v, s in [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'),
                 (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]:
        while n >= v:
            out, n = out + s, n - v
    return out


print([roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024)])


def is_palindrome(s):
    s = [c.lower() for c in s if c.isalnum()]
    return s == s[::-1]


print(is_palindrome('A man, a plan, a canal: Panama'), is_palindrome('nope'))
print('naïve café'.upper(), len('naïve'), 'straße'.casefold(), 'ÀÉ'.lower(), '日本語'[1], 'a-b_c d'.title(), '%s' % 'ü')
print(' x '.strip() + '|', 'a,b,,c'.split(','), 'a b  c'.split(), 'x'.center(5, '*'), 'abc'.find('z'), 'banana'.count('an'))
print('abc' < 'abd', 'Z' < 'a', 'é' > 'z', max('hello'), sorted('hello'), ''.join(reversed('abc')), 'ab' in 'cabs', 'tab\tnew\\')
print(repr('it\'s "q"'), repr('new\nline\t\x00\x7f é \u200b'), 'a' 'b' "c", r'\raw\n', b'by\x01tes', len(b'abc'))
