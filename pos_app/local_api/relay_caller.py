"""A caller whose request the platform relayed: what it may ask for, and what is kept of its answer.

It is made in this process alone, by `relay_client` or `signer_door`: no request that comes by HTTP
can be one.
Source: platform-contract.md 2.7 (the origin is the relay's and reaches no token route).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from starlette.types import Scope

from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.relay import ArticlesByCode

_RELAYED = "relayed"
_OPERATIONS = re.compile(rf"{RECEIPTS}(/.+/(advance|close|copy|refund))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RelayCaller:
    """origin: of its keys. keyless: the platform made its key, and hands it over for the first
    time. seconds_left: until its answer is of no use.

    pdfs: by receipt id, the files that the answer names; the answer has the id in place of a link.
    cashier: the name on the receipt; "" for the usual one. articles: see `CommandMessage`.
    """

    origin: str
    keyless: bool
    seconds_left: float
    pdfs: dict[str, bytes] = field(default_factory=dict)
    cashier: str = ""
    articles: ArticlesByCode = field(default_factory=dict)


def mark_relayed(scope: Scope, caller: RelayCaller) -> None:
    scope.setdefault("state", {})[_RELAYED] = caller


def relayed_by(scope: Scope) -> RelayCaller | None:
    caller = scope.get("state", {}).get(_RELAYED)
    assert caller is None or isinstance(caller, RelayCaller)
    return caller


def may_be_relayed(method: str, path: str) -> bool:
    """Whether it is one of the five operations, or the look-up of a receipt."""
    if method == "POST":
        return _OPERATIONS.fullmatch(path) is not None
    return method == "GET" and path.startswith(f"{RECEIPTS}/")
