class Deep:
    value = 3
