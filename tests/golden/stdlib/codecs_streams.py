# codecs: what lookup() finds, decoders that are fed in pieces, readers and writers of streams.
import codecs
import io


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


for name in ("utf-8", "UTF8", "latin-1", "ascii", "utf_16", "utf-16-le", "utf-32-be", "cp1252", "utf-8-sig", "nope"):
    print(name, show(lambda: codecs.lookup(name).name), show(lambda: codecs.lookup(name).encode("aé")), show(lambda: codecs.lookup(name).decode(b"ab")[1]))
for name, text in (("utf-8", "aé日😀b"), ("utf-16-le", "aé😀"), ("utf-16", "xé"), ("utf-32", "yz"), ("latin-1", "é"), ("utf-8-sig", "aé")):
    data = text.encode(name)
    decoder = codecs.getincrementaldecoder(name)()
    print(name, [decoder.decode(data[i:i + 1]) for i in range(len(data))], decoder.decode(b"", True))
    encoder = codecs.getincrementalencoder(name)()
    print([encoder.encode(c) for c in text], b"".join(codecs.iterencode(text, name)) != b"")
decoder = codecs.getincrementaldecoder("utf-8")("replace")
print(decoder.decode(b"a\xff\xc3"), decoder.decode(b"\xa9\xe6", True), show(lambda: codecs.getincrementaldecoder("utf-8")().decode(b"\xff")))
decoder.reset()
out = io.BytesIO()
writer = codecs.getwriter("utf-8")(out)
writer.write("é\n")
writer.writelines(["a", "b\n"])
print(out.getvalue(), codecs.getwriter("ascii")(io.BytesIO(), errors="replace").write("é"))
reader = codecs.getreader("utf-8")(io.BytesIO(b"\xc3\xa9\nab\nc"))
print(reader.readline(), [line for line in reader], codecs.getreader("utf-16")(io.BytesIO("xy".encode("utf-16"))).read())
print(codecs.getreader("latin-1")(io.BytesIO(b"\xe9\n1\n2")).readlines(), codecs.utf_8_decode(b"\xc3\xa9"), codecs.utf_8_encode("é"), codecs.latin_1_encode("é"), codecs.ascii_decode(b"a"))
print(codecs.make_identity_dict(range(3)), codecs.make_encoding_map({1: 2, 3: 4}), show(lambda: codecs.getreader("nope")), show(lambda: codecs.lookup("nope")))
