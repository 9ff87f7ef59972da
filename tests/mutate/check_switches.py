#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every mutant of a small source, made once with switches and once by itself: both give the same results, and the switches say what is come by.

The last line is `N passed, N failed, 0 skipped`. Needs a C compiler called cc.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import mutants as mutation
import switches

SOURCE = r'''
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const int table[] = {3, 5, 7};

static int sum(int count, ...) { // with arguments that have no names
  int total = 0;
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count && i < 9; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}

static int find(int wanted) {
  static int calls = 0;
  calls += 2;
  for (int i = 0; i < 3; i++)
    if (table[i] == wanted) goto found;
  return -1;
found:
  return calls * 10 + wanted;
}

static void name(int n) {
  switch (n) {
  case 1:
  case 2: printf("few "); break;
  case 3: return;
  default: printf("many ");
  }
  const struct {
    int low, high;
  } part = {n - 1, n > 3 ? 4 : 6};
  printf("%d ", part.low * part.high);
  printf("%s\n", n > 4 || n == 1 ? "odd" : "even");
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  name(n);
  printf("%d %d %d\n", find(n), find(n + 2), sum(3, n, n * 2, 40, 1, 2, 3, 4, 5, 6));
  return n % 3;
}
'''
INPUTS = ('1', '2', '3', '5', '7')


def compiled(folder, name, text):
    """The program's path, or None if it does not compile."""
    (folder / f'{name}.c').write_text(text)
    done = subprocess.run(['cc', '-w', '-o', folder / name, folder / f'{name}.c'], capture_output=True, text=True)
    return (folder / name, '') if not done.returncode else (None, done.stderr)


def results(program, **env):
    found = []
    for text in INPUTS:
        try:
            done = subprocess.run([program, text], capture_output=True, timeout=1, env={**os.environ, **env})
            found.append((done.returncode, done.stdout))
        except subprocess.TimeoutExpired:
            found.append('endless')
    return found


def main():
    numbered = dict(enumerate(mutation.of_file('small.c', SOURCE), 1))
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        text, outside = switches.switched('small.c', SOURCE, numbered, len(numbered))
        program, messages = compiled(folder, 'all', text)
        while not program:
            refused = switches.broken_mutants(messages)
            if not refused:
                sys.exit(messages)
            numbered = {number: mutant for number, mutant in numbered.items() if number not in refused}
            program, messages = compiled(folder, 'all', switches.switched('small.c', SOURCE, numbered, max(numbered))[0])
        plain = results(compiled(folder, 'plain', SOURCE)[0])
        if results(program) != plain:
            bad.append('without a choice the program is another')
        results(program, MUTATE_REACHED=str(folder / 'reached'))
        data = (folder / 'reached').read_bytes()
        reached = {int.from_bytes(data[k:k + 4], sys.byteorder) for k in range(0, len(data), 4)}
        with_switch = [number for number in numbered if number not in outside]
        for number in with_switch:
            alone, _ = compiled(folder, 'alone', numbered[number].applied(SOURCE))
            expected, got = results(alone), results(program, MUTANT=str(number))
            told = f'{numbered[number].old} -> {numbered[number].new}'
            if got != expected:
                bad.append(f'{told}: {got} is not {expected}')
            if got != plain and number not in reached:
                bad.append(f'{told}: noticed, but not come by')
        if not outside or len(with_switch) < 40:
            bad.append(f'{len(with_switch)} with a switch, {len(outside)} without')
    print(*bad, f'{len(with_switch) - len(bad)} passed, {len(bad)} failed, 0 skipped', sep='\n')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
