# SPDX-License-Identifier: Apache-2.0
"""What is found while a program runs: libraries of kernels, and the plugin of a transport."""
import sys

from bench import HERE, Failed, test

TRANSPORT = '''#include <stdio.h>
#include "prt.h"
int main(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.transport = "toy";
  prt_machine *machine = prt_machine_new(&options);
  printf("%s\\n", machine ? "taken" : prt_error_message());
  return 0;
}
'''
TOY = '#include <stdio.h>\nvoid *prt_transport_open(void *c, char *why, size_t room);\n' \
      'void *prt_transport_open(void *c, char *why, size_t room) { snprintf(why, room, "WHERE, %d", c != 0); return 0; }\n'


@test
def looks_for_a_transport_beside_itself(b):
    """Beside the program, then in ../lib/, then where the system looks; what is there and cannot be used says why."""
    for folder in ('bin', 'lib', 'system'):
        (b.folder / folder).mkdir()
        (b.folder / 'toy.c').write_text(TOY.replace('WHERE', folder))
        b.run('cc', '-shared', '-fPIC', 'toy.c', '-o', f'{folder}/libpallasrt_toy.so')
    (b.folder / 'transport.c').write_text(TRANSPORT)
    b.link('transport.c', to='bin/program', std='gnu11')
    program, system = b.folder / 'bin' / 'program', {'LD_LIBRARY_PATH': str(b.folder / 'system')}

    def expect(words, env=None):
        said = b.run(program, env=env)
        if words not in said:
            raise Failed(f'{said.strip()} is not {words}')
    for folder in ('bin', 'lib', 'system'):
        expect(f"the transport 'toy': {folder}, 0", system)
        (b.folder / folder / 'libpallasrt_toy.so').unlink()
    expect("the transport 'toy' cannot be loaded: ", system)
    (b.folder / 'lib' / 'libpallasrt_toy.so').write_text('no library')
    expect('file too short', system)
    (b.folder / 'toy.c').write_text('int nothing;\n')
    b.run('cc', '-shared', '-fPIC', 'toy.c', '-o', 'bin/libpallasrt_toy.so')
    expect('libpallasrt_toy.so is no transport')


@test
def is_loaded_by_name(b):
    b.link('loader.c', '-ldl')
    b.run('./loader', './libkernels.so')
    told = b.run('./loader', './libkernels.so', env={'PRT_THREADS': 'many'}, status=1)
    if not told.startswith('status 1: '):  # PRT_ERROR_ARGUMENT; the message is that of the library's own runtime
        raise Failed(told)


@test
def is_found_by_its_name_wherever_it_is_linked_from(b):
    (b.folder / 'kept').mkdir()
    (b.folder / 'linked.c').write_text('#include "kernels.h"\nint main(void) { return !prt_version(); }\n')
    b.run(b.pallasc, '-shared', HERE / 'kernels.pk', '-o', 'kept/libnamed.so')
    b.run('cc', *b.includes, 'linked.c', '-Wl,--no-as-needed', 'kept/libnamed.so', '-o', 'linked')
    b.run(b.folder / 'linked', cwd='/', env={'LD_LIBRARY_PATH': str(b.folder / 'kept')})


@test
def is_loaded_from_python(b):
    b.run(sys.executable, HERE / 'load_from_python.py', './libkernels.so')
    jax_python = b.build / 'oracle-venv' / 'bin' / 'python'
    if jax_python.exists():
        b.run(jax_python, HERE / 'load_from_python.py', './libkernels.so')
