import uuid
u = uuid.uuid5(uuid.NAMESPACE_DNS, 'python.org'); print(u, repr(u), u.hex, u.int, u.version, u.variant, u.urn, u.fields, u.bytes, u.bytes_le, u.node, u.time, u.clock_seq)
print(uuid.uuid3(uuid.NAMESPACE_URL, 'http://x.y'), uuid.UUID('{12345678-1234-5678-1234-567812345678}') == uuid.UUID('urn:uuid:12345678123456781234567812345678'), uuid.UUID(int=5), uuid.UUID(bytes=b'x' * 16), uuid.UUID(bytes_le=u.bytes_le) == u, uuid.UUID(fields=u.fields) == u, uuid.UUID(int=0, version=4), uuid.UUID(int=0).version, sorted([u, uuid.UUID(int=1)])[0].int, {u: 1}[uuid.UUID(str(u))], u < uuid.UUID(int=1 << 127), int(u) == u.int, uuid.NAMESPACE_OID, uuid.NAMESPACE_X500, uuid.SafeUUID.safe, u.is_safe)
for f in (lambda: uuid.UUID('12'), lambda: uuid.UUID(), lambda: uuid.UUID(int=-1), lambda: uuid.UUID(bytes=b'1'), lambda: uuid.UUID(int=1, version=9), lambda: setattr(u, 'int', 3), lambda: u < 3, lambda: uuid.UUID(fields=(1, 2)), lambda: uuid.UUID('z' * 32), lambda: uuid.UUID(fields=(0, 1 << 16, 0, 0, 0, 0)), lambda: uuid.UUID(fields=(0, 0, 0, 256, 0, 0)), lambda: uuid.nope):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
