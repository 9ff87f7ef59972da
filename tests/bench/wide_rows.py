# SPDX-License-Identifier: Apache-2.0
"""Rows of the wide benchmark: every function that the tables of the compiler and its library list, in the forms that it has.

In: elementwise.def, jnp_native.def, lax_native.def and the modules of compiler/library/jax. Out: rows, each a function of one line as text,
with the shapes and element types of its arrays. A function with arrays alone as parameters needs no more than its name: how many it takes,
of which kind, along which axes, is tried with `jax.eval_shape`. Those with other parameters stand in FORMS. What has neither is reported
(`wide --list`). Names that JAX traces to the same program are one row.
"""
import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPS, LIBRARY = ROOT / 'compiler/jax/ops', ROOT / 'compiler/library/jax'
MODULES = {'jnp': ('numpy.pk', 'numpy/*.pk'), 'lax': ('lax.pk',), 'jax.nn': ('nn.pk',), 'jax.scipy.special': ('scipy/special.pk',)}
ELSEWHERE = {'linalg': 'jnp.linalg', '_functional': None, '_making': None, '_text': None}  # a file of jax.numpy: the module that shows it
SIZES = {'L1': (32, 64), 'L2': (128, 512), 'memory': (4096, 4096)}
SQUARE = {'L1': (32, 32), 'L2': (192, 192), 'memory': (1536, 1536)}  # products and what costs as much

# function: (arguments after `f(x`, …); `x[r,c]` is there as x, y, z of the row's shape, i an array of row numbers, s the shape's sizes as r, c.
AXES = ('x, axis=0', 'x, axis=1')
FORMS = {
    'jnp.reshape': ('x, (c, r)',), 'jnp.ravel': ('x.T',), 'jnp.transpose': ('x', 'x.reshape(r // 8, 8, c), (1, 0, 2)', 'x.reshape(r, c // 8, 8), (0, 2, 1)'),
    'jnp.swapaxes': ('x.reshape(r // 4, 4, c), 0, 2',), 'jnp.moveaxis': ('x.reshape(r // 4, 4, c), 2, 1',), 'jnp.broadcast_to': ('x[0], (r, c)', 'x[:, :1], (r, c)'),
    'jnp.concatenate': ('[x, y], axis=0', '[x, y], axis=1'), 'jnp.stack': ('[x, y], axis=0', '[x, y], axis=2'), 'jnp.where': ('x > 0, x, y',),
    'jnp.dot': ('x, x.T', 'x.T, y', 'x, y[0]', 'x.T, y[:, 0]'), 'jnp.clip': ('x, -0.5, 0.5',), 'jnp.round': ('x', 'x, 2'), 'jnp.power': ('abs(x), y', 'x, 3', 'abs(x), 0.3'),
    'jnp.pad': ('x, ((3, 5), (1, 2))', 'x, 8', "x, 4, mode='edge'", "x, 4, mode='reflect'"), 'jnp.roll': ('x, 3, axis=0', 'x, 5, axis=1'), 'jnp.tile': ('x, (2, 2)',),
    'jnp.repeat': ('x, 2, axis=0', 'x, 3, axis=1'), 'jnp.take': ('x, i, axis=0', 'x, i % c, axis=1'), 'jnp.take_along_axis': ('x, jnp.argsort(y, axis=1), axis=1',),
    'jnp.split': ('x, 4, axis=1',), 'jnp.flip': AXES, 'jnp.rot90': ('x',), 'jnp.tril': ('x',), 'jnp.triu': ('x, 1',), 'jnp.diag': ('x[0]', 'x'), 'jnp.einsum': (
        "'ij,kj->ik', x, y", "'ij,ij->i', x, y", "'ij,ij->j', x, y", "'ij,ij->', x, y"), 'jnp.searchsorted': ('jnp.sort(x[0]), y[:, 0]',),
    'jnp.histogram': ('x, bins=32',), 'jnp.bincount': ('i, length=64',), 'jnp.interp': ('x, jnp.linspace(-2, 2, 32), jnp.sin(jnp.arange(32.0))',),
    'jnp.convolve': ("x[0], y[0, :7], mode='same'",), 'jnp.linspace': ('x[0], y[0], 64',), 'jnp.percentile': ('x, 30, axis=1',), 'jnp.quantile': ('x, 0.3, axis=1',),
    'jnp.tensordot': ('x, y.T, axes=1',), 'jnp.outer': ('x[:, 0], y[0]',), 'jnp.kron': ('x[:8, :8], y[:16, :16]',), 'jnp.trace': ('x',), 'jnp.partition': ('x, 8, axis=1',),
    'jnp.polyval': ('jnp.array([0.5, 1.5, -2.0, 0.25]), x',), 'jnp.select': ('[x > 0.5, x > 0], [y, -y], 0.0',), 'jnp.choose': None, 'jnp.unravel_index': ('i, (r, c)',),
    'jnp.insert': ('x, 3, 0.0, axis=1',), 'jnp.delete': ('x, 3, axis=1',), 'jnp.resize': ('x, (r, c + 3)',), 'jnp.apply_along_axis': None,
    'jnp.linalg.lstsq': ('x[:, :c // 2], y',),  # of a square matrix the residuals are rounding errors
    'jnp.std': ('x', *AXES), 'jnp.var': ('x', *AXES), 'jnp.gradient': ('x, axis=1',), 'jnp.cross': ('x[:, :3], y[:, :3]',), 'jnp.unwrap': ('x',),
    'lax.dot_general': ('x, y, (((1,), (1,)), ((), ()))', 'x.reshape(r // 8, 8, c), y.reshape(r // 8, 8, c), (((2,), (2,)), ((0,), (0,)))'),
    'lax.slice': ('x, (1, 1), (r - 1, c - 1)', 'x, (0, 0), (r, c), (2, 1)', 'x, (0, 0), (r, c), (1, 2)'), 'lax.pad': ('x, 0.0, ((1, 1, 0), (0, 0, 1))',),
    'lax.rev': ('x, (0,)', 'x, (1,)'), 'lax.dynamic_slice': ('x, (i[0], 0), (r // 2, c)',), 'lax.dynamic_update_slice': ('x, y[: r // 2], (i[0], 0)',),
    'lax.broadcast_in_dim': ('x[:, 0], (r, c), (0,)',), 'lax.concatenate': ('[x, y], 0',), 'lax.convert_element_type': ('x, jnp.bfloat16', 'x, jnp.int32', 'x, jnp.int8'),
    'lax.bitcast_convert_type': ('x, jnp.int32',), 'lax.reduce_precision': ('x, 5, 10',), 'lax.integer_pow': ('x, 5', 'x, -2'), 'lax.top_k': ('x, 1', 'x, 8', 'x, c // 4'),
    'lax.approx_max_k': ('x, 8',), 'lax.sort': ('x', '(x, y)', '(x, y), num_keys=2', 'x, dimension=0'), 'lax.sort_key_val': ('x, y',),
    'lax.argmax': ('x, 1, jnp.int32', 'x, 0, jnp.int32'), 'lax.reduce': ('x, 0.0, lax.add, (0,)',), 'lax.clamp': ('-0.5, x, 0.5',), 'lax.select': ('x > 0, x, y',),
    'lax.select_n': ('x > 0, x, y',), 'lax.reduce_sum': ('x, (0,)', 'x, (1,)', 'x, (0, 1)'), 'lax.reduce_max': ('x, (0,)', 'x, (1,)', 'x, (0, 1)'),
    'lax.reduce_window': ("x, -jnp.inf, lax.max, (2, 2), (2, 2), 'VALID'", "x, 0.0, lax.add, (3, 3), (1, 1), 'SAME'"),
    'lax.conv_general_dilated': tuple(f"x.reshape(1, 16, r * c // 256, 16), y.reshape(-1)[: {k} * {k} * {per} * {out}].reshape({out}, {per}, {k}, {k}), ({s}, {s}), 'SAME'{more}"
                                      for k, per, out, s, more in ((3, 16, 16, 1, ''), (3, 16, 16, 2, ''), (1, 16, 16, 1, ''), (3, 1, 16, 1, ', feature_group_count=16'))),
    'lax.cumsum': ('x, 0', 'x, 1', 'x, 1, True'), 'lax.cummax': ('x, 0', 'x, 1'), 'lax.cumprod': ('x, 1',), 'lax.cumlogsumexp': ('x, 1',), 'lax.expand_dims': ('x, (1,)',),
    'lax.linalg.cholesky': None, 'lax.dynamic_index_in_dim': ('x, i[0], 0',), 'lax.gather': None, 'lax.fori_loop': ('0, 16, lambda k, a: a * 0.5 + y, x',),
    'lax.while_loop': ('lambda c: c[0] < 16, lambda c: (c[0] + 1, c[1] * 0.5 + y), (0, x)',), 'lax.scan': ('lambda c, row: (c * 0.5 + row, c), x[0], y',),
    'lax.map': ('lambda row: row - row.max(), x',), 'lax.cond': ('i[0] > 3, lambda: x, lambda: y',), 'lax.switch': ('i[0] % 3, [jnp.sin, jnp.cos, jnp.abs], x',),
    'lax.associative_scan': ('jnp.add, x, axis=1',), 'jax.nn.one_hot': ('i, 64',), 'jax.nn.softmax': ('x', 'x, axis=0'), 'jax.nn.gelu': ('x', 'x, approximate=False'),
        'jnp.permute_dims': ('x.reshape(r // 8, 8, c), (2, 0, 1)',), 'jnp.append': ('x, y, axis=0',), 'jnp.array_split': ('x, 3, axis=0',), 'jnp.hsplit': ('x, 4',), 'jnp.squeeze': None,
    'jnp.nonzero': ('x > 1, size=c',), 'jnp.argwhere': ('x > 1, size=c',), 'jnp.flatnonzero': ('x > 1, size=c',), 'jnp.compress': ('x[:, 0] > 0, x, axis=0, size=r // 2',),
    'jnp.put_along_axis': ('x, i[:, None] % c, y[:, :1], axis=1, inplace=False',), 'jnp.ravel_multi_index': ("(i, i), (r, c), mode='clip'",), 'jnp.polyfit': ('x[:, 0], y[:, 0], 3',),
    'jnp.vecdot': ('x, y',), 'jnp.vecmat': ('x[:, 0], y',), 'jnp.unique': ('i, size=r',), 'jnp.union1d': ('i, i + 7, size=r',), 'jnp.setdiff1d': ('i, i * 2, size=r',),
    'jnp.intersect1d': ('i, i * 2, size=r',), 'jnp.setxor1d': ('i, i * 2, size=r',), 'jnp.extract': ('x > 1, x, size=c',), 'jnp.argpartition': ('x, 8, axis=1',),
    'jnp.packbits': ('x > 0, axis=1',), 'jnp.unpackbits': ('i.astype(jnp.uint8)[:, None], axis=1',), 'jnp.nanquantile': ('x, 0.3, axis=1',), 'jnp.nanpercentile': ('x, 30, axis=1',),
    'jnp.histogram2d': ('x[0], y[0], bins=16',), 'jnp.put': ('x, i, y[0, 0], inplace=False',), 'jnp.matrix_transpose': ('x.reshape(r // 8, 8, c)',), 'jnp.astype': ('x, jnp.float16',),
    'lax.transpose': ('x.reshape(r // 4, 4, c), (1, 2, 0)',), 'lax.scatter_add': None, 'lax.argmin': ('x, 1, jnp.int32', 'x, 0, jnp.int32'), 'lax.reduce_and': ('x > 0, (1,)',),
    'lax.slice_in_dim': ('x, 1, r - 1',), 'lax.dynamic_slice_in_dim': ('x, i[1] % 8, c // 2, axis=1',), 'lax.dynamic_update_slice_in_dim': ('x, y[:, : c // 2], i[1] % 8, axis=1',),
    'lax.dynamic_update_index_in_dim': ('x, y[0], i[0], 0',), 'lax.split': ('x, (c // 2, c // 4, c // 4), axis=1',), 'lax.tile': ('x, (2, 2)',), 'lax.broadcast': ('x[0], (r,)',),
    'lax.ragged_dot': ('x, y.reshape(-1)[: 4 * c * c // 4].reshape(4, c, c // 4), jnp.array([r // 4, r // 8, r // 2, r // 8])',),
    'lax.approx_min_k': ('x, 8',), 'lax.conv': ("x.reshape(1, 16, r * c // 256, 16), y.reshape(-1)[: 2304].reshape(16, 16, 3, 3), (1, 1), 'SAME'",),
    'lax.conv_transpose': ("x.reshape(1, r * c // 256, 16, 16), y.reshape(-1)[: 2304].reshape(3, 3, 16, 16), (2, 2), 'SAME'",),
    'lax.reduce_and': ('x > 0, (0,)', 'x > 0, (1,)'), 'lax.reduce_or': ('x > 2, (1,)',), 'lax.broadcasted_iota': None, 'jnp.linalg.cross': ('x[:, :3], y[:, :3]',),
    'jnp.linalg.matrix_power': ('x, 5',), 'jnp.linalg.multi_dot': ('[x, y, x[:, :8]]',), 'jnp.linalg.tensorsolve': None, 'jnp.linalg.vecdot': ('x, y',),
    'jax.nn.glu': ('x',), 'jax.nn.dot_product_attention': ('*[a.reshape(1, r, c // 32, 32) for a in (x, y, z)]',), 'jax.nn.logsumexp': ('x', *AXES),
}
# Not one function of an array: x.at[i] and indexing.
OTHERS = {'x[i]': 'x[i]', 'x[:, i]': 'x[:, i % c]', 'x[::2]': 'x[::2]', 'x[:, ::2]': 'x[:, ::2]', 'x[::-1, ::-1]': 'x[::-1, ::-1]', 'x.at[i].set': 'x.at[i].set(y)',
          'x.at[i].add': 'x.at[i].add(y)', 'x.at[i].max': 'x.at[i].max(y)', 'x.at[0].set': 'x.at[0].set(y[0])', 'gather elements': 'x.reshape(-1)[(i[:, None] * 7919 + jnp.arange(c)) % (r * c)]',
          'segment_sum': 'jax.ops.segment_sum(x, i, num_segments=16)', 'segment_max': 'jax.ops.segment_max(x, i % 16, num_segments=16)',
          'fft': 'abs(jnp.fft.fft(x))', 'rfft': 'abs(jnp.fft.rfft(x))', 'irfft': 'jnp.fft.irfft(jnp.fft.rfft(x) * 0.5)', 'fft2': 'abs(jnp.fft.fft2(x))',
          'random.bits': 'jax.random.bits(jax.random.key(i[0]), (r, c))', 'random.uniform': 'jax.random.uniform(jax.random.key(i[0]), (r, c))',
          'random.normal': 'jax.random.normal(jax.random.key(i[0]), (r, c))', 'random.bernoulli': 'jax.random.bernoulli(jax.random.key(i[0]), 0.3, (r, c))',
          'random.randint': 'jax.random.randint(jax.random.key(i[0]), (r, c), 0, 100)', 'random.gumbel': 'jax.random.gumbel(jax.random.key(i[0]), (r, c))',
          'random.categorical': 'jax.random.categorical(jax.random.key(i[0]), x, axis=1)', 'random.permutation': 'jax.random.permutation(jax.random.key(i[0]), x[0])',
          'random.exponential': 'jax.random.exponential(jax.random.key(i[0]), (r, c))', 'random.truncated_normal': 'jax.random.truncated_normal(jax.random.key(i[0]), -2.0, 2.0, (r, c))',
          'random.laplace': 'jax.random.laplace(jax.random.key(i[0]), (r, c))', 'random.choice': 'jax.random.choice(jax.random.key(i[0]), x[0], (c // 2,))',
          'random.gamma': 'jax.random.gamma(jax.random.key(i[0]), 1.0 + abs(x[0]))', 'random.dirichlet': 'jax.random.dirichlet(jax.random.key(i[0]), 1.0 + abs(x[0, :8]))',
          'image.resize': "jax.image.resize(x, (r // 2, c // 2), 'bilinear')", 'image.resize up': "jax.image.resize(x, (r * 2, c * 2), 'nearest')", 'cubic': "jax.image.resize(x, (r, c // 2), 'cubic')",
          'signal.convolve': "jax.scipy.signal.convolve(x, y[:5, :5], mode='same')", 'signal.correlate': "jax.scipy.signal.correlate(x[0], y[0, :9], mode='same')",
          'ndimage.map_coordinates': 'jax.scipy.ndimage.map_coordinates(x, [jnp.abs(y) * 3.0, jnp.abs(x) * 5.0], order=1)',
          'stats.norm.logpdf': 'jax.scipy.stats.norm.logpdf(x)', 'stats.norm.cdf': 'jax.scipy.stats.norm.cdf(x)', 'linalg.solve_triangular': 'jax.scipy.linalg.solve_triangular(x + 8 * jnp.eye(r), y[:, :8], lower=True)',
          'linalg.cho_solve': 'jax.scipy.linalg.cho_solve((x + 8 * jnp.eye(r), True), y[:, :8])', 'linalg.lu': 'jax.scipy.linalg.lu_factor(x)[0]', 'linalg.expm': 'jax.scipy.linalg.expm(x * 0.1)'}


def listed():
    """{module: {function: its parameters as text}} of the tables."""
    found = {module: {} for module in (*MODULES, 'jnp.linalg')}
    for line in (OPS / 'elementwise.def').read_text().splitlines():
        match = re.match(r'(JNPU|JNP1|JNP2|LAX1|LAX2)\((\w+)', line)
        if match:
            found['lax' if match[1].startswith('LAX') else 'jnp'][match[2]] = ''
    for module, file in (('jnp', 'jnp_native.def'), ('lax', 'lax_native.def')):
        for name, parameters in re.findall(r'^NATIVE\("(\w+)\((.*?)\)",', (OPS / file).read_text(), re.M):
            found[module][name] = parameters
    for module, patterns in MODULES.items():
        for path in (path for pattern in patterns for path in sorted(LIBRARY.glob(pattern))):
            shown = ELSEWHERE.get(path.stem, module)
            for name, parameters in re.findall(r'^def (\w+)\((.*?)\):', path.read_text(), re.M) if shown else []:
                found[shown].setdefault(name, parameters)
    return {module: {name: text for name, text in names.items() if not name.startswith('_')} for module, names in found.items()}


def calls_of(module, name, parameters):
    """The calls to try, best first; those of FORMS are all taken."""
    full = f'{module}.{name}'
    if full in FORMS:
        return [f'{full}({form})' for form in FORMS[full] or ()], True
    forms = [f'{full}({arrays})' for arrays in ('x', 'x, y', 'x, y, z', 'i', 'i, i', 'x > 0', 'x > 0, y > 0')]
    if re.search(r'\baxis\b', parameters):
        forms = [f'{full}(x)', f'{full}(x, axis=0)', f'{full}(x, axis=1)']
        return forms, True
    if re.search(r'\baxes\b', parameters):
        return [f'{full}(x, (0,))', f'{full}(x, (1,))'], True
    return forms, False


def is_square(call):
    return bool(re.search(r'matmul|\bdot\(|inner|vdot|tensordot|einsum\(.ij,kj|dot_general\(x, y, \(\(\(1|linalg|dot_product', call))


def array_types(size, dtype, call):
    shape = (SQUARE if is_square(call) else SIZES)[size]
    return {**dict.fromkeys('xyz', (dtype, shape)), 'i': ('i32', (shape[0],))}


def source_of(call, types):
    """A function of those arrays that the call names, and their types."""
    used = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)}
    names = [name for name in types if name in used]
    r, c = types['x'][1]
    return f'r, c = {r}, {c}\ndef f({", ".join(names)}):\n  return {call}\n', [types[name] for name in names]


def table_rows(works, size, dtype, is_wanted):
    """Rows of one size and type whose name `is_wanted`. `works(source, inputs)`: the text of JAX's program, or None if JAX refuses it."""
    seen, without = set(), []
    calls = [(f'{module}.{name}', *calls_of(module, name, parameters)) for module, names in listed().items() for name, parameters in names.items()]
    calls += [(name, [call], True) for name, call in OTHERS.items()]
    rows = []
    for name, forms, is_all in calls:
        if not any(is_wanted(f'{call} {dtype} {size}') for call in forms):
            continue
        count = 0
        for call in forms:
            row = f'{call} {dtype} {size}'
            if is_all and not is_wanted(row):
                count += 1
                continue
            program = None
            # What JAX refuses is refused at the smallest size, too, where to look at each element for a number takes no time.
            for tried in dict.fromkeys(('L1', size)):
                source, inputs = source_of(call, array_types(tried, dtype, call))
                program = works(source, inputs) if inputs else None
                if program is None:
                    break
            if program is None:
                continue
            count += 1
            if program not in seen and is_wanted(row):
                seen.add(program)
                rows.append(dict(name=row, source=source, inputs=inputs, group=name))
            if not is_all:
                break
        if not count:
            without.append(name)
    return rows, without
