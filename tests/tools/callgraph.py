#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who defines and who uses which symbol, read off the objects of a build by nm: arrows between source files, and the circles they make.

    callgraph.py [--build FOLDER]                  the circles of more than one file
    callgraph.py --between PYTHON NUMPY            the symbols that files of one folder use of another's
    callgraph.py --circle FILE                     the arrows inside of the circle that FILE is in, with their symbols

Paths are relative to the root of the tree; `compiler/` in front may be left out.
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATED = {'jaxpr_parser.tab.c': 'compiler/jax/import/jaxpr_parser.y', 'jaxpr_lexer.yy.c': 'compiler/jax/import/jaxpr_lexer.l',
             'parser.tab.c': 'compiler/syntax/parser.y', 'lexer.yy.c': 'compiler/syntax/lexer.l', 'library_data.c': None}


class Graph:
    """`owner`: symbol -> source that defines it; `uses`: source -> symbols of others; `arrows`: source -> {source: symbols}."""

    def __init__(self, build):
        if not shutil.which('nm'):
            raise LookupError('there is no nm')
        self.owner, self.uses, self.in_tests = {}, collections.defaultdict(set), set()
        # Folders of this build alone: others, of other options and ages, may lie inside it.
        paths = sorted(path for folder in ('compiler', 'runtime', 'tests') for path in (build / folder).rglob('*.o'))
        objects = {path: source for path in paths if (source := source_of(build, path))}
        if not objects:
            raise LookupError(f'there are no object files in {build}')
        symbols = read_symbols(list(objects))
        for path, (defined, _) in symbols.items():
            if not objects[path].startswith('tests/'):
                self.owner.update((symbol, objects[path]) for symbol in defined)
        for path, (_, used) in symbols.items():
            if objects[path].startswith('tests/'):
                self.in_tests |= used
            else:
                self.uses[objects[path]] |= used
        self.arrows = {source: collections.defaultdict(set) for source in set(self.owner.values()) | set(self.uses)}
        for source, used in self.uses.items():
            for symbol in used:
                target = self.owner.get(symbol)
                if target and target != source:
                    self.arrows[source][target].add(symbol)

    def circles(self):
        """The strongly connected components of more than one file, largest first (Tarjan 1972, without recursion)."""
        order, low, on_stack, stack, found = {}, {}, set(), [], []
        for root in sorted(self.arrows):
            if root in order:
                continue
            work = [(root, iter(sorted(self.arrows[root])))]
            order[root] = low[root] = len(order)
            stack.append(root)
            on_stack.add(root)
            while work:
                node, rest = work[-1]
                for target in rest:
                    if target not in order:
                        order[target] = low[target] = len(order)
                        stack.append(target)
                        on_stack.add(target)
                        work.append((target, iter(sorted(self.arrows.get(target, ())))))
                        break
                    if target in on_stack:
                        low[node] = min(low[node], order[target])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[node])
                    if low[node] == order[node]:
                        circle = []
                        while not circle or circle[-1] != node:
                            circle.append(stack.pop())
                            on_stack.remove(circle[-1])
                        if len(circle) > 1:
                            found.append(sorted(circle))
        return sorted(found, key=lambda circle: (-len(circle), circle))

    def lonely(self):
        """Public symbols that no other object uses, as pairs of source and symbol."""
        used = set(self.in_tests)
        for source, symbols in self.uses.items():
            used |= {symbol for symbol in symbols if self.owner.get(symbol) != source}
        return sorted((source, symbol) for symbol, source in self.owner.items() if symbol not in used)


def source_of(build, path):
    """The source an object is made from; None if it is gone, a second build of the same, or generated data."""
    match = re.search(r'(compiler|runtime|tests)/CMakeFiles/([\w.]+)\.dir/(.*)\.o$', str(path.relative_to(build)))
    if not match or match[2].endswith('_shared'):
        return None
    if pathlib.PurePath(match[3]).name in GENERATED:
        return GENERATED[pathlib.PurePath(match[3]).name]
    source = pathlib.PurePath(match[1], match[3])
    return str(source) if (ROOT / source).exists() else None


def read_symbols(paths):
    """path -> (public symbols that it defines, symbols that it uses)."""
    symbols = {path: (set(), set()) for path in paths}
    listed = subprocess.run(['nm', '-A', '-g', *map(str, paths)], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name, _, rest = line.partition('.o:')
        words = rest.split()
        if len(words) == 2:
            symbols[pathlib.Path(f'{name}.o')][1].add(words[1])
        elif words[1] in 'TDBRVWCS':
            symbols[pathlib.Path(f'{name}.o')][0].add(words[2])
    return symbols


def inside(source, folder):
    return source.removeprefix('compiler/').startswith(folder.removeprefix('compiler/').rstrip('/') + '/') or source.endswith('/' + folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build', metavar='FOLDER')
    parser.add_argument('--between', nargs=2, metavar='FOLDER')
    parser.add_argument('--circle', metavar='FILE')
    args = parser.parse_args()
    try:
        graph = Graph(args.build.resolve())
    except LookupError as why:
        sys.exit(str(why))
    if args.between:
        users, owners = args.between
        shown = [(source, target) for source in sorted(graph.arrows) for target in sorted(graph.arrows[source]) if inside(source, users) and inside(target, owners)]
    elif args.circle:
        members = next((set(circle) for circle in graph.circles() if any(source.endswith(args.circle) for source in circle)), set())
        shown = [(source, target) for source in sorted(members) for target in sorted(graph.arrows[source]) if target in members]
    else:
        for circle in graph.circles():
            print(f'{len(circle)} files: {" ".join(source.removeprefix("compiler/") for source in circle)}')
        return
    for source, target in shown:
        print(f'{source} -> {target}: {" ".join(sorted(graph.arrows[source][target]))}')


if __name__ == '__main__':
    main()
