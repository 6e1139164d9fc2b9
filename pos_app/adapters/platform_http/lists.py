"""Reads a platform's lists: requested on condition, streamed to a file, resumed after a crash.

A list is used only when it is complete and well-formed: it is the only proof that a product is
gone. Source: platform-contract.md 2.3, 6.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path

from pos_app import log, wire
from pos_app.adapters.platform_http.begun_list import BegunFile
from pos_app.adapters.platform_http.client import PlatformAnswer, PlatformClient, part_of, refusal
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.run import UNREAD, KnownList
from pos_app.settings import PlatformOperation

_PARTS: dict[str, PlatformOperation] = {
    "stores": "list_stores",
    "units": "list_units",
    "categories": "list_categories",
}
_UPDATED_SINCE = "updatedSince"
"""The query of a list that asks for what changed (ours)."""
_NONE_SUCH = frozenset({404, 405, 501})
"""Statuses of a platform without units, categories or stores."""
REVISION = "x-catalogue-revision"
"""The header of a platform that counts the writes to its lists: there `updatedAt` is a version."""
WHOLE = "x-catalogue-whole"
"""The header of a whole list that answers a request for changes."""
_KEPT = timedelta(days=1)
"""A download that was not imported is used for this time."""

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class FetchedList:
    """A complete answer in a file. since: the `updatedSince` of its request, "" for a whole list.
    versions: the platform numbers its versions. is_restored: it says, or is to be asked by its
    values, whether it was put back from an older copy."""

    path: Path
    etag: str
    since: str
    refuses_since: bool
    versions: bool
    is_restored: bool = False

    def text(self) -> str:
        """Read the file. Raises Invalid where it is not UTF-8, OSError."""
        try:
            return self.path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise Invalid("not_utf8.list", position=error.start) from error


class PlatformLists:
    """The lists of the platform `origin`; downloads lie in `folder`."""

    def __init__(self, client: PlatformClient, *, origin: str, folder: Path) -> None:
        self._client = client
        self._origin = origin
        self._file = folder / "platform-list.json"
        self._note = folder / "platform-list.note"
        self._is_in_order = False
        """Whether the platform counts writes to its lists, and answers `updatedSince` in order."""
        self._stores = "[]"
        self._begun = BegunFile(folder, origin=origin, part=part_of(self._file))

    def small_lists(self) -> dict[str, str]:
        """Return the JSON of the small lists by name, without those that the platform does not
        have. Raises NotDelivered, OutcomeUnknown, Refused, MalformedJson."""
        texts: dict[str, str] = {}
        for member, name in _PARTS.items():
            answer = self._client.ask(name)
            self._is_in_order |= REVISION in answer.headers
            if answer.is_success:
                texts[member] = answer.text
            elif answer.status not in _NONE_SUCH:
                raise refusal(answer)
        self._stores = texts.get("stores", "[]")
        return texts

    def store_versions(self) -> dict[str, str]:
        """`updatedAt` of each store by id, as `small_lists` found it."""
        return wire.store.versions_of(self._stores)

    def products(
        self, known: KnownList, *, now: datetime, is_first: bool = False
    ) -> FetchedList | None:
        """Return the list of products, or what changed since the last one; None for no change.

        is_first: the till has no product of any platform. Of a whole list in the order of changes
        that was cut the received part is not requested again. Raises NotDelivered, OutcomeUnknown,
        Refused, OSError.
        """
        is_unread = known.etag == UNREAD
        if self._is_in_order and (is_unread or (is_first and not known.since)):
            fetched = self._in_order(now=now, is_restored=is_unread)
            if fetched is not None:
                return fetched
        known = replace(known, etag="", since="") if is_unread else known
        refuses, asked = known.refuses_since, known.asked_since
        answer = self._save(known.etag, asked)
        if asked and 400 <= answer.status < 500 and _is_about_since(answer):
            _log.info("the platform has no updatedSince: whole lists from now on")
            refuses, asked = True, ""
            answer = self._save(known.etag, "")
        if answer.status == 304 and known.etag:
            return None
        if answer.status != 200:
            raise refusal(answer)
        is_restored = is_unread or WHOLE in answer.headers
        if WHOLE in answer.headers:
            _log.warning("the platform was restored: it answers its whole list")
            asked = ""
        fetched = FetchedList(
            self._file,
            answer.headers.get("etag", ""),
            asked,
            refuses,
            REVISION in answer.headers,
            is_restored,
        )
        self._write_note(fetched, now)
        return fetched

    def _in_order(self, *, now: datetime, is_restored: bool) -> FetchedList | None:
        """Return a whole list in the order of changes, resumed where it was cut; None if it must be
        requested otherwise."""
        begun = self._begun.taken_up()
        tag = self._begun.tag or ""
        if begun.products:
            _log.info("a list is taken up at its product %d", len(begun.products))
        answer = self._save(tag if begun.products else "", begun.until, begins=self._begins)
        if answer.status == 304:  # nothing was written since the part came: the rest is asked for
            answer = self._save("", begun.until, begins=self._begins)
        if answer.status != 200:
            raise refusal(answer)
        if WHOLE in answer.headers:
            begun.products.clear()
        if begun.products:
            if not begun.add(self._file.read_bytes()):
                self._begun.discard()
                return None
            self._file.write_text(begun.text(), encoding="utf-8")
        fetched = FetchedList(
            self._file,
            answer.headers.get("etag", ""),
            "",
            refuses_since=False,
            versions=True,
            is_restored=is_restored,
        )
        self._write_note(fetched, now)
        self._begun.discard()
        return fetched

    def _begins(self, headers: Mapping[str, str]) -> None:
        """Keep a list that is cut for the next run, unless it is in another order."""
        if WHOLE in headers:
            self._begun.discard()
        else:
            self._begun.begin(headers.get("etag", ""))

    def _save(
        self, etag: str, since: str, begins: Callable[[Mapping[str, str]], None] | None = None
    ) -> PlatformAnswer:
        query = {_UPDATED_SINCE: since} if since else {}
        condition = {"If-None-Match": etag} if etag else {}
        self.discard()
        return self._client.save(
            "list_products", self._file, query=query, headers=condition, begins=begins
        )

    # --- a crash between download and catalogue ------------------------------------------------

    def left_over(self, known: KnownList, *, now: datetime) -> FetchedList | None:
        try:
            document = json.loads(self._note.read_bytes())
            at = datetime.fromisoformat(document.pop("at"))
            size, origin = document.pop("size"), document.pop("origin")
            fetched = FetchedList(path=self._file, **document)
            fits = origin == self._origin and size == self._file.stat().st_size
            if fits and fetched.since in ("", known.since) and now - at < _KEPT:
                return fetched
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return None

    def _write_note(self, fetched: FetchedList, now: datetime) -> None:
        note = asdict(fetched)
        del note["path"]
        note |= {"at": now.isoformat(), "size": self._file.stat().st_size, "origin": self._origin}
        draft = self._note.with_name(f"{self._note.name}.{os.getpid()}")
        draft.write_bytes(json.dumps(note).encode())
        draft.replace(self._note)

    def discard(self) -> None:
        """Remove the download: it is in the catalogue, or useless. Raises OSError."""
        self._note.unlink(missing_ok=True)
        self._file.unlink(missing_ok=True)


def _is_about_since(answer: PlatformAnswer) -> bool:
    """Tell whether the refusal concerns `updatedSince`, not the key, the address or the pace."""
    return answer.status in (400, 422) or _UPDATED_SINCE in answer.words()
