# unicodedata: names, categories, numbers, decompositions and normal forms.
import unicodedata as u


def told(f, *args):
    try:
        return f(*args)
    except (ValueError, KeyError, TypeError) as e:
        return f"{type(e).__name__}: {e}"


for text in "aé9\n²½ⅷßǆ­ ٣∞\u0301\u2067\u200d한갅一\U0001f600\U00020000\U000e0001\uffff":
    print(ascii(text), told(u.name, text), u.name(text, None), u.category(text), u.bidirectional(text), u.combining(text), u.decomposition(text),
          told(u.decimal, text), told(u.digit, text), u.digit(text, -1))
print([told(u.numeric, c) for c in "7½ⅷ٣a"], u.numeric("a", None))
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    text = "Ångström ﬁ ① e\u0301 한 ½"
    print(form, ascii(u.normalize(form, text)), u.is_normalized(form, text), u.is_normalized(form, "abc"))
print([told(u.lookup, name) for name in ("GREEK SMALL LETTER ALPHA", "latin small letter e with acute", "CJK UNIFIED IDEOGRAPH-4E00", "NOTHING", "CJK UNIFIED IDEOGRAPH-12")])
print(told(u.name, "ab"), told(u.category, ""), told(u.normalize, "NFX", "a"), "".join(c for c in u.normalize("NFKD", "Crème Brûlée") if not u.combining(c)))
