# Methods that were taken from their objects before they are called; texts of integers in bases, and counts of one character.
for n in (0, 1, -1, 255, -256, 2**62, 2**63 - 1, -2**63, 2**63, -2**64, True, 12345): print(bin(n), oct(n), hex(n))
print("aaaébaa".count("a"), "aaaébaa".count("a", 2), "aaaébaa".count("a", 1, -1), "éé".count("é"), "abc".count(""), "".count("a"))


class L(list):
    def add(self, x, *, k=1): self.append(x * k); return self
l = L(); f = l.add; g = l.append; h = l.pop
for i in range(4): f(i); g(i); f(i, k=3)
print(l, h(), h(0), f(*[5]), f(x=2))
for bad in (lambda: f(), lambda: f(1, 2), lambda: f(1, z=3), lambda: h("a")):
    try: bad()
    except TypeError as e: print(e)
