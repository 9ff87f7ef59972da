# stdin: print(jnp.arange(3))\n
run -
