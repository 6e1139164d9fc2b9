"""Stores (sales locations). Source: platform-contract.md 2.5."""

from __future__ import annotations

from pos_app.platform_api.database.tables import STORE
from pos_app.platform_api.resource import PlainResource
from pos_app.wire.store_input import read_store


class Stores(PlainResource):
    path = "/stores"
    noun = "Store"
    table = STORE
    read = staticmethod(read_store)
