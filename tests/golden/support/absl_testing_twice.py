# Two tests of one name are refused where the class is made.
from absl.testing import parameterized

try:
    class Twice(parameterized.TestCase):
        @parameterized.parameters(1, 2)
        def test_a(self, x):
            pass

        def test_a1(self):
            pass
except parameterized.DuplicateTestNameError as e:
    print(e)
