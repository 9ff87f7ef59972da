# SPDX-License-Identifier: Apache-2.0
"""What a case says about itself: its directive comments and its entry functions.

Standard library only: the runner of the tests and the oracle both read cases through this module.
"""
import ast
import dataclasses
import pathlib
import re

DTYPES = ('f32', 'bf16', 'f16', 'i8', 'i16', 'i32', 'u8', 'u16', 'u32', 'bool_')

# `# name: text`, from the first column; only these names are directives, any other comment is prose.
DIRECTIVE = re.compile(r'#\s*(inputs|input\s+[\w.]+|tolerance|ulp|zeros|oracle|expect-error|flags|package|check)\s*:\s*(.*?)\s*$')


@dataclasses.dataclass
class Entry:
    """A function whose array parameters are annotated: `params` are (name, annotation text, is keyword only)."""
    name: str
    params: list


@dataclasses.dataclass
class Tolerance:
    """When two elements are the same: equal, or within `ulp` steps, or |got - want| <= atol + rtol * |want|."""
    rtol: float = 0.0
    atol: float = 0.0
    ulp: int = 0
    signed_zeros: bool = False


@dataclasses.dataclass
class Case:
    path: pathlib.Path
    inputs: str = ''
    input_of: dict = dataclasses.field(default_factory=dict)
    tolerance: Tolerance = dataclasses.field(default_factory=Tolerance)
    oracle: str = 'tpu'
    expect_errors: list = dataclasses.field(default_factory=list)
    flags: list = dataclasses.field(default_factory=list)
    package: str = ''
    is_unchecked: bool = False
    entries: list = dataclasses.field(default_factory=list)

    @property
    def kind(self):
        if self.expect_errors:
            return 'failure'
        return 'entry' if self.entries else 'script'

    @property
    def stdout_path(self):
        return self.path.with_suffix('.out')

    def array_paths(self, entry, direction):
        """The stored arrays of an entry, `direction` being 'in' or 'out', in order."""
        paths = []
        while (path := self.array_path(entry, direction, len(paths))).exists():
            paths.append(path)
        return paths

    def array_path(self, entry, direction, index):
        return self.path.with_name(f'{self.path.stem}.{entry}.{direction}{index}.npy')

    def stored_paths(self):
        """Every file that the oracle has made for this case."""
        paths = [self.stdout_path] if self.stdout_path.exists() else []
        return paths + sorted(self.path.parent.glob(f'{self.path.stem}.*.npy'))


def read(path):
    path = pathlib.Path(path)
    source = path.read_text(encoding='utf-8')
    case = Case(path)
    for line in source.splitlines():
        match = DIRECTIVE.match(line)
        if match:
            apply_directive(case, match.group(1), match.group(2))
    try:
        case.entries = find_entries(ast.parse(source, str(path)))
    except SyntaxError:
        if not case.expect_errors:
            raise
    return case


def apply_directive(case, name, text):
    if name == 'inputs':
        case.inputs = text
    elif name.startswith('input'):
        case.input_of[name.split()[1]] = text
    elif name == 'tolerance':
        for key, value in (item.split('=') for item in text.split()):
            if key not in ('rtol', 'atol'):
                raise ValueError(f'{case.path}: unknown tolerance {key!r}')
            setattr(case.tolerance, key, float(value))
    elif name == 'ulp':
        case.tolerance.ulp = int(text)
    elif name == 'zeros':
        if text != 'signed':
            raise ValueError(f'{case.path}: `zeros:` takes `signed`')
        case.tolerance.signed_zeros = True
    elif name == 'oracle':
        if text not in ('tpu', 'interpret', 'none'):
            raise ValueError(f'{case.path}: unknown oracle {text!r}')
        case.oracle = text
    elif name == 'expect-error':
        case.expect_errors.append(text)
    elif name == 'flags':
        case.flags = text.split()
    elif name == 'package':
        if text != 'jax':
            raise ValueError(f'{case.path}: unknown package {text!r}')
        case.package = text
    elif name == 'check':
        if text != 'finds':
            raise ValueError(f'{case.path}: `check:` takes `finds`')
        case.is_unchecked = True


def find_entries(module):
    entries = []
    for node in module.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        args, params = node.args, []
        for arg in args.posonlyargs + args.args + args.kwonlyargs:
            if is_array_annotation(arg.annotation):
                params.append((arg.arg, ast.unparse(arg.annotation), arg in args.kwonlyargs))
        if params:
            entries.append(Entry(node.name, params))
    return entries


def is_array_annotation(node):
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in DTYPES
