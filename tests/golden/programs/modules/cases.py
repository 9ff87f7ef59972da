# Cases of NumPy, a line each: statements, an expression behind the last ';; ', and what comes of it.
import warnings

import numpy as np


def shown(x):
    if isinstance(x, np.ndarray):
        return f"{x.dtype} {x.shape} {x.tolist()}"
    if isinstance(x, (tuple, list)):
        return f"{type(x).__name__} of {', '.join(map(shown, x))}"
    return f"{type(x).__name__} {x!r}"


def tell(cases):
    for case in cases.strip().splitlines():
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
