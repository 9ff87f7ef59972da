# SPDX-License-Identifier: Apache-2.0
"""Exceptions: sources that cannot be compiled, and what a machine found while they ran."""


class PallascError(RuntimeError):
    """The base of them all."""


class CompileError(PallascError):
    """A kernel that is refused. `diagnostics` are the compiler's, as data."""

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)

    @classmethod
    def of(cls, text, diagnostics):
        """Of what the compiler says: an error of the language keeps its class, too."""
        first = next((d["message"] for d in diagnostics if d.get("severity") == "error"), "")
        kinds = {"NotImplementedError": NotImplementedCompileError, "ValueError": ValueCompileError, "TypeError": TypeCompileError}
        return kinds.get(first.partition(":")[0], cls)(text, diagnostics)


class NotImplementedCompileError(CompileError, NotImplementedError):
    pass


class ValueCompileError(CompileError, ValueError):
    pass


class TypeCompileError(CompileError, TypeError):
    pass


class Finding(PallascError):
    """What checks found. `findings` are all of a run, as data."""

    def __init__(self, message, findings=()):
        super().__init__(message)
        self.findings = list(findings)


class DeadlockError(Finding):
    pass


def finding_error(findings, texts, reports):
    if reports:
        return DeadlockError("\n".join(reports), findings)
    if not findings:
        return None
    return Finding("\n".join(texts), findings)
