# jax.scipy.stats.gaussian_kde: densities, integrals, samples; and what it refuses.
import jax
import jax.numpy as jnp
from jax.scipy.stats import gaussian_kde


def shown(x):
    return jax.tree.map(lambda leaf: [round(v, 4) + 0.0 for v in jnp.ravel(leaf).tolist()] + [jnp.shape(leaf)], x)


one = gaussian_kde(jnp.array([1.0, 2, 4, 7]))
two = gaussian_kde(jnp.array([[1.0, 2, 4, 7], [3, 1, 5, 2]]), "silverman", jnp.array([1, 2, 3, 4.0]))
print(one.d, one.n, shown((one.neff, one.covariance, one.inv_cov, one.weights)))
print(shown((one(jnp.array([0.0, 3])), one.pdf(2.0), one.logpdf(jnp.array([0.0, 30])))))
print(shown((two(jnp.array([[0.0, 3], [1, 2]])), two.logpdf(jnp.array([2.0, 3])))))
print(shown((two.integrate_gaussian(jnp.array([1.0, 2]), jnp.eye(2)), two.integrate_kde(two))))
half = gaussian_kde(jnp.array([1.0, 2, 4, 7]), 0.5)
print(shown((half.integrate_box_1d(0.0, 3.0), half.integrate_gaussian(1.0, 2.0), half.integrate_kde(one))))
own = gaussian_kde(jnp.array([1.0, 2, 4, 7]), lambda estimate: 0.3)
print(shown((own.resample(jax.random.key(0)), own.resample(jax.random.key(0), (3,)))))
print(shown(jax.jit(lambda x: gaussian_kde(x)(x))(jnp.array([1.0, 2, 5]))))
for wrong in (lambda: gaussian_kde(jnp.array([1.0])), lambda: gaussian_kde(jnp.array([1.0, 2]), "x"), lambda: gaussian_kde(jnp.array([1.0, 2]), weights=jnp.ones(3)),
              lambda: one.set_bandwidth(3), lambda: one.integrate_box(3, 4), lambda: one(jnp.ones((2, 2))), lambda: two.integrate_kde(one)):
    try:
        print("no error", wrong())
    except Exception as error:
        print(type(error).__name__, error)
