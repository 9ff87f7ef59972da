# What surrounds the arithmetic of decimal: texts, tuples, floats and Fractions, operators, formats, contexts; a digest of the results of each kind.
import copy
import itertools
import math
import operator
import pickle
import zlib
from decimal import *
from fractions import Fraction

digests = {}


def t(label, f):
    getcontext().clear_flags()
    try:
        r = repr(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e} {[b.__name__ for b in type(e).__mro__][:-1]}"
    line = f"{label} = {r} {[s.__name__ for s, b in getcontext().flags.items() if b]}"
    kind = label if isinstance(label, str) else str(label[0])
    crc, count = digests.get(kind, (0, 0))
    digests[kind] = zlib.crc32(line.encode(), crc), count + 1


texts = ["1","+1","-1","","  1  ","1_000","_1","1__0_","1e5","1E+5","1e-5",".5","5.","." ,"e5","1e","1e+","inf","-Inf","iNfinity","infin","nan","NaN12","snan","sNaN007","nan1x","+nan","--1","1 2","0x10","1.2.3","١٢٣.٤","１２","\u20031\u2003","1e999999999999999999","1e9999999999999999999","1e-1999999999999999997","1e-1999999999999999998","0e99999999999999999999","0e-99999999999999999999","9"*50,"1"*30+"e-10","\n1\n","1\0","é"]
for s in texts:
    t(("Decimal", s), lambda: Decimal(s))
    t(("create", s), lambda: getcontext().create_decimal(s))
for v in [0,1,-1,2**70,-2**200,True,1.5,-0.0,0.1,1e300,5e-324,float("inf"),float("-nan"),float("nan"),(0,(1,2,3),-2),[1,[1],0],(1,(1,2),'F'),(0,(),'n'),(0,(1,2),'N'),(0,(0,0,1,2),3),(0,(),0),(2,(1,),0),(0,(10,),0),(0,(1,),'x'),(0,(1,),1.5),(0,1,2),(0,[1,2],0),(1,),"abc",None,1j,b"1",Fraction(1,2),object,{},(0,('1',),0)]:
    if v is object: continue
    t(("Decimal", v), lambda: Decimal(v))
    t(("create", v), lambda: getcontext().create_decimal(v))
    t(("from_float", v), lambda: Decimal.from_float(v))
    t(("create_from_float", v), lambda: getcontext().create_decimal_from_float(v))
D = [Decimal(s) for s in ["0","-0","1","-1.5","2.5","3.7","1E+3","1E-3","123456789.123456789","1e400","NaN","-sNaN3","Infinity","-Infinity","0E+3","0E-3","99999","1234567.891","0.00001234","12345678901234567890.5", "-0.5"]]
for d in D:
    for name in "adjusted as_tuple as_integer_ratio is_finite conjugate canonical radix __int__ __float__ __complex__ __floor__ __ceil__ __trunc__ __round__ __bool__ __copy__ __reduce__ __hash__ __abs__ __neg__ __pos__ is_qnan is_snan is_infinite is_canonical exp ln log10 sqrt logb normalize to_integral to_integral_value to_integral_exact next_plus next_minus to_eng_string number_class".split():
        if name == "__hash__" and d.is_nan(): 
            if d.is_qnan(): continue
        t((name, d), lambda: getattr(d, name)())
    for n in (-3,-1,0,1,3,30,None,"x"):
        t(("round", d, n), lambda: round(d, n))
    t(("real", d), lambda: (d.real, d.imag))
    t(("pickle", d), lambda: pickle.loads(pickle.dumps(d)))
    t(("copy", d), lambda: (copy.copy(d) is d, copy.deepcopy(d) is d))
    t(("math", d), lambda: (math.floor(d), math.ceil(d), math.trunc(d)))
    t(("mathsqrt", d), lambda: math.sqrt(d))
    t(("str", d), lambda: (str(d), f"{d}", "%s" % d))
    t(("percent f", d), lambda: "%.3f" % d)
BIG = 10**30
others = D + [0,1,-1,2,BIG,True,1.5,-1.5,0.1,float("nan"),float("inf"),Fraction(5,2),Fraction(-3,2),Fraction(1,3),2.5+0j,1j,"1",None,(1,)]
for op in ["lt","le","gt","ge","eq","ne","add","sub","mul","truediv","floordiv","mod","pow","divmod"]:
    f = getattr(operator, op) if op != "divmod" else divmod
    for a in D[::1]:
        for b in others:
            if b is BIG and op == "pow": continue
            t((op, a, b), lambda: f(a, b))
            if not isinstance(b, Decimal):
                t((op, b, a), lambda: f(b, a))
specs = ["", "f",".2f",".0f","e",".3e",".0e","E","g",".3g",".0g","G","n",".5n","%",".1%","+","+.2f"," .1f","-","10","<10",">10","^10","=10","*^12.2f","010","015.3f","010e",",",",.2f","020,.2f","015,",",g",",e","z.1f","+z.0f","é>12","x","#f","_","..2",".","5.","<<10","10d","08.1%","0<10","=+10","+,.1f","c",".2s","1000"," ","--", "z","zf","0z", ",n", "12,.3e", "012,.3e","5f","0=12","=012",".30f",".10000f"[:0]+".100f","0,"]
for d in D:
    for s in specs:
        t(("format", d, s), lambda: format(d, s))
        if s in ("E", "g", ".3e"):
            with localcontext() as c:
                c.capitals = 0; c.rounding = ROUND_UP
                t(("format2", d, s), lambda: format(d, s))
for a, b in itertools.product(D, D):
    for name in "compare compare_signal compare_total compare_total_mag copy_sign same_quantum max min max_mag min_mag next_toward quantize remainder_near rotate scaleb shift logical_and".split():
        t((name, a, b), lambda: getattr(a, name)(b))
for r in [ROUND_UP,ROUND_DOWN,ROUND_CEILING,ROUND_FLOOR,ROUND_HALF_UP,ROUND_HALF_DOWN,ROUND_HALF_EVEN,ROUND_05UP,"x",1]:
    for v in ["1.25","-1.25","1.35","-1.35","1.30","1.21","-1.29","1.05","1.55"]:
        t((r, v), lambda: Decimal(v).quantize(Decimal("0.1"), rounding=r))
        t((r, v), lambda: Decimal(v).quantize(Decimal("0.1"), r, Context(prec=5)))
        t((r, v), lambda: Decimal(v).to_integral_value(rounding=r))
        t((r, v), lambda: Decimal(v).to_integral_exact(rounding=r))
# contexts
t("ctx", lambda: getcontext())
t("ctx2", lambda: (DefaultContext, ExtendedContext))
t("ctx3", lambda: Context(prec=0)); t("c", lambda: Context(prec="x")); t("c", lambda: Context(Emin=1)); t("c", lambda: Context(Emax=-1)); t("c", lambda: Context(rounding="up")); t("c", lambda: Context(capitals=2)); t("c", lambda: Context(clamp=2)); t("c", lambda: Context(traps=[1])); t("c", lambda: Context(traps=3)); t("c", lambda: Context(flags=[Inexact]))
c = Context(prec=5, traps=[Inexact, Rounded])
t("div", lambda: c.divide(1, 3)); t("flags", lambda: c.flags); t("traps", lambda: c.traps); t("copy", lambda: c.copy())
t("pick", lambda: pickle.loads(pickle.dumps(c))); t("eq", lambda: c.flags == c.copy().flags); t("getflag", lambda: (c.flags[Inexact], c.flags[Overflow])); t("badflag", lambda: c.flags[ValueError]); t("del", lambda: c.flags.__delitem__(Inexact))
def setf(name, v):
    setattr(c, name, v); return c
t("s", lambda: setf("prec", 7)); t("s", lambda: setf("prec", -1)); t("s", lambda: setf("prec", 1.5)); t("s", lambda: setf("Emax", 10**18)); t("s", lambda: setf("Emin", -10)); t("s", lambda: setf("rounding", ROUND_UP)); t("s", lambda: setf("clamp", 1)); t("s", lambda: setf("capitals", 0)); t("s", lambda: setf("foo", 0)); t("s", lambda: setf("flags", [])); t("s", lambda: setf("traps", 5))
t("d", lambda: delattr(c, "prec"))
t("len", lambda: (len(c.flags), list(c.traps), Inexact in c.flags))
t("etiny", lambda: (c.Etiny(), c.Etop()))
t("clear", lambda: (c.clear_flags(), c.clear_traps(), c))
def lc(**kw):
    with localcontext(**kw) as x:
        return (x.prec, Decimal(1)/3, x.rounding, getcontext() is x)
t("lc", lambda: lc()); t("lc", lambda: lc(prec=5)); t("lc", lambda: lc(ctx=BasicContext)); t("lc", lambda: lc(prec=6, rounding=ROUND_UP)); t("lc", lambda: lc(bad=1)); t("lc", lambda: lc(prec="x")); t("lc", lambda: localcontext(3)); t("after", lambda: getcontext().prec)
t("setc", lambda: setcontext(3)); t("setc", lambda: (setcontext(ExtendedContext), getcontext() is ExtendedContext, getcontext())); t("div", lambda: Decimal(1)/0); t("setc", lambda: (setcontext(Context()), getcontext()))
for name in "add subtract multiply divide compare power max".split():
    for a, b in [(1, 2), ("1", 2), (1.5, 2), (None, 1), (Decimal(2), 3), (True, 5)]:
        t((name, a, b), lambda: getattr(getcontext(), name)(a, b))
t("kw", lambda: getcontext().power(2, 5, modulo=7)); t("pow3", lambda: pow(Decimal(3), 5, 7)); t("x", lambda: Decimal(1).exp(context=3)); t("x", lambda: Decimal(1).exp(Context(prec=50)))
class S(Decimal):
    def hi(self): return "hi"
s = S("1.5")
t("sub", lambda: (s, type(s), s + 1, type(s + 1), s.hi(), s == Decimal("1.5"), hash(s) == hash(Decimal("1.5")), str(s)))
t("sub", lambda: (type(S(s)), type(Decimal(s)), type(S.from_float(0.5)), S.from_float(0.5), type(copy.copy(s))))
class SC(Context):
    pass
t("sc", lambda: (SC(prec=4).prec, type(SC(prec=4).copy())))
t("attr", lambda: setattr(Decimal(1), "x", 3)); t("attr", lambda: Decimal(1).foo)
t("sum", lambda: (sum([Decimal("0.1")]*10), max(Decimal(1), 2), sorted([Decimal(3), 1, Decimal("2.5")]), Decimal(1) in [1], {Decimal(1): 2}[1]))
t("hash", lambda: [hash(Decimal(x)) == hash(y) for x, y in [("1",1),("1.5",1.5),("-3",-3),("1e20",10**20),("inf",float("inf")),("-inf",float("-inf")),("0.1",Fraction(1,10)),("-0.25",-0.25),("1e-400",Fraction(1,10**400))]])
t("hash", lambda: (hash(Decimal("1e999999")), hash(Decimal("-1e-999999")), hash(Decimal(-1))))
t("consts", lambda: (MAX_PREC, MAX_EMAX, MIN_EMIN, MIN_ETINY, HAVE_THREADS, HAVE_CONTEXTVAR))
for e in "1e999999999 1e-999999999 -1e999999999 1.5e999999999999999999 1e-999999999999999999".split():
    d = Decimal(e)
    for op in "add sub mul truediv floordiv mod lt eq".split():
        for o in (1, Decimal("2.5"), Decimal("1e999999999"), -7):
            t((op, e, o), lambda: getattr(operator, op)(d, o))
            t((op, o, e), lambda: getattr(operator, op)(o, d))
    for name in "sqrt exp ln log10 normalize to_integral_value adjusted next_plus __bool__ __str__ __hash__ __float__".split():
        t((name, e), lambda: getattr(d, name)())
    t(("pow", e), lambda: d ** 2); t(("pow", e), lambda: Decimal(2) ** d); t(("fmt", e), lambda: f"{d:.3e}"); t(("q", e), lambda: d.quantize(Decimal(1)))
for kind, (crc, count) in digests.items():
    print(f"{kind} {count}: {crc:08x}")
