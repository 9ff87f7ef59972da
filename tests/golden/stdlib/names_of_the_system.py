# os, stat, time, sys, socket: constants and functions beside those that most programs use.
import os
import stat
import socket
import subprocess
import sys
import tempfile
import time


def show(f):
    try:
        return repr(f())
    except Exception as e:
        return type(e).__name__ + ": " + str(e)


print(os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_EXCL, os.O_TRUNC, os.O_APPEND, os.EX_OK, os.EX_USAGE, os.P_NOWAIT, os.P_WAIT, os.F_LOCK, os.PRIO_PROCESS, os.WNOHANG, os.error is OSError)
for status in (0, 256, 9, 0x137f, 139, 0xffff, 512):
    print(status, os.WIFEXITED(status), os.WEXITSTATUS(status), os.WIFSIGNALED(status), os.WTERMSIG(status), os.WIFSTOPPED(status), os.WSTOPSIG(status), show(lambda: os.waitstatus_to_exitcode(status)))
print(os.makedev(8, 1), os.major(2049), os.minor(2049), os.getcwdb() == os.getcwd().encode(), os.getenvb(b"NOT_THERE", b"x"), len(os.getrandom(5)))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "f")
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    print(os.write(fd, b"hello world"), os.fstat(fd).st_size, os.lseek(fd, 0, os.SEEK_CUR))
    os.close(fd)
    print(show(lambda: os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)).split("]")[0])
    fd = os.open(path, os.O_RDONLY)
    print(os.read(fd, 5), os.lseek(fd, 6, os.SEEK_SET), os.read(fd, 50), os.read(fd, 5))
    os.close(fd)
    fd = os.open(path, os.O_RDWR)
    os.lseek(fd, 6, 0)
    os.write(fd, b"W")
    os.ftruncate(fd, 8)
    os.close(fd)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "a") as file:
        file.write("!")
    print(open(path).read(), show(lambda: os.open(path + "none", os.O_RDONLY)).split(":")[0])
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.close(fd)
    print(os.path.getsize(path))
print(os.system("exit 3"), os.system("true"), os.popen("echo hi; echo there").read(), [line for line in os.popen("echo a; echo b")], os.popen("exit 4").close())
print(stat.FILE_ATTRIBUTE_HIDDEN, stat.UF_NODUMP, stat.SF_ARCHIVED, stat.S_ISDOOR(0), stat.S_IFDOOR)
print(time.CLOCK_MONOTONIC, time.clock_gettime(time.CLOCK_REALTIME) > 1e9, abs(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - time.monotonic_ns()) < 10**9, time.get_clock_info("monotonic").monotonic,
      show(lambda: time.clock_gettime(99)), show(lambda: time.get_clock_info("x")), time.get_clock_info("time").adjustable)
print("os" in sys.stdlib_module_names, "jax" in sys.stdlib_module_names, len(sys.stdlib_module_names), "sys" in sys.builtin_module_names, sys.audit("x", 1), sys.call_tracing(max, (1, 2)), isinstance(sys.orig_argv, list))
print(show(lambda: sys.setswitchinterval(0)), sys.setswitchinterval(0.01), sys.set_int_max_str_digits(4300))
print(socket.AF_INET, repr(socket.AF_INET), socket.SOCK_STREAM, socket.SOL_SOCKET, socket.SO_REUSEADDR, socket.IPPROTO_TCP, socket.htons(80), socket.ntohl(1), socket.inet_aton("127.0.0.1"), socket.inet_ntoa(b"\x7f\0\0\1"))
print(show(lambda: socket.inet_aton("300.1.1.1")), show(lambda: socket.inet_ntoa(b"1")), socket.timeout is TimeoutError, issubclass(socket.gaierror, OSError))
