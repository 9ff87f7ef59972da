# tracemalloc: what is in use is seen to grow and to shrink.
import tracemalloc

print(tracemalloc.is_tracing(), tracemalloc.get_traced_memory())
tracemalloc.start()
values = [list(range(100)) for _ in range(1000)]
now, peak = tracemalloc.get_traced_memory()
print(now > 500_000, now < 8_000_000, peak >= now)
del values
later, peak = tracemalloc.get_traced_memory()
print(later < now / 2, peak > now / 2)
tracemalloc.reset_peak()
print(tracemalloc.get_traced_memory()[1] < now)
tracemalloc.stop()
print(tracemalloc.is_tracing(), tracemalloc.get_traced_memory())
