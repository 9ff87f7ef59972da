# Where a program is: what it finds by relative names moves with it, modules do not.
import os
import pathlib
import tempfile
here = os.getcwd()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("a.txt").write_text("x")
    print(os.listdir("."), os.path.exists("a.txt"), os.getcwd() == os.path.realpath(folder))
    os.chdir(here)
print(os.getcwd() == here, os.path.exists("working_directory.py"))
try:
    os.chdir("nowhere")
except FileNotFoundError as e:
    print(e)
