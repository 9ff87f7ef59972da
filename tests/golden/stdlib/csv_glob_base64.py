# csv, glob, fnmatch, base64.
import base64, csv, fnmatch, glob, io, os

rows = list(csv.reader(io.StringIO('a,b\n"x, ""y""",2\n\n"two\nlines",\n')))
print(rows)
out = io.StringIO()
w = csv.writer(out)
w.writerow([1, 'a,b', None, 2.5, 'q"', ''])
w.writerows([['only'], [''], ['line\nbreak', True]])
print(repr(out.getvalue()))
out = io.StringIO()
d = csv.DictWriter(out, ['x', 'y'], delimiter=';', lineterminator='\n', quoting=csv.QUOTE_ALL)
d.writeheader()
d.writerow({'x': 1})
print(repr(out.getvalue()), list(csv.DictReader(io.StringIO('x,y\n1,2,3\n4\n'), restkey='more')), list(csv.reader(['1\t2'], 'excel-tab')))
print(list(csv.reader(['a, b', "'c d',e"], skipinitialspace=True, quotechar="'")), list(csv.reader(['1,"a"'], quoting=csv.QUOTE_NONNUMERIC)))
try:
    d.writerow({'z': 1})
except ValueError as error:
    print(error)
print(fnmatch.fnmatch('ab.py', '*.py'), fnmatch.filter(['a1', 'b2', 'a[x'], 'a[!x]'), fnmatch.fnmatchcase('a[x', 'a[[]x'), fnmatch.fnmatch('x', '??'), fnmatch.fnmatch('a.b', 'a?b'))
os.makedirs('csv_glob_folder/inner')
for name in ('csv_glob_folder/a.txt', 'csv_glob_folder/b.txt', 'csv_glob_folder/inner/c.txt', 'csv_glob_folder/.hidden.txt'):
    with open(name, 'w') as f:
        f.write('x')
print(sorted(glob.glob('csv_glob_folder/*.txt')), glob.glob('csv_glob_folder/[b]*'), glob.glob('nowhere/*'), sorted(glob.glob('csv_glob_folder/**/*.txt', recursive=True)))
print(sorted(glob.glob('*/*.txt', root_dir='csv_glob_folder')), glob.escape('a*b'), sorted(glob.glob('csv_glob_folder/**', recursive=True)), glob.glob('csv_glob_folder/*/c.txt'))
for name in ('csv_glob_folder/a.txt', 'csv_glob_folder/b.txt', 'csv_glob_folder/inner/c.txt', 'csv_glob_folder/.hidden.txt'):
    os.remove(name)
os.rmdir('csv_glob_folder/inner')
os.rmdir('csv_glob_folder')
print([base64.b64encode(b'abcdef'[:n]) for n in range(5)], base64.b64decode('YWJj'), base64.b64decode(b'YQ=='), base64.urlsafe_b64encode(b'\xff\xfe'), base64.b16encode(b'\x01\xab'))
print([base64.b64decode(base64.b64encode(bytes(range(n)))) == bytes(range(n)) for n in (0, 1, 2, 3, 255)])
print(b'abca'.count(97), b'abca'.count(b'a', 1), b'abca'.find(98), b'abca'.index(97, 1), b''.count(b''))
try:
    b'a'.count(256)
except ValueError as error:
    print(error)
