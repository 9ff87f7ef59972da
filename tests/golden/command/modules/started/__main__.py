import sys

from started.parts import total

print(__name__, __package__, sys.argv[1:], total([1, 2]))
