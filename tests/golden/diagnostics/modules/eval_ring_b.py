import eval_ring_a
print(eval_ring_a.value)
