# cmd: run {}
# status: 1
import numpy as np

print(np.ones((8, 128)).dtyp)
