# SPDX-License-Identifier: Apache-2.0
# cmd: run {}
# No number equals None: element by element, on either side.
import numpy as np

a = np.arange(3)
print(a == None, None == a, a != None, None != a, a == ..., "x" != a)
print(np.array(1.0) == None, None != np.float32(2), np.zeros((2, 0)) == None, None in a, (a[:, None] != None).shape)
