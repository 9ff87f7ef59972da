# Files by descriptors, ends of lines, wide encodings, /dev/null, and streams in memory.
import csv
import io
import os
import tempfile

folder = tempfile.mkdtemp(dir='.')
fd, path = tempfile.mkstemp(suffix='.txt', prefix='a', dir=folder, text=True)
print(type(fd), os.path.basename(path)[0], os.path.splitext(path)[1], os.path.isabs(path))
with os.fdopen(fd, 'w', encoding='utf-8') as f:
    print(f.write('one\ntwo\r\nthree\rfour'), f.name == fd)
    f.flush()
    os.fsync(f.fileno())
with open(path) as f:
    print(f.newlines, f.readline(), f.newlines, f.read(), f.newlines)
with open(path, newline='') as f:
    print(f.readlines(), f.newlines)
fd, other = tempfile.mkstemp(dir=folder)
os.close(fd)
try:
    os.close(fd)
except OSError as error:
    print(error.errno)
for encoding in ('utf-16', 'utf-16-be', 'utf-32', 'utf-8-sig'):
    with open(other, 'w', encoding=encoding) as f:
        f.write('a\u00e9\nb\r\nc\u010a')
    with open(other, encoding=encoding) as f:
        print(encoding, ascii(f.readline()), ascii(list(f)))
    with open(other, encoding=encoding) as f:
        print(ascii(f.read(2)), ascii(f.read(2)), ascii(f.read()))
print(os.access(path, os.F_OK | os.R_OK | os.W_OK), os.access(path, os.X_OK), os.access(folder + '/none', os.F_OK))
os.remove(path)
os.remove(other)
os.rmdir(folder)
with open(os.devnull, 'w') as f:
    print('nothing', file=f)
print(repr(open('/dev/null').read()), os.fsencode('\u00e9'), os.fsdecode(b'\xff') == '\udcff')
for newline in (None, '', '\n', '\r', '\r\n'):
    s = io.StringIO('a\r\nb\nc\r', newline)
    print(repr(s.getvalue()), s.seek(0, 2), s.write('x\ny'), repr(s.getvalue()))
with tempfile.SpooledTemporaryFile(max_size=10) as f, tempfile.SpooledTemporaryFile(mode='w+') as g:
    print(f.write(b'abc' * 10), f.seek(27), f.read(), g.write('text'), g.seek(0), g.read())
for delimiter in ' ,':
    for line in ("a b  c", "a  'd e' f", '  a', " 'x' y", 'a ,  b, c'):
        print(list(csv.reader([line], delimiter=delimiter, quotechar="'", skipinitialspace=True)))
print(csv.field_size_limit(3), csv.field_size_limit())
try:
    list(csv.reader(['abc,abcd']))
except csv.Error as error:
    print(error)
csv.field_size_limit(131072)
