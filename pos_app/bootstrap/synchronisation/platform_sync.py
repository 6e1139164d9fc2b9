"""`pos-app sync` with the platform of the settings: its list comes in, this till's edits go out.

It holds the folder's synchronisation lock, runs as a process of its own beside tills that sell,
and ends; the till starts it again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path

import apsw

from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList, read_list, read_parts
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.platform_http.client import WEB_PAGE, PlatformClient
from pos_app.adapters.platform_http.edits import send_edit, send_store
from pos_app.adapters.platform_http.lists import FetchedList, PlatformLists
from pos_app.adapters.platform_http.names import names_unmade
from pos_app.adapters.platform_http.platform_photos import OwnPhotos, bring_missing
from pos_app.adapters.secrets.names import PLATFORM_SECRET
from pos_app.adapters.secrets.reading import read_secret
from pos_app.adapters.sqlite.catalogue.catalogue import catalogue_file
from pos_app.adapters.sqlite.catalogue.importing import (
    Imported,
    Pace,
    PlatformList,
    accept_gone,
    bring_in,
    has_listed,
    known_digests,
    known_units,
    look_for_added,
    open_for_import,
    text_before,
    waiting_removals,
)
from pos_app.adapters.sqlite.catalogue.joining import JoiningNotes
from pos_app.adapters.sqlite.catalogue.outgoing_edits import SqliteEditQueue
from pos_app.adapters.sqlite.catalogue.platform_memory import PlatformMemory
from pos_app.adapters.sqlite.catalogue.stores import SqliteStoreEdits
from pos_app.bootstrap.synchronisation.platform_names import OwnNames
from pos_app.domain.product import Product
from pos_app.domain.store import Store
from pos_app.errors import Invalid, PosError, RemoteError
from pos_app.selling.synchronisation.joining import (
    JoiningAnswer,
    JoiningFacts,
    JoiningQuestion,
    Said,
    answer_after_asking,
    answer_before_asking,
    stores_there,
)
from pos_app.selling.synchronisation.run import (
    AT_ONCE,
    KnownList,
    OutgoingEdit,
    PushAnswer,
    PushCount,
    PushEnd,
    SendingLine,
    codes_of_till,
    counted,
    in_use_first,
    is_whole,
    known_after,
    push,
    push_stores,
    with_stores,
)
from pos_app.selling.synchronisation.store_edits import StoreEdit
from pos_app.settings import Settings, refused


@dataclass(frozen=True, slots=True)
class _ToSend:
    """An edit on its way. photos: where those that were chosen here lie. uploaded: their ids, ours
    and the platform's, once it has them."""

    edit: OutgoingEdit
    photos: Mapping[str, Path]
    uploaded: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlatformReport:
    """What a run did. brought: of the last list that had changes. seconds: it took.

    is_unchanged: the platform said that nothing changed. asked: what a person is asked before any
    of it; then nothing was taken or sent. said: the answer to it that is new in this run.
    only_reads: nothing is sent, by the answer. is_unheard: the command brought an answer that has
    no effect in a demo.
    """

    brought: Imported
    pushed: PushCount
    is_unchanged: bool
    seconds: float
    asked: JoiningQuestion | None = None
    said: Said | None = None
    only_reads: bool = False
    is_unheard: bool = False


ProgressListener = Callable[[str, int, int], None]
"""Told (step, done, of) now and then: "list", "products" or "edits"."""


def open_client(settings: Settings) -> PlatformClient:
    """The platform of the settings. Raises SettingsBroken where something of it is missing."""
    if not settings.platform.url:
        raise refused(settings, "platform.url", "there is no platform to synchronise with")
    if not settings.platform.key:
        raise refused(settings, "platform.key", "a platform is asked with an API key")
    secret = read_secret(PLATFORM_SECRET, data=settings.data, variables=os.environ)
    if not secret:
        raise refused(settings, "platform.key", f"its secret is missing: {PLATFORM_SECRET}")
    return PlatformClient(settings.platform, secret)


def sync_with_platform(
    *,
    settings: Settings,
    now: Callable[[], datetime],
    pause: Callable[[], None],
    told: ProgressListener,
    accept_removals: bool = False,
    join: JoiningAnswer | None = None,
) -> PlatformReport:
    """Take the platform's list in and send this till's edits, once. join: what somebody says about
    sending what this till has from elsewhere, else what was said before.

    Raises SettingsBroken, AlreadyRunning, RemoteError where the platform was not asked or did
    not answer, Invalid for a list that is none, DiskFull and what the catalogue raises.
    """
    path = catalogue_file(settings.data)
    began = time.monotonic()
    with open_client(settings) as client:
        codes = _codes_of_till(settings)
        with FolderLock(path.parent / "sync.lock", what="synchronisation"):
            connection = open_for_import(path)
            try:
                run = _PlatformRun(connection, client, settings, codes, now=now)
                run.pace = Pace(pause=pause, told=lambda done, of: told("products", done, of))
                run.told = told
                return replace(
                    run.whole(accept_removals=accept_removals, join=join),
                    seconds=time.monotonic() - began,
                )
            finally:
                connection.close()


def bring_pictures(settings: Settings, product_ids: Sequence[str]) -> int:
    """`pos-app sync --pictures`: bring the photos of these products that are not here; how many
    came. Raises SettingsBroken, and what the catalogue raises."""
    with open_client(settings) as client:
        return bring_missing(client, catalogue_file(settings.data), product_ids)


def _codes_of_till(settings: Settings) -> range:
    def till_id() -> str:
        return open_install(settings.data, environment=settings.environment).till_id

    return codes_of_till(settings.platform.sku_from, settings.platform.sku_to, till_id=till_id)


class _PlatformRun:
    """One run, with the lock held."""

    pace: Pace
    told: ProgressListener

    def __init__(
        self,
        connection: apsw.Connection,
        client: PlatformClient,
        settings: Settings,
        codes: range,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._connection = connection
        self._client = client
        self._now = now
        self._store_id = settings.platform.store_id
        self._is_shop = settings.environment != "demo"
        self._place = f"{settings.platform.url} "
        self._origin = self._place + settings.platform.key
        self._folder = catalogue_file(settings.data).parent
        self._lists = PlatformLists(client, origin=self._origin, folder=self._folder)
        self._memory = PlatformMemory(connection, origin=self._origin)
        self._stores = SqliteStoreEdits(connection)
        self._queue = SqliteEditQueue(connection, origin=self._origin, codes=codes, now=now)
        self._photos = OwnPhotos(connection, self._folder)
        self._known = KnownList()
        self._brought = Imported()
        self._unchanged = False
        self._notes = JoiningNotes(connection, origin=self._origin, place=self._place)
        self._settings = settings.platform
        self._joins = False
        self._sends = False
        self._said: Said | None = None
        self._is_unheard = False
        self._names: OwnNames | None = None

    def whole(self, *, accept_removals: bool, join: JoiningAnswer | None) -> PlatformReport:
        """All of it. What went wrong is noted for the till, and raised."""
        try:
            self._known = self._memory.known()
            answer = self._answer(join)
            if isinstance(answer, JoiningQuestion):
                return PlatformReport(Imported(), PushCount(), True, 0.0, asked=answer)
            self._sends = answer is JoiningAnswer.SEND
            self._joins = not self._memory.parts() and self._is_shop
            self._names = OwnNames(
                self._connection, self._client, origin=self._origin,
                joins=self._joins or not self._sends, makes=self._sends, now=self._now(),
            )  # fmt: skip
            self._queue.recover()
            self._take_left_over()
            self._take_list(accept_removals=accept_removals)
            pushed = self._push() if self._sends else counted(self._queue.all_open())
            if self._sends and pushed.fault is None:
                pushed = self._push_stores(pushed)
            else:
                pushed = with_stores(pushed, self._stores.open_edits())
        except (RemoteError, Invalid) as error:
            self._memory.away(self._now(), fault_word(error))
            if isinstance(error, Invalid):
                name_the_list(error)
            raise
        if pushed.fault is None:
            self._memory.answered(self._now())
        else:
            self._memory.away(self._now(), fault_word(pushed.fault))
        brought = replace(self._brought, held_back=waiting_removals(self._connection))
        return PlatformReport(
            brought, pushed, self._unchanged, 0.0,
            said=self._said, only_reads=not self._sends, is_unheard=self._is_unheard,
        )  # fmt: skip

    # --- whether anything is sent ----------------------------------------------------------------

    def _answer(self, told: JoiningAnswer | None) -> JoiningAnswer | JoiningQuestion:
        """What a person said about sending what comes from elsewhere; else what they are asked."""
        setting = None if self._settings.join == "ask" else JoiningAnswer(self._settings.join)
        notes = self._notes
        facts = JoiningFacts(
            is_demo=not self._is_shop, told=told,
            setting=setting, setting_before=notes.setting_before(setting),
            before=notes.now(), has_more=notes.may_be_asked(),
            sends_unasked=notes.sends_unasked(), now=self._now(),
        )  # fmt: skip
        self._is_unheard = facts.is_unheard
        found = answer_before_asking(facts)
        if found is None:
            found = self._look()
        elif isinstance(found, JoiningQuestion):
            found = self._counted_anew(found)
        if isinstance(found, Said):
            notes.say(found, at=self._now())
            self._known = self._memory.known()
            self._said = found
        notes.note_setting(setting)
        return found.answer if isinstance(found, Said) else found

    def _counted_anew(self, asked: JoiningQuestion) -> JoiningQuestion:
        """An open question, with what was changed here since."""
        changes = replace(self._notes.changes(), stores=asked.changes.stores)
        if changes != asked.changes:
            asked = replace(asked, changes=changes)
            self._notes.ask(asked)
        return asked

    def _look(self) -> JoiningAnswer | Said | JoiningQuestion:
        """Who answers to the key, and what joining them would mean. Nothing of it is taken in."""
        self.told("list", 0, 0)
        small = read_parts(self._lists.parts())
        fetched = self._lists.products(KnownList(), now=self._now())
        assert fetched is not None  # it was asked without a condition
        try:
            known = known_digests(self._connection)
            listing = read_list(fetched.text(), known=known)
            listed = {one.uuid for one in listing.products or ()}
            found = answer_after_asking(
                under_another_key=self._notes.same_account(listed),
                question=lambda: self._question(listed, listing.news(known), small.stores or ()),
            )
        finally:
            self._lists.discard()
        if isinstance(found, JoiningQuestion):
            self._notes.ask(found)
        elif isinstance(found, JoiningAnswer):
            self._notes.carry_over(found, at=self._now())
        return found

    def _question(
        self, listed: Collection[str], news: Iterable[Product], stores: Sequence[Store]
    ) -> JoiningQuestion:
        to_send, same = self._notes.counted(listed, news)
        return JoiningQuestion(
            url=self._settings.url,
            key=self._settings.key,
            stores=stores_there(stores, self._store_id),
            listed=len(listed),
            to_send=to_send,
            same=same,
            changes=self._notes.changes([one.id for one in stores]),
            at=self._now(),
        )

    # --- theirs --------------------------------------------------------------------------------

    def _take_left_over(self) -> None:
        """What an earlier run downloaded and did not take in."""
        fetched = self._lists.left_over(self._known, now=self._now())
        if fetched is not None:
            self._bring_in(fetched, CatalogueList(""), accept_removals=False)

    def _take_list(self, *, accept_removals: bool = False) -> None:
        self.told("list", 0, 0)
        parts = self._lists.parts()
        digest = _digest_of({**parts, "store": self._store_id})
        small = CatalogueList("")
        is_new = digest != self._memory.parts() or bool(self._stores.open_edits())
        if is_new or self._queue.open_edits():
            assert self._names is not None  # a run is under way
            small = self._names.settle(read_parts(parts))
            if small.stores is not None:
                small.stores = in_use_first(small.stores, self._store_id)
            if self._renames_units(small):  # articles that did not change have a new unit too
                self._known = replace(self._known, etag="", since="")
        fetched = self._lists.products(
            self._known, now=self._now(), is_first=not has_listed(self._connection)
        )
        if fetched is None:
            if is_new:
                self._write(small, PlatformList(whole=False, place=self._place), accept=False)
            self._nothing_new(accept_removals=accept_removals)
        else:
            self._unchanged = False
            self._bring_in(fetched, small, accept_removals=accept_removals)
        if is_new:
            self._memory.remember_parts(digest)

    def _nothing_new(self, *, accept_removals: bool) -> None:
        self._unchanged = True
        look_for_added(self._connection, origin=self._origin, at=self._now())
        if accept_removals:
            gone = accept_gone(self._connection, origin=self._origin, at=self._now())
            self._brought = replace(self._brought, removed=self._brought.removed + gone)

    def _bring_in(
        self, fetched: FetchedList, small: CatalogueList, *, accept_removals: bool
    ) -> None:
        try:
            known = {} if fetched.since else known_digests(self._connection)
            before = partial(text_before, self._connection)
            listing = read_list(fetched.text(), known=known, text_before=before)
        except Invalid:
            self._lists.discard()  # the next run asks for another one
            raise
        listing.stores, listing.units = small.stores, small.units
        listing.categories = small.categories
        whole = is_whole(fetched.since, listing.oldest)
        place = PlatformList(whole=whole, place=self._place, joins=self._joins, sends=self._sends)
        done = self._write(listing, place, accept=accept_removals)
        self._known = known_after(
            self._known,
            KnownList(fetched.etag, fetched.since, fetched.refuses_since, fetched.versions),
            oldest=listing.oldest,
            latest=listing.latest,
            held_back=bool(done.held_now),
        )
        self._memory.remember(self._known)
        self._lists.discard()

    def _write(self, listing: CatalogueList, platform: PlatformList, *, accept: bool) -> Imported:
        self._connection.execute("PRAGMA synchronous=NORMAL")
        done = bring_in(
            self._connection, listing, origin=self._origin, pictures=(), accept_removals=accept,
            now=self._now, pace=self.pace, platform=platform,
        )  # fmt: skip
        before = self._brought
        counts = done.listed or not before.listed
        self._brought = done.beside(before) if counts else before.beside(done)
        return done

    def _renames_units(self, small: CatalogueList) -> bool:
        old = known_units(self._connection)
        return any(one.id in old and old[one.id] != one for one in small.units or ())

    # --- ours ----------------------------------------------------------------------------------

    def _push(self) -> PushCount:
        self._connection.execute("PRAGMA synchronous=FULL")  # what is being sent is known for sure
        total = sum(1 for _ in self._queue.open_edits())
        done = 0

        def send(edits: Sequence[OutgoingEdit]) -> Sequence[PushAnswer]:
            nonlocal done
            given = [_ToSend(one, self._photos.of(one.product)) for one in edits]
            line = SendingLine()
            work = [at_work.submit(self._send, one, line) for one in given]
            for _ in as_completed(work):
                done += 1
                self.told("edits", done, max(done, total))
            answers = [_answer_of(one) for one in work]
            return [self._noted(one, told) for one, told in zip(given, answers, strict=True)]

        def take_list() -> None:
            self._take_list()
            self._connection.execute("PRAGMA synchronous=FULL")

        with ThreadPoolExecutor(AT_ONCE) as at_work:
            return push(self._queue, send, take_list=take_list)

    def _send(self, sent: _ToSend, line: SendingLine) -> PushAnswer:
        """In a thread: nothing of the catalogue is read or written here."""
        if line.ended is not None:
            return line.ended
        unmade = {} if self._names is None else self._names.unmade
        answer = names_unmade(sent.edit, unmade) or send_edit(
            self._client, sent.edit, versions=self._known.versions,
            photo=sent.photos.get,
            uploaded=lambda ours, theirs: sent.uploaded.append((ours, theirs)),
        )  # fmt: skip
        line.note(answer)
        return answer

    def _noted(self, sent: _ToSend, answer: PushAnswer) -> PushAnswer:
        """The answer, once the platform's ids of the photos are known here."""
        try:
            for file_id, theirs in sent.uploaded:
                self._photos.uploaded(file_id, theirs)
        except OSError as error:
            return replace(answer, raised=answer.raised or error)
        return answer

    def _push_stores(self, pushed: PushCount) -> PushCount:
        versions = self._lists.store_versions if self._known.versions else {}

        def send(edit: StoreEdit) -> PushAnswer:
            return send_store(self._client, edit, version=versions.get(edit.ours.id))

        return push_stores(self._stores, send, pushed=pushed)


def _answer_of(work: Future[PushAnswer]) -> PushAnswer:
    """What came of an edit. One that raised may have been sent: the answers of those beside it
    count all the same."""
    error = work.exception()
    return work.result() if error is None else PushAnswer(PushEnd.UNKNOWN, raised=error)


def _digest_of(parts: dict[str, str]) -> str:
    told = "\0".join(f"{name}\0{text}" for name, text in parts.items())
    return blake2b(told.encode(), digest_size=16).hexdigest()


def name_the_list(error: Invalid) -> None:
    """Let the fault say that it is one of the platform's list."""
    error.what = f"The platform's list can't be used: {error.what.rstrip('.')}."
    error.safe = "The catalogue of this till is unchanged."


def fault_word(error: PosError) -> str:
    """What went wrong, as the till and the server name it."""
    kind = error.values.get("kind")
    return str(kind) if kind in ("platform_key", WEB_PAGE) else error.code
