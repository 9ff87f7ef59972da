# A part of numpy that is imported only when it is used.
import numpy as np
np.lingalg.norm
