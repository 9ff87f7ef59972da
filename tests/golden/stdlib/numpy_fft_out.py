# What transforms refuse to write to, and axes that are no axes.
import numpy as np


def tried(call):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)


x = np.arange(4.0)
for transform in (np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.ihfft):
    shape = transform(x).shape
    for dtype in (np.int32, bool, np.float16, np.float64, np.complex64, np.complex128):
        tried(lambda: (transform.__name__, transform(x, out=np.zeros(shape, dtype))))
tried(lambda: np.fft.rfft(np.arange(5.0), out=np.zeros(3)))
tried(lambda: np.fft.fft2(np.ones((2, 2)), out=np.zeros((2, 2), int)))
fixed = np.zeros(4, complex)
fixed.flags.writeable = False
tried(lambda: np.fft.fft(x, out=fixed))
tried(lambda: np.fft.fft2(np.ones((2, 2)), out=np.broadcast_to(np.zeros((), complex), (2, 2))))
tried(lambda: np.fft.fft(x, out=5))
tried(lambda: np.fft.fft(x, out=np.zeros(3, complex)))
given = np.zeros((2, 2), complex)
for one in (np.fft.fft2, np.fft.ifftn):
    print(one(np.arange(4.0).reshape(2, 2), out=given) is given, given)
print(np.fft.fft(x, out=(fixed.copy(),)), np.fft.rfftn(x, out=given[0, :1].repeat(3)))
for axis in (None, 0.0, "x"):
    for transform in (np.fft.fft, np.fft.rfft, np.fft.irfft):
        try:
            transform(x, axis=axis)
        except TypeError:
            print("TypeError")
