# Other programs: what they print, their exit status, their input; errors and time limits.
import subprocess as sp, sys, os
print(sp.run(["echo", "hi"], capture_output=True, text=True))
print(sp.check_output(["printf", "a\\nb"]), sp.check_output("echo $X; pwd", shell=True, text=True, env={"X": "5", "PATH": os.environ["PATH"]}, cwd="/"))
try: sp.run(["sh", "-c", "echo out; echo err >&2; exit 3"], check=True, capture_output=True, text=True)
except sp.CalledProcessError as e: print(e, e.returncode, repr(e.stdout), repr(e.stderr), e.cmd)
try: sp.run(["sleep", "5"], timeout=0.1)
except sp.TimeoutExpired as e: print(type(e).__name__, e.cmd)
try: sp.run(["no-such-program-x"])
except FileNotFoundError as e: print(e, e.errno, e.filename)
print(sp.run(["cat"], input="given", text=True, capture_output=True).stdout)
p = sp.Popen(["sh", "-c", "read x; echo got $x; exit 2"], stdin=sp.PIPE, stdout=sp.PIPE, text=True)
print(p.communicate("abc\n"), p.returncode, p.poll(), p.pid > 0)
with sp.Popen(["seq", "3"], stdout=sp.PIPE, text=True) as q:
    for line in q.stdout: print(line.strip(), end=",")
print(q.returncode, q)
print("before", flush=False); sp.run(["echo", "direct"]); print("after")
print(sp.call(["false"]), sp.check_call(["true"]), sp.getoutput("echo x; echo y >&2"), sp.getstatusoutput("exit 4"))
print(sp.run("echo e >&2; echo o", shell=True, stderr=sp.STDOUT, stdout=sp.PIPE, encoding="utf-8").stdout, sp.run(["echo"], stdout=sp.DEVNULL).stdout)
p = sp.Popen(["sleep", "9"]); print(p.poll()); p.kill(); print(p.wait(), p)
p = sp.Popen(["sleep", "9"]); p.terminate(); print(p.wait(timeout=3))
try: sp.check_output(["sh", "-c", "kill -9 $$"])
except sp.CalledProcessError as e: print(e)
import tempfile
with tempfile.TemporaryDirectory() as d:
    with open(os.path.join(d, "o"), "w") as f: sp.run(["echo", "to file"], stdout=f)
    print(open(os.path.join(d, "o")).read())
r = sp.CompletedProcess(["a"], 1); 
try: r.check_returncode()
except sp.SubprocessError as e: print(type(e).__name__, e)
try: sp.run(["x"], stdout=1, capture_output=True)
except ValueError as e: print(e)
p = sp.Popen(["sleep", "9"]); p.send_signal(15); print(p.wait(5), p)
