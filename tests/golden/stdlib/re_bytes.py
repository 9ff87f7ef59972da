# Patterns of bytes, and what the module re asks of its arguments.
import re

line = re.compile(rb'(?P<name>[\w.]+)\s*=\s*(\d+)')
for found in line.finditer(b'rows = 12\ncols=\xe9 k.v =7\n'):
    print(found, found.groups(), found.group('name'), found.span(2), found.lastgroup, found.lastindex)
print(line.sub(rb'\2<\g<name>>', b'rows = 12; cols=7'), line.sub(lambda m: m[0].upper(), b'a=1 b'))
print(re.split(b'[,;]', bytearray(b'a,b;c')), re.findall(rb'(a)(b)?', b'abac'), re.findall(b'(?i)K', b'kK\xe2\x84\xaa'))
print(re.escape(b'a.b c\xff'), re.compile(b'x', re.I | re.S), re.compile(b'x').flags, re.fullmatch(b'\xff+', memoryview(b'\xff\xff')).end())
for pattern, text in ((b'a', 'a'), ('a', b'a'), ('a', 3), (3, 'a')):
    try:
        re.search(pattern, text)
    except TypeError as error:
        print(error)
for pattern, flags in ((b'(?u)a', 0), ('(?L)a', 0), (rb'\u0041', 0), (b'a', re.U), ('a', re.L), ('(?<=a+)b', 0), ('(?i-i:a)', 0), ('(?-a:b)', 0), ('(?au:b)', 0),
                       ('(?i', 0), ('(?i-', 0), ('(?q)', 0), ('x(?i)', 0), ('(?<x', 0), ('(?a)*', 0), ('a**', 0), (b'(\n', 0)):
    try:
        print(re.compile(pattern, flags))
    except (re.error, ValueError) as error:
        print(type(error).__name__, error)
print(re.findall(r'(?m)^', 'a\n'), re.search(r'\B', ''), re.findall(r'a(?#x)*', 'baa'), re.findall(r'(?x) a  + # x', 'baa'), re.search(r'(ab)(?<=\1)c', 'abc'))
print(re.findall(r'(?i)[i-k]', 'İıIiKK'), re.findall(r'(?ia)[i-k]', 'İıIiKK'), re.findall(r'[^\W\d_]+', 'añ1_٣z'), re.findall(r'\s+', 'a\x1c \x85b'))
