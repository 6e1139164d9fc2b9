"""The two kinds of transactions in `till.db`, and the refusals of the storage."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.errors import NotAllowed


@contextmanager
def cart_change(connection: apsw.Connection) -> Iterator[None]:
    """Run a transaction that a power cut may undo until the next `durable_change`. Only that checks
    the files, so that a scan waits for nothing but its own write. Within another transaction it is
    a part of that.

    Raises NotAllowed when a rule of the tables refuses it; DiskFull, DatabaseBusy.
    """
    if connection.in_transaction:
        with _errors_translated():
            yield
        return
    with _errors_translated(), transaction(connection, looks=False):
        yield


@contextmanager
def durable_change(connection: apsw.Connection) -> Iterator[None]:
    """Run a transaction that survives a power cut, with everything committed before it. Within
    another transaction it is a part of that.

    The safety level can't be changed within a transaction, so it is set around it. Raises
    NotAllowed when a rule of the tables refuses it; DiskFull, DatabaseBusy, FilesReplaced.
    """
    if connection.in_transaction:
        with _errors_translated():
            yield
        return
    with _errors_translated():
        connection.execute("PRAGMA synchronous=FULL")
        try:
            with transaction(connection):
                yield
        finally:
            connection.execute("PRAGMA synchronous=NORMAL")


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        with translated_errors(FILE_NAME):
            yield
    except apsw.ConstraintError as error:
        if "life: " not in str(error):
            raise
        raise NotAllowed("life", why=str(error).rpartition("life: ")[2]) from error
