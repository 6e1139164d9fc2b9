"""Keeps the received part of a first list whose connection was lost, for the next run.

The list is requested in the order in which products were changed (`updatedSince`, from the
beginning of time), so the received part has every product that was changed up to its last one. The
next run asks for the products changed since then, and both parts are the whole list. A change
meanwhile costs only its own product. A part in another order, or of a platform that was put back
since, is useless, and is requested again.

Source: platform-contract.md 1 (updatedSince), 6.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from pos_app import wire
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.json_stream import JsonElement, elements
from pos_app.wire.strict_json import MalformedJson

EVER = "1970-01-01T00:00:00.000Z"
"""A moment before any product was changed."""


@dataclass(slots=True)
class BegunList:
    """The received products as they are written, by id. until: `updatedAt` of the last one."""

    until: str = EVER
    products: dict[str, str] = field(default_factory=dict)

    def add(self, content: bytes) -> bool:
        """Add the next received bytes, cut anywhere; return False where they are useless."""
        try:  # the last character may be cut too
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(content)
        except UnicodeDecodeError:
            return False
        received: dict[str, str] = {}
        latest = self.until
        for element in _complete(text):
            product = element.value
            at = wire.catalogue.updated_at_of(product) if isinstance(product, Mapping) else ""
            uuid = product.get("id") if isinstance(product, Mapping) else None
            if at < latest or not isinstance(uuid, str) or element.member:
                return False
            received[uuid], latest = text[element.start : element.end], at
        for uuid in received:  # newer ones go behind: the order stays that of changes
            self.products.pop(uuid, None)
        self.products |= received
        self.until = latest
        return True

    def text(self) -> str:
        return f"[{','.join(self.products.values())}]"


def _complete(text: str) -> Iterator[JsonElement]:
    try:
        for element in elements(text):
            if element.index is not None:
                yield element
    except MalformedJson:
        return


class BegunFile:
    """The received part of the first list of `origin`, kept in `folder` over runs that are cut or
    killed. part: the file of an answer while it comes in."""

    def __init__(self, folder: Path, *, origin: str, part: Path) -> None:
        self._origin = origin
        self._part = part
        self._asked = folder / "platform-list.asked"
        self._kept = folder / "platform-list.begun"
        self.tag: str | None = None
        """The tag of the list of which `taken_up` found a part."""

    def taken_up(self) -> BegunList:
        """Return the products of earlier runs; nothing where they are useless. Raises OSError."""
        begun, self.tag = BegunList(), self._tag_of_ours()
        if self.tag is None:
            self.discard()
            return begun
        for path in (self._kept, self._part):
            if path.exists() and not begun.add(path.read_bytes()):
                begun = BegunList()
        if self._part.exists():
            draft = self._kept.with_suffix(".draft")
            draft.write_text(begun.text(), encoding="utf-8")
            draft.replace(self._kept)
            self._part.unlink()
        return begun

    def begin(self, tag: str) -> None:
        """Note whose list comes in, and its tag. Raises OSError."""
        note = {"origin": self._origin, "tag": tag}
        self._asked.write_text(json.dumps(note), encoding="utf-8")

    def discard(self) -> None:
        """Remove the files: the list is whole, or useless. Raises OSError."""
        for path in (self._asked, self._kept, self._part):
            path.unlink(missing_ok=True)

    def _tag_of_ours(self) -> str | None:
        try:
            document = json.loads(self._asked.read_bytes())
            return str(document["tag"]) if document["origin"] == self._origin else None
        except (OSError, ValueError, KeyError, TypeError):
            return None
