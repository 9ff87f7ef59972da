# tracemalloc: what is in use is seen to grow and to shrink.
import tracemalloc

print(tracemalloc.is_tracing(), tracemalloc.get_traced_memory())
tracemalloc.start()
values = []


def fill():
    values.extend([list(range(100)) for _ in range(1000)])


def sink(depth):  # what lay on the stack is gone
    return depth and sink(depth - 1)


fill()
now, peak = tracemalloc.get_traced_memory()
print(now > 500_000, now < 8_000_000, peak >= now)
values.clear()
sink(50)
later, peak = tracemalloc.get_traced_memory()
print(later < now / 2, peak > now / 2)
tracemalloc.reset_peak()
print(tracemalloc.get_traced_memory()[1] < now)
tracemalloc.stop()
print(tracemalloc.is_tracing(), tracemalloc.get_traced_memory())
