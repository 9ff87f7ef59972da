run --target-cpu=x86-64 sum_order.py
