# jax.distributed for a job of one process: known as initialized until shutdown, and asked for but once.
import jax


def tried(address, *args, **kwargs):
    try:
        print(jax.distributed.initialize(address, *args, **kwargs), jax.distributed.is_initialized())
    except Exception as e:
        print(type(e).__name__, e)


ADDRESS = "localhost:23457"
print(jax.distributed.is_initialized())
tried(ADDRESS, 1, 1)
tried(ADDRESS, 1, -1)
tried(ADDRESS, 0, 0)
tried(ADDRESS, 1, 0.0)
tried(ADDRESS, "1", 0)
print(jax.distributed.is_initialized())
tried(ADDRESS, 1, 0)
tried(ADDRESS, 1, 0)
tried(ADDRESS, num_processes=1, process_id=0)
print(jax.distributed.shutdown(), jax.distributed.is_initialized(), jax.process_count(), jax.process_index())
