import re, collections, textwrap, string
text = """The quick brown fox jumps over the lazy dog. The dog, being lazy, didn't care; the fox -- being quick -- didn't stop!
It's 3.14 o'clock somewhere, isn't it? "Yes," said the fox: 'maybe'."""
words = re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower())
c = collections.Counter(words)
print(c.most_common(6)); print(sorted(c.items(), key=lambda kv: (-kv[1], kv[0]))[:5])
width = max(map(len, c))
for w, n in sorted(c.items())[:10]: print(f"{w:<{width}} | {n:>3} {'#' * n}")
print(textwrap.fill(text, width=40, initial_indent='* ', subsequent_indent='  '))
print(textwrap.shorten(text, 50, placeholder='…')); print(textwrap.dedent("""\
    a
      b
    c"""))
print(textwrap.indent('x\n\ny', '> ')); print(text.translate(str.maketrans('', '', string.punctuation)).split()[:8])
bigrams = collections.Counter(zip(words, words[1:])); print(bigrams.most_common(3))
idx = collections.defaultdict(list)
for i, w in enumerate(words): idx[w].append(i)
print(dict(idx)['fox'], len(idx)); print(string.Template('$who likes ${what}, $$5').substitute(who='tim', what='kung pao'))
print(c['nothing'], +c == c, (c & collections.Counter(the=2, fox=9)), c.total())
print(string.capwords('hello big world'), 'ß'.upper(), 'İ'.lower().encode(), 'ǆ'.title(), 'STRASSE'.casefold())
print('%-10s|%5.1f|%+d|%x|%r' % ('a', 3.14159, 5, 255, 'q')); print('{:^20}|{:*>8}|{!r:>6}'.format('mid', 42, 'a'))
print("a,b;c d".replace(',', ' ').split(), re.split(r'[,; ]', 'a,b;c d', maxsplit=2), 'abc'.partition('b'), 'x=1=2'.rpartition('='))
print('\t'.join(['a', 'b']).expandtabs(4), 'title case'.title(), 'abc'.center(9, '-'), '42'.zfill(6), '-42'.zfill(6))
