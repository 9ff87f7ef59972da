# What the system says of the process and of the machine can be read.
import os
import pathlib

with open('/proc/self/status') as f:
    fields = dict(line.split(':', 1) for line in f)
print(int(fields['VmRSS'].split()[0]) > 1000, fields['VmRSS'].split()[1], int(fields['Pid']) == os.getpid())
pages = int(pathlib.Path('/proc/self/statm').read_text().split()[1])
print(pages * os.sysconf('SC_PAGE_SIZE') > 1 << 20, open('/proc/meminfo').readline().startswith('MemTotal:'), 'processor' in open('/proc/cpuinfo').read())
