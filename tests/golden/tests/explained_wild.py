# cmd: test {} -q
# status: 1
# Operands that answer to any name, and claims on either side; bytes beside a bytearray; complex numbers.
from pytest import approx
class Wild:
    __getattr__ = lambda self, name: 1 / 0
    __repr__ = lambda self: "Wild()"
class Mild:
    __getattr__ = lambda self, name: lambda *more: ["not asked"]
    __repr__ = lambda self: "Mild()"
def test_wild(): assert Wild() == 1
def test_wild_right(): assert 1 == Wild()
def test_mild(): assert Mild() == 1
def test_left(): assert approx(1.0) == 2.0
def test_text(): assert "ab" == ["ab"]
def test_bytes(): assert b"a" == bytearray(b"b")
def test_arrays(): assert bytearray(b"ax") == bytearray(b"ay")
def test_more(): assert bytearray(b"ab") == b"a"
def test_complex(): assert 1j == approx(2j)
def test_near(): assert 1j == approx(1j + 1e-9)
