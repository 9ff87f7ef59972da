# stdin: one\ntwo\n\nthree\nfour
# What a program reads of its input: by lines, by input(), by characters, the rest.
import sys

print(repr(sys.stdin.readline()), repr(input('ask: ')), repr(input()), sys.stdin.isatty(), sys.stdin.fileno(), sys.stdin.name)
print(repr(sys.stdin.read(3)), repr(sys.stdin.readline(2)), repr(sys.stdin.readline()))
for line in sys.stdin:
    print(repr(line))
print(repr(sys.stdin.read()), repr(sys.stdin.readline()), sys.stdin.readlines())
try:
    input()
except EOFError as error:
    print(error)
