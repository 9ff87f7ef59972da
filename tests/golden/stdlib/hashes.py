# hashlib: digests of texts around the block size, in pieces; int.from_bytes of one.
import hashlib

for text in ("", "abc", "a" * 55, "b" * 56, "c" * 64, "The quick brown fox jumps over the lazy dog " * 5):
    print(hashlib.md5(text.encode()).hexdigest(), hashlib.sha256(text.encode()).hexdigest())
h = hashlib.new("sha256", b"ab")
h.update(b"c")
print(h.name, h.digest_size, h.hexdigest() == hashlib.sha256(b"abc").hexdigest(), len(h.copy().digest()))
print(int.from_bytes(hashlib.md5(b"key").digest(), byteorder="big"))
try:
    hashlib.md5("text")
except TypeError as error:
    print(error)

for name in sorted(hashlib.algorithms_guaranteed - {"blake2b", "blake2s", "shake_128", "shake_256"}):
    one = hashlib.new(name, b"a" * 1000)
    other = one.copy()
    other.update(memoryview(b"b"))
    print(name, one.hexdigest()[:16], other.hexdigest()[:16], one.digest_size, one.block_size, getattr(hashlib, name)(b"").hexdigest()[:16])
import hmac
import io
print(hmac.new(b"key", b"message", "sha256").hexdigest(), hmac.digest(b"k" * 200, b"m", hashlib.md5).hex(), hmac.compare_digest("a", "a"))
print(hashlib.file_digest(io.BytesIO(b"x" * 10 ** 6), "sha1").hexdigest(), hashlib.sha256(bytearray(10 ** 6)).hexdigest()[:16])
for wrong in (lambda: hashlib.new("nothing"), lambda: hashlib.md5("text"), lambda: hmac.new("key", b"", "md5"), lambda: hmac.new(b"key")):
    try:
        wrong()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
