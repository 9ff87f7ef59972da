# stdin: print(jnp.ones(2) + 1)
run - --schedule=call=7,late
