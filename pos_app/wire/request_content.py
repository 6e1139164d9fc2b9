"""The content of a request, which is compared with that of another one under the same key.

A member that is null is one that is not there (platform-contract.md 2), and the ids of client and
store are the same in capitals.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_IDS = ("clientId", "storeId")


def content_of(document: object) -> object:
    """Return the document without members that are null, and with the ids in small letters."""
    content = _without_nulls(document)
    if isinstance(content, dict):
        for name in _IDS:
            if isinstance(content.get(name), str):
                content[name] = content[name].lower()
    return content


def _without_nulls(value: object) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value
