# Words of a command line that stand in files.
import argparse
import os
import tempfile


class Words(argparse.ArgumentParser):
    def convert_arg_line_to_args(self, arg_line):
        return arg_line.split()


with tempfile.TemporaryDirectory() as folder:
    inner, outer = os.path.join(folder, "inner"), os.path.join(folder, "outer")
    for path, text in ((inner, "--size\n3\n"), (outer, f"--name\na b\n@{inner}\nrest\n")):
        with open(path, "w") as file:
            file.write(text)
    p = argparse.ArgumentParser(prog="p", fromfile_prefix_chars="@%")
    p.add_argument("--size", type=int)
    p.add_argument("--name")
    p.add_argument("more", nargs="*")
    print(p.parse_args(["@" + outer, "x"]), p.parse_args(["%" + inner]), p.parse_known_args(["@" + inner, "--zz"]))
    with open(inner, "w") as file:
        file.write("-a 1 -b\n2")
    w = Words(fromfile_prefix_chars="@")
    w.add_argument("-a")
    w.add_argument("-b")
    print(w.parse_args(["@" + inner]))
    print(argparse.ArgumentParser().parse_known_args(["@none"]))
