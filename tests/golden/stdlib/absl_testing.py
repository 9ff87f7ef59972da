# Cases of absl: parameters, names, products, subtests, its own claims, temporary files.
import unittest
from absl.testing import absltest, parameterized


class Rows(parameterized.TestCase):
    @parameterized.parameters(1, 2)
    def test_value(self, x):
        self.assertGreater(x, 0)

    @parameterized.parameters((1, 2), {"a": 3, "b": 4})
    def testPair(self, a, b):
        self.assertEqual(b, a + 1)

    @parameterized.named_parameters(("one", 1, 2), dict(testcase_name="_two", x=3, y=4))
    def test_named(self, x, y):
        self.assertEqual(y, x + 1)

    @parameterized.product([dict(a=1), dict(a=2)], b=["x", "y"])
    def test_product(self, a, b):
        self.assertIn(b, "xy")

    @parameterized.parameters([i * i for i in range(3)])
    def test_list(self, square):
        self.assertBetween(square, 0, 4)

    def test_plain(self):
        folder = self.create_tempdir()
        self.assertEqual(folder.create_file("q/a.txt", "hi").read_text(), "hi")
        self.assertLen([1, 2], 2)
        self.assertEmpty([])
        self.assertNotEmpty("a")
        self.assertSameElements([1, 2, 2], [2, 1])
        with self.assertRaisesWithLiteralMatch(ValueError, "exactly"):
            raise ValueError("exactly")
        with self.assertRaisesWithPredicateMatch(ValueError, lambda e: "act" in str(e)):
            raise ValueError("exactly")

    @unittest.skip("not today")
    def test_skipped(self):
        pass


@parameterized.parameters(5, 6)
class Whole(parameterized.TestCase):
    def test_a(self, n):
        self.assertIn(n, (5, 6))


if __name__ == "__main__":
    from absl import flags
    flags.FLAGS(["tests"])
    result = unittest.TestResult()
    for cls in (Rows, Whole):
        suite = unittest.defaultTestLoader.loadTestsFromTestCase(cls)
        print(sorted(test._testMethodName for test in suite))
        suite.run(result)
    print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped))
    for _, text in result.failures + result.errors:
        print(text)
