# pathlib: the parts of names, and what is asked of files.
from pathlib import Path, PurePath
import pathlib, os
p = Path('/a//b/./c.tar.gz')
print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, list(p.parents), p.parts, p / 'x', 'q' / Path('z'), p.with_suffix('.txt'), p.with_name('k'), p.with_stem('k'))
print(Path('a') == Path('a/'), Path(), Path('a', 'b'), Path('a', '/b'), Path('.hidden').suffix, Path('x.').suffix, p.relative_to('/a'), p.is_relative_to('/q'), hash(Path('a')) == hash(Path('a')), sorted([Path('b'), Path('a')]))
print(os.path.join(p, 'x'), os.fspath(p), Path('/tmp').is_dir(), Path('/tmp/nope').exists(), isinstance(p, os.PathLike), p.as_posix(), p.is_absolute(), Path('//x').parts, Path('///x'), Path('..')/'a')
Path('/tmp').mkdir(parents=True, exist_ok=True)
print(Path('~/a').expanduser() == Path.home() / 'a', (Path.cwd() / 'a').is_absolute(), PurePath('a/b.c').suffix)
for path, pattern in [('a/b.py', '*.py'), ('/a/b.py', '/*.py'), ('/a.py', '/*.py'), ('a/b/c', 'b/*'), ('a/b/c', 'a/*'), ('a', 'a/b'), ('a.PY', '*.py'), ('a/b', '**/b'), ('x/[y]', '[xy]'), ('x/y', '[!x]'), ('/a', 'a'), ('a/b/', 'b/')]:
    print(path, pattern, Path(path).match(pattern))
for empty in '', '.':
    try:
        Path('a').match(empty)
    except ValueError as error:
        print(error)
