# Dialects that are guessed, and reprs that are cut.
import csv, io
S = csv.Sniffer()
def show(s, **k):
    try:
        d = S.sniff(s, **k)
        print(repr(d.delimiter), repr(d.quotechar), d.doublequote, d.skipinitialspace, repr(d.lineterminator), d.quoting, issubclass(d, csv.Dialect))
        print(list(csv.reader(io.StringIO(s), d))[:3])
    except csv.Error as e: print("Error", e)
A = "a,b,c\n1,2,3\n4,5,6\n"
for t in [A, A.replace(",", ";"), A.replace(",", "\t"), A.replace(",", "|"), A.replace(",", ", "), "name: age: city\nbob: 3: x\namy: 4: y\n",
          '"a","b","c"\n"1","x, y","3"\n', "'a';'b;c';'d'\n'1';'2';'3'\n", 'id,name\n1,"x ""q"" y"\n2,"z"\n', "x y z\n1 2 3\n4 5 6\n", "abc\ndef\n", "", "time,value\n10:30,1.5\n11:45,2.5\n12:00,3.5\n",
          "a,b;c\n1,2;3\n4,5;6\n", "a\n1\n2\n", "date;x;y\n2024-01-01;1,5;2,5\n2024-01-02;3,5;4,5\n"]:
    show(t)
show(A, delimiters=";|"); show("a|b\n1|2\n3|4\n", delimiters="|,")
for t in [A, "1,2,3\n4,5,6\n7,8,9\n", "name,n\nbob,3\namy,4\ntim,5\n", "aa,bb\ncc,dd\nee,ff\n", "long name,v\nabc,x\nabd,y\n"]: print(S.has_header(t))
print(csv.list_dialects() if hasattr(csv,'list_dialects') else '')
import reprlib
print(reprlib.repr(list(range(20))), reprlib.repr("x" * 100), reprlib.repr({i: i for i in range(9)}), reprlib.repr(set("abcdefghij")), reprlib.repr([[[[[[[[1]]]]]]]]), reprlib.repr((1,)), reprlib.repr(10 ** 60), reprlib.repr(frozenset()), reprlib.repr({}))
r = reprlib.Repr(); r.maxlist = 2; r.maxstring = 10; print(r.repr([1, 2, "abcdefghijklmnop"]), r.repr("abcdefghijklmnop"))
class N:
    def __init__(s): s.k = [s]
    @reprlib.recursive_repr()
    def __repr__(s): return f"N({s.k})"
print(N()); from collections import deque; print(reprlib.repr(deque(range(10))))
