# SPDX-License-Identifier: Apache-2.0
"""One contestant in a process of its own: `worker.py CONTESTANT THREADS FOLDER`, started by tests/bench/run.

It reads one JSON object a line and answers with one: {"row": …} makes the arrays of a row and checks the contestant's result against
NumPy in float64; {"seconds": s, "least": n} measures, and gives the times. All contestants get the same random arrays, in memory with
huge pages, and write into one given array if they can.
"""
import ctypes
import json
import mmap
import os
import pathlib
import sys
import time

import ml_dtypes
import numpy as np

DTYPES = dict(f32=np.float32, bf16=ml_dtypes.bfloat16, i8=np.int8, i32=np.int32)
HERE = pathlib.Path(__file__).resolve().parent


class Absent(Exception):
    """The contestant has nothing for this row."""


# ---- arrays ------------------------------------------------------------------------------------------------------------------

def empty(shape, dtype):
    count = int(np.prod(shape))
    memory = mmap.mmap(-1, max(count * np.dtype(dtype).itemsize, 1) + (4 << 20))
    if hasattr(mmap, 'MADV_HUGEPAGE'):
        memory.madvise(mmap.MADV_HUGEPAGE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    skipped = -start % (2 << 20)
    return np.frombuffer(memory, dtype, count, skipped).reshape(shape)


def random(shape, dtype, seed):
    array = empty(shape, dtype)
    generator = np.random.default_rng(seed)
    if np.issubdtype(np.dtype(dtype), np.integer):
        array[...] = generator.integers(-128, 128, shape, dtype)
    else:
        array[...] = generator.standard_normal(shape, np.float32).astype(dtype)
    return array


def inputs_of(row):
    return [random(tuple(shape), DTYPES[dtype], seed) for seed, (dtype, shape) in enumerate(row['inputs'])]


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


# ---- what is right: some rows of the result, in float64 ------------------------------------------------------------------------

def expected(row, inputs):
    """(indices of rows, values)."""
    kind = row['kind']
    wide = [array.astype(np.float64) for array in inputs] if kind not in ('matmul', 'few rows', 'attention') else inputs
    some = [0, row['out'][1][-2] // 3, row['out'][1][-2] - 1]
    if kind == 'matmul':
        return some, inputs[0][some].astype(np.float64) @ inputs[1].astype(np.float64)
    if kind == 'few rows':
        y = inputs[1].astype(np.float64)
        return some, inputs[0][some].astype(np.float64) @ (y.T if row['along_k'] else y)
    if kind == 'gather':
        return some, wide[0][some]
    if kind == 'swap':
        return some, 2 * np.roll(wide[0], 128, 1)[some]
    if kind == 'add':
        return some, wide[0][some] + wide[1][some]
    x = wide[0][some] if kind != 'attention' else None
    if kind == 'softmax':
        e = np.exp(x - x.max(-1, keepdims=True))
        return some, e / e.sum(-1, keepdims=True)
    if kind == 'layer_norm':
        centred = x - x.mean(-1, keepdims=True)
        return some, centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5) * wide[1] + wide[2]
    if kind == 'rms_norm':
        return some, x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * wide[1]
    if kind == 'gelu':
        return some, 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x ** 3)))
    q, k, v = (array[0].astype(np.float64) for array in inputs)
    s = q[some] @ k.T * q.shape[1] ** -0.5
    if row['causal']:
        s = np.where(np.arange(k.shape[0]) <= np.array(some)[:, None], s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return some, e / e.sum(-1, keepdims=True) @ v


def check(row, inputs, result):
    some, want = expected(row, inputs)
    got = np.asarray(result)
    got = (got[0] if got.ndim == 3 else got)[some].astype(np.float64)
    coarse = 'bf16' in [dtype for dtype, _ in row['inputs']]
    scale = np.abs(want).max()
    wrong = np.abs(got - want).max() / scale
    if not wrong <= (3e-2 if coarse else 2e-5):
        raise AssertionError(f'the result is off by {wrong:.2g} of its greatest element')


# ---- contestants: a function (row, inputs, out) -> (call, version, result or None when it is `out`) -------------------------------

def ours(folder, threads):
    libraries = {}

    def make(row, inputs, out):
        path = str(folder / row['library'])
        if path not in libraries:
            libraries[path] = ctypes.CDLL(path)
        function = getattr(libraries[path], row['function'])
        function.argtypes = [ctypes.c_void_p] * (len(inputs) + 2)
        pointers = [None, *(array.ctypes.data for array in inputs), out.ctypes.data]
        return lambda: function(*pointers), 'pallasc', None
    return make


def memcpy(folder, threads):
    copy = ctypes.CDLL(None).memcpy
    copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]

    def make(row, inputs, out):
        source, bytes_ = inputs[0].ctypes.data, inputs[0].nbytes
        targets = range(out.ctypes.data, out.ctypes.data + out.nbytes, bytes_)
        return lambda: [copy(target, source, bytes_) for target in targets] and None, 'memcpy', None
    return make


def ours_as_grid(folder, threads):
    """What pallasc makes of the row's `base`."""
    make_ours = ours(folder, threads)

    def make(row, inputs, out):
        if 'base' not in row:
            raise Absent
        name = f'{row["function"]}_base'
        call, _, result = make_ours({**row, 'function': name, 'library': f'{name}.so'}, inputs, out)
        return call, 'grid version', result
    return make


def limits(folder, threads):
    library = ctypes.CDLL(str(folder / 'limits.so'))
    library.limit_peak.restype = ctypes.c_double

    def make(row, inputs, out):
        if row['kind'] == 'peak':
            return lambda: library.limit_peak(row['which'], threads, 1), '', None
        if row['kind'] not in ('add', 'copy') or row['inputs'][0][0] != 'f32':
            raise Absent
        pointers = [pointer(inputs[0]), pointer(inputs[1]) if row['kind'] == 'add' else None, pointer(out), ctypes.c_int64(out.size)]
        if threads == 2:
            return lambda: library.limit_two_threads(*pointers), 'flat NT loop', None
        if row['kind'] == 'copy':
            pointers.pop(1)
        function = library.limit_add if row['kind'] == 'add' else library.limit_copy
        return lambda: function(*pointers), 'flat NT loop', None
    return make


def onednn(folder, threads):
    library = ctypes.CDLL(str(folder / 'onednn.so'))
    library.onednn_matmul.restype = ctypes.c_void_p
    number = library.onednn_version()
    version = f'oneDNN {number // 10000}.{number // 100 % 100}.{number % 100}'

    def make(row, inputs, out, plain=False):
        if row['kind'] != 'matmul':
            raise Absent
        n = ctypes.c_int64(inputs[0].shape[0])
        kind = {('f32', 'f32'): 0, ('bf16', 'f32'): 1, ('bf16', 'bf16'): 2, ('i8', 'i32'): 3}[row['inputs'][0][0], row['out'][0]]
        if plain:
            if kind:
                raise Absent
            pointers = [n, *map(pointer, [*inputs, out])]
            return lambda: library.onednn_sgemm(*pointers), version + ' sgemm', None
        matmul = library.onednn_matmul(kind, n, *map(pointer, [*inputs, out]))
        if not matmul:
            raise Absent
        handle = ctypes.c_void_p(matmul)
        return lambda: library.onednn_run(handle), version + ' matmul', None
    return make


def onednn_sgemm(folder, threads):
    make = onednn(folder, threads)
    return lambda row, inputs, out: make(row, inputs, out, plain=True)


def openblas(folder, threads):
    library = ctypes.CDLL('libopenblas.so.0')
    library.openblas_get_config.restype = ctypes.c_char_p
    version = ' '.join(library.openblas_get_config().decode().split()[:2])

    def make(row, inputs, out):
        if row['kind'] != 'matmul' or row['inputs'][0][0] != 'f32':
            raise Absent
        n, one, zero = inputs[0].shape[0], ctypes.c_float(1), ctypes.c_float(0)
        pointers = [101, 111, 111, n, n, n, one, pointer(inputs[0]), n, pointer(inputs[1]), n, zero, pointer(out), n]
        return lambda: library.cblas_sgemm(*pointers), version, None
    return make


def numpy(folder, threads):
    blas = np.show_config(mode='dicts')['Build Dependencies']['blas']
    version = f"NumPy {np.__version__} ({blas['name']} {blas['version']})"

    def make(row, inputs, out):
        if row['kind'] != 'matmul' or row['inputs'][0][0] != 'f32':
            raise Absent
        return lambda: np.matmul(*inputs, out=out), version, None
    return make


def torch(folder, threads):
    import torch
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    version = f'PyTorch {torch.__version__.split("+")[0]}'

    def tensor(array):
        if array.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(array)

    def make(row, inputs, out):
        x, *rest = tensors = [tensor(array) for array in inputs]
        kind, o = row['kind'], tensor(out)
        if kind == 'matmul' and row['inputs'][0][0] == 'i8':
            return lambda: torch._int_mm(*tensors, out=o), version, None
        if kind == 'matmul':
            if row['inputs'][0][0] != row['out'][0]:
                raise Absent
            return lambda: torch.mm(*tensors, out=o), version, None
        if kind == 'few rows':
            y = rest[0].T if row['along_k'] else rest[0]
            call = lambda: torch.mm(x, y)
            return call, version, lambda: call().float().numpy()
        if kind == 'add':
            return lambda: torch.add(*tensors, out=o), version, None
        if kind == 'softmax':
            return lambda: torch.softmax(x, -1, out=o), version, None
        if kind == 'gelu':
            return lambda: torch.ops.aten.gelu.out(x, approximate='tanh', out=o), version, None
        if kind == 'layer_norm':
            w, b = (t.reshape(-1) for t in rest)
            mean, deviation = torch.empty(x.shape[0], 1), torch.empty(x.shape[0], 1)
            normalise = torch.ops.aten.native_layer_norm.out
            return lambda: normalise(x, w.shape, w, b, 1e-5, out0=o, out1=mean, out2=deviation), version, None
        if kind == 'rms_norm':
            w = rest[0].reshape(-1)
            call = lambda: torch.nn.functional.rms_norm(x, w.shape, w, 1e-6)
            return call, version, lambda: call().numpy()
        if kind == 'attention':
            q, k, v = (t[None] for t in tensors)
            call = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=row['causal'])
            return call, version, lambda: call()[0].float().numpy()
        raise Absent
    return make


def inductor(folder, threads):
    """What torch.compile makes of the row kernels."""
    import torch
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    version = f'torch.compile {torch.__version__.split("+")[0]}'
    functional = torch.nn.functional
    functions = dict(
        softmax=lambda x, o: o.copy_(torch.softmax(x, -1)),
        gelu=lambda x, o: o.copy_(functional.gelu(x, approximate='tanh')),
        layer_norm=lambda x, w, b, o: o.copy_(functional.layer_norm(x, w.shape, w, b, 1e-5)),
        rms_norm=lambda x, w, o: o.copy_(functional.rms_norm(x, w.shape, w, 1e-6)))

    def make(row, inputs, out):
        if row['kind'] not in functions:
            raise Absent
        x, *rest = (torch.from_numpy(array) for array in inputs)
        arguments = [x, *(t.reshape(-1) for t in rest), torch.from_numpy(out)]
        function = torch.compile(functions[row['kind']], dynamic=False)
        return lambda: function(*arguments), version, None
    return make


def xla(folder, threads):
    import jax
    import jax.numpy as jnp
    version = f'XLA:CPU (JAX {jax.__version__})'

    def attention(causal):
        def function(q, k, v):
            swap = lambda a: jnp.swapaxes(a, 0, 1)[None]
            return swap(jax.nn.dot_product_attention(swap(q), swap(k), swap(v), is_causal=causal)[0])[0]
        return function

    def layer_norm(x, w, b):
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * w + b

    def make(row, inputs, out):
        kind = row['kind']
        functions = dict(
            matmul=lambda x, y: jnp.dot(x, y, preferred_element_type=DTYPES[row['out'][0]]), add=lambda x, y: x + y,
            softmax=lambda x: jax.nn.softmax(x, -1), gelu=lambda x: jax.nn.gelu(x, approximate=True), layer_norm=layer_norm,
            rms_norm=lambda x, w: x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * w, attention=attention(row.get('causal')))
        functions['few rows'] = lambda x, y: jnp.dot(x, y.T if row['along_k'] else y, preferred_element_type=jnp.float32)
        if kind not in functions:
            raise Absent
        function = jax.jit(functions[kind])
        arrays = [jax.device_put(array) for array in inputs]
        call = lambda: function(*arrays).block_until_ready()
        return call, version, call
    return make


def interpreter(mode):
    """The very kernels that pallasc compiles, in an interpret mode of JAX."""
    def contestant(folder, threads):
        import jax
        sys.path.insert(0, str(HERE.parent / 'oracle'))
        import pk_under_jax
        pk_under_jax.accept_array_annotations()
        version = f'JAX {jax.__version__} {mode}'

        def make(row, inputs, out):
            path = HERE / row['source']
            names = {**pk_under_jax.prelude(), '__name__': path.stem}
            exec(compile(path.read_text(), str(path), 'exec'), names)
            statics = eval(f"dict({row['statics']})", names)
            function = jax.jit(lambda *arrays: names[row['callee']](*arrays, **statics))
            arrays = [jax.device_put(array) for array in inputs]

            def call():
                with pk_under_jax.kernels_interpreted('interpret' if mode == 'interpret=True' else 'tpu'):
                    return function(*arrays).block_until_ready()
            return call, version, call
        return make
    return contestant


CONTESTANTS = {'pallasc': ours, 'other build': lambda folder, threads: ours(folder / 'other build', threads), 'one thread': ours, 'memcpy': memcpy, 'grid version': ours_as_grid, 'limits': limits, 'oneDNN': onednn, 'oneDNN sgemm': onednn_sgemm, 'OpenBLAS': openblas, 'NumPy': numpy, 'PyTorch': torch,
               'torch.compile': inductor, 'XLA': xla, 'interpret=True': interpreter('interpret=True'),
               'InterpretParams': interpreter('InterpretParams')}


# ---- the loop ------------------------------------------------------------------------------------------------------------------

def prepare(make, row):
    inputs = inputs_of(row)
    out = empty(tuple(row['out'][1]), DTYPES[row['out'][0]]) if 'out' in row else None
    call, version, result = make(row, inputs, out)
    first = call()
    if row['kind'] not in ('peak', 'copy', 'ring'):
        if result is None and make.__qualname__.startswith('ours') and first != 0:
            raise AssertionError(f'status {first}')
        check(row, inputs, out if result is None else result())
    return call, version, (inputs, out)  # the arrays live as long as what points to them


def measure(call, seconds, least, clock):
    tick = time.perf_counter if clock == 'wall' else time.process_time
    start = time.perf_counter()
    call()  # warm: others have had the caches
    if time.perf_counter() - start > 1:
        least = 1
    times, values, end = [], [], time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < end and len(times) < 5000:
        start = tick()
        value = call()
        times.append(tick() - start)
        if isinstance(value, float):
            values.append(value)
    return values or times


def main():
    contestant, threads, folder = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])  # who is given a number of threads does not always keep to it
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)
    make = call = alive = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if 'row' in request:
                call = alive = None
                make = make or CONTESTANTS[contestant](folder, threads)
                call, version, alive = prepare(make, request['row'])
                answer = dict(version=version)
            else:
                answer = dict(times=measure(call, request['seconds'], request['least'], request['clock']))
        except Absent:
            answer = dict(absent='')
        except Exception as error:
            answer = dict(absent=f'{type(error).__name__}: {error}'.splitlines()[0])
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == '__main__':
    main()
