# env: PYTHONWARNINGS=error::FutureWarning,ignore:o.d,ignore:a(b),bad,ignore::NoSuch
# own: its filters are in the environment
# Filters of PYTHONWARNINGS: literal, the last one decides; those that are wrong are reported.
import warnings

for text, category in (("o.d way", UserWarning), ("O.D", FutureWarning), ("a(b) c", FutureWarning), ("old", FutureWarning)):
    try:
        warnings.warn(text, category)
    except FutureWarning as error:
        print("raised", error)
