# What options of functions of files, archives and messages do, and which are refused.
import os, tempfile, pathlib, shutil, stat, gettext, mimetypes, sysconfig, tarfile, io
import xml.etree.ElementTree as ET
d = tempfile.mkdtemp()
os.mkdir(d + "/a", 0o750); print(oct(os.stat(d + "/a").st_mode & 0o777))
os.makedirs(d + "/b/c", 0o700); print(oct(os.stat(d + "/b/c").st_mode & 0o777))
fd = os.open(d + "/f", os.O_CREAT | os.O_WRONLY, 0o600); os.close(fd); print(oct(os.stat(d + "/f").st_mode & 0o777))
fd = os.open(d + "/g", os.O_CREAT | os.O_WRONLY); os.close(fd); print(oct(os.stat(d + "/g").st_mode & 0o777))
os.symlink(d + "/f", d + "/l")
p = pathlib.Path(d + "/l")
print(stat.S_ISLNK(p.lstat().st_mode), stat.S_ISLNK(p.stat().st_mode), stat.S_ISLNK(p.stat(follow_symlinks=False).st_mode))
for e in sorted(os.scandir(d), key=lambda e: e.name): print(e.name, e.is_file(), e.is_file(follow_symlinks=False), e.is_dir(follow_symlinks=False), stat.S_ISLNK(e.stat(follow_symlinks=False).st_mode))
shutil.copy(d + "/l", d + "/m", follow_symlinks=False); print(os.path.islink(d + "/m"))
shutil.copy2(d + "/l", d + "/n"); print(os.path.islink(d + "/n"))
pathlib.Path(d + "/t").touch(0o600); print(oct(os.stat(d + "/t").st_mode & 0o777))
try: pathlib.Path(d + "/none").resolve(strict=True)
except FileNotFoundError as e: print("FileNotFoundError", e.errno)
try: shutil.unpack_archive(shutil.make_archive(d + "/z", "zip", d + "/a"), d + "/u", filter="data")
except TypeError as e: print(e)
print(gettext.find("none"), gettext.translation("none", fallback=True).gettext("x"), gettext.bindtextdomain("none", "/x"), gettext.bindtextdomain("none"))
print(mimetypes.guess_all_extensions("image/jpg", strict=False), mimetypes.guess_all_extensions("image/jpg"))
try: sysconfig.get_paths("nonesuch")
except KeyError as e: print(e)
print(sysconfig.get_path("data", vars={"base": "/q"}))
b = ET.TreeBuilder(comment_factory=lambda t: ET.Comment(t.upper()), insert_comments=True)
print(ET.tostring(ET.fromstring("<a><!--c--></a>", ET.XMLParser(target=b))))
try: tarfile.open(fileobj=io.BytesIO(), mode="w", nonsense=1)
except TypeError as e: print(e)
shutil.rmtree(d)
for refused in (lambda: os.stat("x", dir_fd=3), lambda: os.chmod("x", 0, follow_symlinks=False)):
    try:
        refused()
    except (NotImplementedError, OSError, LookupError) as error:
        print("refused")
