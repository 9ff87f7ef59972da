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
