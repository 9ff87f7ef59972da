# cmd: run --color=never {}
# status: 0
import warnings
warnings.warn("hey")
print("done")
