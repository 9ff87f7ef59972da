# stdin: def f(n): return n + jnp.ones(2)\n
run -:f 2
