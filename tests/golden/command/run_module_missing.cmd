run -m
