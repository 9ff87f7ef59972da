# Cases, suites and the runner; times and places are left out, for they differ.
import io, re, sys, unittest
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls): print("class up")
    @classmethod
    def tearDownClass(cls): print("class down")
    def setUp(self): print("up")
    def tearDown(self): print("down")
    def test_ok(self): self.assertEqual(1 + 1, 2)
    def test_fail(self):
        """A docstring."""
        self.assertEqual(1, 3)
    def test_error(self): raise KeyError("x")
    @unittest.skip("why not")
    def test_skip(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass
    def test_sub(self):
        for i in range(4):
            with self.subTest(i=i):
                self.assertTrue(i % 2 == 0)
class B(unittest.TestCase):
    def test_b(self): self.skipTest("later")

class C(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError("no class")
    def test_never(self): print("never")
@unittest.skip("all of it")
class D(unittest.TestCase):
    def test_d(self): pass
class E(unittest.TestCase):
    def setUp(self): self.addCleanup(print, "cleaned")
    def tearDown(self): raise RuntimeError("down")
    def test_two_errors(self): raise RuntimeError("test")
    def runTest(self): print("run")
class F(unittest.TestCase):
    @unittest.expectedFailure
    def test_sub_expected(self):
        with self.subTest("message", k=1): self.fail("as expected")
    def test_sub_messages(self):
        with self.subTest("only"): self.fail("a")
        with self.subTest(): raise KeyError("b")
        with self.subTest(n=2): self.skipTest("later")
    def test_raises(self):
        with self.assertRaises(ValueError) as caught: int("x")
        self.assertIn("invalid", str(caught.exception))
        with self.assertRaisesRegex(ZeroDivisionError, "by zero"): 1 / 0
        self.assertAlmostEqual(1.0, 1.00000001); self.assertCountEqual([1, 2], [2, 1])
    def test_fails_with_message(self): self.assertIn(3, [1], "where is it")

def normal(text):
    text = re.sub(r"in \d\.\d\d\ds", "in TIME", text)
    return "\n".join(line for line in text.splitlines() if not line.startswith("  File ") and "^" not in line)

loader = unittest.defaultTestLoader
for verbosity in (2, 1, 0):
    stream = io.StringIO()
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(cls) for cls in (A, B, C, D, E, F))
    print(suite.countTestCases())
    result = unittest.TextTestRunner(stream=stream, verbosity=verbosity).run(suite)
    print(normal(stream.getvalue()) if verbosity else "".join(stream.getvalue().split("Ran")[-1].split("\n")[2:]))
    print(result, result.wasSuccessful(), result.testsRun, [str(t) for t, _ in result.failures], [str(t) for t, _ in result.errors], [(str(t), w) for t, w in result.skipped])
stream = io.StringIO()
print(unittest.TextTestRunner(stream, failfast=True).run(loader.loadTestsFromNames(["A.test_error", "A.test_ok"], sys.modules["__main__"])).testsRun)
for argv in (["prog"], ["prog", "-v", "F.test_raises"], ["prog", "-q", "-k", "test_ok"], ["prog", "-f", "B", "A.test_ok"]):
    stream = io.StringIO()
    program = unittest.main(argv=argv, exit=False, testRunner=unittest.TextTestRunner(stream, verbosity=1))
    print(argv, program.result.testsRun, normal(stream.getvalue()).splitlines()[0], program.verbosity)
real, sys.stderr = sys.stderr, io.StringIO()
for argv in (["prog", "A.test_ok"], ["prog", "A.test_fail"], ["prog", "nothing"], ["prog", "-x"]):
    try: unittest.main(argv=argv)
    except SystemExit as e: print(argv, "exit", e.code)
    except AttributeError as e: print(argv, "AttributeError")
text, sys.stderr = sys.stderr.getvalue(), real
print(normal(text).split("usage")[0])
class Only(unittest.TestCase):
    def test_x(self): print("x of only")
result = Only("test_x").run()
print(result, repr(Only("test_x")), Only("test_x") == Only("test_x"), Only("test_x").id())
case = unittest.FunctionTestCase(lambda: print("function"), setUp=lambda: print("before"))
case(unittest.TestResult())
try: Only("test_y")
except ValueError as e: print(e)
