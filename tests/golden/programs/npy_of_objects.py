# own: NumPy writes them
import io

import numpy as np

for save in (np.save, np.savez):
    try:
        save(io.BytesIO(), np.array([None, 3], dtype=object))
    except NotImplementedError as e:
        print(e)
