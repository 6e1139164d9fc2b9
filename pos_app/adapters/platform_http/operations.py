"""The method and path of each operation, in one table that settings override.

Source: platform-contract.md 1: the specification sets no methods and paths, so platforms may
differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote

from pos_app.settings import PlatformOperation

OPERATIONS: Mapping[PlatformOperation, str] = MappingProxyType({
    "list_stores": "GET /stores",
    "add_store": "POST /stores",
    "update_store": "PATCH /stores/{Id}",
    "list_products": "GET /products",
    "add_product": "POST /products",
    "update_product": "PATCH /products/{Id}",
    "delete_product": "DELETE /products/{Id}",
    "list_units": "GET /units",
    "add_unit": "POST /units",
    "update_unit": "PATCH /units/{Id}",
    "delete_unit": "DELETE /units/{Id}",
    "list_categories": "GET /categories",
    "add_category": "POST /categories",
    "update_category": "PATCH /categories/{Id}",
    "delete_category": "DELETE /categories/{Id}",
    "upload_file": "POST /files",
    "list_clients": "GET /clients",
    "list_keys": "GET /keys",
    "add_key": "POST /keys",
    "rotate_key": "POST /keys/{Id}/rotate",
    "revoke_key": "DELETE /keys/{Id}",
})  # fmt: skip


class OperationTable:
    """The table of one platform. others: the settings' own, name to "METHOD /path"."""

    def __init__(self, others: Mapping[PlatformOperation, str]) -> None:
        self._table = {**OPERATIONS, **others}

    def method(self, name: PlatformOperation) -> str:
        return self._table[name].split(" ", 1)[0]

    def path(self, name: PlatformOperation, resource_id: str = "") -> str:
        """Return the path below the base address, the id encoded."""
        path = self._table[name].split(" ", 1)[1]
        return path.replace("{Id}", quote(resource_id, safe=""))
