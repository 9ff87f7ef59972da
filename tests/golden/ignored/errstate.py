# cmd: run {}
# status: 0
import numpy as np

with np.errstate(divide="ignore", invalid="warn"):
    print(np.float32(1) / np.float32(0))
with np.errstate(divide="raise"):  # has no effect, and says so
    print(np.float32(1) / np.float32(0))
with np.errstate(call=print):  # so does this
    pass
