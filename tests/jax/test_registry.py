# SPDX-License-Identifier: Apache-2.0
"""Each primitive of JAX's own lowering for TPUs has a row in primitives.def, or a reason there why it has none."""
import pathlib
import re

from jax._src.pallas.mosaic import lowering
from jax.experimental.pallas import fuser  # noqa: F401: has a primitive with a lowering of its own

from pallasc.jax import text

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_every_primitive_has_a_row():
    rows = set(re.findall(r'^(?:PRIMITIVE|REFUSED)\("([^"]+)"', (ROOT / 'compiler/jax/import/primitives.def').read_text(), re.MULTILINE))
    lowered = {text._primitive(primitive) for rules in lowering.lowering_rules.values() for primitive in rules}
    assert not lowered - rows, sorted(lowered - rows)
