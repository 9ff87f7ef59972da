# SPDX-License-Identifier: Apache-2.0
"""The types of pallasc.jax say what it has."""
import ast
import inspect
import pathlib

import pallasc.jax


def parameters(function):
    """Names, kinds and defaults of a function of the stub, in the order of inspect.signature."""
    given = function.args
    rest = [(given.vararg.arg, inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.empty)] if given.vararg else []
    named = [(arg.arg, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty if default is None else ast.literal_eval(default))
             for arg, default in zip(given.kwonlyargs, given.kw_defaults)]
    return [(arg.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty) for arg in given.args] + rest + named


def test_stub():
    stub = ast.parse(pathlib.Path(pallasc.jax.__file__).with_suffix('.pyi').read_text())
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert set(functions) == {'machine', 'export'}
    for name, node in functions.items():
        actual = inspect.signature(getattr(pallasc.jax, name)).parameters.values()
        assert parameters(node) == [(p.name, p.kind, p.default) for p in actual], name
    declared = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names if alias.asname}
    declared |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)} | set(functions)
    own = {name for name in vars(pallasc.jax) if not name.startswith('_')}
    modules = {name for name in own if inspect.ismodule(getattr(pallasc.jax, name))}
    assert declared == own - modules
    with pallasc.jax.machine() as machine:
        assert machine.error() is None
