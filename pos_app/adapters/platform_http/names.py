"""Makes, changes and deletes units and categories on the platform, and refuses edits that name a
missing one.

Source: platform-contract.md 1, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from uuid import UUID, uuid5

from pos_app import errors
from pos_app.adapters.platform_http.client import PlatformAnswer, PlatformClient, refusal
from pos_app.domain.article.product import Unit
from pos_app.selling.synchronisation.catalogue_edits import EditKind
from pos_app.selling.synchronisation.name_edits import IN_USE, POSITION, NameEdit, kind_of
from pos_app.selling.synchronisation.own_names import (
    Named,
    NameKind,
    Unmade,
    taken_anywhere,
    unmade_in,
)
from pos_app.selling.synchronisation.run import OutgoingEdit, PushAnswer, PushEnd
from pos_app.settings import PlatformOperation
from pos_app.wire.catalogue import category_from_json, name_to_json, unit_from_json
from pos_app.wire.document_ids import MEMBER_OF
from pos_app.wire.problem import DUPLICATE, KEY_BOUND
from pos_app.wire.request_id import HEADER
from pos_app.wire.strict_json import MalformedJson, dumps

_SAYS_NO = frozenset({400, 403, 404, 405, 409, 422, 501})
"""Statuses of a platform that makes no such name; others concern connection, key or pace."""

_CAN_NOT = frozenset({404, 405, 501})
"""Statuses of a platform that has no such operation, or does not have the entry any more, which its
next list tells apart."""


def add_name(client: PlatformClient, ours: Named) -> Named | str:
    """Make a unit or category on the platform. Return its record, or its words why it made none.

    Raises NotDelivered, OutcomeUnknown, Refused where the platform can't be asked now, Invalid for
    an answer that can't be read.
    """
    body = name_to_json(ours)
    del body["id"]
    if isinstance(ours, Unit) and not ours.position:
        del body["position"]  # which other platforms need not know
    key = {"Idempotency-Key": _key_of(ours.id, body)}
    answer = client.ask(_OPERATIONS[kind_of(ours)]["add"], body=body, headers=key)
    problem = answer.problem()
    if problem is not None and problem.code == DUPLICATE.code:  # the next list has it
        raise errors.OutcomeUnknown(
            "platform.fault", request=answer.headers.get(HEADER.lower(), ""), why=answer.words()
        )
    if answer.status in _SAYS_NO:
        return answer.words()
    if not answer.is_success:
        raise refusal(answer)
    document = answer.document()
    return unit_from_json(document) if isinstance(ours, Unit) else category_from_json(document)


def _key_of(own_id: str, body: Mapping[str, object]) -> str:
    """Return the key of an addition. It is made of the body too, because an entry may be sent in
    other words under the same id: by a till that was put back, or by another till that has it."""
    return str(uuid5(UUID(taken_anywhere(own_id)), dumps(body).decode()))


def send_name(client: PlatformClient, edit: NameEdit) -> PushAnswer:
    """Send a change or deletion of a unit or category, once. Raises nothing for faults of the
    platform or the connection."""
    names = _OPERATIONS[edit.kind]
    try:
        if edit.ours is None:
            answer = client.ask(names["delete"], edit.id)
        else:
            body = name_to_json(edit.ours)
            del body["id"]
            if client.operations.method(names["update"]) != "PUT":
                body = {name: value for name, value in body.items() if name in edit.changed}
            answer = client.ask(names["update"], edit.id, body=body)
    except errors.NotDelivered as error:
        return PushAnswer(PushEnd.NOT_SENT, fault=error, answered=False)
    except errors.OutcomeUnknown as error:
        return PushAnswer(PushEnd.UNKNOWN, fault=error, answered=False)
    if answer.is_success:
        is_ordered = edit.ours is None or _position_in(answer) == edit.ours.position
        return PushAnswer(PushEnd.TAKEN, field="" if is_ordered else POSITION)
    why, problem = answer.words() or f"HTTP {answer.status}", answer.problem()
    if answer.status not in _SAYS_NO:
        return PushAnswer(PushEnd.UNKNOWN, why=why, fault=refusal(answer))
    if answer.status in _CAN_NOT:
        return PushAnswer(PushEnd.GONE, why=why)
    if edit.ours is None and problem is not None and problem.code == KEY_BOUND.code:
        return PushAnswer(PushEnd.REFUSED, why=IN_USE)
    field = problem.keys[0] if problem is not None and problem.keys else ""
    return PushAnswer(PushEnd.REFUSED, why=why, field=field)


def _position_in(answer: PlatformAnswer) -> int | None:
    """The position that an answer has: a platform without an order ignores the sent one."""
    try:
        document = answer.document()
    except MalformedJson:
        return None
    position = document.get(POSITION) if isinstance(document, dict) else None
    return position if isinstance(position, int) else None


_OPERATIONS: Mapping[NameKind, Mapping[str, PlatformOperation]] = MappingProxyType({
    NameKind.UNIT: {"add": "add_unit", "update": "update_unit", "delete": "delete_unit"},
    NameKind.CATEGORY: {
        "add": "add_category", "update": "update_category", "delete": "delete_category",
    },
})  # fmt: skip


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
