from eval_circle_b import thing_b
thing_a = 1
