# Generators that are given no seed differ from each other and from run to run; a seed makes them repeat.
import random

import numpy as np


def draws():
    return [random.random(), random.Random().random(), np.random.rand(), np.random.RandomState().rand(), np.random.default_rng().random(),
            float(np.random.SeedSequence().entropy), np.random.Generator(np.random.MT19937()).random()]


first, second = draws(), draws()
print(len(set(first + second)))
random.seed(3)
np.random.seed(3)
print(random.random(), np.random.rand())
random.seed()
np.random.seed()
print(random.random() in first, np.random.rand() in first)
random.seed(3)
np.random.seed(3)
print(random.random(), np.random.rand(), np.random.default_rng(3).random())
