# Transforms of one number that stands everywhere, and numbers that float32 rounds.
import numpy as np

x = np.broadcast_to(np.float64(3), (8,))
for f in (np.fft.rfft, np.fft.ihfft, np.fft.fft):
    print(f(x).round(6) + 0)
print(np.fft.rfft2(np.broadcast_to(np.float64(3), (4, 8)))[0].round(6) + 0, np.fft.rfft(np.broadcast_to(np.arange(3.0)[:, None], (3, 4))).round(6) + 0)
print(np.float32(0) + (2**60 + 2**36 + 1))
