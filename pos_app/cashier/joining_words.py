"""Words about the changes made at this till, for the question whether this shop's articles go to a
platform."""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.cashier.texts.lookup import Texts
from pos_app.selling.synchronisation.joining import OpenChanges


def changes_lines(changes: OpenChanges, texts: Texts) -> Iterator[str]:
    """The number of changes, and their fate with each answer; no text where there are none."""
    told = []
    if changes.waiting:
        told.append(texts.count("set.join.waiting", changes.waiting))
    if changes.to_decide:
        told.append(texts.count("set.join.undecided", changes.to_decide))
    if told:
        yield " ".join((*told, texts("set.join.changes")))
    if changes.stores:
        yield texts.count("set.join.stores_end", changes.stores)
