# unittest run in a program: results, assertions, subtests, setUp, skips, mocks.
import io
import unittest
from unittest import mock

class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.log = []
    def setUp(self): self.x = [1]
    def tearDown(self): self.log.append(self._testMethodName)
    def test_ok(self):
        self.assertEqual(self.x, [1])
        self.assertAlmostEqual(1.0, 1.00000001)
        self.assertIn(1, self.x)
        self.assertRaises(ValueError, int, "x")
        with self.assertRaisesRegex(KeyError, "k"): raise KeyError("k")
        self.assertIsNone(None)
        self.assertTrue(self.x)
        self.assertCountEqual([1, 2], [2, 1])
        self.assertDictEqual({1: 2}, {1: 2})
        self.assertGreater(2, 1)
        self.assertIsInstance(1, int)
    def test_fail(self): self.assertEqual([1, 2], [1, 3], "lists")
    def test_error(self): raise RuntimeError("boom")
    @unittest.skip("later")
    def test_skip(self): ...
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
r = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(T))
print(r.testsRun, len(r.failures), len(r.errors), len(r.skipped), len(r.expectedFailures), r.wasSuccessful(), T.log, r.skipped[0][1])
print(r.errors[0][1].splitlines()[-1], [f[1].splitlines()[-1] for f in r.failures][-1][:20])
m = mock.MagicMock(return_value=3)
print(m(1, a=2), m.called, m.call_count, m.call_args, m.attr.deep(5) is m.attr.deep.return_value, len(m), m.method.return_value is m.method())
m.side_effect = [1, ValueError("se")]
print(m())
try:
    m()
except ValueError as e:
    print(e)
m.assert_any_call(1, a=2)
with mock.patch("io.StringIO", return_value="patched") as p:
    print(io.StringIO(), p.called)
with mock.patch.dict({"a": 1} if False else (d := {"a": 1}), {"b": 2}):
    print(d)
print(d, mock.sentinel.x, mock.call(1) == mock.call(1), mock.Mock(spec=["a"]).a is not None)
try:
    mock.Mock(spec=["a"]).b
except AttributeError as e:
    print(e)
