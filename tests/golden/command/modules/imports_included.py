# A folder of installed packages that is named by -I comes behind what pallasc has in a package's place, and JAX's own fuser is refused by name.
import absl
from jax.experimental.pallas.ops.tpu import shipped_doubling
from jax._src.pallas import fuser
from jax._src.pallas.fuser import block_spec

for module in fuser, block_spec:
    try:
        module.pull_block_spec
    except NotImplementedError as error:
        print(error)
