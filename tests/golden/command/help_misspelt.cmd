help rn
