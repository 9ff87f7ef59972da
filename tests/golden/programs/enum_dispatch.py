# Enums as keys, in match, with methods that differ per member, in dataclasses, sorted, as JSON.
import enum, json
from dataclasses import dataclass, field
class Op(enum.Enum):
    ADD = "+"; SUB = "-"; MUL = "*"
    def apply(self, a, b):
        match self:
            case Op.ADD: return a + b
            case Op.SUB: return a - b
            case Op.MUL: return a * b
    @classmethod
    def of(cls, s): return next(m for m in cls if m.value == s)
    def __lt__(self, o): return self.name < o.name
@enum.unique
class Pri(enum.IntEnum):
    LOW = enum.auto(); MID = enum.auto(); HIGH = 10
@dataclass(order=True)
class Job:
    pri: Pri
    op: Op = field(compare=False, default=Op.ADD)
jobs = [Job(Pri.HIGH, Op.MUL), Job(Pri.LOW), Job(Pri.MID, Op.of("-"))]
print([j.op.apply(6, 3) for j in sorted(jobs)], max(jobs), {o: o.name.lower() for o in Op}, sorted(Op), json.dumps({"p": Pri.MID, "n": [m.name for m in Pri]}), Pri.HIGH > 5, Pri["LOW"] + 1, f"{Pri.LOW} {Pri.LOW!r} {Op.ADD}", list(Pri), Pri(10).name, Op("+") is Op.ADD, len(Op), Op.ADD in {Op.ADD: 1})
class Flags(enum.Flag):
    A = enum.auto(); B = enum.auto(); C = A | B
print(Flags.A | Flags.B == Flags.C, Flags.C & Flags.A, Flags.A in Flags.C, [f.name for f in Flags], Flags(0), ~Flags.A, Flags.C.value, bool(Flags(0)))
