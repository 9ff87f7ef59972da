import unittest, unittest.mock as mock, sys, io, os, json, time, random
class Service:
    def __init__(self, client): self.client = client; self.cache = {}
    def get(self, k):
        if k not in self.cache: self.cache[k] = self.client.fetch(k)
        return self.cache[k]
class T(unittest.TestCase):
    def test_mock(self):
        c = mock.Mock(); c.fetch.side_effect = [1, 2, KeyError("x")]; s = Service(c)
        self.assertEqual([s.get("a"), s.get("a"), s.get("b")], [1, 1, 2]); self.assertRaises(KeyError, s.get, "c"); self.assertEqual(c.fetch.call_count, 3); c.fetch.assert_any_call("a"); self.assertEqual(c.fetch.call_args_list, [mock.call("a"), mock.call("b"), mock.call("c")]); c.reset_mock(); c.fetch.assert_not_called()
        with self.assertRaises(AssertionError) as e: c.fetch.assert_called_once()
        print(e.exception)
    def test_patch(self):
        with mock.patch("os.getcwd", return_value="/x") as g: self.assertEqual(os.getcwd(), "/x"); g.assert_called_once_with()
        with mock.patch.object(random, "random", lambda: .5): self.assertEqual(random.random(), .5)
        with mock.patch.dict(os.environ, {"ZZ": "1"}): self.assertEqual(os.environ["ZZ"], "1")
        self.assertNotIn("ZZ", os.environ)
    @mock.patch("time.sleep")
    def test_deco(self, s): time.sleep(5); s.assert_called_with(5)
    def test_magic(self):
        m = mock.MagicMock(); m.__len__.return_value = 4; m.__getitem__.side_effect = lambda i: i * 2; self.assertEqual((len(m), m[3]), (4, 6)); m.a.b.c(1, k=2); self.assertEqual(m.mock_calls[-1], mock.call.a.b.c(1, k=2)); self.assertIsInstance(mock.create_autospec(Service)(1) if hasattr(mock, "create_autospec") else m, object); self.assertEqual(mock.sentinel.x, mock.sentinel.x); self.assertTrue(mock.ANY == 5)
        o = mock.mock_open(read_data="l1\nl2\n")
        with mock.patch("builtins.open", o): self.assertEqual(open("f").read(), "l1\nl2\n")
        s = mock.Mock(spec=["a"]); s.a
        with self.assertRaises(AttributeError): s.b
        w = mock.Mock(wraps=len); self.assertEqual(w([1]), 1)
        p = mock.PropertyMock(return_value=3); type(m).prop = p; self.assertEqual(m.prop, 3)
    def test_messages(self):
        for f in (lambda: self.assertEqual([1, 2, 3], [1, 5, 3]), lambda: self.assertEqual({"a": 1}, {"a": 2}), lambda: self.assertEqual("abc\nd", "abc\ne"), lambda: self.assertTrue(0, "zero"), lambda: self.assertIn(1, [2]), lambda: self.assertIsNone(3), lambda: self.assertAlmostEqual(1, 1.01, delta=.001), lambda: self.assertGreater(1, 2), lambda: self.assertSetEqual({1}, {2}), lambda: self.assertCountEqual([1, 1], [1]), lambda: self.assertRegex("a", "b"), lambda: self.assertIs(1, 2), lambda: self.assertNotEqual(1, 1), lambda: self.assertFalse([1]), lambda: self.assertRaises(ValueError, int, "1"), lambda: self.assertTupleEqual((1,), (2,)), lambda: self.assertIsInstance(1, str), lambda: self.assertNotRegex("a", "a"), lambda: self.assertLessEqual(2, 1), lambda: self.assertDictEqual({}, {1: 2}), lambda: self.fail("boo"), lambda: self.assertEqual(1, "1", "why")):
            try: f()
            except AssertionError as e: print(str(e).splitlines()[:4])
class Ord(unittest.TestCase):
    log = []
    @classmethod
    def setUpClass(cls): cls.log.append("C+")
    @classmethod
    def tearDownClass(cls): cls.log.append("C-")
    def setUp(self): self.log.append("+")
    def tearDown(self): self.log.append("-")
    def test_a(self): self.log.append("a")
    def test_b(self): self.skipTest("later")
    def id_of(self): return self.id()
r = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(unittest.TestSuite([unittest.defaultTestLoader.loadTestsFromTestCase(T), Ord("test_a"), Ord("test_b")])); print(r, Ord.log, r.skipped[0][1], Ord("test_a").id(), str(Ord("test_a")), [e[1].splitlines()[-1] for e in r.errors + r.failures])
