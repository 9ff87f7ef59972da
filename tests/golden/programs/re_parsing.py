# re: tokens, groups, look-around, substitutions with functions, flags, splitting, errors.
import re

TOKEN = re.compile(r"(?P<num>\d+(?:\.\d*)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>[-+*/()=])|(?P<ws>\s+)|(?P<bad>.)")
print([(m.lastgroup, m.group(), m.span()) for m in TOKEN.finditer("x1 = 3.5*(y-2)$") if m.lastgroup != "ws"])
print(re.findall(r"(\w)(\d)", "a1 b2 c33"), re.findall(r"\d+", "1 22 333"), re.split(r"[,;]\s*", "a, b;c,d"), re.split(r"(-)", "a-b-c", maxsplit=1), re.split("", "abc"))
print(re.sub(r"(?P<a>\w+) (?P<b>\w+)", r"\g<b> \1", "hello world"), re.sub(r"\d", lambda m: str(int(m[0]) * 2), "a1b5"), re.subn("a", "b", "banana", count=2))
m = re.match(r"(\d{4})-(\d\d)(?:-(\d\d))?", "2024-05 rest")
print(m, m.groups(), m.groups("none"), m.group(1, 2), m.start(2), m.end(), m[0], m.string, m.lastindex, m.re.pattern)
print(re.search(r"(?<=\$)\d+(?!\d|%)", "cost $45% $67"), re.search(r"(?i)HELLO", "say hello"), re.fullmatch(r"a+", "aab"), re.match(r"(a)|b", "b").groups())
print(re.findall(r"^\w", "one\ntwo\nthree", re.M), re.search(r"a.b", "a\nb"), re.search(r"a.b", "a\nb", re.S), re.escape("a.b*c[d]"), re.findall(r"(?x) \d + # digits", "12 3"))
print(re.sub(r"(\w)\1+", r"<\1>", "aabbccd"), re.findall(r"a{2,3}?", "aaaaa"), re.findall(r"<.+?>", "<a><b>"), re.findall(r"[^\W\d_]+", "ab_1cd é"), re.sub(r"\b", "|", "hi you"))
print(re.compile("a", re.I | re.M).flags, re.compile(r"(?P<x>.)(?P<y>.)").groupindex, re.I, re.compile("ab"))
snake = lambda s: re.sub(r"(?<!^)(?=[A-Z])", "_", s).lower()
print(snake("CamelCaseName"), re.sub(r"(^|_)(\w)", lambda m: m.group(2).upper(), "snake_case_name"))
print(m.expand(r"\2/\1"), m.groupdict(), re.match("(?P<k>x)?", "").groupdict("d"), bool(re.match("", "x")), re.findall("", "ab"), re.match(r"(?:(a)|(b))+", "ab").groups())
for bad in ("(", "a**", "[a", "(?P<1>x)", r"\1", "(?<=a+)b", "x{3,1}", "(?P=q)", "*"):
    try:
        print(re.compile(bad))
    except re.error as e:
        print("error", e, e.pos)
print(re.sub("x*", "-", "abxd"), re.findall(r"(?:ab)+|c", "ababc"), re.match(r"(?>a+)b", "aaab"), re.match(r"a++b", "aab"), re.split(r"\W+", "Words, words."))
