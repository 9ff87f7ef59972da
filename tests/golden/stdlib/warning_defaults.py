# Which warnings are shown where nobody has said it.
import warnings

print(warnings.filters)
for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning, UserWarning):
    for module in ('__main__', 'other'):
        with warnings.catch_warnings(record=True) as caught:
            warnings.warn_explicit('text', category, 'file.py', 1, module)
        print(category.__name__, module, len(caught))
