# pkgutil lists the modules of a package, walks through packages, and finds names and files.
import pkgutil
import sys

sys.path.insert(0, 'modules')
import walked

for info in pkgutil.iter_modules(walked.__path__):
    print(info.name, info.ispkg, info.module_finder.find_spec(info.name).name)
print([info.name for info in pkgutil.iter_modules(walked.__path__, 'walked.')], 'walked.first' in sys.modules)
print([(info.name, info.ispkg) for info in pkgutil.walk_packages(walked.__path__, 'walked.', onerror=lambda name: print('cannot import', name))])
print('walked.inner.leaf' in sys.modules, list(pkgutil.iter_modules(['nowhere'])), [i.name for i in pkgutil.iter_modules(['modules']) if i.ispkg])
print(pkgutil.get_data('walked', 'words.txt'), pkgutil.resolve_name('walked.inner.leaf:Deep.value'), pkgutil.resolve_name('walked.inner.leaf.Deep').__name__)
for name in 'walked:nothing', 'not.there', 'a b':
    try:
        print(pkgutil.resolve_name(name))
    except Exception as e:
        print(type(e).__name__, e)
try:
    list(pkgutil.iter_modules('modules'))
except ValueError as e:
    print(e)
