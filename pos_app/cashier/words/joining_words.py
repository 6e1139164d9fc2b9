"""Words about this till's open changes, for the question whether its articles go to a platform."""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.cashier.texts.lookup import Texts
from pos_app.selling.synchronisation.joining import OpenChanges


def changes_lines(changes: OpenChanges, texts: Texts) -> Iterator[str]:
    """The number of changes, and what each answer does with them; nothing where there are none."""
    parts = []
    if changes.waiting:
        parts.append(texts.count("set.join.waiting", changes.waiting))
    if changes.to_decide:
        parts.append(texts.count("set.join.undecided", changes.to_decide))
    if parts:
        yield " ".join((*parts, texts("set.join.changes")))
    if changes.stores:
        yield texts.count("set.join.stores_end", changes.stores)
