# json: drawn values with indent=, sort_keys=, separators= and what cannot be written.
import json
import random

rng = random.Random(2)
def show(f):
    try: return repr(f())
    except Exception as e: return type(e).__name__ + ": " + str(e)
class O: pass
class E(json.JSONEncoder):
    def default(self, o): return {"o": 1}
def val(d=0):
    k = rng.randrange(14 if d < 4 else 9)
    if k < 9: return rng.choice([None, True, False, 1, -5, 10**30, 1.5, float("nan"), float("inf"), "a", "é\n\"", "日😀", "", 0.1, 1e100, O()] if rng.random() < .1 else [None, True, 1, 2.5, "x", "é", ""])
    if k < 11: return [val(d + 1) for _ in range(rng.randrange(4))]
    if k == 11: return tuple(val(d + 1) for _ in range(rng.randrange(3)))
    return {rng.choice(["a", "b", "é", "z", "B", "", "日", "aa"] if rng.random() < .9 else [1, None, True, 2.5]): val(d + 1) for _ in range(rng.randrange(5))}
for i in range(200):
    v = val(); kw = {}
    if rng.random() < .6: kw["indent"] = rng.choice([None, 0, 1, 2, 4, "\t", "--", "", -1, True])
    if rng.random() < .4: kw["sort_keys"] = rng.choice([True, False])
    if rng.random() < .3: kw["ensure_ascii"] = rng.choice([True, False])
    if rng.random() < .2: kw["separators"] = rng.choice([(",", ":"), (", ", ": "), ("; ", "=")])
    if rng.random() < .2: kw["cls"] = E
    if rng.random() < .1: kw["allow_nan"] = False
    print(i, show(lambda: json.dumps(v, **kw)))
a = []; a.append(a); print(show(lambda: json.dumps(a, indent=2)))
