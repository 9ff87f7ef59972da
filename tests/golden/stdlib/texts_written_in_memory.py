# A StringIO that is written at its end and elsewhere, and read between; rows of tables with and without quotes.
import collections
import csv
import io
import struct

s = io.StringIO()
for i in range(5):
    s.write(f"line {i}\n")
print(repr(s.getvalue()), s.tell(), s.seek(3), s.read(4), s.write("XX"), s.tell())
print(repr(s.getvalue()), s.seek(0, 2), s.write("end"), s.truncate(10), repr(s.getvalue()), s.tell())
s.write("far")
print(repr(s.getvalue()), s.seek(0), s.readline(), s.readlines())
s = io.StringIO("abc", newline="\r\n")
s.write("x\n")
print(repr(s.getvalue()), [repr(line) for line in io.StringIO("a\nb\rc\r\nd")])
out = io.StringIO()
w = csv.writer(out)
print([w.writerow(row) for row in ([1, "a"], ["a,b", "c"], ['q"', "x"], ["n\n", "y"], ["", ""], [""], [], ["only"], [None, 1.5], ["r\r", 0])])
print(repr(out.getvalue()))
r = csv.reader(io.StringIO(out.getvalue() + 'a,"b\nc",d\n\nx y,z\r\nlast,,'))
print([(row, r.line_num) for row in r])
print(list(csv.reader(["a;b,c", "'d;e';f"], delimiter=";", quotechar="'")), list(csv.reader(["a, b"], skipinitialspace=True)), list(csv.reader(["1,2"], quoting=csv.QUOTE_NONNUMERIC)))
data = bytes(range(64))
print([struct.unpack_from("<HB", data, at) for at in (0, 7, -3)], struct.unpack_from("B", bytearray(data), 5), struct.unpack_from("<I", memoryview(data)[4:], 4))
print(collections.Counter(i * i % 50 for i in range(400)).most_common(2), collections.Counter("abcabcab").most_common(0))
