# SPDX-License-Identifier: Apache-2.0
"""What has been compared with its oracle already: it is not computed again as long as nothing of it has changed.

`verified.txt` has a line for each case, a digest and the case's path. The digest is of all that the comparison depends on: the case, what is stored beside it,
the modules that it may import, the oracle's own code, and the versions of Python, NumPy and JAX. A case with another digest, or with none, is compared again.

The texts that are stored are those of one version of Python. Others print some of them otherwise: under such a one, what has been compared is not
compared again, what has not is skipped if it differs, and nothing is recorded.
"""
import hashlib
import importlib.metadata
import pathlib
import platform

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = pathlib.Path(__file__).with_name('verified.txt')
PYTHON = '3.11.7'  # whose texts are stored
PACKAGES = ('jax', 'jaxlib', 'numpy', 'ml_dtypes')


def common_text():
    """The versions that every digest depends on."""
    return ' '.join([PYTHON, *(f'{name}-{importlib.metadata.version(name)}' for name in PACKAGES)])


def why_texts_differ():
    """Why what this Python prints may be another text than the one that is stored; '' if there is no reason."""
    running = platform.python_version()
    return '' if running == PYTHON else f'Python {running} prints something else than {PYTHON}, whose texts are stored'


class Record:
    """`code`: the files of the oracle itself."""

    def __init__(self, code):
        lines = PATH.read_text(encoding='utf-8').splitlines() if PATH.exists() else []
        self.digests = {path: digest for digest, path in (line.split(' ', 1) for line in lines)}
        self.common = hashlib.sha256(common_text().encode())
        add_files(self.common, [pathlib.Path(__file__), *code])

    def digest(self, files):
        digest = self.common.copy()
        add_files(digest, files)
        return digest.hexdigest()[:32]

    def has(self, case, files):
        return self.digests.get(name_of(case)) == self.digest(files)

    def add(self, case, files):
        if why_texts_differ():
            return
        self.digests[name_of(case)] = self.digest(files)

    def save(self):
        lines = [f'{digest} {name}\n' for name, digest in sorted(self.digests.items()) if (ROOT / name).exists()]
        PATH.write_text(''.join(lines), encoding='utf-8')


def name_of(path):
    return str(pathlib.Path(path).resolve().relative_to(ROOT))


def add_files(digest, files):
    for file in files:
        data = file.read_bytes()
        digest.update(f'{file.name} {len(data)}\n'.encode())
        digest.update(data)


def modules_of(folder):
    """What the programs of a folder may import or read, in order: its `modules`, and files that are no program and no output."""
    data = [file for file in folder.iterdir() if file.is_file() and file.suffix not in ('.py', '.pk', '.out', '.err', '.npy')]
    return sorted(data) + sorted(file for file in folder.glob('modules/**/*') if file.is_file() and file.suffix != '.pyc')
