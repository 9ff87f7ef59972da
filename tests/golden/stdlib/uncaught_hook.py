# status: 1
# sys.excepthook is called with what nobody has caught.
import sys

print(sys.excepthook is sys.__excepthook__)


def hook(kind, value, traceback):
    print("hook:", kind.__name__, value, traceback.tb_lineno, traceback.tb_next.tb_frame.f_code.co_name)


sys.excepthook = hook


def fails():
    raise KeyError("x")


fails()
