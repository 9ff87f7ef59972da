# Modules of the standard library that are not provided, and functions of imported files that would be coroutines: both can be
# imported, and their use is refused.
import ast, sqlite3, multiprocessing.pool, concurrent.futures
import importlib
import importlib.metadata
import importlib.util
from datetime import datetime
from multiprocessing import pool as mock
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
    class Late(datetime):
        pass


def enter():
    with datetime:
        pass


def catch():
    try:
        raise ValueError
    except sqlite3.Wrong:
        pass


def catch_name():
    try:
        raise ValueError
    except datetime:
        pass


for f in (lambda: ast.parse, lambda: datetime(2000, 1, 1), lambda: datetime.now, derive, enter, catch, catch_name, lambda: mock.patch,
          lambda: concurrent.futures.Future, lambda: isinstance(3, datetime), lambda: issubclass(int, (str, datetime)), lambda: list(datetime),
          lambda: len(datetime), lambda: bool(datetime), lambda: datetime + 1, lambda: triton.load, lambda: tpu.IntegerType,
          lambda: coroutines.waits(1)):
    refused(f)
print(datetime | None, None | datetime, Optional[datetime], list[datetime], isinstance(3, (int, datetime)))


def annotated(when: datetime, tree: ast.AST | None = None):
    return 1


print(annotated(1), coroutines.plain(), ast, sqlite3.__name__)
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
