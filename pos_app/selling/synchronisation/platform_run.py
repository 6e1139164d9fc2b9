"""A run with a platform, from its first request to its report: it imports the platform's lists,
decides whether to send, sends the edits, and keeps notes for the next run.

No code here knows a file, a thread or HTTP: the code that does comes in as `PlatformPort`,
`PlatformNotes`, `JoiningNotes` and the two queues. Source: platform-contract.md 2.3, 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Protocol, TypeVar

from pos_app.domain.article.product import Category, Product, Unit
from pos_app.domain.article.store import Store
from pos_app.errors import Invalid, OutcomeUnknown, PosError, ProgramError, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import joining, name_edits, reports, run
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, EditKind
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import (
    Named,
    NameKind,
    NamesPort,
    OwnNames,
    Unmade,
    is_respelled,
)
from pos_app.selling.synchronisation.store_edits import StoreEdit

N = TypeVar("N", Unit, Category)
ANSWERS_KEPT = timedelta(hours=23)
"""How long an addition may be repeated under its key: a platform of ours keeps its answers for a
day."""
ProgressListener = Callable[[str, int, int], None]
"""Called with (step, done, of) now and then; step is "list", "products" or "edits"."""


@dataclass(frozen=True, slots=True)
class SmallLists:
    """The platform's lists beside its products; a member is None where it has no such list."""

    stores: Sequence[Store] | None = None
    units: Sequence[Unit] | None = None
    categories: Sequence[Category] | None = None


class PlatformPort(NamesPort, Protocol):
    """The platform, and the catalogue into which its lists are imported."""

    def small_lists(self) -> Mapping[str, str]:
        """Stores, units and categories as the platform writes them. Raises RemoteError."""

    def small(self, small_lists: Mapping[str, str]) -> SmallLists:
        """The same parts, parsed. Raises Invalid."""

    def left_over(self, known: run.KnownList) -> run.KnownList | None:
        """The facts about a list that an earlier run downloaded and did not import, or None."""

    def products(self, known: run.KnownList, *, is_first: bool) -> run.KnownList | None:
        """Download the products, or those that changed, and return the facts about the answer, with
        `since` as requested. It returns None where nothing changed. Raises RemoteError."""

    def look(self) -> Mapping[str, Product]:
        """The products in the download, by their ids. Raises Invalid."""

    def read(self, answer: run.KnownList) -> tuple[str, str]:
        """Check the download; return its oldest and latest `updatedAt`. Raises Invalid."""

    def write(
        self, small: SmallLists, *, whole: bool, joins: bool, sends: bool, accept_removals: bool
    ) -> reports.Imported:
        """Import the last list read, if any, and the small lists. joins: no list of this platform
        was ever imported, so articles from elsewhere are matched with its articles, and added there
        if the run `sends`."""

    def lacks(self, sent: Mapping[str, datetime | None]) -> bool:
        """Whether the list that was read last lacks some of this, though no comparison with what
        this till sent is asked for so far. sent: the `updatedAt` of products that the platform took
        since its list before, None for one that it deleted."""

    def discard(self) -> None:
        """Delete the download, which is imported or useless."""

    def has_listed(self) -> bool: ...
    def known_units(self) -> Mapping[str, Unit]: ...
    def look_for_added(self) -> None: ...
    def accept_gone(self) -> int: ...
    def waiting_removals(self) -> int: ...

    def commit_surely(self) -> None:
        """Until the next list, let each commit survive a power cut, which must not lose what was
        sent."""

    def send(
        self,
        edits: Sequence[run.OutgoingEdit],
        *,
        versions: bool,
        unmade: Mapping[str, Unmade],
        answered: Callable[[], None],
    ) -> Sequence[run.PushAnswer]:
        """Send these at the same time, each once; return the answers in the given order. answered:
        called after each. versions: the platform accepts a version as a condition. unmade:
        `OwnNames.unmade`."""

    def send_store(self, edit: StoreEdit, *, versions: bool) -> run.PushAnswer: ...
    def send_name(self, edit: NameEdit) -> run.PushAnswer: ...

    def meet_names(self, kind: NameKind, listed: Sequence[Named] | None) -> Sequence[Named] | None:
        """Compare the changes of units or categories with the platform's list; return the list
        with those that are left. listed: None where the platform has no such list."""

    def additions(self, kind: NameKind, *, besides: Sequence[Named]) -> Sequence[Named]:
        """The units or categories that were added here and are not among `besides`."""


class RunQueue(run.EditQueue, Protocol):
    """The edits of this till, before and during their way to the platform."""

    def recover(self) -> None:
        """After a killed run let edits that may have been sent wait again, where that is safe."""

    def all_open(self) -> Sequence[CatalogueEdit]:
        """The open edits, also those of articles from elsewhere."""


class PlatformNotes(Protocol):
    """The notes about a platform between two runs."""

    def known(self) -> run.KnownList: ...
    def remember(self, known: run.KnownList) -> None: ...
    def small_lists_digest(self) -> str: ...
    def remember_parts(self, digest: str) -> None: ...
    def answered(self, at: datetime) -> None: ...
    def away(self, at: datetime, fault: str) -> None: ...


class PlatformRun:
    """One run. store_id: this shop's, "" where settings name none. url, key: the platform and the
    API key. setting: the settings' answer whether this shop's articles go there. now: UTC."""

    def __init__(
        self,
        port: PlatformPort,
        *,
        memory: PlatformNotes,
        notes: joining.JoiningNotes,
        queue: RunQueue,
        stores: run.StoreEditQueue,
        names: name_edits.NameEditQueue,
        is_demo: bool,
        store_id: str,
        url: str,
        key: str,
        setting: joining.JoiningAnswer | None,
        now: Callable[[], datetime],
        report_progress: ProgressListener,
    ) -> None:
        self._port = port
        self._memory = memory
        self._notes = notes
        self._queue = queue
        self._stores = stores
        self._name_edits = names
        self._sent_names = run.PushCount()
        self._is_demo = is_demo
        self._store_id = store_id
        self._url = url
        self._key = key
        self._setting = setting
        self._now = now
        self._report_progress = report_progress
        self._known = run.KnownList()
        self._brought = reports.Imported()
        self._unchanged = False
        self._joins = False
        self._sends = False
        self._new_answer: joining.NewAnswer | None = None
        self._is_unheard = False
        self._sent: dict[str, datetime | None] = {}
        self._names = OwnNames(port, joins=False, makes=False)

    def whole(
        self, *, accept_removals: bool, join: joining.JoiningAnswer | None
    ) -> reports.PlatformReport:
        """Do the whole run: find out whether to send, import the platform's lists, send this till's
        edits. join: an answer about sending. A fault is noted for the till, and raised."""
        try:
            self._known = self._memory.known()
            answer = self._answer(join)
            if isinstance(answer, joining.JoiningQuestion):
                return reports.PlatformReport(
                    reports.Imported(),
                    run.PushCount(),
                    is_unchanged=True,
                    seconds=0.0,
                    asked=answer,
                )
            self._sends = answer is joining.JoiningAnswer.SEND
            is_first = not self._memory.small_lists_digest()
            self._joins = is_first and not self._is_demo
            self._names = self._own_names(is_first=is_first)
            self._queue.recover()
            self._take_left_over()
            self._take_list(accept_removals=accept_removals)
            pushed = self._push_all()
            self._read_back()
        except (RemoteError, Invalid) as error:
            self._memory.away(self._now(), reports.fault_word(error))
            if isinstance(error, Invalid):
                reports.name_the_list(error)
            raise
        except Exception as error:
            if not isinstance(error, PosError):
                self._memory.away(self._now(), ProgramError.code)
            raise
        if pushed.fault is None:
            self._memory.answered(self._now())
        else:
            self._memory.away(self._now(), reports.fault_word(pushed.fault))
        brought = replace(self._brought, held_back=self._port.waiting_removals())
        return reports.PlatformReport(
            brought,
            pushed,
            self._unchanged,
            seconds=0.0,
            new_answer=self._new_answer,
            only_reads=not self._sends,
            is_unheard=self._is_unheard,
        )

    def _own_names(self, *, is_first: bool) -> OwnNames:
        brings, sends = not self._is_demo, self._sends
        joins = self._joins or not sends or not brings
        return OwnNames(self._port, joins=joins, makes=sends, brings=brings, is_first=is_first)

    # --- whether anything is sent ----------------------------------------------------------------

    def _answer(
        self, answer: joining.JoiningAnswer | None
    ) -> joining.JoiningAnswer | joining.JoiningQuestion:
        """The answer about sending articles from elsewhere; else the question to a person."""
        notes, setting = self._notes, self._setting
        facts = joining.JoiningFacts(
            is_demo=self._is_demo,
            command_answer=answer,
            setting=setting,
            setting_before=notes.setting_before(setting),
            before=notes.now(),
            has_more=notes.may_be_asked(),
            sends_unasked=notes.sends_unasked(),
            now=self._now(),
        )
        self._is_unheard = facts.is_unheard
        if self._is_demo:
            notes.note_demo()
        found = joining.answer_before_asking(facts)
        if found is None:
            found = self._look()
        elif isinstance(found, joining.JoiningQuestion):
            found = self._counted_anew(found)
        if isinstance(found, joining.NewAnswer):
            notes.keep_answer(found, at=self._now())
            self._known = self._memory.known()
            self._new_answer = found
        notes.note_setting(setting)  # noted only now: after a failure it counts as new
        return found.answer if isinstance(found, joining.NewAnswer) else found

    def _counted_anew(self, asked: joining.JoiningQuestion) -> joining.JoiningQuestion:
        """An open question, with the changes made here since."""
        changes = replace(self._notes.changes(), stores=asked.changes.stores)
        if changes != asked.changes:
            asked = replace(asked, changes=changes)
            self._notes.ask(asked)
        return asked

    def _look(self) -> joining.JoiningAnswer | joining.NewAnswer | joining.JoiningQuestion:
        """Find the account behind the key, and the effect of joining it; import nothing."""
        self._report_progress("list", 0, 0)
        small = self._port.small(self._port.small_lists())
        self._port.products(run.KnownList(), is_first=False)
        try:
            listed = self._port.look()
            found = joining.answer_after_asking(
                under_another_key=self._notes.same_account(listed),
                question=lambda: self._question(listed, small.stores or ()),
            )
        finally:
            self._port.discard()
        if isinstance(found, joining.JoiningQuestion):
            self._notes.ask(found)
        elif isinstance(found, joining.JoiningAnswer):
            self._notes.carry_over(found, at=self._now())
        return found

    def _question(
        self, listed: Mapping[str, Product], stores: Sequence[Store]
    ) -> joining.JoiningQuestion:
        to_send, same, repriced = self._notes.counted(listed)
        return joining.JoiningQuestion(
            url=self._url,
            key=self._key,
            stores=joining.stores_there(stores, self._store_id),
            listed=len(listed),
            to_send=to_send,
            same=same,
            repriced=repriced,
            changes=self._notes.changes([one.id for one in stores]),
            at=self._now(),
        )

    # --- theirs --------------------------------------------------------------------------------

    def _take_left_over(self) -> None:
        answer = self._port.left_over(self._known)
        if answer is not None:
            self._bring_in(answer, SmallLists(), accept_removals=False)

    def _take_list(self, *, accept_removals: bool = False) -> None:
        """Import the small lists where they changed; parse them where something is to be sent."""
        self._report_progress("list", 0, 0)
        parts = self._port.small_lists()
        digest = digest_of({**parts, "store": self._store_id})
        small = SmallLists()
        is_changed_here = bool(self._stores.open_edits() or self._name_edits.open_edits())
        is_new = (
            digest != self._memory.small_lists_digest()
            or is_changed_here
            or self._known.etag == run.UNREAD
        )
        renames = False
        if is_new or self._queue.open_edits():
            small = self._settled(self._port.small(parts))
            renames = renames_units(self._port.known_units(), small.units)
        answer = self._port.products(self._known, is_first=not self._port.has_listed())
        if answer is None and self._memory.known().etag == run.UNREAD:
            self._take_anew(accept_removals=accept_removals)
            return
        if renames and (answer is None or answer.since):  # unchanged articles have a new unit too
            self._known = replace(self._known, etag="", since="")
            answer = self._port.products(self._known, is_first=False)
        if answer is None:
            if is_new:
                self._write(small, whole=False, accept_removals=False)
            self._nothing_new(accept_removals=accept_removals)
        else:
            self._unchanged = False
            self._bring_in(answer, small, accept_removals=accept_removals)
        if is_new:  # after a change was sent, these lists are not the platform's last ones
            self._memory.remember_parts(run.UNREAD if is_changed_here else digest)

    def _take_anew(self, *, accept_removals: bool) -> None:
        """Take in the whole list, and compare it with what was sent: the platform was put back in
        this run, because its list lacks what it took since the one before."""
        self._known = replace(self._known, etag=run.UNREAD)
        self._take_list(accept_removals=accept_removals)

    def _settled(self, small: SmallLists) -> SmallLists:
        if self._sends:
            self._port.commit_surely()
        met, sides = self._port.meet_names, (small.units, small.categories)
        units, categories = map(self._answered, NameKind, sides)
        listed = [met(NameKind.UNIT, units), met(NameKind.CATEGORY, categories)]
        if self._sends:
            self._send_names(one for one in self._name_edits.open_edits() if one.changed)
        settled = self._names.settle(_only(Unit, listed[0]), _only(Category, listed[1]))
        self._note_added([one for names in settled for one in names or ()])
        units = self._with_additions(NameKind.UNIT, settled[0])
        categories = self._with_additions(NameKind.CATEGORY, settled[1])
        stores = None if small.stores is None else run.in_use_first(small.stores, self._store_id)
        return SmallLists(stores, _only(Unit, units), _only(Category, categories))

    def _answered(self, kind: NameKind, listed: Sequence[Named] | None) -> Sequence[Named] | None:
        """Find out, by the key of their request, what became of additions that had no answer and
        were changed or deleted here since; return the list with them. Where that can't be found
        out, what the platform made under that name stays there, and who deleted it is told."""
        if listed is None or not self._sends:
            return listed
        for edit in self._name_edits.open_edits():
            sent = None if edit.on_way is None else edit.on_way.named
            if edit.kind is not kind or sent is None or not edit.is_unanswered:
                continue
            made: Named | str = ""
            if self._known.versions and self._now() - edit.at < ANSWERS_KEPT:
                try:
                    made = self._port.add_name(sent)
                except OutcomeUnknown:
                    continue
            if isinstance(made, str):
                self._name_edits.take_back(edit)
                continue
            self._port.name_as_there(kind, {edit.id: made.id}, [made])
            if made.id not in {one.id for one in listed}:
                listed = [*listed, made]
        return listed

    def _with_additions(
        self, kind: NameKind, listed: Sequence[Named] | None
    ) -> Sequence[Named] | None:
        """The list with what was added here and is not there, as the platform refused it, and with
        what was changed here while it was made there."""
        if listed is None:
            return None
        for edit in self._name_edits.open_edits():
            if edit.kind is kind and not edit.is_addition:
                listed = name_edits.shown_with(edit, listed)
        return (*listed, *self._port.additions(kind, besides=listed))

    def _note_added(self, listed: Sequence[Named]) -> None:
        """Note which additions the platform has now, and which it refused."""
        there = {one.id: one for one in listed if one.id not in self._names.unmade}
        for edit in self._name_edits.open_edits():
            unmade = self._names.unmade.get(edit.id)
            if edit.is_addition and edit.id in there:
                sent = None if edit.on_way is None else edit.on_way.named
                position = there[edit.id].position
                is_ordered = sent is None or sent.position == position
                self._name_edits.take(edit, position=None if is_ordered else position)
            elif edit.is_addition and unmade is not None and unmade.why:
                self._name_edits.refuse(edit, why=unmade.why, field="")

    def _nothing_new(self, *, accept_removals: bool) -> None:
        self._unchanged = True
        self._port.look_for_added()
        if accept_removals:
            gone = self._port.accept_gone()
            self._brought = replace(self._brought, removed=self._brought.removed + gone)

    def _bring_in(self, answer: run.KnownList, small: SmallLists, *, accept_removals: bool) -> None:
        try:
            oldest, latest = self._port.read(answer)
        except Invalid:
            self._port.discard()  # the next run asks for another one
            raise
        sent, self._sent = self._sent, {}
        if self._port.lacks(sent):
            self._take_anew(accept_removals=accept_removals)
            return
        whole = run.is_whole(answer.since, oldest)
        done = self._write(
            small,
            whole=whole,
            joins=self._joins,
            sends=self._sends,
            accept_removals=accept_removals,
        )
        self._known = run.known_after(
            self._known, answer, oldest=oldest, latest=latest, held_back=bool(done.held_now)
        )
        self._memory.remember(self._known)
        self._port.discard()

    def _write(
        self,
        small: SmallLists,
        *,
        whole: bool,
        accept_removals: bool,
        joins: bool = False,
        sends: bool = True,
    ) -> reports.Imported:
        done = self._port.write(
            small, whole=whole, joins=joins, sends=sends, accept_removals=accept_removals
        )
        self._brought = done.after(self._brought)
        return done

    # --- ours ----------------------------------------------------------------------------------

    def _push_all(self) -> run.PushCount:
        pushed = self._push() if self._sends else run.counted(self._queue.all_open())
        if self._sends and isinstance(pushed.fault, ProgramError | None):
            pushed = self._push_stores(pushed)
            self._delete_names()
        else:
            pushed = run.with_stores(pushed, self._stores.open_edits())
        return self._with_names(pushed)

    def _push(self) -> run.PushCount:
        self._port.commit_surely()
        total = len(self._queue.open_edits())
        done = 0

        def answered() -> None:
            nonlocal done
            done += 1
            self._report_progress("edits", done, max(done, total))

        def send(edits: Sequence[run.OutgoingEdit]) -> Sequence[run.PushAnswer]:
            versions, unmade = self._known.versions, self._names.unmade
            answers = self._port.send(edits, versions=versions, unmade=unmade, answered=answered)
            if versions:
                self._note_sent(edits, answers)
            return answers

        def take_list() -> None:
            self._take_list()
            self._port.commit_surely()

        return run.push(self._queue, send, take_list=take_list)

    def _note_sent(
        self, edits: Sequence[run.OutgoingEdit], answers: Sequence[run.PushAnswer]
    ) -> None:
        """Note what the next list has to have."""
        for edit, answer in zip(edits, answers, strict=True):
            product = answer.product or edit.product
            if answer.end is run.PushEnd.TAKEN:
                is_gone = edit.kind is EditKind.DELETE
                self._sent[product.id] = None if is_gone else product.updated_at

    def _read_back(self) -> None:
        """Import the list once more, and send nothing, where the platform took something: only by
        its tag a platform that is put back to the list before is noticed. Where that fails, the
        next run reads the whole list."""
        if self._memory.known().etag != run.UNREAD:
            return
        self._sends = False
        self._names = self._own_names(is_first=False)
        with suppress(RemoteError, Invalid):
            self._take_list()
            self._memory.remember(self._known)
        self._sends = True

    def _push_stores(self, pushed: run.PushCount) -> run.PushCount:
        def send(edit: StoreEdit) -> run.PushAnswer:
            return self._port.send_store(edit, versions=self._known.versions)

        return run.push_stores(self._stores, send, pushed=pushed)

    def _send_names(self, edits: Iterable[NameEdit]) -> None:
        ready = [one for one in edits if one.is_ready and not one.is_unanswered]
        pushed, queue = self._sent_names, self._name_edits
        self._sent_names = name_edits.push_names(queue, self._port.send_name, ready, pushed=pushed)

    def _delete_names(self) -> None:
        """Delete units and categories there, once the platform has each change by which an article
        here got another one."""
        gone = [one for one in self._name_edits.open_edits() if one.ours is None]
        self._send_names(one for one in gone if not self._name_edits.is_named(one))

    def _with_names(self, pushed: run.PushCount) -> run.PushCount:
        sent = self._sent_names
        pushed = replace(pushed, sent=pushed.sent + sent.sent, fault=pushed.fault or sent.fault)
        return name_edits.with_names(pushed, self._name_edits.open_edits())


def _only(kind: type[N], named: Iterable[object] | None) -> tuple[N, ...] | None:
    return None if named is None else tuple(one for one in named if isinstance(one, kind))


def digest_of(small_lists: Mapping[str, str]) -> str:
    joined = "\0".join(f"{name}\0{text}" for name, text in small_lists.items())
    return blake2b(joined.encode(), digest_size=16).hexdigest()


def renames_units(old: Mapping[str, Unit], listed: Iterable[Unit] | None) -> bool:
    """Whether articles were written with a unit that is now spelled otherwise."""
    return any(one.id in old and is_respelled(old[one.id], one) for one in listed or ())
