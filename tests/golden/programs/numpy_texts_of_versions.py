# Texts of numbers as NumPy before 2 gave them, and of arrays of texts with options.
import warnings
import numpy as np

CASES = r'''
np.set_printoptions(legacy="1.25");; r=repr([np.float64(1.1),np.float32(1.1),np.int8(3),np.bool_(True),np.complex64(1+2j),np.str_("a"),np.bytes_(b"b"),np.array([1.5]),np.arange(3)]);; np.set_printoptions(legacy=False);; (r, repr(np.float64(1.1)))
p=np.printoptions(legacy="1.21");; p.__enter__();; r=(repr(np.float64(2)), np.get_printoptions()["legacy"], str(np.array([1+2j])));; p.__exit__(None,None,None);; (r, np.get_printoptions()["legacy"])
p=np.printoptions(legacy="2.1",precision=3);; p.__enter__();; r=(repr(np.float64(1/3)), repr(np.array([1/3])));; p.__exit__(None,None,None);; r
np.array2string(np.array([1.5,2]),legacy="1.25")
np.array2string(np.array(["a","bc"]), separator=", ")
np.array2string(np.array(["a","bc"]), max_line_width=8)
np.array2string(np.array(list("abcdefgh")), threshold=3, edgeitems=1)
np.array2string(np.array([1,None],object), separator=",")
'''


def shown(x):
    if isinstance(x, np.ndarray):
        return f"{x.dtype} {x.shape} {x.tolist()}"
    if isinstance(x, (tuple, list)):
        return f"{type(x).__name__} of {', '.join(map(shown, x))}"
    return f"{type(x).__name__} {x!r}"


for case in CASES.strip().splitlines():
    *before, last = case.split(';; ')
    names = {'np': np}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter('always')
        try:
            for statement in before:
                exec(statement, names)
            result = shown(eval(last, names))
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
    print(case, '->', result, *[f"{w.category.__name__}: {w.message}" for w in seen])
