import uuid, secrets, os, random
a = [uuid.uuid4() for _ in range(50)]
print(len(set(a)), a[0].version, a[0].variant, len(str(a[0])), len(uuid.uuid4().hex))
b = [uuid.uuid1() for _ in range(50)]; print(len(set(b)), b[0].version, b[0].node == b[1].node, b[0].time < b[1].time)
print(len(os.urandom(1000)), os.urandom(4) != os.urandom(4), os.urandom(0))
print(len(secrets.token_hex(8)), len(secrets.token_bytes()), secrets.choice([3]), 0 <= secrets.randbelow(5) < 5, len(secrets.token_urlsafe(6)), secrets.compare_digest("a", "a"), secrets.randbits(9) < 512)
r = random.SystemRandom(); print(0 <= r.random() < 1, r.choice("a"), len({r.getrandbits(64) for _ in range(20)}), len({r.randrange(10**12) for _ in range(20)}), r.sample(range(1), 1), len({r.random() for _ in range(9)}))
try: r.getstate()
except NotImplementedError as e: print(e)
try: secrets.randbelow(0)
except ValueError as e: print(e)
