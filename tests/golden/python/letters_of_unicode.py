# Case and properties of letters, digits and ideographs beyond ASCII.
for text in ("ß", "ŉ", "ǅ", "ﬃ", "İ", "ı", "ΑΣ", "ΑΣ Σ", "ᾳ", "Ά", "ա", "Ꭰ", "ꭰ", "\ud800", "é", "\u0345"):
    print(ascii(text), [ascii(changed) for changed in (text.upper(), text.lower(), text.title(), text.casefold(), text.swapcase(), text.capitalize())])
for char in ("五", "\u3405", "٣", "²", "½", "Ⅷ", "\U0001d7d8", "\u1c80", "\x1c", "\u2028", "\xa0", "\u200b", "\u00ad", "ª", "ₐ", "ʰ", "ⓐ", "名", "·", "℘", "\u0e33"):
    asked = (char.isalpha(), char.isdecimal(), char.isdigit(), char.isnumeric(), char.isspace(), char.isupper(), char.islower(),
             char.istitle(), char.isprintable(), char.isidentifier(), ("a" + char).isidentifier())
    print(ascii(char), "".join(["01"[yes] for yes in asked]))
print(int("٣४"), float("１.５"))
