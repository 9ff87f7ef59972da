# SPDX-License-Identifier: Apache-2.0
"""python/examples/gallery.ipynb: its cells run in their order, and print what the notebook holds.

`PYTHON tests/jax/test_gallery.py --update` writes down what they print.
"""
import contextlib
import io
import json
import linecache
import os
import pathlib
import sys

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / 'python' / 'examples' / 'gallery.ipynb'


def _run_cell(number, source, names):
    """What it prints. Its lines are where Python looks for those of a file, as a notebook's kernel has it."""
    name = f'<cell {number}>'
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(source, name, 'exec'), names)
    return said.getvalue()


def _printed(notebook):
    """Of each cell of code: the cell and what it prints."""
    names = {'__name__': '__main__'}
    for number, cell in enumerate(notebook['cells']):
        if cell['cell_type'] == 'code':
            yield cell, _run_cell(number, ''.join(cell['source']), names)


def test_gallery():
    before = dict(os.environ)
    try:
        for cell, said in _printed(json.loads(NOTEBOOK.read_text())):
            held = ''.join(line for output in cell['outputs'] for line in output['text'])
            assert said == held, f'{"".join(cell["source"])}\nprints:\n{said}\nthe notebook holds:\n{held}'
    finally:
        os.environ.clear()
        os.environ.update(before)


def _update():
    notebook = json.loads(NOTEBOOK.read_text())
    for count, (cell, said) in enumerate(_printed(notebook), 1):
        cell['execution_count'] = count
        cell['outputs'] = [{'name': 'stdout', 'output_type': 'stream', 'text': said.splitlines(True)}] if said else []
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + '\n')


if __name__ == '__main__':
    sys.path.insert(0, str(NOTEBOOK.parents[1]))
    if sys.argv[1:] != ['--update']:
        sys.exit(__doc__)
    _update()
