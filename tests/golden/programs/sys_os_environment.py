# sys and os as programs use them.
import os, sys, time
os.environ["MY_FLAG"] = "1"
print(os.environ.get("MY_FLAG"), os.getenv("NOPE", "d"), "MY_FLAG" in os.environ, os.environ.pop("MY_FLAG"), os.getenv("MY_FLAG"), os.sep, os.path.join("a", "b", "../c"), os.path.normpath("a/./b/../c"), os.path.dirname("/x/y.z"), os.path.split("/x/y"), os.path.isabs("/a"), os.path.commonprefix(["abc", "abd"]), os.path.relpath("/a/b", "/a"), os.linesep == "\n", os.name)
print(sys.version_info >= (3, 9), sys.version_info.major, sys.maxsize, sys.byteorder, sys.argv[0].endswith(".py"), len(sys.argv), sys.platform, "os" in sys.modules, isinstance(sys.path, list), sys.float_info.max, sys.int_info.bits_per_digit, sys.getdefaultencoding(), sys.implementation.name is not None)
t = time.perf_counter(); time.sleep(0.001); print(time.perf_counter() > t, time.time() > 1e9, time.monotonic() >= 0, isinstance(time.time_ns(), int), time.strftime("%Y", time.gmtime(0)))
sys.stdout.write("written\n")
try: sys.exit(3)
except SystemExit as e: print(e.code, repr(e))
try: sys.exit("msg")
except SystemExit as e: print(e.code)
try: raise KeyboardInterrupt
except BaseException as e: print(type(e).__mro__[1].__name__)
