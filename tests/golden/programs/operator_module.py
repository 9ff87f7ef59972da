# operator: functions of all operators, getters, callers, in place ones, index, length_hint.
import operator as op

print(op.add(1, 2), op.sub(5, 3), op.mul("a", 3), op.truediv(1, 4), op.floordiv(-7, 2), op.mod(-7, 3), op.pow(2, 8), op.neg(3), op.pos(-3), op.invert(5), op.and_(6, 3), op.or_(6, 1), op.xor(6, 3), op.lshift(1, 4), op.rshift(16, 2), op.abs(-4), op.not_(0), op.truth([]))
print(op.lt(1, 2), op.le(2, 2), op.eq("a", "a"), op.ne(1, 2), op.gt(3, 2), op.ge(2, 3), op.is_(None, None), op.is_not(1, None), op.contains([1, 2], 2), op.countOf([1, 2, 1], 1), op.indexOf([5, 6], 6), op.concat([1], [2]), op.index(True), op.length_hint(iter([1, 2, 3])))
rows = [{"n": "b", "v": 2}, {"n": "a", "v": 2}, {"n": "c", "v": 1}]
print(sorted(rows, key=op.itemgetter("v", "n")), list(map(op.itemgetter("n"), rows)), op.itemgetter(1, -1)("abc"), op.itemgetter(slice(1, None))("abc"))
class P:
    def __init__(self, x): self.x, self.in_ = x, self
    def go(self, a, k=0): return (self.x, a, k)
print(op.attrgetter("x")(P(3)), op.attrgetter("in_.in_.x", "x")(P(4)), op.methodcaller("go", 1, k=2)(P(5)), op.methodcaller("upper")("abc"))
a = [1]
b = op.iadd(a, [2])
print(a is b, a, op.imul([0], 3), op.setitem(a, 0, 9), a, op.getitem(a, 1), op.delitem(a, 0), a, op.__add__(1, 1), op.matmul.__name__)
for bad in (lambda: op.attrgetter(1), lambda: op.itemgetter(5)([1]), lambda: op.attrgetter("zz")(P(1)), lambda: op.indexOf([1], 2), lambda: op.index(1.5), lambda: op.add(1, "a")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
