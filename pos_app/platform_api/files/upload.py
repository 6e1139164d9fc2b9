"""Reads an uploaded picture from the body of a request, or from a form."""

from __future__ import annotations

import asyncio
import re

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.types import Message, Scope

from pos_app.errors import Invalid
from pos_app.http_front.errors import InvalidPart
from pos_app.http_front.requests import query_of
from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.keys import KeyHolder
from pos_app.platform_api.routing import body_of, check_encoding
from pos_app.platform_api.slow_work import SlowWork

MOST_BYTES = 20 * 1024 * 1024
FORM = "multipart/form-data"
_FORM_HEADS = 16 * 1024
_LONGEST_NAME = 255
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file. given_type: the type that the sender gave. filename: the name that the
    sender gave, without folders, or ""."""

    content: bytes
    given_type: str
    filename: str


async def upload_of(request: Request, caller: KeyHolder, slow_work: SlowWork) -> Upload:
    """Read an upload. Raises BodyTooLarge, MalformedHeader, and Invalid for a body that can't be
    read."""
    content_type = request.headers.get("content-type", "")
    query = query_of(request, {"filename"})
    check_encoding(request)
    if content_type.partition(";")[0].strip().lower() == FORM:
        body = await body_of(request, MOST_BYTES + _FORM_HEADS)
        account, size = caller.account_id, MOST_BYTES  # a short form needs a thread, too
        found = await slow_work.done(account, size, _read_form, request.scope, body)
    else:
        found = Upload(await body_of(request, MOST_BYTES), content_type, "")
    if not found.content:
        raise Invalid("required", field="file")
    name = query.get("filename", found.filename)
    return Upload(found.content, found.given_type, _plain_name(name))


def _read_form(scope: Scope, body: bytes) -> Upload:
    """Parse a form on a loop of its own, never on the worker's."""
    return asyncio.run(_of_form(scope, body))


async def _of_form(scope: Scope, body: bytes) -> Upload:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async with Request(scope, receive).form(max_files=2, max_fields=2) as form:
        unknown = tuple(dict.fromkeys(name for name in form if name != "file"))
        if unknown:
            raise Invalid("not_a_member", field=unknown[0], keys=unknown)
        parts = form.getlist("file")
        if len(parts) > 1:
            raise Invalid("sent_once", field="file")
        if not parts:
            raise Invalid("required", field="file")
        part = parts[0]
        if not isinstance(part, UploadFile):
            raise Invalid("a_file", field="file")
        content = await part.read()
        return Upload(content, part.content_type or "", part.filename or "")


def _plain_name(name: str) -> str:
    plain = _HIDDEN.sub("", name.replace("\\", "/").rpartition("/")[2]).strip()
    if len(plain) > _LONGEST_NAME:
        raise InvalidPart("filename", field="filename", source="query", longest=_LONGEST_NAME)
    return plain
