"""Making a unit or a category on the platform. Source: platform-contract.md 1, 6."""

from __future__ import annotations

from pos_app.adapters.platform_http.client import PlatformClient, refusal
from pos_app.domain.product import Unit
from pos_app.selling.synchronisation.own_names import Named
from pos_app.wire.catalogue import category_from_json, unit_from_json

_SAYS_NO = frozenset({400, 403, 404, 405, 409, 422, 501})
"""Statuses of a platform on which it can't be made; others are of the line, the key, the pace."""


def add_name(client: PlatformClient, ours: Named) -> Named | str:
    """As it is there, under the platform's id; why not, in the platform's words.

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
