# SPDX-License-Identifier: Apache-2.0
"""Writes the kernels of tests/kernels as jaxprs: texts.py OUT-FOLDER [--filter TEXT]...

Runs under a Python that has JAX. Each entry function of a case becomes OUT-FOLDER/AREA/NAME.FUNC.jaxpr; what JAX cannot trace is
reported on standard output, a line each: `cannot AREA/NAME.FUNC: why`.
"""
import argparse
import contextlib
import io
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / 'tests' / 'kernels'), str(ROOT / 'tests' / 'oracle'), str(ROOT / 'python')]

import case_file
import pk_under_jax


def texts_of(case, write):
    """(name of the entry, text or the exception) for each entry of a case."""
    import jax
    with contextlib.redirect_stdout(io.StringIO()):
        names = pk_under_jax.run_module(case.path)
    for entry in case.entries:
        kinds = [eval(annotation, names) for _, annotation, _ in entry.params]
        structs = [jax.ShapeDtypeStruct(kind.shape, kind.dtype) for kind in kinds]
        count = sum(not keyword_only for _, _, keyword_only in entry.params)
        keywords = [name for name, _, keyword_only in entry.params if keyword_only]

        def call(*arrays):
            return names[entry.name](*arrays[:count], **dict(zip(keywords, arrays[count:])))
        try:
            closed = jax.make_jaxpr(call)(*structs)
            yield entry.name, write(closed, entry.name, [name for name, _, _ in entry.params])
        except Exception as error:
            yield entry.name, error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--filter', action='append', default=[], metavar='TEXT')
    parser.add_argument('--devices', type=int, default=1)
    args = parser.parse_args()
    pk_under_jax.set_up(args.devices)
    from pallasc.jax import text
    folder = ROOT / 'tests' / 'kernels'
    for path in sorted(folder.rglob('*.pk')):
        name = path.relative_to(folder)
        if 'modules' in name.parts or not all(part in str(name) for part in args.filter):
            continue
        case = case_file.read(path)
        if case.kind != 'entry':
            continue
        try:
            texts = list(texts_of(case, text.write))
        except Exception as error:
            texts = [(entry.name, error) for entry in case.entries]
        for entry, made in texts:
            out = args.out / name.parent / f'{name.stem}.{entry}.jaxpr'
            if isinstance(made, Exception):
                print(f'cannot {name.parent}/{name.stem}.{entry}: {type(made).__name__}: {str(made).splitlines()[0] if str(made) else ""}')
                continue
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(made, encoding='utf-8')


if __name__ == '__main__':
    sys.exit(main())
