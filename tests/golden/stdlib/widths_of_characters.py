# How many columns characters take in a table.
import unicodedata

runs = []
for code in [*range(0x3400), *range(0xff00, 0xfff0)]:
    if unicodedata.category(chr(code)) != "Cn":
        width = unicodedata.east_asian_width(chr(code))
        if not runs or runs[-1][1] != width:
            runs.append((code, width))
print(len(runs), hash(tuple(code for code, _ in runs)), [(hex(code), width) for code, width in runs[::40]])
for text in ("kernel", "カーネル", "ｶｰﾈﾙ", "±α", "名前"):
    print(text, sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text), [unicodedata.east_asian_width(c) for c in text])
