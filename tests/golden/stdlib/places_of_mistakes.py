# What a SyntaxError tells of its place, whether a text is compiled or the program makes it.
for source in ("1 +", "f(:\n", "x = = 2\n", "if 1:\nx", "\n\n  y = 1"):
    try:
        compile(source, "dir/name.py", "exec")
    except SyntaxError as e:
        print(type(e).__name__, e.lineno, e.filename, isinstance(e.offset, int), repr(e.text), str(e).endswith(f"(name.py, line {e.lineno})"), len(e.args), e.args[0] == e.msg)
e = SyntaxError("bad", ("dir/f.py", 3, 4, "text"))
print(e, e.lineno, e.offset, e.text, e.filename, e.end_lineno, e.msg, repr(e))
e = SyntaxError("bad", ("f.py", 3, 4, "text", 5, 6))
print(e.end_lineno, e.end_offset)
e = SyntaxError("only")
print(e, e.msg, e.lineno, e.filename)
