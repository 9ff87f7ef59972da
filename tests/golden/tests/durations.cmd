test durations --durations=1
