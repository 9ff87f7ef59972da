# Every common method of str.
t = "The quick brown Fox, jumps over the lazy dog"
print(t.split(), t.split(","), t.rsplit(" ", 2), t.partition("Fox"), t.upper(), t.swapcase(), t.title(), t.count("o"), t.find("fox"), t.lower().find("fox"), t.replace("o", "0", 2), t.startswith(("A", "The")), t.endswith("dog"), sep="\n")
print("  x ".strip() + "|", "xxaxx".strip("x"), "abc".center(9, "*"), "42".zfill(5), "a-b_c".translate(str.maketrans("-_", "  ")), "a\tb".expandtabs(8), "l1\nl2\r\nl3".splitlines(), "l1\n".splitlines(True), "ab".join(["1", "2"]), "é".encode(), "ß".upper(), "İ".lower(), "ǆ".title())
print("abc".isalpha(), "12".isdigit(), "½".isnumeric(), "a1".isalnum(), " ".isspace(), "Ab".istitle(), "a_1".isidentifier(), "".isascii(), "²".isdigit(), "²".isdecimal(), "ABC".casefold(), "pre_x".removeprefix("pre_"), "x.py".removesuffix(".py"))
print("%s|%5s|%-5s|%05d|%+.2f|%x|%%" % ("a", "b", "c", 42, 3.14159, 255), "{0}{1}{0}".format("a", "b"), "{:>5}|{:<5}|{:^5}".format(1, 2, 3), f"{'x':*^5}{3.0:.0f}{1e6:,.1f}{-5:+d}")
print("a" < "B", "a" < "b", "abc" < "abd", "" < "a", "Z" < "a", min("hello"), max("hello"), sorted("hello"), "l" in "hello", "hello"[1:-1], "x" * 0, "ab" * 3, list("hé"), [ord(c) for c in "aé€😀"], chr(128512), len("😀"), "😀"[0])
print(repr("a'b"), repr('a"b'), repr("a'b\"c"), repr("\n\t\\\x00\x7f\xa0é\u200b😀"), ascii("é😀"), str(b"x"), "\N{GREEK SMALL LETTER ALPHA}\u0041\x41\101", r"\n", "a" "b", '''multi
line''')
for bad in (lambda: "a" + 1, lambda: "abc".index("z"), lambda: ",".join([1]), lambda: "a".split(""), lambda: int("x1"), lambda: "é".encode("ascii"), lambda: b"\xff".decode(), lambda: "{}".format(), lambda: "a".center(), lambda: "a" * "b", lambda: ord("ab"), lambda: chr(0x110000), lambda: "abc".foo):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
