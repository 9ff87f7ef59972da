# platform, errno, shlex, binascii, os.uname, contextlib.chdir, DID NOT RAISE as pytest says it.
import binascii, contextlib, errno, os, platform, shlex, tempfile
import pytest

print(platform.system(), platform.machine() == os.uname().machine, platform.python_version_tuple()[:2], platform.python_implementation(), platform.architecture(), platform.node() == os.uname()[1],
      platform.platform().startswith(f"Linux-{platform.release()}-{platform.machine()}"), platform.uname().version == platform.version(), platform.uname()._fields if hasattr(platform.uname(), "_fields") else 0, platform.libc_ver()[0])
print(repr(os.uname()).startswith("posix.uname_result(sysname='Linux', nodename="), os.uname().sysname)
print(errno.ENOENT, errno.EEXIST, errno.errorcode[13], errno.ENOTEMPTY, errno.ETIMEDOUT, errno.EWOULDBLOCK == errno.EAGAIN, errno.EINVAL, errno.ECONNREFUSED, errno.ELOOP, errno.ERANGE, errno.errorcode[34])
for text in ("a b  c", "a 'b c' d", 'a "b \\" \\x c" d', "a\\ b c", "'' \"\"", "x'y'z", "a#b # c", ""):
    print(shlex.split(text), shlex.split(text, comments=True))
for bad in ("'a", '"a', "a\\"):
    try:
        shlex.split(bad)
    except ValueError as e:
        print(e)
print(shlex.quote(""), shlex.quote("a b"), shlex.quote("it's"), shlex.quote("safe-1.2/x@y:z"), shlex.quote("$x"), shlex.join(["a", "b c", "d'e"]))
print(binascii.hexlify(b"\x00\xffa"), binascii.hexlify(b"abcd", "-", 2), binascii.unhexlify("00fF61"), binascii.unhexlify(b"6162"), binascii.crc32(b"hello"), binascii.crc32(b"lo", binascii.crc32(b"hel")), binascii.b2a_base64(b"hi"),
      binascii.b2a_base64(b"hi", newline=False), binascii.a2b_base64(b"aGk="), binascii.crc_hqx(b"hello", 0))
for bad in ("abc", "zz"):
    try:
        binascii.unhexlify(bad)
    except binascii.Error as e:
        print(e)
with tempfile.TemporaryDirectory() as folder:
    here = os.getcwd()
    manager = contextlib.chdir(folder)
    with manager:
        print(os.path.samefile(os.getcwd(), folder))
        with manager:
            pass
    print(os.getcwd() == here)
for expected in (KeyError, (KeyError, ValueError)):
    try:
        with pytest.raises(expected):
            pass
    except BaseException as e:
        print(type(e).__name__, e)
