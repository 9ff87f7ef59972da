# stdin: print((jnp.ones(9000) + 1)[0])
run - --schedule=call=7,late
