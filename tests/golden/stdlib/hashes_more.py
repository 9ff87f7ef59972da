# BLAKE2, SHAKE and PBKDF2; keyed, salted, personal, in pieces, and as nodes of a tree.
import hashlib

text = bytes(range(256)) * 3
for make in (hashlib.blake2b, hashlib.blake2s):
    for size in (0, 1, 63, 64, 65, 127, 128, 129, 256, 700):
        print(make(text[:size]).hexdigest()[:24], end=' ')
    print()
    print(make(text, digest_size=9, key=b'key', salt=b'salt', person=b'me').hexdigest(), make.MAX_DIGEST_SIZE, make.SALT_SIZE)
    print(make(text, fanout=2, depth=2, leaf_size=4096, node_offset=1, node_depth=1, inner_size=32, last_node=True).hexdigest()[:30])
    pieces = make(key=b'k' * make.MAX_KEY_SIZE)
    for i in range(0, 768, 100):
        pieces.update(text[i:i + 100])
    other = pieces.copy()
    other.update(b'more')
    print(pieces.hexdigest() == make(text, key=b'k' * make.MAX_KEY_SIZE).hexdigest(), other.hexdigest()[:20], pieces.name, pieces.block_size)
    for bad in ({'digest_size': 65}, {'digest_size': 0}, {'key': b'x' * 65}, {'salt': b'x' * 17}):
        try:
            make(b'', **bad)
        except ValueError as error:
            print(error)
for make in (hashlib.shake_128, hashlib.shake_256):
    for size in (0, 1, 135, 136, 137, 167, 168, 169, 700):
        print(make(text[:size]).hexdigest(8), end=' ')
    hash = make(text)
    print(hash.digest(400) == make(text).digest(500)[:400], hash.hexdigest(0) == '', hash.name, hash.digest_size, hash.block_size)
print(hashlib.new('shake_128', b'a').hexdigest(4), hashlib.new('blake2b', b'a').hexdigest()[:10], 'blake2s' in hashlib.algorithms_guaranteed)
for name in ('sha1', 'sha256', 'sha512', 'md5', 'sha3_256'):
    print(hashlib.pbkdf2_hmac(name, b'password' * 20, b'salt', 7, 70).hex()[:40], hashlib.pbkdf2_hmac(name, b'p', b's', 1).hex()[-8:])
for bad in (lambda: hashlib.pbkdf2_hmac('md77', b'', b'', 1), lambda: hashlib.pbkdf2_hmac('md5', b'', b'', 0)):
    try:
        bad()
    except ValueError as error:
        print('ValueError')
print(repr(hashlib.blake2b(b'a'))[:24], repr(hashlib.sha256(b'a'))[:20])
for bad in ('text', 3, None):
    for take in (hashlib.sha256, hashlib.blake2s, hashlib.md5().update):
        try:
            take(bad)
        except TypeError as error:
            print(error)
kept = hashlib.blake2b(b'q', digest_size=16, key=b'k')
copied = kept.copy()
copied.update(b'r')
print(kept.hexdigest(), copied.hexdigest(), copied.digest_size, copied.name, type(copied) is type(kept))
