# SPDX-License-Identifier: Apache-2.0
"""python/examples: what they export is linked to their C programs, which run, as docs/jax.md says."""
import importlib.util
import pathlib
import re
import subprocess

import jax
import jax.numpy as jnp
import numpy as np

import pallasc.jax
from pallasc import _native

ROOT = pathlib.Path(pallasc.jax.__file__).resolve().parents[3]
EXAMPLES = ROOT / 'python' / 'examples'


def _module(file):
    """A file of the examples as a module; two of them are called model.py."""
    spec = importlib.util.spec_from_file_location(f'{file.parent.name}_{file.stem}', file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run_c(source, folder, *arguments):
    """What the C program prints, linked with all objects of the folder."""
    libraries, program = str(_native.folder()), folder / source.stem
    subprocess.run(['cc', '-O2', '-Wall', '-Werror', f'-I{folder}', f'-I{ROOT / "runtime"}', str(source), *map(str, folder.glob('*.o')), f'-L{libraries}',
                    f'-Wl,-rpath,{libraries}', '-lpallasrt', '-lm', '-pthread', '-o', str(program)], check=True)
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def test_character_model(tmp_path):
    _module(EXAMPLES / 'character_model' / 'model.py').main(tmp_path)
    said = _run_c(EXAMPLES / 'character_model' / 'train.c', tmp_path, ROOT / 'docs' / 'language.md', '201')
    losses = [float(x) for x in re.findall(r'^step \d+: loss (\S+)$', said, re.MULTILINE)]
    assert len(losses) == 5 and losses[0] > 4 and losses[-1] < losses[0] - 1.5, said
    assert len(said.split('loss')[-1]) > 200, said


def test_classifier(tmp_path):
    _module(EXAMPLES / 'classifier' / 'model.py').main(tmp_path)
    assert '16 of 16 right' in _run_c(EXAMPLES / 'classifier' / 'classify.c', tmp_path)


def test_shipped_kernel(tmp_path):
    _module(EXAMPLES / 'shipped_kernel' / 'attention.py').main(tmp_path)
    assert '1024 rows' in _run_c(EXAMPLES / 'shipped_kernel' / 'attend.c', tmp_path)


def test_gradient_of_the_attention():
    model = _module(EXAMPLES / 'character_model' / 'model.py')

    def reference(q, k, v):
        return model._weights(q, k) @ v
    q, k, v = jax.random.normal(jax.random.key(1), (3, model.LENGTH, model.HEAD))
    for got, want in zip(*(jax.grad(lambda *x: jnp.sum(f(*x) ** 2), (0, 1, 2))(q, k, v) for f in (model.attention, reference))):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
