import unittest


class TestCase(unittest.TestCase):
    """Of unittest."""

    def test_case(self):
        pass
