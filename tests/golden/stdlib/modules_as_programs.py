# runpy, and an interpreter that is started with -m or -c.
import os
import runpy
import subprocess
import sys
import tempfile

FILES = {
    "pkg/__init__.py": "print('package', __name__)\n",
    "pkg/__main__.py": "import sys\nprint('main', sys.argv[1:], __name__, __package__)\n",
    "pkg/tool.py": "import sys\nfrom . import other\nprint('tool', __name__, __package__, other.X, os_given if 'os_given' in globals() else None)\nif __name__ == '__main__':\n    sys.exit(3)\n",
    "pkg/other.py": "X = 5\n",
    "script.py": "import sys\nprint(sys.argv[0].endswith('script.py'), sys.argv[1:], __name__)\nY = 7\n",
    "empty/__init__.py": "",
}
with tempfile.TemporaryDirectory() as folder:
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def start(*args, **more):
        done = subprocess.run([sys.executable, *args], capture_output=True, text=True, cwd=folder, **more)
        print(done.returncode, done.stdout.split("\n"), done.stderr.split(": ")[-1])

    start("-m", "pkg", "1", "-v")
    start("-m", "pkg.tool")
    start("-m", "script", "z")
    start("-u", "-m", "script")
    start("-m", "pkg.nothing")
    start("-m", "empty")
    start("-c", "import sys; print(sys.argv, __name__)", "a")
    start("-c", "import sys; print(sys.stdin.read() * 2)", input="in")
    start("-m", "script", "x", input="unread")
    sys.path.insert(0, folder)
    print(runpy.run_path(os.path.join(folder, "script.py"))["Y"], runpy.run_path(os.path.join(folder, "script.py"), run_name="__main__")["__name__"])
    print(runpy.run_module("pkg.tool", {"os_given": 1})["other"].X, sorted(name for name in runpy.run_module("script", run_name="__main__") if not name.startswith("_")))
    try:
        runpy.run_module("surely_missing")
    except ImportError as e:
        print(e)
