import eval_ring_b
value = 5
