# csv: rows of drawn texts and values in drawn dialects, both ways; dialects that are refused.
import csv
import io
import random

rng = random.Random(11)
def show(f):
    try: return repr(f())
    except Exception as e: return type(e).__module__ + "." + type(e).__name__ + ": " + str(e)
alpha = ["a", "b", ",", ";", '"', "'", "\\", " ", "\n", "\r", "\r\n", "é", "1", "2.5", "\t", "|", "", "\0", "日"]
def options():
    o = {}
    if rng.random() < .4: o["delimiter"] = rng.choice([",", ";", "\t", "|", " ", "é", "a"])
    if rng.random() < .3: o["quotechar"] = rng.choice(['"', "'", "|", None, "日"])
    if rng.random() < .4: o["escapechar"] = rng.choice(["\\", None, "|", "'", "é"])
    if rng.random() < .3: o["doublequote"] = rng.choice([True, False])
    if rng.random() < .3: o["skipinitialspace"] = rng.choice([True, False])
    if rng.random() < .3: o["strict"] = rng.choice([True, False])
    if rng.random() < .5: o["quoting"] = rng.choice([0, 1, 2, 3])
    if rng.random() < .3: o["lineterminator"] = rng.choice(["\n", "\r\n", "", "!", "é\n", "ab"])
    return o
for i in range(130):
    o = options()
    text = "".join(rng.choice(alpha) for _ in range(rng.randrange(0, 30)))
    how = rng.randrange(3)
    def run():
        src = io.StringIO(text, newline="") if how == 0 else text.splitlines(True) if how == 1 else text.split("\n")
        r = csv.reader(src, **o); rows = []
        while True:
            try: rows.append(next(r))
            except StopIteration: break
            except (csv.Error, ValueError) as e: rows.append((type(e).__name__, str(e)))
            if len(rows) > 40: break
        return rows, r.line_num
    print("r", i, o, repr(text), how, show(run))
class Odd:
    def __str__(self): return 'odd,"x'
values = ["", "a", "a,b", 'q"q', "it's", "x\ny", "x\ry", None, 5, -2.5, 1e300, True, "\\", "é", " pad ", "|", ";", Odd(), 2 + 3j, float("nan"), 10**30, b"by", "a!b", "ab"]
for i in range(130):
    o = options()
    rows = [[rng.choice(values) for _ in range(rng.randrange(0, 5))] for _ in range(3)]
    def run():
        f = io.StringIO(newline=""); w = csv.writer(f, **o); out = []
        for row in rows:
            try: out.append(w.writerow(row))
            except csv.Error as e: out.append(str(e))
        return out, f.getvalue()
    print("w", i, o, rows if "Odd" not in repr(rows) else 0, show(run))
for k in ("delimiter","quotechar","escapechar","lineterminator","quoting","doublequote","strict","skipinitialspace"):
    print(k, [show(lambda: getattr(csv.reader([],**{k:v}).dialect,k)) for v in (None,"","ab",5,"\n",";",True,1.5,-1,4)])
print(show(lambda: csv.reader([],dialect="nope")), show(lambda: csv.reader([],foo=1)), show(lambda: csv.reader(5)),show(lambda: csv.writer(5)))
print(show(lambda: csv.reader([],quotechar=None,quoting=3).dialect.quoting))
print(show(lambda: csv.reader([],quotechar=None,quoting=0)), show(lambda: csv.reader([],quotechar=None).dialect.quoting))
print(type(csv.get_dialect("excel")), csv.excel, type(csv.reader([]).dialect), show(lambda: csv.register_dialect(5)), show(lambda:csv.get_dialect("zz")), show(lambda:csv.unregister_dialect("zz")))
d=csv.get_dialect("excel"); print(show(lambda: setattr(d,"delimiter","x")))
print(show(lambda: csv.field_size_limit("x")), show(lambda: csv.field_size_limit(1.5)),csv.Error.__module__, csv.__version__)
class D(csv.Dialect): pass
print(show(D))
class D(csv.Dialect): delimiter="ab"; quotechar='"'; lineterminator="\n"; quoting=0
print(show(D))
class D(csv.Dialect): delimiter=","; quotechar='"'; lineterminator="\n"; quoting=7
print(show(D), show(lambda:csv.reader([],dialect=D)))
class D: delimiter="|"
print(show(lambda:next(csv.reader(["a|b"],dialect=D))))
print(csv.field_size_limit(5), show(lambda: list(csv.reader(["abcde,fghijk"]))), show(lambda: list(csv.reader(["éééée,é"]))), csv.field_size_limit())
csv.field_size_limit(131072)
print(show(lambda: list(csv.reader([b"a"]))), show(lambda: list(csv.reader([5]))))
f = io.StringIO(); w = csv.DictWriter(f, ["a", "b"], restval="-"); w.writeheader(); w.writerows([{"a": 1}, {"b": 2, "a": 3}]); print(repr(f.getvalue()), show(lambda: w.writerow({"c": 1})), show(lambda: csv.DictWriter(f, ["a"], extrasaction="x")))
f.seek(0); r = csv.DictReader(f); print(list(r), r.fieldnames, r.line_num)
r = csv.DictReader(io.StringIO("a,b\n1\n1,2,3\n\n4,5\n"), restkey="more", restval=0); print(list(r))
print(show(lambda: csv.writer(f).writerow(5)), show(lambda: csv.writer(f).writerows(5)), csv.list_dialects())
csv.register_dialect("mine", delimiter="|"); print(list(csv.reader(["a|b"], "mine")), csv.writer(f, "mine").dialect.delimiter)
