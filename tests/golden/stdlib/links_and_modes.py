# Modes, links, times of files; archives of folders; programs on the path.
import os
import shutil
import stat
import tempfile

with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, 'a.txt')
    with open(name, 'w') as file:
        file.write('text')
    os.chmod(name, 0o640)
    print(oct(stat.S_IMODE(os.stat(name).st_mode)), stat.filemode(os.stat(name).st_mode), stat.filemode(os.stat(folder).st_mode), stat.S_ISREG(os.stat(name).st_mode))
    link = os.path.join(folder, 'link')
    os.symlink('a.txt', link)
    os.symlink('nothing', link + '2')
    print(os.path.islink(link), os.readlink(link), open(link).read(), os.path.exists(link + '2'), os.path.lexists(link + '2'), stat.S_ISLNK(os.lstat(link).st_mode))
    os.utime(name, (100, 200))
    print(os.path.getmtime(name), os.stat(name).st_atime, os.access(name, os.X_OK))
    shutil.copy2(name, name + '2')
    shutil.copy(name, name + '3')
    print(os.path.getmtime(name + '2'), os.path.getmtime(name + '3') > 1000, oct(os.stat(name + '3').st_mode))
    os.makedirs(os.path.join(folder, 'in', 'deep'))
    os.symlink(folder, os.path.join(folder, 'in', 'round'))
    print(sorted(os.path.relpath(at, folder) for at, _, _ in os.walk(folder)))
    with open(os.path.join(folder, 'in', 'deep', 'x'), 'w') as file:
        file.write('x')
    made = shutil.make_archive(os.path.join(folder, 'kept'), 'zip', os.path.join(folder, 'in', 'deep'))
    shutil.unpack_archive(made, os.path.join(folder, 'out'))
    print(os.path.basename(made), os.listdir(os.path.join(folder, 'out')))
    shutil.rmtree(os.path.join(folder, 'in'))
    os.remove(link)
    os.unlink(link + '2')
    print(sorted(os.listdir(folder)))
    usage = shutil.disk_usage(folder)
    print(usage.total >= usage.used + usage.free > 0)
    program = os.path.join(folder, 'tool')
    with open(program, 'w') as file:
        file.write('#!/bin/sh\n')
    print(shutil.which('tool', path=folder), os.path.basename(shutil.which('sh')))
    os.chmod(program, 0o755)
    print(shutil.which('tool', path=folder) == program, shutil.which(program) == program, shutil.which('nothing-like-it'))
    for bad in (lambda: shutil.rmtree(link), lambda: os.readlink(name), lambda: shutil.unpack_archive(name), lambda: shutil.make_archive(name, 'odd')):
        try:
            bad()
        except (OSError, ValueError) as error:
            print(type(error).__name__)
print(os.getppid() > 0, os.getuid() >= 0, os.getloadavg()[0] >= 0, len(os.times()), os.get_exec_path() != [])
