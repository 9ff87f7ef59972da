# SPDX-License-Identifier: Apache-2.0
"""Run .pk files under JAX, with every kernel in an interpret mode.

A .pk file finds the customary names without an import; older spellings of the Pallas API are understood. Both are
properties of the language that JAX does not have, so they are supplied here. `set_up()` comes first: it fixes XLA's flags,
which are read when JAX is imported.
"""
import contextlib
import importlib.machinery
import os
import pathlib
import sys


# Code that runs once is not worth XLA's whole effort. Its older emitters lack a few things, a pad of several dimensions among them.
QUICK_FLAGS = '--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1 '


def set_up(devices=1, is_quick=False):
    """Fix the environment for JAX and import it. With `is_quick`, programs are compiled in less than half the time.

    XLA is held to what the program says, on every x86 alike: bf16 is rounded at each step; without FMA instructions a
    product that is added to something is rounded before; without the algebraic simplifier x / 3 is not x * (1 / 3).
    """
    os.environ['JAX_PLATFORMS'] = 'cpu'
    os.environ['XLA_FLAGS'] = ('--xla_allow_excess_precision=false --xla_cpu_max_isa=AVX '
                               f'--xla_disable_hlo_passes=algsimp {QUICK_FLAGS if is_quick else ""}'
                               f'--xla_force_host_platform_device_count={devices}')
    os.environ.setdefault('PJRT_NPROC', '16')
    accept_array_annotations()
    accept_old_spellings()
    pretend_to_be_a_chip()


def pretend_to_be_a_chip(name='v5p'):
    """pltpu.get_tpu_info() tells of that chip, which emit_pipeline asks for the tiles of its blocks."""
    from jax._src.pallas.mosaic import tpu_info
    info = tpu_info._get_tpu_info_impl(tpu_info.ChipVersion(name), 1)
    tpu_info.registry['cpu'] = lambda: info


# ---- what the language has and JAX has not -----------------------------------------------------------------------------------

class ArrayType:
    """What `f32[8, 128]` means in an annotation."""

    def __init__(self, dtype, shape):
        self.dtype = dtype
        self.shape = shape if isinstance(shape, tuple) else (shape,)


def accept_array_annotations():
    import jax.numpy as jnp
    scalar_type = type(jnp.float32)
    scalar_type.__getitem__ = lambda dtype, shape: ArrayType(dtype.dtype, shape)
    scalar_type.__iter__ = None  # else what can be indexed is gone through for ever


def prelude():
    """The names that are there without an import."""
    from functools import partial
    import jax
    from jax import lax
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu
    from jax.experimental.pallas import tpu_sc as plsc
    import jax.numpy as jnp
    import numpy as np
    return dict(
        jax=jax, jnp=jnp, lax=lax, np=np, pl=pl, pltpu=pltpu, plsc=plsc, partial=partial,
        f32=jnp.float32, bf16=jnp.bfloat16, f16=jnp.float16, i8=jnp.int8, i16=jnp.int16, i32=jnp.int32,
        u8=jnp.uint8, u16=jnp.uint16, u32=jnp.uint32, bool_=jnp.bool_)


# ---- older spellings ---------------------------------------------------------------------------------------------------------

def accept_old_spellings():
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    renamed = {
        'TPUCompilerParams': pltpu.CompilerParams, 'TPUMemorySpace': pltpu.MemorySpace,
        'ANY': pl.ANY, 'run_scoped': pl.run_scoped, 'CostEstimate': pl.CostEstimate, 'delay': pl.delay,
        'semaphore_signal': pl.semaphore_signal, 'semaphore_wait': pl.semaphore_wait, 'semaphore_read': pl.semaphore_read,
        'DeviceIdType': pl.DeviceIdType, 'repeat': tile_by_repeating,
    }
    for name, value in renamed.items():
        setattr(pltpu, name, value)
    accept_index_map_first(pl.BlockSpec)
    accept_mapping_as_compiler_params(pl, pltpu.CompilerParams)
    for name, function in old_memory_functions().items():
        setattr(pl, name, function)


def accept_index_map_first(block_spec):
    initialise = block_spec.__init__

    def initialise_either_way(self, block_shape=None, index_map=None, **keywords):
        if callable(block_shape) or (block_shape is None and isinstance(index_map, (tuple, list))):
            block_shape, index_map = index_map, block_shape
        initialise(self, block_shape, index_map, **keywords)
    block_spec.__init__ = initialise_either_way


def accept_mapping_as_compiler_params(pl, params_type):
    """`compiler_params=dict(mosaic=dict(...))`, as it was before the dataclass."""
    call = pl.pallas_call

    def pallas_call(*args, **keywords):
        params = keywords.get('compiler_params')
        if isinstance(params, dict):
            keywords['compiler_params'] = params_type(**params.get('mosaic', params))
        return call(*args, **keywords)
    pl.pallas_call = pallas_call


def tile_by_repeating(x, repeats, axis):
    import jax.numpy as jnp
    return jnp.concatenate([x] * repeats, axis)


def old_memory_functions():
    """pl.load, pl.store and pl.swap, which took the index beside the ref."""
    from jax.experimental.pallas import tpu as pltpu
    import jax.numpy as jnp

    def load(ref, index, *, mask=None, other=None, **hints):
        value = pltpu.load(ref.at[index], mask=mask)
        return value if mask is None or other is None else jnp.where(mask, value, other)

    def store(ref, index, value, *, mask=None, **hints):
        pltpu.store(ref.at[index], value, mask=mask)

    def swap(ref, index, value, *, mask=None, **hints):
        old = load(ref, index)
        store(ref, index, value, mask=mask)
        return old
    return dict(load=load, store=store, swap=swap)


# ---- running -----------------------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def kernels_interpreted(mode):
    """Inside, kernels run in TPU interpret mode, or for mode 'interpret' as with pallas_call(interpret=True)."""
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu
    if mode != 'interpret':
        with pltpu.force_tpu_interpret_mode(pltpu.InterpretParams(uninitialized_memory='nan')):
            try:
                yield
            finally:
                pltpu.reset_tpu_interpret_mode_state()
        return
    call = pl.pallas_call
    pl.pallas_call = lambda *args, **keywords: call(*args, **{**keywords, 'interpret': True})
    try:
        yield
    finally:
        pl.pallas_call = call


class PkLoader(importlib.machinery.SourceFileLoader):
    """Loads an imported .pk file with the prelude's names in it."""

    def exec_module(self, module):
        vars(module).update(prelude())
        super().exec_module(module)

    def set_data(self, *args, **keywords):
        """Leave no compiled file beside the source."""


class PkFinder:
    """Looks for .pk and .py files in one folder, and for the submodules of packages."""

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        for folder in [self.folder] if path is None else path:
            finder = importlib.machinery.FileFinder(
                str(folder), (PkLoader, ['.pk']), (importlib.machinery.SourceFileLoader, ['.py']))
            if (spec := finder.find_spec(name)) is not None:
                return spec
        return None


@contextlib.contextmanager
def modules_beside(folder):
    """Inside, an `import` finds .pk and .py files of the folder. What was imported is forgotten at the end."""
    finder = PkFinder(folder)
    before = set(sys.modules)
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before:
            if str(folder) in (getattr(sys.modules[name], '__file__', None) or ''):
                del sys.modules[name]


def run_module(path):
    """Execute the file as a program and return its names."""
    import jax
    import numpy as np
    path = pathlib.Path(path).resolve()
    names = {**prelude(), '__name__': '__main__', '__file__': str(path)}
    with modules_beside(path.parent), np.printoptions():
        exec(compile(path.read_text(encoding='utf-8'), str(path), 'exec'), names)
    jax.effects_barrier()
    return names
