# The SHA family, piecewise, at the edges of blocks; base32.
import base64
import hashlib

for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    h = hashlib.new(name)
    print(name, h.digest_size, h.block_size, [hashlib.new(name, b"a" * n).hexdigest()[:12] for n in (0, 1, 55, 56, 63, 64, 111, 112, 128)])
h = hashlib.sha1(b"ab")
g = h.copy()
h.update(b"c")
print(h.hexdigest(), g.hexdigest(), h.digest()[:4], h.name)
print([base64.b32encode(b"hello"[:n]) for n in range(6)], base64.b32decode(b"NBSWY3DP"), base64.b32decode(b"nbsq====", casefold=True), base64.b32hexencode(b"hi"))
