# Where words break: at hyphens between letters, around several hyphens, at blanks, which lines keep or drop.
import random
import textwrap

for text in ("foo--bar", "x -- y", "a-b-c-dA", "well-known e-mail-list", "--option=value", "1-2 it's-a co-op.", "_-_ über-Maß", "end.  A.B-cd-ef", " a  b ", "   ", ""):
    print(text, [textwrap.wrap(text, width, drop_whitespace=width % 2 == 0) for width in (3, 4, 9)])

draw = random.Random(4)
pieces = ["a", "bc", "well-known", "x-", "-y", "a-b-c-d", "--", "foo--bar", " ", "  ", "\t", "1-2", "ü-M", "e.", "A.B-cd-ef", "_-_", "a\u00a0b"]
total = 0
for number in range(400):
    text = "".join(draw.choice(pieces) + draw.choice(["", " ", " "]) for _ in range(draw.randrange(12)))
    lines = textwrap.wrap(text, draw.randrange(1, 20), break_on_hyphens=number % 5 > 0, drop_whitespace=number % 3 > 0, fix_sentence_endings=number % 7 == 0)
    total = (total * 31 + sum(ord(c) * (i + 1) for i, c in enumerate("|".join(lines)))) % 1000003
print(total)
