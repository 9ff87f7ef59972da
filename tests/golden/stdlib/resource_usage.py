# cmd: run {}
import resource

before = resource.getrusage(resource.RUSAGE_SELF)
held = bytearray(64 << 20)
for i in range(0, len(held), 4096):
    held[i] = 1
used = resource.getrusage(resource.RUSAGE_SELF)
# Of a process that a large one has started the maximum is the large one's, at first.
print(used.ru_maxrss > 60 << 10, used.ru_maxrss >= before.ru_maxrss, used.ru_utime + used.ru_stime > 0, used.ru_minflt > before.ru_minflt, len(used), used[2] == used.ru_maxrss)
print(len(resource.getrlimit(resource.RLIMIT_STACK)), resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 0)
for refused in (lambda: resource.getrusage(77), lambda: resource.getrlimit(99)):
    try:
        refused()
    except ValueError as error:
        print(error)
