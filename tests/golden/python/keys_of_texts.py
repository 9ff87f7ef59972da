# Texts as keys, made in many ways: literals, parts, joins, names of attributes, objects that say they are equal to one.
class Says:
    def __init__(self, text):
        self.text = text

    def __hash__(self):
        return hash(self.text)

    def __eq__(self, other):
        return (other.text if isinstance(other, Says) else other) == self.text


class Bare:
    def __hash__(self):
        return hash("alpha")


class Text(str):
    pass


line = "alpha beta gamma alpha " + "d" * 70
made = {}
for word in line.split():
    made[word] = made.get(word, 0) + 1
print(made, made["al" + "pha"], made["".join(["be", "ta"])], "".join("gam") + "ma" in made, ("d" * 70) in made, "delta"[:1] in made)
made[Bare()] = "bare"
made[Says("beta")] = "said"
print(len(made), made["beta"], made[Text("alpha")], Text("omega") in made, made.pop(Text("gamma")))
print({Bare(): 1}.get("alpha"), {Says("x" + "y"): 1}["xy"], {"x" + str(1): 2}[Says("x1")], {Text("t" * 3): 3}["ttt"])


class Holder:
    pass


holder = Holder()
for part in "one,two,three".split(","):
    holder.__dict__[part] = len(part)
    setattr(holder, part.upper(), part)
print(holder.one, holder.two, holder.THREE, sorted(vars(holder)), getattr(holder, "th" + "ree"))


def keywords(one=0, two=0, **rest):
    return one, two, sorted(rest.items())


print(keywords(**{key: len(key) for key in "one,two,three,four".split(",")}))
globals()["na" + "me"] = 5
print(name, "n" + "ame" in globals(), {w for w in "a b a".split()} == {"a", "b"}, {w[:1] for w in ("ab", "ac")} & {"a"})
print(" \u2003  x\u2003 ".strip() + "|", "\u2003a ".lstrip() + "|", " xyx\u00e9x".strip(" x"), "\u00e9x\u00e9".strip("\u00e9"), "a\u2003b c".split(), "xéx".rstrip("x"))
