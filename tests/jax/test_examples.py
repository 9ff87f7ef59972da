# SPDX-License-Identifier: Apache-2.0
"""python/examples: what they export is linked to their C programs, which run, as docs/jax.md says."""
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np

import pallasc.jax
from pallasc import _native

ROOT = pathlib.Path(pallasc.jax.__file__).resolve().parents[3]
EXAMPLE = ROOT / 'python' / 'examples' / 'character_model'


def _model():
    if str(EXAMPLE) not in sys.path:
        sys.path.insert(0, str(EXAMPLE))
    import model
    return model


def test_character_model(tmp_path):
    _model().main(tmp_path)
    libraries = str(_native.folder())
    objects = [str(tmp_path / name) for name in ('step.o', 'predict.o', 'start.o')]
    subprocess.run(['cc', '-O2', f'-I{tmp_path}', f'-I{ROOT / "runtime"}', str(EXAMPLE / 'train.c'), *objects, f'-L{libraries}',
                    f'-Wl,-rpath,{libraries}', '-lpallasrt', '-lm', '-pthread', '-o', str(tmp_path / 'train')], check=True)
    said = subprocess.run([tmp_path / 'train', ROOT / 'docs' / 'language.md', '201'], check=True, stdout=subprocess.PIPE, text=True).stdout
    losses = [float(x) for x in re.findall(r'^step \d+: loss (\S+)$', said, re.MULTILINE)]
    assert len(losses) == 5 and losses[0] > 4 and losses[-1] < losses[0] - 1.5, said
    assert len(said.split('loss')[-1]) > 200, said


def test_gradient_of_the_attention():
    model = _model()

    def reference(q, k, v):
        return model._weights(q, k) @ v
    q, k, v = jax.random.normal(jax.random.key(1), (3, model.LENGTH, model.HEAD))
    for got, want in zip(*(jax.grad(lambda *x: jnp.sum(f(*x) ** 2), (0, 1, 2))(q, k, v) for f in (model.attention, reference))):
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
