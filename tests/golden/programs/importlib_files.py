# Modules from files that the program names: specs, what is executed in them, once more and in a package's name.
import importlib
import importlib.util
import pathlib
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "plug.py"
    path.write_text("import os\ncount = globals().get('count', 0) + 1\ndef twice(x):\n    return 2 * x\nclass Plugin:\n    name = __name__\n")
    spec = importlib.util.spec_from_file_location("plugins.plug", path)
    print(spec.name, spec.parent, spec.origin == str(path), spec.has_location, type(spec.loader).__name__, spec.submodule_search_locations)
    module = importlib.util.module_from_spec(spec)
    print(module.__name__, module.__package__, module.__file__ == str(path), hasattr(module, "twice"), "plugins.plug" in sys.modules)
    spec.loader.exec_module(module)
    print(module.twice(4), module.Plugin.name, module.Plugin.__module__, module.count, module.__spec__ is spec)
    spec.loader.exec_module(module)
    print(module.count)
    sys.path.insert(0, folder)
    module = importlib.import_module("plug")
    path.write_text("count += 10\n")
    print(importlib.reload(module) is module, module.count, module.twice(1))
    del sys.modules["plug"]
    try:
        importlib.reload(module)
    except ImportError as e:
        print(e, e.name)
    path.write_text("raise ValueError('at import')\n")
    spec = importlib.util.spec_from_file_location("plug", path)
    try:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except ValueError as e:
        print(e)
    print(importlib.util.spec_from_file_location("x", "a.txt"), importlib.util.spec_from_file_location("x"))
    package = pathlib.Path(folder) / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("value = 3\n")
    spec = importlib.util.spec_from_file_location("pack", package / "__init__.py")
    print(spec.submodule_search_locations == [str(package)], spec.parent, importlib.util.module_from_spec(spec).__path__ == [str(package)])
try:
    importlib.reload("x")
except TypeError as e:
    print(e)
