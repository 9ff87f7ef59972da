# Checksums and compression.
import zlib
d = b"hello " * 100
print(zlib.adler32(b"abc"), zlib.crc32(b"abc"), zlib.crc32(b"c", zlib.crc32(b"ab")), zlib.adler32(b""), zlib.crc32(b""))
print(zlib.decompress(zlib.compress(d)) == d, zlib.decompress(zlib.compress(d, level=1), 15) == d, len(zlib.compress(d)) < 50)
for bad in (b"nonsense", zlib.compress(d)[:10], b""):
    try: zlib.decompress(bad)
    except Exception as e: print("refused")
