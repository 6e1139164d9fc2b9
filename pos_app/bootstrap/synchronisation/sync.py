"""The program `pos-app sync`: the catalogue of a data folder, from a file or from its platform.

It runs as a process of its own beside tills that sell, one at a time for each folder.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Protocol, TextIO

import apsw

from pos_app import log
from pos_app.adapters.catalogue_files.catalogue_list import CatalogueList, OddPrices, read_list
from pos_app.adapters.catalogue_files.catalogue_pictures import copy_pictures
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.sqlite.catalogue.catalogue import catalogue_file
from pos_app.adapters.sqlite.catalogue.importing import (
    Imported,
    Pace,
    bring_in,
    known_digests,
    open_for_import,
    text_before,
)
from pos_app.adapters.sqlite.catalogue.own_names import FROM_FILE
from pos_app.adapters.sqlite.catalogue.platform_memory import is_platforms
from pos_app.adapters.sqlite.catalogue.rows import FILES
from pos_app.adapters.sqlite.catalogue.schema import IF_DAMAGED
from pos_app.bootstrap.synchronisation.platform_sync import (
    PlatformReport,
    fault_word,
    sync_with_platform,
)
from pos_app.characters import escaped
from pos_app.errors import (
    AlreadyRunning,
    DatabaseDamaged,
    Invalid,
    NotAllowed,
    NotDelivered,
    NotFound,
    OutcomeUnknown,
    PosError,
    RemoteError,
    as_members,
)
from pos_app.selling.catalogue.product_draft import LARGE_PRICE
from pos_app.selling.synchronisation.joining import JoiningAnswer, JoiningQuestion
from pos_app.selling.synchronisation.run import SyncEnd
from pos_app.settings import Settings

PAUSE = 0.003
"""Seconds between two commits, for others who want to write or read."""
TELL_EACH = 0.5
"""Seconds between two lines of progress."""

DONE, FAILED, BAD_LIST, BUSY, WAITING, AWAY = SyncEnd

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a synchronisation did, in products.

    held_back: gone from the list, but so many at once that a manager decides. conflicts: edits
    that a person decides. shared_codes: EANs that several articles have. odd: prices that are
    perhaps not meant. seconds: it took.
    """

    listed: int
    added: int
    changed: int
    unchanged: int
    removed: int
    held_back: int
    conflicts: int
    articles: int
    pictures: int
    shared_codes: int
    odd: OddPrices
    seconds: float

    @property
    def waits(self) -> bool:
        """Whether a person has to decide something."""
        return bool(self.held_back or self.conflicts)

    def lines(self) -> Iterator[str]:
        """What was done, and what waits for a person, in words."""
        yield (
            f"{_many(self.listed, 'product')} listed: {self.added} added, {self.changed} changed,"
            f" {self.unchanged} unchanged, {self.removed} removed;"
            f" {_many(self.pictures, 'photo')}, {self.seconds:.1f} s."
        )
        if self.held_back:
            yield (
                f"{_many(self.held_back, 'product')} gone from the list: that is unusually many,"
                " so nothing of it is removed. If it is meant, use --accept-removals."
            )
        if self.conflicts:
            yield (
                f"{_many(self.conflicts, 'change')} made here and in the list: the till keeps its"
                " own until it is decided."
            )
        if self.shared_codes:
            yield f"{_many(self.shared_codes, 'EAN')} of several articles: the till will ask."
        for many, how, name in (
            (self.odd.zero, "of nothing", self.odd.zero_name),
            (self.odd.large, f"of {LARGE_PRICE} or more", self.odd.large_name),
        ):
            if many:
                yield f"{_many(many, 'price')} {how}, {name!r} first: look whether it is meant."


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _wait(count: int) -> str:
    return f"{_many(count, 'change')} {'waits' if count == 1 else 'wait'}"


Progress = Callable[[str], None]
"""Told a line now and then while a long run is under way."""


def run_sync(
    *, settings: Settings, source: Path, progress: Progress, accept_removals: bool = False
) -> SyncReport:
    """Bring the list in a file into the catalogue of `settings.data`.

    The file is {"stores": [], "units": [], "categories": [], "products": []}, each part
    optional, or a plain array of products; photos lie beside it. Raises AlreadyRunning,
    NotFound when there is no such file, Invalid naming product and field (then nothing was
    changed, and a folder without a catalogue has none), NotAllowed where a platform's list is in
    use, DataFolderNotWritable, DiskFull.
    """
    path = catalogue_file(settings.data)
    first = None if path.exists() else read_list(_text(source), known={})
    with FolderLock(path.parent / "sync.lock", what="synchronisation"):
        began = time.monotonic()
        connection = open_for_import(path)
        take_mark_away(settings.data)
        try:
            _check_source(settings, connection)
            listing = first or read_list(
                _text(source),
                known=known_digests(connection),
                text_before=partial(text_before, connection),
            )
            pictures = tuple(
                copy_pictures(
                    listing.covers.values(), beside=source.parent, into=path.parent / FILES
                )
            )
            done = bring_in(
                connection,
                listing,
                origin=FROM_FILE,
                pictures=pictures,
                accept_removals=accept_removals,
                now=_now,
                pace=Pace(pause=_pause, told=_ProgressLines(progress).told),
            )
        finally:
            connection.close()
        return _report(done, listing, pictures=len(pictures), seconds=time.monotonic() - began)


def _check_source(settings: Settings, connection: apsw.Connection) -> None:
    """A file's ids are not the platform's, so each of its articles would be there twice."""
    if settings.platform.url and is_platforms(connection):
        raise NotAllowed(
            "This shop has its articles from its platform.",
            safe="Nothing was changed.",
            do="Change them there or in the till's catalogue; or take platform.url away.",
            kind="has_platform",
        )


def sync_command(
    *,
    settings: Settings,
    source: Path | None,
    out: TextIO,
    accept_removals: bool = False,
    join: JoiningAnswer | None = None,
    as_json: bool = False,
    errors: TextIO | None = None,
) -> int:
    """Run as a program: lines of progress and the outcome on `out`; the exit code.

    source: the file; None for the platform of the settings. as_json: each line is a JSON object,
    for the program that started it: {"step", "done", "of"} while it runs, then {"report"}, and
    {"refused", "fault"} for what prevented or ended it, the fault in a word. errors: where the
    plain lines say what prevents the work; None: on `out` too.
    """
    _step_back()
    voice = _Json(out) if as_json else _PlainLines(out, errors or out)
    is_new = not catalogue_file(settings.data).exists()
    try:
        if source is None:
            code = _with_platform(settings, voice, accept_removals=accept_removals, join=join)
        else:
            if join is not None:
                voice.say("--join has no effect with a file: it is about a platform.")
            code = _with_file(settings, source, voice, accept_removals=accept_removals)
    except PosError as error:
        if isinstance(error, DatabaseDamaged):  # of the catalogue: no other is opened
            error.do = IF_DAMAGED
        _log.error("synchronisation failed", extra={"fields": {"code": error.code}})
        voice.refused(error)
        if isinstance(error, NotDelivered | OutcomeUnknown):  # before anything was sent
            voice.say("Nothing was sent: the next run asks again.")
        return _exit_code(error)
    if is_new:  # a mistyped folder is seen by that
        voice.say(f"{settings.data} had no catalogue: this is its first one.")
    return code


def _with_file(settings: Settings, source: Path, voice: Voice, *, accept_removals: bool) -> int:
    report = run_sync(
        settings=settings, source=source, progress=voice.say, accept_removals=accept_removals
    )
    for line in report.lines():
        voice.say(line)
    return WAITING if report.waits else DONE


def _with_platform(
    settings: Settings, voice: Voice, *, accept_removals: bool, join: JoiningAnswer | None
) -> int:
    report = sync_with_platform(
        settings=settings,
        now=_now,
        pause=_pause,
        told=voice.step,
        accept_removals=accept_removals,
        join=join,
    )
    voice.report(report)
    if report.asked is not None:
        return WAITING
    if report.pushed.fault is not None:
        return _exit_code(report.pushed.fault)
    waits = report.brought.held_back or report.pushed.conflicts or report.pushed.refused
    return WAITING if waits else DONE


def _exit_code(error: PosError) -> int:
    if isinstance(error, RemoteError):
        return AWAY
    codes: dict[type[PosError], int] = {AlreadyRunning: BUSY, NotFound: BAD_LIST}
    return codes.get(type(error), BAD_LIST if isinstance(error, Invalid) else FAILED)


class Voice(Protocol):
    """How a run is told."""

    def say(self, line: str) -> None: ...
    def step(self, step: str, done: int, of: int) -> None: ...
    def report(self, report: PlatformReport) -> None: ...
    def refused(self, error: PosError) -> None: ...


class _PlainLines:
    """To a person, a line now and then. errors: where it says what prevents its work."""

    def __init__(self, out: TextIO, errors: TextIO) -> None:
        self._out = out
        self._errors = errors
        self._lines = _ProgressLines(self.say)
        self._has_asked = False

    def say(self, line: str) -> None:
        self._write(self._out, line)

    def step(self, step: str, done: int, of: int) -> None:
        if step == "list" and not self._has_asked:
            self.say("Asking the platform for its list.")
            self._has_asked = True
        elif step != "list":
            self._lines.told(done, of, step)

    def report(self, report: PlatformReport) -> None:
        for line in platform_lines(report):
            self.say(line)

    def refused(self, error: PosError) -> None:
        self._write(self._errors, str(error))

    @staticmethod
    def _write(to: TextIO, line: str) -> None:
        """Names in it are foreign."""
        to.write(f"{escaped(line)}\n")
        to.flush()


class _Json:
    """To the till, each line an object."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._told_at = 0.0

    def say(self, line: str) -> None:
        self._write({"words": line})

    def step(self, step: str, done: int, of: int) -> None:
        if done in (0, of) or time.monotonic() - self._told_at >= TELL_EACH:
            self._told_at = time.monotonic()
            self._write({"step": step, "done": done, "of": of})

    def report(self, report: PlatformReport) -> None:
        brought, pushed = asdict(report.brought), asdict(replace(report.pushed, fault=None))
        del pushed["fault"]
        told = {"brought": brought, "pushed": pushed, "unchanged": report.is_unchanged}
        if report.asked is not None:
            told = {"asked": asdict(report.asked) | {"at": report.asked.at.isoformat()}}
        self._write({"report": told})
        if (fault := report.pushed.fault) is not None:  # much was done by then
            self._refused(as_members(fault) | {"safe": ""}, fault)

    def refused(self, error: PosError) -> None:
        self._refused(as_members(error), error)

    def _refused(self, members: dict[str, object], error: PosError) -> None:
        self._write({"refused": members, "fault": fault_word(error)})

    def _write(self, line: dict[str, object]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()


def platform_lines(report: PlatformReport) -> Iterator[str]:
    """What a run with the platform did, and what waits for a person, in words."""
    brought, pushed = report.brought, report.pushed
    if report.asked is not None:
        yield from _asked_lines(report.asked)
        return
    if report.is_unheard:
        yield "--join has no effect here: a demo takes no articles of its own to a platform."
    if report.said is not None and report.said.by:
        yield _SAID[report.said.answer].format(by=report.said.by)
    if report.is_unchanged and not brought.listed:
        yield f"Nothing changed on the platform; {report.seconds:.1f} s."
        if brought.removed:
            yield f"{_many(brought.removed, 'product')} removed, which the platform has no more."
    else:
        yield (
            f"{_many(brought.listed, 'product')} told: {brought.added} added,"
            f" {brought.changed} changed, {brought.removed} removed; {report.seconds:.1f} s."
        )
    yield from _joined_lines(brought)
    if pushed.fault is None and pushed.sent:
        yield f"{_many(pushed.sent, 'change')} sent to the platform."
    if brought.held_back:
        yield (
            f"{_many(brought.held_back, 'product')} gone from the list: that is unusually many,"
            " so nothing of it is removed. If it is meant, use --accept-removals."
        )
    if pushed.conflicts:
        yield f"{_many(pushed.conflicts, 'change')} made on both sides: a person decides."
    if pushed.refused:
        yield f"{_many(pushed.refused, 'change')} refused by the platform: a person mends them."
    yield from _left_lines(report)


_SAID = {
    JoiningAnswer.SEND: '{by} says "send": what this shop has goes to the platform from now on.',
    JoiningAnswer.READ: '{by} says "read": nothing goes to the platform from now on.',
}


def _joined_lines(brought: Imported) -> Iterator[str]:
    """What became of what this shop had before, and of what was changed of it."""
    if brought.joined or brought.to_join:
        verb = "is" if brought.joined == 1 else "are"
        to_add = f"; {_many(brought.to_join, 'product')} to be added there" * bool(brought.to_join)
        yield (
            f"Of what this shop had before, {_many(brought.joined, 'product')} {verb} the"
            f" platform's too{to_add}."
        )
    if brought.along or brought.settled:
        yield (
            f"With these go {_many(brought.along, 'change')} that waited, and"
            f" {_many(brought.settled, 'change')} that nobody had decided yet: this shop's own"
            " values count."
        )
    if brought.undeleted:
        yield (
            f"{_many(brought.undeleted, 'deletion')} of what another account has: ended, it is not"
            " sent here."
        )
    if brought.stores_ended:
        yield (
            f"{_many(brought.stores_ended, 'change')} of a store that this account does not have:"
            " ended, its stores took the place of it."
        )


def _left_lines(report: PlatformReport) -> Iterator[str]:
    """What is still to be sent, and why it is."""
    pushed = report.pushed
    left = pushed.waiting + pushed.unknown
    if pushed.fault is not None:
        why = " ".join(filter(None, (pushed.fault.what, pushed.fault.do)))
        yield f"The run ended early. {why}"
        told = [f"{_many(pushed.sent, 'change')} sent"]
        if pushed.unknown:
            told.append(f"{pushed.unknown} without an answer, about which the next run asks again")
        if pushed.waiting:
            told.append(f"{pushed.waiting} not sent yet, which the next run sends")
        yield f"{'; '.join(told)}."
    elif report.only_reads and left:
        yield (
            f"{_wait(left)} here, as this platform is only read: --join send, or the settings of"
            " the till, sends what waits."
        )
    elif left:
        yield f"{_wait(left)} for the next run."


def _asked_lines(asked: JoiningQuestion) -> Iterator[str]:
    """Whose account it is, what each answer means, and how it is given."""
    yield (
        "Nothing was taken or sent: this shop has articles that are not from the account at"
        f" {asked.url}."
    )
    stores = "; ".join(map(str, asked.stores))
    has = f"has these stores: {stores}" if stores else "has no store yet"
    yield f"The account of the key {asked.key} {has}."
    yield (
        f"{_many(asked.listed, 'product')} there; {asked.to_send} of this shop would be added"
        f" there, {asked.same} {'agrees' if asked.same == 1 else 'agree'} by code."
    )
    changes = asked.changes
    if changes.waiting or changes.to_decide:
        yield (
            f"Of what was changed here, {_wait(changes.waiting)} to be sent, and"
            f" {_wait(changes.to_decide)} for a decision."
        )
        yield (
            "With send, an article that is not there is added as this till has it, changes and all,"
            " decided or not; one that is there is compared anew, and a person decides where both"
            " differ; a deletion of what is not there ends. With read, all of them wait here."
        )
    if changes.stores:
        yield (
            f"{_many(changes.stores, 'change')} of a store that the account does not have: with"
            " either answer it ends, as the account's stores take its place."
        )
    yield (
        "Decide in the settings of the till, with --join send or --join read, or by platform.join."
    )


class _ProgressLines:
    """Progress as lines: now and then, none for a short run."""

    def __init__(self, say: Progress) -> None:
        self._say = say
        self._told_at = time.monotonic()

    def told(self, done: int, of: int, what: str = "products") -> None:
        """Say how far it is, when it is time."""
        if time.monotonic() - self._told_at >= TELL_EACH:
            self._told_at = time.monotonic()
            self._say(f"{done} of {of} {what}")


def _text(source: Path) -> str:
    try:
        return source.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {source}.", path=str(source)) from error
    except UnicodeDecodeError as error:
        raise Invalid(f"The file {source} is not UTF-8 at byte {error.start}.") from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise NotFound(f"The file {source} can't be read: {why}.", path=str(source)) from error


def _report(done: Imported, listing: CatalogueList, *, pictures: int, seconds: float) -> SyncReport:
    return SyncReport(
        listed=done.listed,
        added=done.added,
        changed=done.changed,
        unchanged=done.unchanged,
        removed=done.removed,
        held_back=done.held_back,
        conflicts=done.conflicts,
        articles=done.articles,
        pictures=pictures,
        shared_codes=listing.shared_codes,
        odd=listing.odd_prices,
        seconds=seconds,
    )


def _now() -> datetime:
    return datetime.now(UTC)


def _pause() -> None:
    time.sleep(PAUSE)


def _step_back() -> None:
    """Tills come first: this process takes what they leave of the processor."""
    if hasattr(os, "nice"):
        os.nice(5)
