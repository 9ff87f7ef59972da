# SPDX-License-Identifier: Apache-2.0
"""How the time of a compilation grows with its source."""
import resource

from bench import HERE, Failed, test


@test
def a_long_body_of_a_grid_takes_time_that_grows_with_it(b):
    def cpu_time(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        b.run(b.pallasc, HERE / 'long_grid.pk', '-D', f'COUNT={count}', '-o', 'long.o')
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    few, many = cpu_time(200), cpu_time(1000)
    if many > 25 * few:
        raise Failed(f'200 branches take {few:.2f} s, 1,000 take {many:.2f} s')
