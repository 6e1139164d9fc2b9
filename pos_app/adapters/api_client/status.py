"""Reads the server's status."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pos_app import wire
from pos_app.domain.receipt.server_status import Alarm, DeliveryJob, ServerStatus
from pos_app.domain.receipt.states import AlarmKind, JobMethod, JobState


def status_from_json(document: object) -> ServerStatus:
    """Read the server's present state. Alarms and jobs that this till has no words for are left
    out: the till of that newer server has them. Raises Invalid."""
    if isinstance(document, Mapping):
        known = {
            "alarms": _known(document.get("alarms"), Alarm, what=AlarmKind),
            "jobs": _known(document.get("jobs"), DeliveryJob, method=JobMethod, state=JobState),
        }
        document = {**document, **known}
    return wire.records.from_json(ServerStatus, document)


def _known(rows: object, kind: type, **words: type[StrEnum]) -> Any:
    """Return the rows whose members are known words. The other rows are checked with a known word
    in place of each strange one, and left out."""
    if not isinstance(rows, list):
        return rows
    known = []
    for row in rows:
        strange = {
            name: next(iter(vocabulary))
            for name, vocabulary in words.items()
            if isinstance(row, Mapping) and _is_strange(row.get(name), vocabulary)
        }
        if strange:
            wire.records.from_json(kind, {**row, **strange})
        else:
            known.append(row)
    return known


def _is_strange(word: object, vocabulary: type[StrEnum]) -> bool:
    return isinstance(word, str) and word not in list(vocabulary)
