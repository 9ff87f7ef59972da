# unittest: tests that are looked for in a folder, by pattern, and in the packages below it.
import io
import unittest
from pathlib import Path

folder = Path(__file__).parent / "modules" / "discovered"


def ids(suite):
    for test in suite:
        yield from ids(test) if isinstance(test, unittest.TestSuite) else [test.id()]


suite = unittest.defaultTestLoader.discover(str(folder))
print(*ids(suite), sep="\n")
result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
print(result.testsRun, [test.id() for test, _ in result.failures], [reason for _, reason in result.skipped])
print([text.splitlines()[-1] for _, text in result.errors], [text.splitlines()[0] for _, text in result.errors])
print(list(ids(unittest.TestLoader().discover(str(folder), pattern="test_t*.py"))))
try:
    unittest.TestLoader().discover("no_such_folder")
except ImportError as error:
    print(error)
