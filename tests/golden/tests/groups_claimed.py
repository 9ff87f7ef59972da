# cmd: run {}
# pytest.RaisesGroup and pytest.RaisesExc: what they take, and what they say of what they do not.
import pytest
def t(f):
    try: f(); print("ok")
    except BaseException as e: print(type(e).__name__, "|", str(e).split(" at 0x")[0])
RG,RE=pytest.RaisesGroup,pytest.RaisesExc
def run(c,e):
    def f():
        with c:
            if e: raise e
    return f
G=ExceptionGroup
cases=[(RG(ValueError),G("g",[TypeError("b")])),(RG(ValueError),None),(RG(ValueError),ValueError("x")),(RG(ValueError,TypeError),G("g",[ValueError("a")])),
(RG(ValueError),G("g",[ValueError("a"),ValueError("b")])),(RG(ValueError,match="z"),G("g",[ValueError("a")])),(RG(RE(ValueError,match="z")),G("g",[ValueError("a")])),
(RG(ValueError),G("g",[G("h",[ValueError("a")])])),(RG(RG(ValueError)),G("g",[ValueError("a")])),(RG(ValueError,check=lambda e:False),G("g",[ValueError("a")])),
(RG(ValueError,allow_unwrapped=True),TypeError("q")),(RG(ValueError,TypeError),G("g",[TypeError("a"),KeyError("b")])),(RE(ValueError,match="z"),ValueError("q")),(RE(ValueError),TypeError("q")),(RE(match="z"),ValueError("q")),(RE(ValueError),None),(RE(check=lambda e:False),ValueError(1)),
(RG(ValueError,TypeError),G("g",[TypeError("b"),ValueError("a")])),(RG(Exception,ValueError),G("g",[ValueError("b"),TypeError("a")])),(RG(ValueError,match="^g$"),G("g",[ValueError("a")])),(RG(ValueError,flatten_subgroups=True),G("g",[G("h",[ValueError("a")])])),(RG(ValueError,allow_unwrapped=True),ValueError("q"))]
for c,e in cases: t(run(c,e))
for f in [lambda:RG(),lambda:RG(3),lambda:RE(),lambda:RE(3)]: t(f)
with RG(ValueError) as info: raise G("a", [ValueError("b")])
print(info.value, info.type)
