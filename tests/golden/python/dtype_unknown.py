# cmd: run {}
# own: what is not supported says so, and what NumPy does not know is not understood
import numpy as np

for name in ['strange', 'objective', 'M8[D]', 'datetime64[ns]', 'void8', 'Ufo', '>f4', 'voids']:
    try:
        print(name, np.dtype(name))
    except (TypeError, NotImplementedError) as error:
        print(type(error).__name__, error)
