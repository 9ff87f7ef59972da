# A module has a text, or None; what it does not have is an AttributeError, dunder or not.
import functools
import json
import math

for module in math, json, functools:
    print(module.__name__, isinstance(module.__doc__, (str, type(None))), hasattr(module, "__nothing__"), hasattr(module, "nothing"))
