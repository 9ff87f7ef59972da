from eval_circle_a import thing_a
thing_b = 2
