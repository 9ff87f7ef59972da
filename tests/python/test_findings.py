# SPDX-License-Identifier: Apache-2.0
"""What machines find is an exception of its kind, with the lines of the source."""
import contextlib
import io
import pathlib
import pickle
import threading

import numpy as np
import pallasc
from pallasc import errors

SOURCE = pathlib.Path(__file__).resolve().parent / "findings.pk"
A = np.ones(8, np.float32)
CASES = {"unwritten": (pallasc.UnwrittenError, 6, "sum_ref[...]"), "beyond": (pallasc.OutOfBoundsError, 14, "x_ref[pl.program_id(0) + 4]"),
         "race": (pallasc.RaceError, 24, "o_ref[0] = 1.0"), "left": (pallasc.SemaphoreError, None, "findings.pk:"),
         "far": (pallasc.OutOfBoundsError, 51, "there is no core 1"), "stuck": (pallasc.DeadlockError, 33, "findings.pk:33:5: error: deadlock: ")}


def caught(function, *args, **named):
    try:
        function(*args, **named)
    except pallasc.PallascError as error:
        return error
    return None


def test_each_kind_has_its_exception():
    lib = pallasc.compile(SOURCE, check=True)
    for name, (kind, line, text) in CASES.items():
        error = caught(lib[name], A)
        assert type(error) is kind and text in str(error), (name, type(error), str(error))
        assert error.findings[0]["kind"] == kind.kind
        if line:
            assert error.findings[0]["line"] == line and error.findings[0]["file"].endswith("findings.pk"), error.findings
            assert f"findings.pk:{line}:" in str(error)


def test_the_table_of_kinds_makes_the_classes():
    assert {"check", "out_of_bounds", "unwritten", "race", "semaphore", "lost", "deadlock", "nan", "inf"} == set(errors.KINDS)
    for kind, found in errors.KINDS.items():
        assert issubclass(found, pallasc.Finding) and getattr(pallasc, found.__name__) is found and found.kind == kind
        copy = pickle.loads(pickle.dumps(found("text", [{"kind": kind}])))
        assert type(copy) is found and copy.findings == [{"kind": kind}] and str(copy) == "text"


def test_without_checks_only_deadlocks_are_found():
    lib = pallasc.compile(SOURCE, entry="stuck(f32[8])")
    assert type(caught(lib.stuck, A)) is pallasc.DeadlockError
    assert type(caught(lib.stuck, A, machine=pallasc.Machine(seed=3))) is pallasc.DeadlockError


def test_a_finding_belongs_to_its_call():
    lib = pallasc.compile(SOURCE, check=True)
    wrong = []

    def work(name):
        for _ in range(20):
            error = caught(lib[name], A)
            if type(error) is not CASES[name][0]:
                wrong.append((name, error))
    threads = [threading.Thread(target=work, args=(name,)) for name in ("unwritten", "beyond", "race")]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong, wrong[0]


def test_machines_say_what_is_wrong_with_their_options():
    for options, text in (({"threads": -1}, "threads"), ({"seed": "x"}, "seed"), ({"devices": 1.5}, "devices"),
                          ({"threads": 100000}, "threads is 100000"), ({"tpu": "v9"}, "tpu must be one of v2, "), ({"tpu": 5}, "tpu must be one of v2, ")):
        try:
            pallasc.Machine(**options)
        except ValueError as error:
            assert text in str(error), error
        else:
            raise AssertionError(options)


def test_debug_prints_go_to_sys_stdout():
    text = "def kernel(x_ref, o_ref):\n    pl.debug_print('x is {}', x_ref[0])\n    o_ref[...] = x_ref[...]\n\ndef f(x: f32[8]):\n    return pl.pallas_call(kernel, out_shape=x)(x)\n"
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        pallasc.compile("p.pk", text=text).f(A)
    assert out.getvalue() == "x is 1.0\n", out.getvalue()


def test_the_page_names_each_exception():
    page = (SOURCE.parents[2] / "docs" / "python.md").read_text()
    for found in errors.KINDS.values():
        assert f"| `{found.__name__}` |" in page, found
