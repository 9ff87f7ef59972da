import pallas as pl
