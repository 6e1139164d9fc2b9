"""The JSON of the domain, over the wire and in storage.

Its shapes need pydantic, which a till needs only after its first scan. Code that a till loads at
its start names shapes as in `wire.store.store_from_json(…)`: then a module of the wire is loaded
when it is first used, or earlier by `load`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from pos_app.wire import (
        catalogue,
        fiscal,
        keys_and_clients,
        moment,
        operations,
        port_calls,
        reading,
        receipt,
        records,
        row,
        server,
        shop_notes,
        store,
    )

__all__ = [
    "catalogue",
    "fiscal",
    "keys_and_clients",
    "moment",
    "operations",
    "port_calls",
    "reading",
    "receipt",
    "records",
    "row",
    "server",
    "shop_notes",
    "store",
]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def load() -> None:
    """Load all modules, so that nobody waits for them later."""
    for name in __all__:
        import_module(f"{__name__}.{name}")
