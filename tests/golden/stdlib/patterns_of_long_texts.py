# re: what patterns find in short texts is the same before and after they have gone through long ones; matches that go back far; patterns that
# take ever longer.
import re

texts = ["", "abab 12", "aaab bba\naab1 2", "\u00e9axa ab-7" * 5, "ab" * 30 + "\n" + "ba" * 10, "x1y2 abc\u4e00ab"]
patterns = [r"(\w+)-(\d+)", r"(?P<n>a+)(b)?", r"^\w+$", r"(?<=a)b|\d\Z", r"(a|b)*?x", r"[^a\s]+", r"(.)\1", r"\bab\b", "", r"(?i:AB)+", "\u00e9."]
for pattern in patterns:
    for flags in (0, re.MULTILINE, re.ASCII):
        program, rounds = re.compile(pattern, flags), []
        for _ in range(3):
            found = []
            for text in texts:
                for way in (program.search, program.match, program.fullmatch):
                    m = way(text)
                    found.append(m and (m.span(), m.groups(), m.lastindex, m.lastgroup))
                found.append((program.findall(text), program.sub("<\\g<0>>", text), program.split(text), [m.span() for m in program.finditer(text, 1)]))
            rounds.append(found)
            program.findall("zz " * 8000)
        print(pattern, int(flags), rounds[0] == rounds[1] == rounds[2], rounds[2][6:9])
print(re.compile(r"(?:a|b)*c").match("ab" * 200000 + "c").end(), re.compile(r"((a|b)+)+c").search("ab" * 60000 + "c").end())
print(sum(m.end() for m in re.finditer(r"(\w+)-(\d+)", "abc-12 " * 20000)))
