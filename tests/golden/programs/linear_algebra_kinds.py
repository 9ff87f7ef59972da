# Singular values of hermitian matrices, determinants by QR, norms without such an order, windows of a number of points.
import jax.numpy as jnp

a = jnp.array([[4.0, 2.0, 0.5], [2.0, -5.0, 1.0], [0.5, 1.0, 3.0]])
u, s, vh = jnp.linalg.svd(a, hermitian=True)
print(s.round(4), jnp.allclose(u * s @ vh, a, atol=1e-5), jnp.linalg.svd(a, hermitian=True, compute_uv=False).round(4))
print(jnp.linalg.pinv(a, hermitian=True).round(4), jnp.linalg.matrix_rank(a, hermitian=True))
print([x.round(4) for x in jnp.linalg.slogdet(a, method="qr")], [x.shape for x in jnp.linalg.slogdet(jnp.stack([a, -a]), method="qr")])
for call in (lambda: jnp.linalg.norm(a[0], ord="fro"), lambda: jnp.linalg.norm(a, ord="nuc", axis=1), lambda: jnp.bartlett(a)):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error)[:40])
print(jnp.bartlett(3.7), jnp.hanning(4.2).round(3), jnp.trim_zeros(jnp.float32(2)))
