# SPDX-License-Identifier: Apache-2.0
"""Exceptions: sources that cannot be compiled, and what a machine found while they ran.

There is one for each kind of finding, made from the runtime's table of them: RaceError, OutOfBoundsError, ….
"""
from pallasc import _native


class PallascError(RuntimeError):
    """The base of them all."""
    __module__ = "pallasc"


class CompileError(PallascError):
    """A source that is refused. `diagnostics` are the compiler's, as data."""
    __module__ = "pallasc"

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    @classmethod
    def of(cls, text, diagnostics):
        """Of what the compiler says: an error of the language, or one of JAX's for the chip, keeps its class and words, too."""
        first = next((d for d in diagnostics if d.get("severity") == "error"), {"message": ""})
        kinds = {"NotImplementedError": NotImplementedCompileError, "ValueError": ValueCompileError, "TypeError": TypeCompileError}
        if said := first.get("exception"):
            return kinds.get(said["type"], cls)(f"{text.rstrip()}\n{said['type']}: {said['text'].splitlines()[0]}\n", diagnostics)
        return kinds.get(first["message"].partition(":")[0], cls)(text, diagnostics)


class NotImplementedCompileError(CompileError, NotImplementedError):
    __module__ = "pallasc"


class ValueCompileError(CompileError, ValueError):
    __module__ = "pallasc"


class TypeCompileError(CompileError, TypeError):
    __module__ = "pallasc"


class Finding(PallascError):
    """What checks found. `findings` are all of a run, as data; the class is that of the first one's kind."""
    __module__ = "pallasc"
    kind = None

    def __init__(self, message, findings=()):
        super().__init__(message)
        self.findings = list(findings)

    def __reduce__(self):
        return type(self), (*self.args, self.findings)


def _class_of(kind):
    name = "".join(word.capitalize() for word in kind.split("_")) + "Error"
    bases = (Finding, FloatingPointError) if kind in ("nan", "inf") else (Finding,)
    return type(name, bases, {"__module__": "pallasc", "kind": kind, "__doc__": f"What checks found, a finding of kind '{kind}' first."})


def _kinds():
    """The names of the runtime's table; a number that it does not have is a check."""
    names = [_native.said(_native.runtime().prt_finding_kind_name(0))]
    while (name := _native.said(_native.runtime().prt_finding_kind_name(len(names)))) != names[0]:
        names.append(name)
    return names


KINDS = {kind: _class_of(kind) for kind in _kinds()}
globals().update({found.__name__: found for found in KINDS.values()})
__all__ = ["CompileError", "Finding", "NotImplementedCompileError", "PallascError", "TypeCompileError", "ValueCompileError",
           *(found.__name__ for found in KINDS.values())]


def finding_error(findings, texts, reports):
    """The exception for findings, as data and as text, and for deadlocks, each as both; None if there are none."""
    findings, texts = [data for data, _ in reports] + findings, [text for _, text in reports] + texts
    if not findings:
        return None
    return KINDS[findings[0]["kind"]]("\n".join(text.rstrip() for text in texts), findings)
