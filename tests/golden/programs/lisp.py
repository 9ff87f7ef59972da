import math, operator as op, re, sys
class Sym(str): __slots__ = ()
class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__(zip(params, args)); self.outer = outer
        if len(params) != len(args): raise TypeError(f'expected {len(params)} args, got {len(args)}')
    def find(self, k):
        e = self
        while e is not None:
            if k in e: return e
            e = e.outer
        raise NameError(f'unbound {k}')
def read(s):
    toks = re.findall(r'\(|\)|"[^"]*"|\'|[^\s()\']+', s); 
    def one(i):
        t = toks[i]
        if t == '(':
            out, i = [], i + 1
            while toks[i] != ')': v, i = one(i); out.append(v)
            return out, i + 1
        if t == "'": v, i = one(i + 1); return [Sym('quote'), v], i
        if t == ')': raise SyntaxError('unexpected )')
        if t[0] == '"': return t[1:-1], i + 1
        for f in (int, float):
            try: return f(t), i + 1
            except ValueError: pass
        return Sym(t), i + 1
    out, i = [], 0
    while i < len(toks): v, i = one(i); out.append(v)
    return out
G = Env(); G.update({k: getattr(op, v) for k, v in {'+': 'add', '-': 'sub', '*': 'mul', '/': 'truediv', '<': 'lt', '=': 'eq', '>': 'gt'}.items()}); G.update(car=lambda x: x[0], cdr=lambda x: x[1:], cons=lambda a, b: [a] + b, list=lambda *a: list(a), null=lambda x: not x, sqrt=math.sqrt, display=print)
def ev(x, env=G):
    while True:
        match x:
            case Sym(): return env.find(x)[x]
            case int() | float() | str() | bool(): return x
            case [Sym('quote'), v]: return v
            case [Sym('if'), c, a, *b]: x = a if ev(c, env) else (b[0] if b else None); 
            case [Sym('define'), [f, *ps], body]: env[f] = ev([Sym('lambda'), ps, body], env); return f
            case [Sym('define'), k, v]: env[k] = ev(v, env); return k
            case [Sym('lambda'), ps, body]: return (lambda ps, body, env: lambda *a: ev(body, Env(ps, a, env)))(ps, body, env)
            case [Sym('let'), binds, body]: x, env = body, Env([b[0] for b in binds], [ev(b[1], env) for b in binds], env)
            case [f, *args]: return ev(f, env)(*[ev(a, env) for a in args])
            case None | []: return x
def show(v): return '(' + ' '.join(map(show, v)) + ')' if isinstance(v, list) else 'nil' if v is None else str(v)
prog = '''(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (fact 20) (define (map f l) (if (null l) '() (cons (f (car l)) (map f (cdr l)))))
(map (lambda (x) (* x x)) '(1 2 3)) (let ((a 3) (b 4)) (sqrt (+ (* a a) (* b b)))) (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))) (fib 15) '(a (b "c") 1.5) (display "hi") (if (= 1 2) 3)'''
for e in read(prog): print(show(ev(e)))
for bad in ['(foo 1)', '((lambda (x) x))', '(+ 1 "a")', ')', '(car 5)', '(/ 1 0)', '(']:
    try: print([show(ev(e)) for e in read(bad)])
    except Exception as e: print(bad, type(e).__name__, e)
