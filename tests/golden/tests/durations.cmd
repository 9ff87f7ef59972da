test modules --durations=1
