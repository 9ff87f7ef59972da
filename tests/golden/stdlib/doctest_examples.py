# doctest: examples of docstrings and files, found, run and reported.
"""Module doc.

>>> 1 + 1
2
>>> x = 3
>>> x
3
>>> for i in range(2): i
0
1
"""
def f(n):
    """Factorial

    >>> f(3)
    6
    >>> [f(n) for n in range(6)]
    [1, 1, 2, 6, 24, 120]
    >>> f(-1)
    Traceback (most recent call last):
        ...
    ValueError: n must be >= 0
    >>> f(4)
    25
    >>> print("a\\n\\nb")
    a
    <BLANKLINE>
    b
    >>> list(range(20)) # doctest: +ELLIPSIS
    [0, 1, ..., 19]
    >>> print("a   b") # doctest: +NORMALIZE_WHITESPACE
    a b
    >>> 1/0 # doctest: +SKIP
    >>> def g(x):
    ...     return x * 2
    ...
    >>> g(4)
    8
    >>> None
    >>> 'x'
    >>> f("a") # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    TypeError: whatever
    """
    if n < 0: raise ValueError("n must be >= 0")
    r = 1
    for i in range(2, n + 1): r *= i
    return r
class C:
    """
    >>> C().m()
    'm'
    """
    def m(self):
        """
        >>> C().m() + 'x'
        'mx'
        """
        return 'm'
    @property
    def p(self):
        """
        >>> C().p
        3
        """
        return 3
    @staticmethod
    def s():
        """
        >>> C.s()
        1
        """
        return 1
    @classmethod
    def c(cls):
        """>>> C.c()
        2"""
        return 2
    def nodoc(self): pass
__test__ = {"extra": ">>> 1\n2\n", "fn": f}
if __name__ == "__main__":
    import doctest, io, os, sys, tempfile
    shown, sys.stdout, place = sys.stdout, io.StringIO(), os.path.dirname(os.path.abspath(__file__))
    r = doctest.testmod(); print(r)
    doctest.master = None
    print(doctest.testmod(verbose=True, optionflags=doctest.REPORT_NDIFF))
    doctest.run_docstring_examples(C.m, globals(), verbose=True, name="cm")
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    open("dt.txt", "w").write("Text\n\n    >>> 2 * 3\n    6\n    >>> 2 * 4\n    9\n\nMore >>> not\n\n>>> a = 1\n>>> a\n1\n")
    print(doctest.testfile("dt.txt", module_relative=False))
    for t in doctest.DocTestFinder().find(C): print(t.name, t.lineno, [(e.source, e.want, e.lineno, e.indent, e.exc_msg, e.options) for e in t.examples])
    try: doctest.testmod(raise_on_error=True)
    except doctest.DocTestFailure as e: print(type(e), e.got, e.example.want, e.test.name)
    for bad in (">>>x\n", ">>> x\n ... y\n", "  >>> x\n 3\n", ">>> x # doctest: +FOO\n"):
        try: print(doctest.DocTestParser().get_examples(bad))
        except ValueError as e: print(e)
    print(doctest.script_from_examples("hi\n>>> 1\n1\n\nyo\n"))
    import unittest
    s = doctest.DocTestSuite(sys.modules["__main__"])
    result = unittest.TestResult()
    s.run(result)
    print(result.testsRun, len(result.failures))
    text, sys.stdout = sys.stdout.getvalue(), shown
    print(text.replace(place, "FOLDER"), end="")
