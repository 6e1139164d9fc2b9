"""The JSON of the audit log: ours, in the style of stores and products. It holds no secret.

Source: platform-contract.md 5.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from pos_app.domain.article.fields import PRODUCT_FIELDS, SHARED_FIELDS, FieldKind
from pos_app.domain.setup.audit import AuditAct, AuditKind
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.wire.moment import instant_text
from pos_app.wire.strict_json import dumps, loads

Change = dict[str, Any]
Members = Mapping[str, Any]

_MONEY = tuple(
    one.wire_name
    for one in (*SHARED_FIELDS, *PRODUCT_FIELDS)
    if one.kind in (FieldKind.PRICE, FieldKind.TAX_LABEL)
)
"""The members of a changed product that the log keeps."""


def entry_text(
    *,
    entry_id: str,
    at: datetime,
    kind: AuditKind,
    act: AuditAct,
    object_id: str,
    name: str,
    by_key: str | None,
    request_id: str,
    changes: Sequence[Change],
) -> str:
    """The JSON of one entry. by_key is None for the operator's command line."""
    members = {
        "id": entry_id,
        "at": instant_text(at),
        "kind": kind,
        "act": act,
        "objectId": object_id,
        "name": name,
        "byKey": by_key,
        "requestId": request_id or None,
        "changes": list(changes),
    }
    return dumps(members).decode()


def entry_line(text: str) -> str:
    """An entry as one line, for a person."""
    document: Any = loads(text)
    changes = ", ".join(
        f"{one['field']} {_plain(one['before'])} -> {_plain(one['after'])}"
        for one in document["changes"]
    )
    words = (
        document["at"],
        document["byKey"] or "operator",
        f"{document['kind']} {document['act']}",
    )
    return "  ".join(filter(None, (*words, document["objectId"], document["name"], changes)))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else dumps(value).decode()


def scopes_given(scopes: Collection[KeyScope]) -> list[Change]:
    return [_change("scopes", None, [scope.value for scope in KeyScope if scope in scopes])]


def replaced_by(key_id: str) -> list[Change]:
    return [_change("replacedBy", None, key_id)]


def merged_into(row_id: str) -> list[Change]:
    return [_change("mergedInto", None, row_id)]


def name_of(members: Members) -> str:
    """The name by which people know a row; for a file the name that its sender gave."""
    return str(members.get("name") or members.get("originalFilename") or "")


def changes_of(kind: AuditKind, before: Members, after: Members) -> list[Change]:
    """The changes of a row that the log keeps: every change of a store, changed prices and tax
    labels of a product and its variants, and no change of other rows."""
    if kind is AuditKind.STORE:
        return list(_differing(before, after, tuple({**before, **after})))
    if kind is AuditKind.PRODUCT:
        return [*_differing(before, after, _MONEY), *_of_variants(before, after)]
    return []


def _of_variants(before: Members, after: Members) -> Iterator[Change]:
    old, new = _by_id(before), _by_id(after)
    for variant in {**old, **new}:
        was, now = old.get(variant, {}), new.get(variant, {})
        yield from _differing(was, now, _MONEY, prefix=f"variants[{variant}].")


def _by_id(product: Members) -> dict[str, Members]:
    return {one["id"]: one for one in product.get("variants") or ()}


def _differing(
    before: Members, after: Members, names: Sequence[str], *, prefix: str = ""
) -> Iterator[Change]:
    for name in names:
        was, now = before.get(name), after.get(name)
        if was != now:
            yield _change(f"{prefix}{name}", was, now)


def _change(field: str, before: object, after: object) -> Change:
    return {"field": field, "before": before, "after": after}
