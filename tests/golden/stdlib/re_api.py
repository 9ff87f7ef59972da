import re
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for bad in ['(', ')', '[', 'a**', '*a', '+', '(?P<n', '(?P<1>a)', '(?P<n>a)(?P<n>b)', r'\1', r'(a)\2', '[b-a]', r'\q', '(?<=a+)b', '(?z)', 'a{3,1}', '(?P=x)', '(?(2)a)', 'a(?i)b', '(?', '(?P', '\\', r'[\q]', 'x{1}{2}', '(?<x', r'\x1', 'a|*', '(?P<>a)', '(?i', '[a', '(?:a', 'a++*', '(?#abc', '\n(\n', '(?(1)a|b|c)(a)', '(a)(?(1)a|b|c)', r'(?P<a>x)(?(b)y)', '(?-i)', '^*', r'\b*', '(?P!x)', '[[:alpha:]]']:
    tr(lambda: re.compile(bad))
try: re.compile('a(b')
except re.error as e: print(e.msg, e.pos, e.pattern, e.lineno, e.colno, str(e))
m = re.match(r'(?P<a>\w+) (?P<b>\w+)(?P<c>x)?', 'hello world!')
print(m, m.group(), m.group(1, 'b'), m['a'], m.groupdict(), m.groupdict('d'), m.groups('z'), m.start('b'), m.end(1), m.span('c'), m.lastindex, m.lastgroup, m.re.pattern, m.string, m.pos, m.endpos, m.regs, m.expand(r'\2-\g<a>\n'), m.group('c'))
tr(lambda: m.group(9)); tr(lambda: m['zz']); tr(lambda: m.group(1.5))
print(re.sub(r'(\w)(\w)', r'\2\1', 'abcd ef'), re.sub('a', lambda m: m.group().upper() * 2, 'banana'), re.sub('x*', '-', 'abxd'), re.sub(r'\b', '|', 'hi there'), re.sub('a', r'\\', 'a'), re.sub('(a)|b', r'[\1]', 'ab'), re.sub('a', '\\g<0>!', 'a'), re.subn('a', 'b', 'aaa', count=2), re.sub('(?P<n>a)', r'\g<n>\g<n>', 'a'))
for bad in [r'\2', r'\g<x>', r'\g<', r'\q', r'\g<1', r'\g<>', 'a\\']: tr(lambda: re.sub('(a)', bad, 'a'))
tr(lambda: re.sub('a', 5, 'a')); tr(lambda: re.sub('a', lambda m: 5, 'a')); tr(lambda: re.match('a', 5)); tr(lambda: re.compile(5)); tr(lambda: re.match('a', b'a')); tr(lambda: re.compile(re.compile('a'), re.I))
print(re.split(r'(,)\s*', 'a, b,c'), re.split('x*', 'axbc'), re.split(',', 'a,b,c', 1), re.split(r'\d+', 'a1b22c', maxsplit=1), re.split('', 'ab'))
print(re.escape('a.b*c[d] e-f_g'), re.findall(r'(?i)[a-z]+', 'Ab cD'), re.compile('a', re.I | re.M), re.compile('a'), re.I, repr(re.I | re.S), re.IGNORECASE == 2, re.compile('a', re.X).flags, re.compile('(?im)a').flags)
p = re.compile('o'); print(p.search('foo', 2).span(), p.match('foo', 1).span(), p.findall('ooo', 1, 2), p.search('foo', 5), p.pattern, p == re.compile('o'), hash(p) == hash(re.compile('o')), p.fullmatch('foo', 1, 2))
print([m.group() for m in re.finditer(r'\d', 'a1b2')], re.fullmatch('a|ab', 'ab').group(), re.search(r'(?<=-)\w+', 'spam-egg').group(), re.compile('^b', re.M).search('a\nb').span(), re.search('a.c', 'a\nc', re.S).span())
print(re.match(r'(a+)+b', 'aaaaaaaaaaaaaaaaac'), bool(re.match('', '')), re.match('(?:a?){5}a{5}', 'aaaaa').group())
print(re.findall(r'[^\s,]+', 'a, b ,c'), re.sub(r'\s+', ' ', ' a \n b\t'), re.findall(r'(\w+)=(\d+)', 'a=1 b=2'), re.findall(r'\b(\w)\w*\1\b', 'abca dad xyz'), re.search(r'(\d+)(?=%)', '50%').group(), re.match(r'[\u00e0-\u00ff]', 'é') is not None, re.findall('(?i)straße|ſ', 'STRAßE s'))
print(re.compile(r'''
   (\d+)   # the number
   \s* [a-z]+
''', re.VERBOSE).match('12 abc').groups(), re.search(r'(?P<x>a)(?P<y>b)?', 'a').lastgroup, re.search('((a)(b))', 'ab').lastindex, re.search('(a)(b)', 'ab').lastindex)
import copy
print(copy.deepcopy(p) is p, re.NOFLAG, re.RegexFlag.I, re.template if hasattr(re, 'zz') else 'no')
print([re.sub('a', 'b', 'aaa', count=n) for n in (-2, -1, 0, 1, 2)], [re.subn('a', lambda m: 'b', 'aaa', count=n) for n in (-1, 0, 2)], [re.split('a', 'xaxax', n) for n in (-1, 0, 1)])
