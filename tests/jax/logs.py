# SPDX-License-Identifier: Apache-2.0
"""What the package logs while a test runs."""
import contextlib
import logging


@contextlib.contextmanager
def logged():
    """Its texts, in a list."""
    told, log = [], logging.getLogger('pallasc')
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage())
    log.addHandler(handler)
    try:
        yield told
    finally:
        log.removeHandler(handler)
