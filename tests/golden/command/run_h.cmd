run -h
