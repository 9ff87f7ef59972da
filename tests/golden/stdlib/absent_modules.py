# own: modules that pallasc does not provide
# Modules of the standard library that are not provided, and functions of imported files that would be coroutines: both can be
# imported, and their use is refused.
import symtable, sqlite3, multiprocessing.managers, multiprocessing.connection
import importlib
import importlib.metadata
import importlib.util
from mailbox import Mailbox
from multiprocessing import managers as mock
from typing import Optional
import jax.experimental.pallas.triton as triton
from jax.experimental.mosaic.dialects import tpu
import modules.coroutines as coroutines


def refused(f):
    try:
        print('no error:', f())
    except NotImplementedError as error:
        print(error)


def derive():
    class Late(Mailbox):
        pass


def enter():
    with Mailbox:
        pass


def catch():
    try:
        raise ValueError
    except sqlite3.Wrong:
        pass


def catch_name():
    try:
        raise ValueError
    except Mailbox:
        pass


for f in (lambda: symtable.symtable, lambda: Mailbox(2000, 1, 1), lambda: Mailbox.now, derive, enter, catch, catch_name, lambda: mock.patch,
          lambda: multiprocessing.connection.Client, lambda: isinstance(3, Mailbox), lambda: issubclass(int, (str, Mailbox)), lambda: list(Mailbox),
          lambda: len(Mailbox), lambda: bool(Mailbox), lambda: Mailbox + 1, lambda: triton.atomic_add, lambda: tpu.IntegerType,
          lambda: coroutines.waits(1)):
    refused(f)
print(Mailbox | None, None | Mailbox, Optional[Mailbox], list[Mailbox], isinstance(3, (int, Mailbox)))


def annotated(when: Mailbox, tree: symtable.Symbol | None = None):
    return 1


print(annotated(1), coroutines.plain(), symtable, sqlite3.__name__)
print(__import__('modules.coroutines').__name__, __import__('modules.coroutines', fromlist=['plain']).plain())
print(importlib.import_module('modules.coroutines') is coroutines, importlib.import_module('.coroutines', 'modules').plain())
print(importlib.util.find_spec('modules').parent, importlib.util.find_spec('modules.coroutines').origin, importlib.util.find_spec('nowhere'),
      importlib.util.find_spec('sqlite3').origin, importlib.util.resolve_name('.b', 'a'))
try:
    importlib.metadata.version('nothing')
except importlib.metadata.PackageNotFoundError as error:
    print(error)
for name in ('nowhere.below', 'modules.nowhere'):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(error)


# Private names of JAX under which programs ask for public things.
import jax.numpy as jnp
import jax
from jax._src.mesh import Mesh
from jax._src.numpy.scalar_types import _ScalarMeta
from jax._src.pallas import core as pl_core
from jax._src.pallas.mosaic.core import CompilerParams
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
print(Mesh is jax.sharding.Mesh, isinstance(jnp.float32, _ScalarMeta), isinstance(jnp.dtype('int8'), _ScalarMeta),
      pl_core.core_map is pl.core_map, CompilerParams is pltpu.CompilerParams, pltpu.reciprocal is pl.reciprocal)
