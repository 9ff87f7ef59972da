import math
import os
import sys
import unittest
from unittest import mock
from unittest.mock import ANY, MagicMock, Mock, call, patch


class Chip:
    generation = 5

    def lanes(self, n=1):
        return 128 * n


def told(thunk):
    try:
        return thunk()
    except Exception as e:
        return f"{type(e).__name__}: {str(e).splitlines()[0]}"


m = Mock(return_value=3, side_effect=None)
print(m(1, a=2), m(), m.called, m.call_count, m.call_args, m.call_args_list == [call(1, a=2), call()])
print(m.x is m.x, isinstance(m.x.y, Mock), m.x.y() is m.x.y.return_value, m.method.call_args)
m.method("text", 4)
print(m.method.call_args[0][0], m.method.call_args.args, m.method.call_args.kwargs)
m.method.assert_called_once_with("text", ANY)
print(told(lambda: m.method.assert_not_called()))
print(told(lambda: Mock(side_effect=ValueError("no"))()))
ones = Mock(side_effect=[1, 2, KeyError("k")])
print(ones(), ones(), told(ones), Mock(side_effect=lambda x: x + 1)(4), Mock(wraps=len)("abc"))
magic = MagicMock(size=4)
with magic as entered:
    print(magic.size, len(magic), list(magic), bool(magic), 3 in magic)
with mock.patch.object(Chip, "lanes", return_value=8) as lanes:
    print(Chip().lanes(3), lanes.call_args)
print(Chip().lanes(3))
with patch("math.sqrt", lambda x: -x), patch.object(Chip, "generation", 7):
    print(math.sqrt(4), Chip.generation, Chip().generation)
print(math.sqrt(4), Chip.generation)
chip = Chip()
with patch.object(chip, "generation", 1):
    print(chip.generation, vars(chip))
print(chip.generation, vars(chip))
print(told(lambda: patch.object(Chip, "nothing", 1).start()))
table = {"a": 1}
with patch.dict(table, {"b": 2}, c=3):
    print(table)
with patch.dict(table, {"z": 0}, clear=True):
    print(table)
print(table)


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print("class")

    def setUp(self):
        self.values = [1, 2]
        self.root = self.enterContext(patch("math.floor", return_value=9))
        self.addCleanup(print, "cleaned up")

    @patch("math.ceil")
    @patch.object(Chip, "lanes")
    def test_order(self, lanes, ceil):
        ceil.return_value, lanes.return_value = 1, 2
        self.assertEqual((math.ceil(0.5), Chip().lanes(), math.floor(2.5)), (1, 2, 9))
        self.root.assert_called_once_with(2.5)

    def test_asserts(self):
        for x in self.values:
            with self.subTest(x=x):
                self.assertLess(x, 3)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertCountEqual([1, 2, 2], [2, 1, 2])
        self.assertIn(1, self.values)
        self.assertIsInstance(self, unittest.TestCase)
        self.assertRegex("block of 8", r"\d")
        with self.assertRaises(ValueError) as caught:
            int("x")
        self.assertIn("invalid literal", str(caught.exception))
        with self.assertRaisesRegex(TypeError, "arg.*"):
            raise TypeError("arguments")
        self.assertRaises(ZeroDivisionError, lambda: 1 / 0)
        print(told(lambda: self.assertEqual(1, 2)), "|", told(lambda: self.assertTrue(0, "why")), "|", told(lambda: self.assertIsNone(3)))
        print(told(lambda: self.assertAlmostEqual(1.0, 1.5)), "|", told(lambda: self.assertIn(3, [1])), "|", told(lambda: self.fail("so")))

    @unittest.skip("not now")
    def test_skipped(self):
        raise RuntimeError

    @unittest.skipIf(False, "never")
    def test_skipped_later(self):
        self.skipTest("later")

    @unittest.expectedFailure
    def test_expected(self):
        self.assertTrue(False)


if hasattr(unittest, "TextTestRunner"):  # CPython's own writes elsewhere, and times
    import io
    result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
    print(f"Ran {result.testsRun} tests\n\nOK (skipped={len(result.skipped)}, expected failures={len(result.expectedFailures)})")
else:
    unittest.main()
