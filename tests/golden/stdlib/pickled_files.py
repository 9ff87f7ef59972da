# io.StringIO and io.BytesIO in files of pickle: what they hold, where they stand, and CPython's own bytes.
import io
import pickle

text = io.StringIO("a\r\nb", newline="")
text.seek(2)
data = pickle.dumps(text)
print(data)
again = pickle.loads(data)
print(type(again), again.tell(), repr(again.getvalue()), repr(again.read()))
raw = io.BytesIO(b"abc")
raw.read(1)
raw.name = "x"
data = pickle.dumps(raw)
print(data)
again = pickle.loads(data)
print(type(again), again.tell(), again.getvalue(), again.read(), again.name)
one, two = pickle.loads(pickle.dumps([raw, raw]))
print(one is two, pickle.loads(pickle.dumps(io.StringIO("a\rb", newline=None))).getvalue() == "a\nb")
for protocol in range(2, 6):
    print(protocol, pickle.loads(pickle.dumps(io.BytesIO(b"z"), protocol)).getvalue())
file = io.StringIO()
file.close()
try:
    pickle.dumps(file)
except ValueError as error:
    print(error)
