# Integer types in use: quantization, packing of nibbles, bits, checksums, saturating casts, prefix sums of groups.
import numpy as np
x = np.linspace(-1, 1, 9, dtype=np.float32)
scale = np.abs(x).max() / 127
qx = np.clip(np.round(x / scale), -128, 127).astype(np.int8)
print(qx, (qx * scale).round(3), np.abs(x - qx * scale).max() < scale, qx.dtype)
lo, hi = np.arange(8, dtype=np.uint8) & 0xF, (np.arange(8, dtype=np.uint8) * 3) & 0xF
packed = lo | (hi << 4)
print(packed, packed & 0xF, packed >> 4, np.array_equal(packed >> 4, hi), np.packbits([1, 0, 1, 1, 0, 0, 0, 1]), np.unpackbits(np.array([177], np.uint8)), np.bitwise_xor.reduce(packed), (packed.astype(np.uint32) * 2654435761) % 16)
sizes = np.array([3, 0, 2, 4]); offs = np.concatenate([[0], np.cumsum(sizes)])
print(offs, np.repeat(np.arange(4), sizes), np.add.reduceat(np.arange(9), offs[:-1][sizes > 0]), np.searchsorted(offs, np.arange(9), side="right") - 1, np.bincount([0, 2, 2], minlength=4), -(-10 // 4), np.int32(-7) >> 1, np.uint32(2**31) >> np.uint32(31), (np.int8(-128) * np.int8(1)), np.array([200], np.uint8).view(np.int8))
print(np.frombuffer(np.float32(1.5).tobytes(), np.uint32) >> 16, np.array([1.5, -2.25], np.float32).view(np.uint32) & 0xFFFF0000, np.iinfo(np.int8).max, np.finfo(np.float16).max, np.float32(3.14159).astype(np.float16), np.array([70000.0]).astype(np.int64) % 256, np.left_shift(1, np.arange(5)), np.gcd.reduce([12, 18]), np.cumprod([1, 2, 3])[::-1])
