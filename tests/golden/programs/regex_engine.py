# Corners of regular expressions.
import re
cases = [(r"(a+)(b*)\1", "aabbaa"), (r"(?:a|ab)(?:c|bcd)(d*)", "abcd"), (r"^(\d{1,3}\.){3}\d{1,3}$", "192.168.1.10"), (r"(?P<q>['\"]).*?(?P=q)", "say 'it' \"x\""), (r"\b\w+(?=\.)", "end. stop."), (r"(?<!\d)\d{2}(?!\d)", "123 45 6"), (r"(?s).+\Z", "a\nb"), (r"(?m)^b$", "a\nb\nc"), (r"[^a-c\]]+", "abc]xyz"), (r"x{0}y{2,}", "yyyy"), (r"(a)|(b)|(c)", "b"), (r"(?i:AB)c", "abc"), (r"\u00e9+", "caféé"), (r"[\w.-]+@[\w-]+\.\w+", "mail me@ex-a.org now"), (r"(x)?(?(1)y|z)", "xy"), (r"(?:(?:a)*b)+", "aabab"), (r"\A\s*#\s*(\w+)", "  # head"), (r"a??b", "ab"), (r"(\w+)\s(\w+)", "hello big world")]
for p, s in cases:
    m = re.search(p, s)
    print(p, m and (m.group(), m.span(), m.groups(), m.lastindex))
print(re.sub(r"(\w+) (\w+)", r"\2 \1", "a b c d"), re.sub(r"(?P<n>\d)", r"<\g<n>>", "1a2"), re.sub("", "-", "abc"), re.sub(r"\s+", lambda m: str(len(m[0])), "a  b   c"), re.split(r"(\d)", "a1b2c"), re.findall(r"(\d)(\w)?", "1a2"), [m.start() for m in re.finditer("a", "banana")], re.sub("a", "b", "aaa", count=1), re.compile("x").sub("y", "xx"), re.escape("a+b (c)"))
