"""The database beneath an adapter, for what no method of the product does: to damage it, to hold it
as another program would, to count its commits, to read a column that no method returns."""

from __future__ import annotations

from typing import Any

import apsw


def connection_of(adapter: object) -> apsw.Connection:
    """The adapter's own connection; a test uses it between the adapter's statements."""
    opened: Any = adapter
    found = opened._connection  # noqa: SLF001 - the one place that reaches in
    assert isinstance(found, apsw.Connection)
    return found
