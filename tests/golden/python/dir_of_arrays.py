# dir() has what the C code of a type gives, too; and the keywords that are constants.
import builtins

import numpy as np

for value, names in ((np.ones((2, 2)), "shape dtype ndim size T real imag strides flat"), (np.dtype("float32"), "name kind itemsize char"),
                     (builtins, "True False None Ellipsis")):
    print([name for name in names.split() if name not in dir(value)], [name for name in dir(value) if not hasattr(value, name)])
