run kept_factors.pk:update jnp.ones((8,8)) jnp.array([0,1,2],jnp.int32)
