# SPDX-License-Identifier: Apache-2.0
"""Two hosts that are network namespaces of this one, with a bridge between them. Needs root, and ip and tc (Debian: iproute2)."""
import os
import pathlib
import signal
import subprocess

NETWORK = '10.99.0'
HOSTS = (2, 3)  # the last number of their addresses
# In place of ssh: options, a host, and what runs there.
AGENT = '''#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
name=NAME${1##*.}
shift
exec ip netns exec $name unshare -u sh -c "hostname $name; $*"
'''


def ip(*words):
    done = subprocess.run(['ip', *map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise OSError(f'ip {" ".join(map(str, words))}: {done.stderr.strip()}')


class Network:
    def __init__(self, folder, transport):
        self.name = f'{transport[:4]}{os.getpid() % 10000}'
        self.agent = pathlib.Path(folder) / 'agent'
        self.agent.write_text(AGENT.replace('NAME', f'{self.name}h'))
        self.agent.chmod(0o755)

    def host(self, number):
        return f'{self.name}h{number}'

    def __enter__(self):
        ip('link', 'add', self.name, 'type', 'bridge')
        ip('addr', 'add', f'{NETWORK}.1/24', 'dev', self.name)
        ip('link', 'set', self.name, 'up')
        for number in HOSTS:
            cable, host = f'{self.name}v{number}', self.host(number)
            ip('netns', 'add', host)
            ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host)
            ip('link', 'set', cable, 'master', self.name, 'up')
            ip('-n', host, 'addr', 'add', f'{NETWORK}.{number}/24', 'dev', 'eth0')
            for device in ('eth0', 'lo'):
                ip('-n', host, 'link', 'set', device, 'up')
        return self

    def __exit__(self, *_):
        for number in HOSTS:  # daemons of a launcher that could not reach them any more
            for pid in subprocess.run(['ip', 'netns', 'pids', self.host(number)], text=True, stdout=subprocess.PIPE).stdout.split():
                os.kill(int(pid), signal.SIGKILL)
        for command in (('link', 'del', self.name), *(('netns', 'del', self.host(number)) for number in HOSTS)):
            try:
                ip(*command)
            except OSError as error:
                print(error)

    def slow(self, megabits):
        """What each host may send in a second."""
        for number in HOSTS:
            words = f'qdisc add dev eth0 root tbf rate {megabits}mbit burst 256kb latency 100ms'.split()
            done = subprocess.run(['tc', '-n', self.host(number), *words], text=True, stderr=subprocess.PIPE)
            if done.returncode:
                raise OSError(f'tc {" ".join(words)}: {done.stderr.strip()}')

    def pull(self, number):
        ip('link', 'set', f'{self.name}v{number}', 'down')

    def launcher(self, transport, ranks):
        places = ','.join(f'{NETWORK}.{number}:{-(-ranks // len(HOSTS))}' for number in HOSTS)
        if transport == 'mpich':
            return ['mpirun.mpich', '-launcher', 'ssh', '-launcher-exec', self.agent, '-localhost', f'{NETWORK}.1', '-hosts', places,
                    '-genv', 'UCX_TLS', 'tcp,self', '-genv', 'FI_PROVIDER', 'tcp', '-n', ranks]
        return ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe', '--bind-to', 'none', '--mca', 'plm_rsh_agent', self.agent, '--mca', 'plm_rsh_no_tree_spawn', 1,
                '--mca', 'btl', 'self,tcp', '--mca', 'btl_tcp_if_include', f'{NETWORK}.0/24', '--mca', 'oob_tcp_if_include', f'{NETWORK}.0/24', '--host', places, '-n', ranks]
