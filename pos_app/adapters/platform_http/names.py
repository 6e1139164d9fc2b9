"""Makes a unit or a category on the platform, and refuses edits that name a missing one.

Source: platform-contract.md 1, 6.
"""

from __future__ import annotations

from collections.abc import Mapping

from pos_app.adapters.platform_http.client import PlatformClient, refusal
from pos_app.domain.article.product import Unit
from pos_app.selling.synchronisation.catalogue_edits import EditKind
from pos_app.selling.synchronisation.own_names import Named, Unmade, unmade_in
from pos_app.selling.synchronisation.run import OutgoingEdit, PushAnswer, PushEnd
from pos_app.wire.catalogue import category_from_json, unit_from_json
from pos_app.wire.document_ids import MEMBER_OF

_SAYS_NO = frozenset({400, 403, 404, 405, 409, 422, 501})
"""Statuses of a platform that makes no such name; others concern connection, key or pace."""


def add_name(client: PlatformClient, ours: Named) -> Named | str:
    """Make a unit or category on the platform. Return its record, or its words why it made none.

    Raises NotDelivered, OutcomeUnknown, Refused where the platform can't be asked now, Invalid for
    an answer that can't be read.
    """
    if isinstance(ours, Unit):
        unit = {"name": ours.name, "symbol": ours.symbol}
        answer = client.ask("add_unit", body=unit)
    else:
        category = {"name": ours.name, "position": ours.position}
        answer = client.ask("add_category", body=category)
    if answer.status in _SAYS_NO:
        return answer.words()
    if not answer.is_success:
        raise refusal(answer)
    document = answer.document()
    return unit_from_json(document) if isinstance(ours, Unit) else category_from_json(document)


def names_unmade(edit: OutgoingEdit, unmade: Mapping[str, Unmade]) -> PushAnswer | None:
    """Return the refusal of an edit that names a unit or a category which the platform lacks and
    does not let this till make: a person chooses another. If nobody knows whether the platform made
    it, the edit waits for the list. unmade: the units and categories that were not made, by the id
    that they have here."""
    if not unmade or edit.kind is EditKind.DELETE:
        return None
    changed = edit.changed if edit.kind is EditKind.UPDATE else None
    found = unmade_in(edit.product, changed, unmade)
    if found is None:
        return None
    field, missing = found
    if missing.fault is not None:
        return PushAnswer(PushEnd.BEFORE, fault=missing.fault)
    why = f'"{missing.name}": {missing.why}'
    return PushAnswer(PushEnd.REFUSED, field=MEMBER_OF[field], why=why)
