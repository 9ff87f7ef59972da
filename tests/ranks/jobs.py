# SPDX-License-Identifier: Apache-2.0
"""Jobs of the tests of ranks: how they are started, with which MPI, and what a test is."""
import atexit
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def sessions():
    """A folder for what Open MPI keeps of its jobs. One that ends takes the folder of its host away if that is empty, though another one begins there."""
    folder = tempfile.mkdtemp(prefix='mpi')
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for host in {socket.gethostname(), socket.gethostname().split('.')[0]}:
        os.makedirs(f'{folder}/ompi.{host}.{os.getuid()}/kept')
    return folder


# By transport: how its ranks are started, and how when they are to talk over TCP.
OPEN_MPI = ['mpirun.openmpi' if shutil.which('mpirun.openmpi') else 'mpirun', '--allow-run-as-root', '--oversubscribe', '--bind-to', 'none',
            '--mca', 'orte_tmpdir_base', sessions()]
LAUNCHERS = {'mpi': (OPEN_MPI, ['--mca', 'btl', 'self,tcp']),
             'mpich': (['mpirun.mpich'], ['-genv', 'MPIR_CVAR_NOLOCAL', '1', '-genv', 'FI_PROVIDER', 'tcp', '-genv', 'UCX_TLS', 'tcp,self'])}
TIMEOUT = 120  # seconds: only what hangs takes so long
tests = []


def ends_within():
    """Seconds, of a job that has lost a rank; more where processes wait for CPUs."""
    return 5 if os.getloadavg()[0] < 2 * os.cpu_count() else 10


class Failed(Exception):
    pass


def test(function):
    tests.append(function)
    return function


class Skipped(Exception):
    pass


def ended(job):
    """What a job has printed that is asked to end, as mpirun asks its ranks; that does not, is killed."""
    job.terminate()
    try:
        return job.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        job.kill()
        return job.communicate(timeout=10)


class Build:
    def __init__(self, build, folder, transport):
        self.build, self.pallasc, self.folder, self.transport = build, build / 'pallasc', pathlib.Path(folder), transport
        self.mpirun, self.over_tcp = LAUNCHERS[transport]

    def run(self, *command, status=0, **options):
        done = self.outcome(*command, **options)
        if (done.returncode != 0) != (status != 0):
            raise Failed(f'{" ".join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}\n{done.stderr}')
        return done

    def outcome(self, *command, cwd=None, **options):
        """What a command comes to; one that hangs has failed, and its processes are ended."""
        job = subprocess.Popen([str(word) for word in command], cwd=cwd or self.folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        try:
            out, errors = job.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            out, errors = ended(job)
            raise Failed(f'{" ".join(map(str, command))}\nhangs\n{out}\n{errors}') from None
        return subprocess.CompletedProcess(command, job.returncode, out, errors)

    def with_environment(self, **variables):
        """Words of mpirun that give variables to the ranks alone."""
        pairs = [(name, str(value)) for name, value in variables.items()]
        return [word for name, value in pairs for word in (('-genv', name, value) if self.transport == 'mpich' else ('-x', f'{name}={value}'))]

    def mpicc(self, *words):
        names = ['mpicc.mpich'] if self.transport == 'mpich' else ['mpicc.openmpi', 'mpicc']
        self.run(next(name for name in names if shutil.which(name)), *words)

    def on_ranks(self, count, *words, status=0, mpi=()):
        return self.run(*self.mpirun, *mpi, '-n', count, self.pallasc, 'run', *words, status=status)


def without_launcher(errors):
    """Without what mpirun adds when a process ends with a status, and when the job was stopped for a while."""
    return re.sub(r'(?m)^mpirun.*: Forwarding signal .*\n', '', re.split(r'(?m)^-{20,}$\n?', errors)[0])


def same(got, want):
    if got != want:
        raise Failed(f'got\n{got}\ninstead of\n{want}')
