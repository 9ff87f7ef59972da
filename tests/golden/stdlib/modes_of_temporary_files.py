# Temporary files are their owner's alone.
import os
import stat
import tempfile

with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as named, tempfile.NamedTemporaryFile("w") as apart:
    number, path = tempfile.mkstemp(dir=folder)
    os.close(number)
    print([stat.filemode(os.stat(name).st_mode) for name in (folder, named.name, apart.name, path, tempfile.mkdtemp(dir=folder))])
