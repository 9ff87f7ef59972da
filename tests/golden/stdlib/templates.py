# Templates: identifiers, other delimiters and patterns, mappings that make values.
from string import Template
from collections import defaultdict
t = Template("$a ${b}c $$ $_x")
print(t.substitute(defaultdict(lambda: "?", a=1)), t.get_identifiers(), t.is_valid(), t.safe_substitute(a=2), t.safe_substitute({"a": 1, "b": 3}, b=2))
class P(Template):
    delimiter = "%"
    idpattern = r"[a-z.]+"
print(P("%model.lr and %% and %{x.y}!").substitute({"model.lr": 3, "x.y": 4}), P("% x").is_valid())
class B(Template):
    pattern = r"""\[\[(?:(?P<escaped>\[\[)|(?P<named>\w+)\]\]|(?P<braced>!)|(?P<invalid>))"""
print(B("a [[name]] b").substitute(name="N"))
for bad in ("x $", "ok\n $5", "${a", "$é"):
    try: Template(bad).substitute(a=1)
    except ValueError as e: print(e)
    print(Template(bad).safe_substitute(a=1))
try: Template("$zz").substitute()
except KeyError as e: print(repr(e))
