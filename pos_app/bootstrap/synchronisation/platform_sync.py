"""The program `pos-app sync` with the platform of the settings: imports its list and sends this
till's edits.

It runs as a process of its own beside tills that sell, holds the folder's synchronisation lock, and
ends; the till starts it again. Mostly nothing has changed, so the modules that read a list or send
edits are loaded only where they are needed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.platform_http.lists import FetchedList, PlatformLists
from pos_app.adapters.platform_http.platform_photos import OwnPhotos, bring_missing
from pos_app.adapters.secrets.names import PLATFORM_SECRET
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.adapters.sqlite.catalogue import importing
from pos_app.adapters.sqlite.catalogue.joining import StoredJoiningNotes
from pos_app.adapters.sqlite.catalogue.name_edits import SqliteNameEdits, additions, meet_names
from pos_app.adapters.sqlite.catalogue.outgoing_edits import SqliteEditQueue
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there, own_names
from pos_app.adapters.sqlite.catalogue.platform_memory import PlatformMemory
from pos_app.adapters.sqlite.catalogue.stores import SqliteStoreEdits
from pos_app.domain.article.product import Product, Unit
from pos_app.errors import OutcomeUnknown
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.joining import JoiningAnswer, answer_of_settings
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import Named, NameKind, Unmade
from pos_app.selling.synchronisation.platform_run import PlatformRun, ProgressListener, SmallLists
from pos_app.selling.synchronisation.reports import Imported, PlatformReport
from pos_app.selling.synchronisation.run import (
    AT_ONCE,
    KnownList,
    OutgoingEdit,
    PushAnswer,
    SendingLine,
    codes_of_till,
    unknown_after,
)
from pos_app.selling.synchronisation.store_edits import StoreEdit
from pos_app.settings import Settings, refused

if TYPE_CHECKING:
    import httpx

    from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList


def open_client(settings: Settings, transport: httpx.BaseTransport | None = None) -> PlatformClient:
    """Make a client of the platform in the settings. transport: the way there, None for the
    network. Raises SettingsBroken where something is missing."""
    if not settings.platform.url:
        raise refused(settings, "platform.url", "there is no platform to synchronise with")
    if not settings.platform.key:
        raise refused(settings, "platform.key", "a platform is asked with an API key")
    key = settings.platform.key
    secret = platform_secret(key, data=settings.data, variables=os.environ)
    if not secret:
        raise refused(settings, "platform.key", f"its secret is missing: {PLATFORM_SECRET}")
    return PlatformClient(settings.platform, secret, transport=transport)


def sync_with_platform(
    *,
    settings: Settings,
    now: Callable[[], datetime],
    pause: Callable[[], None],
    report_progress: ProgressListener,
    accept_removals: bool = False,
    join: JoiningAnswer | None = None,
    transport: httpx.BaseTransport | None = None,
) -> PlatformReport:
    """Import the platform's list and send this till's edits, once. join: a person's answer whether
    articles from elsewhere are sent; with None the earlier answer counts. transport: the way to the
    platform, None for the network.

    Raises SettingsBroken, AlreadyRunning, RemoteError where the platform was not asked or did not
    answer, Invalid for a malformed list, DiskFull, DataFolderNotWritable and what the catalogue
    raises.
    """
    path = catalogue_file(settings.data)
    began = time.monotonic()
    with open_client(settings, transport) as client:
        codes = _codes_of_till(settings)
        with FolderLock(path.parent / "sync.lock", what="synchronisation"):
            connection = importing.open_for_import(path)
            try:
                take_mark_away(settings.data)
                pace = importing.Pace(
                    pause=pause,
                    report_progress=lambda done, of: report_progress("products", done, of),
                )
                with ThreadPoolExecutor(AT_ONCE) as at_work:
                    port = _SyncPlatform(connection, client, settings, pace, at_work, now=now)
                    run = _run(
                        port, connection, settings, codes, now=now, report_progress=report_progress
                    )
                    report = run.whole(accept_removals=accept_removals, join=join)
                return replace(report, seconds=time.monotonic() - began)
            finally:
                connection.close()


def bring_pictures(settings: Settings, product_ids: Sequence[str]) -> int:
    """Bring the missing photos of these products, as `pos-app sync --pictures`, and return their
    number. Raises SettingsBroken, and what the catalogue raises."""
    with open_client(settings) as client:
        return bring_missing(client, catalogue_file(settings.data), product_ids)


def _codes_of_till(settings: Settings) -> range:
    def till_id() -> str:
        return open_install(settings.data, environment=settings.environment).till_id

    return codes_of_till(settings.platform.sku_from, settings.platform.sku_to, till_id=till_id)


def _origin_prefix(settings: Settings) -> str:
    """Return the beginning of the origins of all accounts at the platform's address."""
    return f"{settings.platform.url} "


def _origin(settings: Settings) -> str:
    return _origin_prefix(settings) + settings.platform.key


def _run(
    port: _SyncPlatform,
    connection: apsw.Connection,
    settings: Settings,
    codes: range,
    *,
    now: Callable[[], datetime],
    report_progress: ProgressListener,
) -> PlatformRun:
    origin, platform = _origin(settings), settings.platform
    return PlatformRun(
        port,
        memory=PlatformMemory(connection, origin=origin),
        notes=StoredJoiningNotes(connection, origin=origin, origin_prefix=_origin_prefix(settings)),
        queue=SqliteEditQueue(connection, origin=origin, codes=codes, now=now),
        stores=SqliteStoreEdits(connection),
        names=SqliteNameEdits(connection),
        is_demo=settings.environment == "demo",
        store_id=platform.store_id,
        url=platform.url,
        key=platform.key,
        setting=answer_of_settings(platform.join),
        now=now,
        report_progress=report_progress,
    )


@dataclass(frozen=True, slots=True)
class _ToSend:
    """An edit on its way. photos: the paths of photos that were chosen here. kept: those of all
    that are on this machine. uploaded: our id and the platform's for each uploaded photo."""

    edit: OutgoingEdit
    photos: Mapping[str, Path]
    kept: Mapping[str, Path]
    uploaded: list[tuple[str, str]] = field(default_factory=list)


class _SyncPlatform:
    """Implements `PlatformPort` with the platform and `catalogue.db`, while the lock is held."""

    def __init__(
        self,
        connection: apsw.Connection,
        client: PlatformClient,
        settings: Settings,
        pace: importing.Pace,
        at_work: ThreadPoolExecutor,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._connection = connection
        self._client = client
        self._pace = pace
        self._at_work = at_work
        self._now = now
        self._origin_prefix = _origin_prefix(settings)
        self._origin = _origin(settings)
        folder = catalogue_file(settings.data).parent
        self._lists = PlatformLists(client, origin=self._origin, folder=folder)
        self._photos = OwnPhotos(connection, folder)
        self._fetched: FetchedList | None = None
        self._listing: CatalogueList | None = None

    # --- theirs --------------------------------------------------------------------------------

    def small_lists(self) -> Mapping[str, str]:
        return self._lists.small_lists()

    def small(self, small_lists: Mapping[str, str]) -> SmallLists:
        from pos_app.adapters.catalogue_files.catalogue_list import read_parts

        read = read_parts(small_lists)
        return SmallLists(read.stores, read.units, read.categories)

    def left_over(self, known: KnownList) -> KnownList | None:
        return self._answered(self._lists.left_over(known, now=self._now()))

    def products(self, known: KnownList, *, is_first: bool) -> KnownList | None:
        return self._answered(self._lists.products(known, now=self._now(), is_first=is_first))

    def _answered(self, fetched: FetchedList | None) -> KnownList | None:
        self._fetched = one = fetched
        if one is None:
            return None
        return KnownList(one.etag, one.since, one.refuses_since, one.versions)

    def _text(self) -> str:
        assert self._fetched is not None  # a list is read after it was fetched
        return self._fetched.text()

    def look(self) -> Mapping[str, Product]:
        from pos_app.adapters.catalogue_files.catalogue_list import read_products

        return {one.id: one for one in read_products(self._text(), known={}).news({})}

    def read(self, answer: KnownList) -> tuple[str, str]:
        from pos_app.adapters.catalogue_files.catalogue_list import read_products

        known = {} if answer.since else importing.known_digests(self._connection)
        before = partial(importing.text_before, self._connection)
        self._listing = listing = read_products(self._text(), known=known, text_before=before)
        return listing.oldest, listing.latest

    def write(
        self, small: SmallLists, *, whole: bool, joins: bool, sends: bool, accept_removals: bool
    ) -> Imported:
        from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList

        listing, self._listing = self._listing or CatalogueList(""), None
        listing.stores = None if small.stores is None else tuple(small.stores)
        listing.units = None if small.units is None else tuple(small.units)
        listing.categories = None if small.categories is None else tuple(small.categories)
        self._connection.execute("PRAGMA synchronous=NORMAL")
        return importing.bring_in(
            self._connection,
            listing,
            origin=self._origin,
            pictures=(),
            accept_removals=accept_removals,
            now=self._now,
            pace=self._pace,
            platform=importing.PlatformList(
                whole=whole,
                origin_prefix=self._origin_prefix,
                joins=joins,
                sends=sends,
                is_restored=self._fetched is not None and self._fetched.is_restored,
            ),
        )

    def lacks(self, sent: Mapping[str, datetime | None]) -> bool:
        fetched, listing = self._fetched, self._listing
        if not sent or fetched is None or fetched.is_restored or listing is None:
            return False
        return listing.lacks(sent, since=fetched.since)

    def discard(self) -> None:
        self._lists.discard()

    # --- the catalogue -------------------------------------------------------------------------

    def has_listed(self) -> bool:
        return importing.has_listed(self._connection)

    def known_units(self) -> Mapping[str, Unit]:
        return importing.known_units(self._connection)

    def look_for_added(self) -> None:
        importing.look_for_added(self._connection, origin=self._origin, at=self._now())

    def accept_gone(self) -> int:
        return importing.accept_gone(self._connection, origin=self._origin, at=self._now())

    def waiting_removals(self) -> int:
        return importing.waiting_removals(self._connection)

    def commit_surely(self) -> None:
        self._connection.execute("PRAGMA synchronous=FULL")

    def own_names(self, kind: NameKind, listed: Collection[str], *, joins: bool) -> Sequence[Named]:
        return own_names(self._connection, kind, listed, origin=self._origin, joins=joins)

    def name_as_there(
        self, kind: NameKind, ids: Mapping[str, str], theirs: Sequence[Named]
    ) -> None:
        name_as_there(self._connection, kind, ids, theirs, origin=self._origin, at=self._now())

    def meet_names(self, kind: NameKind, listed: Sequence[Named] | None) -> Sequence[Named] | None:
        return meet_names(self._connection, kind, listed, at=self._now())

    def additions(self, kind: NameKind, *, besides: Sequence[Named]) -> Sequence[Named]:
        return additions(self._connection, kind, besides=besides)

    # --- ours ----------------------------------------------------------------------------------

    def send_name(self, edit: NameEdit) -> PushAnswer:
        from pos_app.adapters.platform_http.names import send_name

        return send_name(self._client, edit)

    def add_name(self, ours: Named) -> Named | str:
        from pos_app.adapters.platform_http.names import add_name

        queue = SqliteNameEdits(self._connection)
        for edit in queue.open_edits():
            if edit.is_unanswered and edit.ours == ours:
                raise OutcomeUnknown("platform.fault", request="", why="no answer yet")
            if edit.is_addition and edit.ours == ours:
                queue.begin(edit)
        return add_name(self._client, ours)

    def send(
        self,
        edits: Sequence[OutgoingEdit],
        *,
        versions: bool,
        unmade: Mapping[str, Unmade],
        answered: Callable[[], None],
    ) -> Sequence[PushAnswer]:
        from pos_app.adapters.platform_http.edits import send_edit
        from pos_app.adapters.platform_http.names import names_unmade

        photos = self._photos
        given = [_ToSend(x, photos.of(x.product), photos.kept(x.product)) for x in edits]
        line = SendingLine()

        def send(to_send: _ToSend) -> PushAnswer:
            """Send an edit in a thread: the catalogue is not used here."""
            return line.send(
                lambda: (
                    names_unmade(to_send.edit, unmade)
                    or send_edit(
                        self._client,
                        to_send.edit,
                        versions=versions,
                        photo=to_send.photos.get,
                        kept=to_send.kept.get,
                        uploaded=lambda ours, theirs: to_send.uploaded.append((ours, theirs)),
                    )
                )
            )

        work = [self._at_work.submit(send, one) for one in given]
        for _ in as_completed(work):
            answered()
        raised = [one.exception() for one in work]
        answers = [
            one.result() if error is None else unknown_after(error)
            for one, error in zip(work, raised, strict=True)
        ]
        return [self._noted(one, answer) for one, answer in zip(given, answers, strict=True)]

    def _noted(self, sent: _ToSend, answer: PushAnswer) -> PushAnswer:
        try:
            for file_id, theirs in sent.uploaded:
                self._photos.uploaded(file_id, theirs)
        except OSError as error:
            return replace(answer, raised=answer.raised or error)
        return answer

    def send_store(self, edit: StoreEdit, *, versions: bool) -> PushAnswer:
        from pos_app.adapters.platform_http.edits import send_store

        version = self._lists.store_versions().get(edit.ours.id) if versions else None
        return send_store(self._client, edit, version=version)
