# A file that nothing refers to is closed, its number is used again; what is referred to stays open. Patterns that were compiled are not kept for ever.
import os
import re

kept = [open(os.devnull) for i in range(100)]
print(max(open(os.devnull).fileno() for i in range(3000)) < 400)
print(all(not f.closed and f.read() == '' for f in kept), len({f.fileno() for f in kept}))
with open('left_open_files.txt', 'w') as f:
    for i in range(300):
        f.write(f'{i}\n')
        f.flush()
        assert open('left_open_files.txt').readline() == '0\n'
print(len(open('left_open_files.txt').readlines()))
os.remove('left_open_files.txt')
first = re.compile('a0b')
print(re.compile('a0b') is first, all(re.match(f'a{i}b', f'a{i}bc') for i in range(2000)), re.compile('a0b') is first)
