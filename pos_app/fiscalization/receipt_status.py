"""Where the receipts of a command are, told of rows whose content can't be read too.

The content of a row is packed; its state, its number and what its key stands for are kept beside
it, and outlive damage of the content.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app.domain.states import RequestState


@dataclass(frozen=True, slots=True)
class ReceiptStatus:
    """Of one receipt. number: its fiscal number, None without a receipt. changed_at: UTC.

    body_hash: of what its command was asked for, by its first body.
    """

    id: str
    command_id: str
    state: RequestState
    number: str | None
    body_hash: bytes
    changed_at: datetime


class ReceiptStatuses(Protocol):
    """The part of the journal that tells it. Raises MachineError where the file can't be read."""

    def statuses_of(self, command_id: str) -> tuple[ReceiptStatus, ...]:
        """Of all receipts of a command, in their order."""
        ...

    def status_by_reference(self, reference: str) -> ReceiptStatus | None:
        """Of the receipt with that id or that fiscal number."""
        ...


def numbers(found: Iterable[ReceiptStatus]) -> tuple[str, ...]:
    """The fiscal numbers of those that are signed."""
    return tuple(one.number for one in found if one.number is not None)
