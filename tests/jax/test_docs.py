# SPDX-License-Identifier: Apache-2.0
"""The blocks of docs/jax.md run, from top to bottom, in one folder: Python in one module, commands in a shell."""
import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import pallasc.jax

ROOT = pathlib.Path(pallasc.jax.__file__).resolve().parents[3]

def test_jax_md(tmp_path):
    blocks = re.findall(r'^```(python|sh) norun\n(.*?)^```$', (ROOT / 'docs' / 'jax.md').read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    environment = {**os.environ, 'PYTHONPATH': str(ROOT / 'python'), 'PATH': f'{pathlib.Path(sys.executable).parent}:{os.environ["PATH"]}'}
    module, out = {'__name__': 'docs'}, io.StringIO()
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        for number, (language, text) in enumerate(blocks):
            if language == 'sh':
                subprocess.run(['bash', '-e', '-c', text], env=environment, check=True, stdout=subprocess.DEVNULL)
                continue
            (tmp_path / f'block{number}.py').write_text(text)
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(tmp_path / f'block{number}.py'), 'exec'), module)
    finally:
        os.chdir(before)
    assert out.getvalue().startswith('2.0\n(2, 8, 128)\n'), out.getvalue()
    assert "is read where it was never written" in out.getvalue() and 'prt_status step(' in out.getvalue(), out.getvalue()
    for name in ('step.o', 'step.h', 'layer.o', 'layer.h'):
        assert (tmp_path / name).stat().st_size, name
