import re
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
pats = [r'a', r'a+b', r'(a|b)*c', r'(\d+)-(\d+)', r'^\w+$', r'(?P<y>\d{4})-(?P<m>\d\d)', r'[^abc]+', r'a{2,3}?', r'(a)(b)?', r'\bfoo\b', r'(?i)HeLLo', r'x*', r'(?=a)\w+', r'(?!a)\w+', r'(?<=a)b', r'(?<!a)b', r'(\w)\1', r'(?P<q>["\']).*?(?P=q)', r'[a-z]+|[0-9]+', r'.', r'(?s).+', r'(?m)^b', r'\s+', r'\S+', r'\D+', r'\W', r'a??', r'(?:ab)+', r'(a+)+$', r'((a)|b)+', r'(?>a+)b', r'a*+b', r'(a)?(?(1)b|c)', r'[\w.]+@[\w.]+', r'\$\{(\w+)\}', r'[]a]+', r'[^]]', r'[a\-z]', r'\x41\u0042\101', r'\Aab\Z', r'a|ab|abc', r'(a|ab)(c|bcd)(d*)', r'', r'(|a)+', r'(?:a|b)??c', r'[\d\s]+', r'(?x) a  b # c', r'(?a)\w+', r'é', r'[à-ü]+', r'(?i)É', r'((a))', r'(a)|(b)', r'(?i:A)b', r'a(?#com)b', r'(.)(.)(.)?', r'\B.', r'[^\W\d]+', r'(?<=(\d))x', r'z{0}a', r'a{,2}b', r'a{2', r'(?:(a)|b)*', r'\n', r'$', r'^', r'(?m)$', r'a.c', r'(\w+) (\w+)', r'(?:x|(y))z']
texts = ['a', 'aab', 'ababc', '12-345 6-7', 'foo', 'foo bar foobar', 'hello HELLO', '2024-05 1999-12', 'aaaa', '', 'ab', 'b', 'aa bb', '"x\'y" \'z\'', 'abc123', 'a\nb\nc', 'abcd', 'xz yz', 'me@x.org, you.too@y.com', '${var} $x', ']a]', 'AB', 'été à', 'É', 'c', 'ac bc', '1x x', 'a{2', 'baac', 'a\n']
for p in pats:
    c = re.compile(p)
    out = []
    for t in texts:
        m = c.search(t); m2 = c.match(t); m3 = c.fullmatch(t)
        out.append((m and (m.span(), m.groups(), m.lastindex), m2 and m2.span(), m3 and m3.span(), c.findall(t), [x.span() for x in c.finditer(t)], c.split(t), c.sub('<>', t), c.subn('-', t, 1)))
    print(p, c.groups, dict(c.groupindex), c.flags)
    for o in out: print('  ', o)
