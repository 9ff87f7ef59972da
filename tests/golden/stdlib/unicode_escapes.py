# The encoding unicode_escape.
for text in ('plain', 'a\tb\n"\'\\', 'é\x00\x7f', '€😀'):
    made = text.encode('unicode_escape')
    print(made, made.decode('unicode_escape') == text)
for raw in (rb'\a\b\f\v\x41\u20ac\U0001f600\101\0\7z', 'é'.encode(), rb'\q\%', b'a\\\nb'):
    print(ascii(raw.decode('unicode-escape')))
for raw in (rb'\x4', rb'ab\u12', rb'\U99999999', b'end\\'):
    try:
        raw.decode('unicode_escape')
    except UnicodeDecodeError as error:
        print(error)
    print(raw.decode('unicode_escape', 'replace'), raw.decode('unicode_escape', errors='ignore'))
