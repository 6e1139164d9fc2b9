"""The program `pos-app sync`: fills the catalogue of a data folder from a file or from its
platform.

It runs as a process of its own beside tills that sell, one at a time for each folder.
`selling.synchronisation.reports` has its output and exit codes.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TextIO

from pos_app import log
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.sqlite.catalogue import importing, rows, schema
from pos_app.adapters.sqlite.catalogue.platform_memory import is_platforms
from pos_app.bootstrap.synchronisation.platform_sync import sync_with_platform
from pos_app.characters import escaped
from pos_app.errors import (
    AlreadyRunning,
    DatabaseDamaged,
    NotAllowed,
    NotDelivered,
    OutcomeUnknown,
    PosError,
)
from pos_app.selling.catalogue.catalogue import FROM_FILE
from pos_app.selling.catalogue.product_draft import LARGE_PRICE
from pos_app.selling.synchronisation import reports
from pos_app.selling.synchronisation.joining import JoiningAnswer
from pos_app.selling.synchronisation.run import SyncEnd
from pos_app.settings import Settings

PAUSE = 0.003
"""Seconds between two commits, in which others can write or read."""
TELL_EACH = 0.5

DONE, FAILED, BAD_LIST, BUSY, WAITING, AWAY = SyncEnd

_log = log.get(__name__)

Progress = Callable[[str], None]


def run_sync(
    *, settings: Settings, source: Path, progress: Progress, accept_removals: bool = False
) -> reports.SyncReport:
    """Import the list in a file into the catalogue of `settings.data`.

    The file is {"stores": [], "units": [], "categories": [], "products": []}, each part optional,
    or a plain array of products; photos lie beside it. Raises AlreadyRunning, NotFound when there
    is no such file, Invalid naming product and field (then nothing was changed, and no new
    catalogue was made), NotAllowed where a platform's list is in use, DataFolderNotWritable,
    DiskFull.
    """
    from pos_app.adapters.catalogue_files.catalogue_list import list_text, read_list
    from pos_app.adapters.catalogue_files.catalogue_pictures import copy_pictures

    path = catalogue_file(settings.data)
    first = None if path.exists() else read_list(list_text(source), known={})
    with FolderLock(path.parent / "sync.lock", what="synchronisation"):
        began = time.monotonic()
        lines = reports.ProgressLines(progress, TELL_EACH, time.monotonic)
        connection = importing.open_for_import(path)
        try:
            take_mark_away(settings.data)
            if settings.platform.url and is_platforms(connection):
                raise _of_a_platform()
            listing = first or read_list(
                list_text(source),
                known=importing.known_digests(connection),
                text_before=partial(importing.text_before, connection),
            )
            covers, into = listing.covers.values(), path.parent / rows.FILES
            pictures = tuple(copy_pictures(covers, beside=source.parent, into=into))
            done = importing.bring_in(
                connection,
                listing,
                origin=FROM_FILE,
                pictures=pictures,
                accept_removals=accept_removals,
                now=_now,
                pace=importing.Pace(pause=_pause, report_progress=lines.tell),
            )
        finally:
            connection.close()
        return reports.SyncReport(
            **asdict(done),
            pictures=len(pictures),
            shared_codes=listing.shared_codes,
            odd=listing.odd_prices,
            large=LARGE_PRICE,
            seconds=time.monotonic() - began,
        )


def _of_a_platform() -> NotAllowed:
    """Return the refusal of a file: its ids are not the platform's, so each article would be there
    twice."""
    return NotAllowed("has_platform")


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
    """Run as a program: print progress and outcome on `out`, and return the exit code.

    source: the file, or None for the platform of the settings. as_json: each line is a JSON object,
    for the program that started it: {"step", "done", "of"} while it runs, then {"report"}, and
    {"refused", "fault"} for what prevented or ended it, the fault in a word. errors: gets the plain
    lines about faults; with None `out` gets them.
    """
    _step_back()
    voice = _voice(out, errors or out, as_json=as_json)
    is_new = not catalogue_file(settings.data).exists()
    try:
        if source is None:
            code = _with_platform(settings, voice, accept_removals=accept_removals, join=join)
        else:
            reports.report_unheard(voice, join)
            code = _with_file(settings, source, voice, accept_removals=accept_removals)
    except PosError as error:
        if isinstance(error, DatabaseDamaged):  # the catalogue's: no other database is opened
            error.reworded(do=schema.IF_DAMAGED)
        _note_end(error)
        return reports.report_fault(voice, error)
    if is_new:
        reports.report_first(voice, settings.data)
    return code


def _note_end(error: PosError) -> None:
    """Log why a run ended. A platform that is away, and another run, pass by themselves. Such an
    end comes before anything was sent, so no outcome is unknown."""
    is_away = isinstance(error, NotDelivered | OutcomeUnknown)
    level = logging.WARNING if is_away or isinstance(error, AlreadyRunning) else logging.ERROR
    code = NotDelivered.code if is_away else error.code
    _log.log(level, "synchronisation failed", extra={"fields": {"code": code}})


def _with_file(
    settings: Settings, source: Path, voice: reports.Voice, *, accept_removals: bool
) -> int:
    report = run_sync(
        settings=settings, source=source, progress=voice.tell, accept_removals=accept_removals
    )
    for text_line in report.lines():
        voice.tell(text_line)
    return report.end


def _with_platform(
    settings: Settings, voice: reports.Voice, *, accept_removals: bool, join: JoiningAnswer | None
) -> int:
    report = sync_with_platform(
        settings=settings,
        now=_now,
        pause=_pause,
        report_progress=voice.step,
        accept_removals=accept_removals,
        join=join,
    )
    voice.report(report)
    return report.end


def _voice(out: TextIO, errors: TextIO, *, as_json: bool) -> reports.Voice:
    def write(to: TextIO, text_line: str) -> None:
        to.write(f"{text_line}\n")
        to.flush()

    def plain(to: TextIO, text_line: str) -> None:
        write(to, escaped(text_line))  # the names in it are foreign

    def members(line: Mapping[str, object]) -> None:
        write(out, json.dumps(line, ensure_ascii=False))

    if as_json:
        return reports.MembersVoice(members, TELL_EACH, time.monotonic)
    return reports.PlainVoice(
        partial(plain, out), partial(plain, errors), TELL_EACH, time.monotonic
    )


def _now() -> datetime:
    return datetime.now(UTC)


def _pause() -> None:
    time.sleep(PAUSE)


def _step_back() -> None:
    """Let tills have the computer's processor first."""
    if hasattr(os, "nice"):
        os.nice(5)
