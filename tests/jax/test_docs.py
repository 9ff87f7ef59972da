# SPDX-License-Identifier: Apache-2.0
"""The blocks of README.md and docs/jax.md that name this file run, from top to bottom, in one folder: Python in one module, commands in a shell."""
import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys

import jax.numpy as jnp
import pallasc.jax
from jax.experimental import pallas as pl

ROOT = pathlib.Path(pallasc.jax.__file__).resolve().parents[3]

def run_blocks(page, folder, module):
    """What the blocks of a page that name this file print."""
    blocks = re.findall(r'^```(python|sh) by=tests/jax/test_docs.py\n(.*?)^```$', (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks, page
    environment = {**os.environ, 'PYTHONPATH': str(ROOT / 'python'), 'PATH': f'{pathlib.Path(sys.executable).parent}:{os.environ["PATH"]}'}
    out = io.StringIO()
    with contextlib.chdir(folder):
        for number, (language, text) in enumerate(blocks):
            if language == 'sh':
                subprocess.run(['bash', '-e', '-c', text], env=environment, check=True, stdout=subprocess.DEVNULL)
                continue
            (folder / f'block{number}.py').write_text(text)
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(folder / f'block{number}.py'), 'exec'), module)
    return out.getvalue()

def test_readme(tmp_path):
    def double_kernel(x_ref, o_ref):
        o_ref[...] = x_ref[...] * 2

    x = jnp.ones((8, 128))
    module = {'x': x, 'my_kernel': lambda x: pl.pallas_call(double_kernel, out_shape=x)(x)}
    run_blocks('README.md', tmp_path, module)
    assert (module['y'] == 2).all()

def test_jax_md(tmp_path):
    said = run_blocks('docs/jax.md', tmp_path, {'__name__': 'docs'})
    assert said.startswith('2.0\n(2, 8, 128)\n'), said
    assert "is read where it was never written" in said and 'prt_status step(' in said, said
    for name in ('step.o', 'step.h', 'layer.o', 'layer.h'):
        assert (tmp_path / name).stat().st_size, name


def test_mistakes_on_the_command_line_are_one_line(tmp_path):
    (tmp_path / 'layer.py').write_text('import jax.numpy as jnp\nsizes = 3\ndef layer(x, w):\n    return jnp.tanh(x @ w)\n')
    (tmp_path / 'broken.py').write_text('def f(:\n')
    (tmp_path / 'needs.py').write_text('import nowhere_at_all\n')
    one, two = ['--spec', 'f32[8,128]'], ['--spec', 'f32[8,128]', '--spec', 'f32[128,4]']
    cases = {'layer:no': (two, "has no function 'no'; those it has: layer"), 'absent:f': (two, "cannot import 'absent'"), 'layer.py:layer': (two, "give the module's name, 'layer'"), 'broken:f': (two, 'line 1'),
             'needs:f': (two, 'nowhere_at_all'), 'layer:sizes': (two, 'is no function'), 'layer:layer': (one, "layer(x, w): missing a required argument: 'w'"),
             'layer:': (two, 'give MODULE:FUNCTION'), ':layer': (two, 'give MODULE:FUNCTION')}
    for function, (specs, text) in cases.items():
        run = subprocess.run([sys.executable, '-m', 'pallasc.jax', function, *specs, '-o', 'x.o'], cwd=tmp_path, capture_output=True, text=True, check=False,
                             env={**os.environ, 'PYTHONPATH': str(ROOT / 'python')})
        assert run.returncode == 2 and text in run.stderr.splitlines()[-1] and 'Traceback' not in run.stderr, (function, run.stderr)
