# A text of a dialect that there is not is refused.
import jax

lowered = jax.jit(lambda x: x + 1).lower(1.0)
for text in (lowered.as_text, lowered.compiler_ir):
    for dialect in ("nonsense", "mhlo", ""):
        try:
            print(text(dialect))
        except ValueError as error:
            print(error)
print(all(lowered.as_text(dialect) for dialect in (None, "stablehlo", "hlo")))
