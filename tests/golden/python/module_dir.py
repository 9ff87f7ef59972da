# dir() of a module asks its own __dir__.
import types

module = types.ModuleType('module')
module.a = 1
print('a' in dir(module), 'b' in dir(module))
module.__dir__ = lambda: ['c', 'b']
print(dir(module))
