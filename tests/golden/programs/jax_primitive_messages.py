# Messages name the primitive that JAX runs into, the dtypes that it accepts, and come in JAX's order: shapes, dtypes, then whether these are the same.
import jax
import jax.numpy as jnp
from jax import lax

x, y, v, i = jnp.ones((3, 4)), jnp.ones((4, 5)), jnp.arange(3.0), jnp.arange(3)
b, c, four = v > 1, jnp.ones(3, jnp.complex64), jnp.ones(4)
OPERATORS = "+ - * / // % ** == != < > <= >=".split()
FUNCTIONS = ("add subtract multiply divide power float_power mod remainder floor_divide maximum minimum fmax equal not_equal less greater_equal logical_and logical_xor "
             "bitwise_and bitwise_or left_shift right_shift arctan2 logaddexp").split()
OF_LAX = "add sub mul div rem max min eq lt bitwise_and bitwise_xor shift_left shift_right_logical atan2 pow nextafter".split()
OF_ONE = "neg abs sign floor exp expm1 log1p sqrt rsqrt square sin tanh atan bitwise_not population_count is_finite logistic erf lgamma real".split()


def said(text):
    try:
        return eval(text)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0].split('; ')[0].split(' (Tip')[0]}"


def show(text):
    print(text, said(text))


for symbol in OPERATORS:
    show(f"x {symbol} y")
for name in FUNCTIONS:
    show(f"jnp.{name}(x, y)")
for name in OF_LAX:
    for operands in ("x, y", "v, x", "v, i", "b, b"):
        if not (name in ("max", "min", "eq", "lt", "bitwise_and", "bitwise_xor", "rem") and operands == "b, b") and (name, operands) not in (("pow", "v, x"), ("pow", "v, i")):
            show(f"lax.{name}({operands})")
for name in OF_ONE:
    if name not in ("bitwise_not",):
        show(f"lax.{name}(b)")
for text in ("-b", "b - b", "v & v", "lax.bitwise_not(v)", "jnp.invert(v)", "jnp.invert(c)", "jnp.bitwise_and(c, c)", "jnp.left_shift(c, c)", "c // c", "c % c", "lax.lt(c, c)",
             "lax.nextafter(c, c)", "jnp.trunc(c)", "jnp.hypot(c, c)", "jnp.copysign(c, c)", "jnp.gcd(c, c)", "jnp.spacing(c)", "jnp.clip(c, 0, 1)",
             "jnp.array('abc')", "jnp.array([1, 'ab'])", "jnp.array({'a': 1})", "jnp.float32('a')", "jnp.int32('a')", "jnp.float32('3.5')", "v[jnp.array([True])]", "lax.add(v, 'a')",
             "jax.random.normal(None)", "jax.random.normal((3,))", "jax.random.key(0) + 1", "jnp.select([v], [v])", "jnp.fromfunction(lambda a: a * 2, 3)",
             "jnp.vectorize(lambda a, b: a @ b, signature='(n),(n)->()')(v, four)", "jnp.ravel_multi_index((i, i), (3,))", "jax.vmap(lambda a: a, out_axes=None)(v)", "lax.cond(True, jnp.sin, jnp.cos, 'a')",
             "lax.square(b)"):
    show(text)
