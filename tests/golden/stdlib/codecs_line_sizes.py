# Lines of codecs' readers of at most so many characters.
import codecs
import io
import os

for size in (None, 3, 5, 100):
    for keepends in (True, False):
        reader = codecs.getreader("utf-8")(io.BytesIO(b"hello world\nsecond\nthird"))
        print(size, keepends, [reader.readline(size, keepends) for _ in range(6)])
    reader = codecs.getreader("utf-8")(io.BytesIO(b"hello world\nsecond\nthird"))
    print([reader.readline(size), reader.read(2), reader.readlines(size)])
print(os.access("/", os.R_OK, effective_ids=True), os.access("/none", os.F_OK, effective_ids=True))
