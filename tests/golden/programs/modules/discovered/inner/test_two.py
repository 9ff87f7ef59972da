import unittest


class Two(unittest.TestCase):
    def test_c(self):
        pass
