# cmd: run --max-memory=256M {}
# own: the limit is that of --max-memory
# What asks for more memory than there is in one piece is a MemoryError, which a program can handle.


def told(make):
    try:
        return len(make())
    except MemoryError as error:
        return type(error).__name__


word = 'abc'
for make in (lambda: word * 10**12, lambda: b'a' * 10**9, lambda: [0] * 10**14, lambda: (1,) * 10**9, lambda: bytes(10**13), lambda: bytearray(10**9), lambda: bytearray(b'a') * 10**9,
             lambda: ','.join(['x' * 10**5] * 10**5), lambda: 'a'.center(10**13), lambda: 'a'.ljust(2**62, '\u00e9'), lambda: 'a'.zfill(10**9), lambda: b'a'.rjust(10**10), lambda: b'a'.zfill(10**10), lambda: word * 10**6):
    print(told(make))
print(sum(len('x' * 50_000_000) for i in range(50)))
