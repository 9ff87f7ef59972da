# Temporary files, trees of files, what is known of them; queues, futures and threads, of which there is one.
import concurrent.futures
import os
import pathlib
import queue
import shutil
import sys
import tempfile
import threading

with tempfile.TemporaryDirectory() as name:
    root = pathlib.Path(name)
    (root / "x" / "y").mkdir(parents=True)
    (root / "x" / "a.txt").write_text("hey")
    (root / "x" / "y" / "b.txt").write_text("ho")
    print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*.txt")), [p.name for p in root.glob("*")], list(root.glob("nothing/*")))
    print(sorted(p.relative_to(root).as_posix() for p in root.glob("**/*")), sorted(p.name for p in root.glob("x/*.txt")))
    print([(os.path.relpath(a, name), b, c) for a, b, c in os.walk(name)], [(os.path.relpath(a, name)) for a, b, c in os.walk(name, topdown=False)])
    known = (root / "x" / "a.txt").stat()
    print(known.st_size, known[6], known.st_mtime == os.path.getmtime(root / "x" / "a.txt"), os.path.samefile(root, name))
    print(shutil.copytree(root / "x", root / "z") == root / "z", sorted(os.listdir(root)), (root / "z" / "y" / "b.txt").read_text())
    print(os.path.basename(shutil.copy(root / "x" / "a.txt", root)), sorted(e.name for e in os.scandir(root) if e.is_file()))
    shutil.move(root / "a.txt", root / "z" / "moved")
    shutil.rmtree(root / "x")
    print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*")))
    try:
        shutil.rmtree(root / "x")
    except FileNotFoundError as error:
        print("gone", error.errno)
    shutil.rmtree(root / "x", ignore_errors=True)
print(os.path.exists(name))
with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
    file.write("abc")
    file.flush()
    file.seek(0)
    print(file.read(), file.name.endswith(".txt"), os.path.getsize(file.name))
print(os.path.exists(file.name))

q = queue.Queue(maxsize=2)
q.put(1)
q.put_nowait(2)
print(q.full(), q.get(), q.get(), q.empty())
for wrong in (q.get_nowait, lambda: q.get(timeout=0.1)):
    try:
        wrong()
    except queue.Empty:
        print("empty")
p = queue.PriorityQueue()
for n in (3, 1, 2):
    p.put(n)
print([p.get() for _ in range(3)])
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    wrong = pool.submit(lambda: 1 / 0)
    print(list(pool.map(lambda a, b: a * b, range(4), range(4))), pool.submit(pow, 2, 5).result(), type(wrong.exception()).__name__)
    done, left = concurrent.futures.wait([wrong])
    print(len(done), len(left), [f.done() for f in concurrent.futures.as_completed([wrong])])
seen = []
thread = threading.Thread(target=lambda n: seen.append((n, threading.current_thread().name)), args=(5,), name="worker")
thread.start()
thread.join()
print(seen, thread.is_alive(), threading.current_thread() is threading.main_thread())
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules"))
import beside_the_path
print(beside_the_path.here)
