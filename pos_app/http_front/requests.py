"""The target and the body of a request, as each front takes them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from urllib.parse import unquote

from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from pos_app.errors import Invalid
from pos_app.http_front.errors import BodyTooLarge, InvalidPart
from pos_app.wire.receipt_list import MEMBERS, AskedPage, asked_page
from pos_app.wire.receipt_paths import PLACE

AUTHORITY, _SLASH = "authority", "slash"
_ABSOLUTE = re.compile(rb"http://([^/]*)", re.IGNORECASE)


def had_slash(scope: Scope) -> bool:
    return _SLASH in scope["state"]


def plain_scope(scope: Scope) -> Scope:
    """Return the scope with its target as a path, without an address before it or a slash at its
    end. Only one slash is removed, and a %2F stays part of an id."""
    raw: bytes = scope["raw_path"]
    if found := _ABSOLUTE.match(raw):
        scope.setdefault("state", {})[AUTHORITY] = found[1].decode("latin-1")
        raw = raw[found.end() :] or b"/"
    if raw.endswith(b"/") and raw != b"/":
        scope.setdefault("state", {})[_SLASH] = True
        raw = raw[:-1]
    if raw == scope["raw_path"]:
        return scope
    return {**scope, "raw_path": raw, "path": unquote(raw.decode("ascii"))}


def limited(receive: Receive, most_bytes: int) -> Receive:
    """Return a `receive` that raises BodyTooLarge once too much has arrived, whatever the headers
    said."""
    received = 0

    async def receive_limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most_bytes:
            raise BodyTooLarge("most", most_bytes=most_bytes)
        return message

    return receive_limited


def is_uncoded(encodings: Iterable[str]) -> bool:
    """Tell whether a body is sent as it is, by the values of its headers Content-Encoding."""
    codings = (coding.strip().lower() for each in encodings for coding in each.split(","))
    return all(coding in {"", "identity"} for coding in codings)


def is_json(content_type: str | None) -> bool:
    """Tell whether a header Content-Type means JSON in UTF-8."""
    kind, _, parameters = (content_type or "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    return kind.strip().lower() == "application/json" and charset in {"", "charset=utf-8"}


def list_query_of(request: Request) -> dict[str, str]:
    """Return the members of the query of the list of receipts, without those that name the
    application, each of which can be read. Raises InvalidPart."""
    members = query_of(request, MEMBERS | PLACE)
    asked = {name: text for name, text in members.items() if name not in PLACE}
    read_list_query(asked)
    return asked


def read_list_query(members: Mapping[str, str]) -> AskedPage:
    """Read the members of the query of the list of receipts. Raises InvalidPart."""
    try:
        return asked_page(members)
    except Invalid as error:
        raise InvalidPart(what=error.what, field=error.field, source="query") from error


def query_of(request: Request, known: Container[str] = ()) -> dict[str, str]:
    """Return the members of the query. Raises InvalidPart for an unknown or repeated member."""
    pairs = request.query_params.multi_items()
    unknown = tuple(dict.fromkeys(name for name, _ in pairs if name not in known))
    if unknown:
        raise InvalidPart("not_allowed", field=unknown[0], source="query", keys=unknown)
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(name for name in members if [name for name, _ in pairs].count(name) > 1)
        raise InvalidPart("twice", field=twice, source="query")
    return members
