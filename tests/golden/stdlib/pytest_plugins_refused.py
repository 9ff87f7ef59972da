# own: Objects as plugins are refused by name, not ignored.
import pytest

try:
    pytest.main(["none.py"], plugins=[object()])
except NotImplementedError as error:
    print(error)
