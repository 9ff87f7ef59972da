# own: files of a program that is compiled
# A program that is compiled reads files, and writes none.
from jax.numpy import float32 as f32

length = len(open("files_compiled.py").readline())
try:
    open("files_compiled.txt", "w")
except PermissionError as error:
    print(error)


def scale(x: f32[length]):
    return x * length


open("files_compiled.txt", "w")
