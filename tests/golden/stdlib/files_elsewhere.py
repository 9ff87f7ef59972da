# cmd: run {}
# own: files that a program may not use
# Files elsewhere than in the program's own folder, and in that which it is run in, are refused; one that is not there, and is read, is not found.
# /proc/version is there for everybody and can be changed by nobody, also where the program is run by what refuses nothing.
import os
import pathlib

for path in ("/proc/version", "../README.md", "files_elsewhere.py/../../README.md", "/etc/absent/x", pathlib.Path("/") / "etc"):
    for mode in ("r", "w", "a", "x", "r+b"):
        try:
            open(path, mode).close()
        except PermissionError as error:
            assert error.errno == 13 and error.strerror.startswith("a program may use files of its own folder only, /"), error
        except FileNotFoundError as error:
            assert path == "/etc/absent/x" and mode[0] == "r" and error.errno == 2, error
        except NotADirectoryError:
            assert ".py/" in path
        else:
            print("opened", path, mode)
for change in (os.remove, os.rmdir, os.listdir):
    try:
        change("/tmp")
    except PermissionError as error:
        print(type(error).__name__, error.filename)
try:
    os.rename("files_elsewhere.py", "../gone.py")
except PermissionError as error:
    print(error.filename)
print(len(open("../stdlib/files_elsewhere.py").readline()), "files_elsewhere.py" in os.listdir("."))
