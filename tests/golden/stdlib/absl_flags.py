# own: flags that the stand-in of absl has
# absl.flags: defaults, a command line, holders; GPU parameters can be named where a kernel is imported.
import enum
from absl import flags
from jax.experimental.pallas import triton as plgpu
import jax.experimental.pallas.mosaic_gpu


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


name = flags.DEFINE_string("name", "none", "A name.")
size = flags.DEFINE_integer("size", 8, "A size.", lower_bound=1)
verbose = flags.DEFINE_bool("verbose", True, "Whether to say more.")
mode = flags.DEFINE_enum_class("mode", Mode.FAST, Mode, "The mode.")
kind = flags.DEFINE_enum("kind", "a", ("a", "b"), "The kind.")
items = flags.DEFINE_list("items", "x, y", "The items.")
try:
    size.value
except flags.UnparsedFlagAccessError as error:
    print(error)
print(flags.FLAGS(["program", "--size=3", "left", "--noverbose", "--mode", "exact", "--", "--kind=b"]))
print(name.value, size.value, verbose.value, mode.value, kind.value, items.value, flags.FLAGS.size, size.default, size.present)
for wrong in ("--size=0", "--kind=c", "--other"):
    try:
        flags.FLAGS(["program", wrong])
    except flags.Error as error:
        print(type(error).__name__, error)
print(plgpu.CompilerParams(num_warps=4).num_warps)
try:
    plgpu.atomic_add
except NotImplementedError as error:
    print(error)
from jax._src import profiler
from jax.extend import backend
from jaxtyping import Array, DTypeLike, Float
print(profiler.TraceAnnotation("x").name, backend.get_default_device().platform)
from jax.experimental.pallas import fuser
try:
    fuser.fuse
except NotImplementedError as error:
    print(error)
