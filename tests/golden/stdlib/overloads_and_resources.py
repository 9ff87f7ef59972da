# typing.get_overloads finds what @overload saw; importlib.resources reads what lies in a package.
import importlib.resources as resources
import sys
import typing

sys.path.insert(0, 'modules')


@typing.overload
def double(x: int) -> int: ...
@typing.overload
def double(x: str) -> str: ...
def double(x):
    return x * 2


class Holder:
    @typing.overload
    def get(self, x: int) -> int: ...
    @typing.overload
    def get(self, x: str) -> str: ...
    def get(self, x):
        return x


print(double('a'), [f.__annotations__['x'].__name__ for f in typing.get_overloads(double)], len(typing.get_overloads(Holder.get)))
try:
    typing.get_overloads(double)[0](1)
except TypeError as e:
    print(e)
typing.clear_overloads()
print(typing.get_overloads(double))
print((resources.files('walked') / 'words.txt').read_text(), resources.files('walked').joinpath('inner', 'leaf.py').is_file())
with resources.as_file(resources.files('walked') / 'words.txt') as path:
    print(path.name, path.suffix)
print(resources.read_text('walked', 'words.txt'), resources.read_binary('walked', 'words.txt'), resources.is_resource('walked', 'nothing'))
with resources.open_text('walked', 'words.txt') as file, resources.path('walked', 'words.txt') as path:
    print(file.readline() == path.read_text())
print(sorted(n for n in resources.contents('walked') if '.' in n))
for mistake in (lambda: resources.files('no_such_package'), lambda: resources.read_text('walked', 'inner/leaf.py'), lambda: resources.read_text('walked', 'gone.txt')):
    try:
        mistake()
    except Exception as e:
        print(type(e).__name__, str(e).split(':')[0])
