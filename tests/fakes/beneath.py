"""A file system of a test's own, beneath the checksums: what it sees is what the disk gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import apsw

from pos_app.adapters.sqlite.checksums import load_checksums

V = TypeVar("V", bound=apsw.VFS)

_CHECKSUMS = "cksmvfs"


@contextmanager
def beneath(make: Callable[[str], V]) -> Iterator[V]:
    """While inside, files are opened through the file system that `make` makes as the default, on
    the given base.

    The checksums stand on the file system that was the default when they were installed, so they
    are removed and installed again: also afterwards, for a file that was opened before still closes
    through them.
    """
    had_checksums = _let_go()
    made = make(apsw.vfs_names()[0])
    try:
        yield made
    finally:
        _let_go()
        made.unregister()
        if had_checksums:
            load_checksums()


def _let_go() -> bool:
    if _CHECKSUMS not in apsw.vfs_names():
        return False
    apsw.unregister_vfs(_CHECKSUMS)
    return True
