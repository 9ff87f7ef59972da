from jax.experimental.pallas import ops
