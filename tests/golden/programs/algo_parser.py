# A tokenizer, a recursive-descent parser and an evaluator of expressions.
import re
def tokens(s):
    for m in re.finditer(r"\s*(?:(\d+\.?\d*)|(.))", s):
        yield float(m[1]) if m[1] else m[2]
class Parser:
    def __init__(self, s): self.t = list(tokens(s)); self.i = 0
    def peek(self): return self.t[self.i] if self.i < len(self.t) else None
    def take(self): self.i += 1; return self.t[self.i - 1]
    def expr(self):
        v = self.term()
        while self.peek() in ("+", "-"): v = (self.take(), v, self.term())
        return v
    def term(self):
        v = self.factor()
        while self.peek() in ("*", "/"): v = (self.take(), v, self.factor())
        return v
    def factor(self):
        t = self.take()
        if t == "(":
            v = self.expr()
            if self.peek() != ")": raise SyntaxError("expected )")
            self.take()
            return v
        if t == "-": return ("neg", self.factor())
        if not isinstance(t, float): raise SyntaxError(f"unexpected {t!r}")
        return t
def ev(n):
    match n:
        case float(): return n
        case ("neg", x): return -ev(x)
        case (op, a, b): return {"+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": float.__truediv__}[op](ev(a), ev(b))
for s in ("1 + 2*3", "(1+2)*3", "-(4 - 6) / 4", "2*(3", "1 + *", "1/0"):
    try:
        tree = Parser(s).expr()
        print(tree, ev(tree))
    except (SyntaxError, ZeroDivisionError) as e:
        print(type(e).__name__, e)
