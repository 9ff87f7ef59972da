#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares pallasc's syntax trees with those of Python's ast module, node by node and place by place.

check_ast.py [--tool AST_DUMP] [--text] [--show N] FILE_OR_FOLDER...

Each file goes through `ast_dump ast`; Python's tree is written in the same form and the two are compared. Files that pallasc
refuses by name (yield, async) are counted, not compared. With --text, every expression of the files is
written by ast.unparse, one a line, and expr_text must give the same line. Run it under Python 3.12 or newer, which places
the fields of f-strings rightly.
"""
import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile

sys.setrecursionlimit(20000)
BINARY = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "MatMult": "@",
          "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^"}
UNARY = {"USub": "-", "UAdd": "+", "Invert": "~", "Not": "not"}
COMPARE = {"Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not",
           "In": "in", "NotIn": "not in"}
REFUSED = re.compile(r"error: '(yield|async|await)' is not supported"
                     r"|error: '\\N\{…\}' is not supported")


class Mangler(ast.NodeTransformer):
    """Private names of classes, as the scopes of pallasc have renamed them."""

    def __init__(self):
        self.owner = ""

    def mangle(self, name):
        if not name or not self.owner or not name.startswith("__") or name.endswith("__") or "." in name:
            return name
        return f"_{self.owner}{name}"

    def visit_ClassDef(self, node):
        node.name = self.mangle(node.name)
        for field in ("decorator_list", "bases", "keywords"):
            setattr(node, field, [self.visit(item) for item in getattr(node, field)])
        outer, self.owner = self.owner, node.name.lstrip("_") if not self.owner else node.name.lstrip("_")
        node.body = [self.visit(item) for item in node.body]
        self.owner = outer
        return node

    def generic_visit(self, node):
        for field in ("id", "attr", "name", "rest"):
            if isinstance(getattr(node, field, None), str) and not isinstance(node, (ast.alias, ast.ImportFrom)):
                setattr(node, field, self.mangle(getattr(node, field)))
        if isinstance(node, ast.arg):
            node.arg = self.mangle(node.arg)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self.mangle(name) for name in node.names]
        return super().generic_visit(node)


class Dumper:
    def __init__(self):
        self.lines = []
        self.level = 1

    def line(self, label, text):
        self.lines.append("  " * self.level + f"{label}: {text}")

    def place(self, node):
        last = node
        while True:  # Python counts a final ';' to a compound statement; pallasc does not
            blocks = [getattr(last, field, None) for field in ("finalbody", "orelse", "handlers", "body", "cases")]
            block = next((block for block in blocks if isinstance(block, list) and block), None)
            if block is None:
                break
            last = block[-1]
        return f"{node.lineno}:{node.col_offset + 1}-{last.end_lineno}:{last.end_col_offset + 1}"

    def all(self, label, nodes):
        for node in nodes:
            self.node(label, node)

    def opt(self, label, node):
        if node is not None:
            self.node(label, node)

    def inner(self, *pairs):
        self.level += 1
        for label, value in pairs:
            if isinstance(value, list):
                self.all(label, value)
            else:
                self.opt(label, value)
        self.level -= 1

    def node(self, label, node):
        name = type(node).__name__
        method = getattr(self, name, None)
        if method:
            method(label, node)
            return
        self.line(label, f"{name} {self.place(node)}")
        self.inner(*[(field, value) for field, value in ast.iter_fields(node)
                     if isinstance(value, (ast.AST, list)) and field not in ("ctx", "type_params", "type_ignores")])

    def Constant(self, label, node):
        value, place = node.value, self.place(node)
        if value is None or value is ...:
            self.line(label, f"{'None' if value is None else 'Ellipsis'} {place}")
        elif isinstance(value, bool):
            self.line(label, f"Bool {place} {value}")
        elif isinstance(value, int):
            digits = str(value) if value < 10 ** 4200 else hex(value)
            self.line(label, f"Int {place} {digits}")
        elif isinstance(value, float):
            self.line(label, f"Float {place} {value!r}")
        elif isinstance(value, complex):
            self.line(label, f"Imaginary {place} {value.imag!r}")
        else:
            self.line(label, f"{'Str' if isinstance(value, str) else 'Bytes'} {place} {value!r}")

    def JoinedStr(self, label, node):
        self.line(label, f"JoinedStr {self.place(node)}")
        self.level += 1
        text = ""
        for part in node.values + [None]:
            if isinstance(part, ast.Constant):
                text += part.value
                continue
            if text:
                self.line("values", f"Str {text!r}")
                text = ""
            if part is not None:
                self.line("values", "FormattedValue" + (f" !{chr(part.conversion)}" if part.conversion > 0 else ""))
                self.inner(("value", part.value), ("format_spec", part.format_spec))
        self.level -= 1

    def Name(self, label, node):
        self.line(label, f"Name {self.place(node)} '{node.id}'")

    def Attribute(self, label, node):
        self.line(label, f"Attribute {self.place(node)} '{node.attr}'")
        self.inner(("value", node.value))

    def BinOp(self, label, node):
        self.line(label, f"BinOp {self.place(node)} {BINARY[type(node.op).__name__]}")
        self.inner(("left", node.left), ("right", node.right))

    def AugAssign(self, label, node):
        self.line(label, f"AugAssign {self.place(node)} {BINARY[type(node.op).__name__]}")
        self.inner(("target", node.target), ("value", node.value))

    def UnaryOp(self, label, node):
        self.line(label, f"UnaryOp {self.place(node)} {UNARY[type(node.op).__name__]}")
        self.inner(("operand", node.operand))

    def BoolOp(self, label, node):
        self.line(label, f"BoolOp {self.place(node)} {type(node.op).__name__.lower()}")
        self.inner(("values", node.values))

    def Compare(self, label, node):
        ops = " ".join(COMPARE[type(op).__name__] for op in node.ops)
        self.line(label, f"Compare {self.place(node)} {ops}")
        self.inner(("left", node.left), ("comparators", node.comparators))

    def Dict(self, label, node):
        self.line(label, f"Dict {self.place(node)}")
        self.level += 1
        for key, value in zip(node.keys, node.values):
            if key is None:
                self.line("keys", "**")
            else:
                self.node("keys", key)
            self.node("values", value)
        self.level -= 1

    def comprehension(self, label, node):
        self.line(label, "comprehension")
        self.inner(("target", node.target), ("iter", node.iter), ("ifs", node.ifs))

    def keyword(self, label, node):
        name = f" '{node.arg}'" if node.arg is not None else ""
        self.line(label, f"keyword {node.lineno}:{node.col_offset + 1}{name}")
        self.inner(("value", node.value))

    def Lambda(self, label, node):
        self.line(label, f"Lambda {self.place(node)}")
        self.level += 1
        self.arguments(node.args)
        self.node("body", node.body)
        self.level -= 1

    def arguments(self, args):
        defaults = [None] * (len(args.posonlyargs) + len(args.args) - len(args.defaults)) + args.defaults
        for i, arg in enumerate(args.posonlyargs + args.args):
            self.parameter("posonlyargs" if i < len(args.posonlyargs) else "args", arg, defaults[i])
        if args.vararg:
            self.parameter("vararg", args.vararg, None)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults):
            self.parameter("kwonlyargs", arg, default)
        if args.kwarg:
            self.parameter("kwarg", args.kwarg, None)

    def parameter(self, label, node, default):
        name = node.source_name if hasattr(node, "source_name") else node.arg
        end = node.col_offset + 1 + len(name.encode())
        self.line(label, f"arg {node.lineno}:{node.col_offset + 1}-{node.lineno}:{end} '{node.arg}'")
        self.inner(("annotation", node.annotation), ("default", default))

    def FunctionDef(self, label, node):
        self.line(label, f"FunctionDef {self.place(node)} '{node.name}'")
        self.level += 1
        self.arguments(node.args)
        self.level -= 1
        self.inner(("body", node.body), ("decorator_list", node.decorator_list), ("returns", node.returns))

    AsyncFunctionDef = FunctionDef

    def ClassDef(self, label, node):
        self.line(label, f"ClassDef {self.place(node)} '{node.name}'")
        self.inner(("bases", node.bases), ("keywords", node.keywords), ("body", node.body),
                   ("decorator_list", node.decorator_list))

    def TypeAlias(self, label, node):
        self.line(label, f"TypeAlias {self.place(node)} '{node.name.id}'")
        self.inner(("value", node.value))

    def alias(self, label, node):
        self.line(label, f"alias {self.place(node)} '{node.name}'" + (f" as '{node.asname}'" if node.asname else ""))

    def ImportFrom(self, label, node):
        star = node.names[0].name == "*"
        module = f" '{node.module}'" if node.module else ""
        self.line(label, f"ImportFrom {self.place(node)} {node.level}{module}{' *' if star else ''}")
        if not star:
            self.inner(("names", node.names))

    def Global(self, label, node):
        self.line(label, f"{type(node).__name__} {self.place(node)} " + " ".join(f"'{name}'" for name in node.names))

    Nonlocal = Global

    def ExceptHandler(self, label, node):
        self.line(label, f"ExceptHandler {self.place(node)}" + (f" '{node.name}'" if node.name else ""))
        self.inner(("type", node.type), ("body", node.body))

    def withitem(self, label, node):
        self.line(label, "withitem")
        self.inner(("context_expr", node.context_expr), ("optional_vars", node.optional_vars))

    def match_case(self, label, node):
        self.line(label, "match_case")
        self.inner(("pattern", node.pattern), ("guard", node.guard), ("body", node.body))

    def MatchSingleton(self, label, node):
        self.line(label, f"MatchValue {self.place(node)}")
        self.inner(("value", ast.copy_location(ast.Constant(node.value), node)))

    def MatchStar(self, label, node):
        self.line(label, f"{type(node).__name__} {self.place(node)}" + (f" '{node.name}'" if node.name else ""))
        self.inner(("pattern", getattr(node, "pattern", None)))

    MatchAs = MatchStar

    def MatchMapping(self, label, node):
        self.line(label, f"MatchMapping {self.place(node)}" + (f" '{node.rest}'" if node.rest else ""))
        self.level += 1
        for key, pattern in zip(node.keys, node.patterns):
            self.node("keys", key)
            self.node("patterns", pattern)
        self.level -= 1

    def MatchClass(self, label, node):
        self.line(label, f"MatchClass {self.place(node)}")
        self.inner(("cls", node.cls), ("patterns", node.patterns))
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns):
            self.inner((name, pattern))


def python_tree(source, path):
    tree = ast.parse(source, path)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.source_name = node.arg
    dumper = Dumper()
    dumper.all("body", Mangler().visit(tree).body)
    return dumper.lines


def our_tree(text):
    lines = []
    for line in text.split("\n")[1:]:
        if line.lstrip().startswith("slots: "):
            continue
        line = re.sub(r" @(global|class(:\d+\.\d+)?|\d+\.\d+)$", "", line)
        lines.append(re.sub(r" binds '[^']*'$", "", line))
    while lines and not lines[-1]:
        lines.pop()
    return lines


def find_files(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".py", ".pk")))
        else:
            yield path


def run(tool, mode, path):
    result = subprocess.run([tool, mode, path], capture_output=True, check=False)
    return result.returncode, result.stdout.decode(errors="surrogateescape"), result.stderr.decode(errors="replace")


def compare_tree(tool, path, counts):
    with open(path, "rb") as file:
        source = file.read()
    status, out, err = run(tool, "ast", path)
    if status == 1 and REFUSED.search(err) and not re.search(
            r"error: (?!'(yield|async|await|\\N\{…\})' is not supported)", err):
        counts["refused by name"] += 1
        return None
    try:
        expected = python_tree(source, path)
    except (SyntaxError, ValueError, RecursionError) as error:
        expected = None
        reason = error
    if expected is None:
        counts["refused by Python" + ("" if status == 1 else " only")] += 1
        return None if status == 1 else f"Python says {reason}"
    if status != 0:
        return err[:2000]
    ours = our_tree(out)
    for i, (a, b) in enumerate(zip(expected + ["(end)"], ours + ["(end)"])):
        if a != b:
            return f"line {i}:\n  Python:  {a}\n  pallasc: {b}"
    counts["same"] += 1
    return None


def compare_text(tool, path, counts):
    with open(path, "rb") as file:
        source = file.read()
    texts = []
    try:
        nodes = [node for node in ast.walk(ast.parse(source, path)) if isinstance(node, ast.expr)]
        for node in nodes:
            if isinstance(node, (ast.Slice, ast.Starred, ast.Yield, ast.YieldFrom, ast.Await,
                                 ast.FormattedValue)):
                continue
            text = ast.unparse(node)
            if "\n" in text or "yield" in text or "await" in text or "async" in text:
                continue
            # a format spec is a JoinedStr, but not one that stands alone
            if isinstance(node, ast.JoinedStr) and ast.dump(ast.parse(text, mode="eval").body) != ast.dump(node):
                continue
            if isinstance(node, ast.Tuple) and any(isinstance(item, ast.Slice) for item in node.elts):
                continue
            texts.append(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".pk", delete=False) as file:
        file.write("".join(f"{text}\n" for text in texts))
    status, out, err = run(tool, "text", file.name)
    os.unlink(file.name)
    if status != 0:
        return err[:2000]
    for a, b in zip(texts, out.split("\n")):
        if a != b:
            return f"\n  Python:  {a}\n  pallasc: {b}"
    counts["same"] += 1
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", default="build/tests/ast_dump")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("paths", nargs="+")
    args = parser.parse_args()
    counts = {"same": 0, "refused by name": 0, "refused by Python": 0, "refused by Python only": 0}
    failed = 0
    for path in find_files(args.paths):
        difference = (compare_text if args.text else compare_tree)(args.tool, path, counts)
        if difference:
            failed += 1
            if failed <= args.show:
                print(f"{path}: {difference}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()) + f", {failed} different")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
