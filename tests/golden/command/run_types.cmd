run run_types.pk:cast output_argument.npy dtype=jnp.int32
