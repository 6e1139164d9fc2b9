"""The programs `pos-app backup` and `pos-app restore`, which make a set of copies or put a set
back. When a manager asks the till for a restore, the set is put back in the same way once the till
is closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TextIO

from pos_app import settings
from pos_app.adapters.backup import restoring
from pos_app.adapters.backup.making import LEDGER, make_set, yield_to_others
from pos_app.adapters.backup.sets import found_sets, last_try, second_folder
from pos_app.adapters.data_folder.private_files import mend
from pos_app.adapters.data_folder.upgrade_mark import RESTORE_MARK
from pos_app.adapters.sqlite.shop_upgrade import put_back_broken_off
from pos_app.bootstrap.commands.alone import alone
from pos_app.bootstrap.commands.stop import stop_left_over
from pos_app.domain.setup.backup import BackupSet, BackupWhy, Lacking
from pos_app.domain.text.counted import counted
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import AlreadyRunning, MachineError, NotAllowed
from pos_app.selling.backups import AskedBack
from pos_app.settings import Settings

DONE, WARNED, ASKED, BUSY = 0, 4, 3, 10
"""Exit codes: done · done, but not in the second folder · nothing was changed, because something
would be missing and nobody allowed it · a program runs, and nothing was changed."""
ACCEPT = "--accept-missing"
_END_SECONDS = 20.0
_LOOK_SECONDS = 0.1
_SEALED_ELSEWHERE = (
    "The sealed secrets of the backup can't be opened here and are not put back: type in anew what"
    " this shop has of them (the processor's certificate with its PAC, the platform's secret, the"
    " mail password)."
)
_KEPT_SETTINGS = (
    "The settings that stand here stay, and those of the backup are others and are not put back."
    " To put them in their place: the same command with --only settings."
)


def backup_command(shop: Settings, *, out: TextIO) -> int:
    """Make a set, print where it is, and return the exit code. Raises what `make_set` does."""
    yield_to_others()
    made = make_set(shop.data, BackupWhy.HAND, folder=shop.backup.folder, shop=shop.till.name)
    tried = last_try(shop.data)
    second = "" if tried is None else tried.second_words
    print(f"Backup: {made}", file=out)
    if second:
        print(f"It is not in the second place ({shop.backup.folder}): {second}.", file=out)
        return WARNED
    return DONE


def restore_command(
    data: Path, given: str | None, *, only: Sequence[str], accepted: bool, out: TextIO
) -> int:
    """Put a set back, or list the existing sets; return the exit code. given: the name or path of
    the set. Raises PosError where nothing was changed."""
    folder = _second_folder(data)
    if given is None:
        _list(found_sets(data, folder), out)
        return DONE
    settings.check_folder(data)
    try:
        with alone(data):
            put_back_broken_off(data)
            path = restoring.find_set(data, given, _second(data, folder))
            planned = _planned(data, path, only, out)
            _tell(planned, out)
            if not planned.lacking.is_nothing and not accepted:
                print(
                    f"Nothing was changed. To put it back all the same: the same command with"
                    f" {ACCEPT}.",
                    file=out,
                )
                return ASKED
            data.mkdir(parents=True, exist_ok=True)
            aside = restoring.carry_out(data, planned)
            mend(data)
    except AlreadyRunning as error:
        print(error, file=out)
        return BUSY
    with suppress(OSError):  # the restore is done, even where a full disk takes no log
        if aside is not None:
            print(f"What stood there is kept in {aside}. Delete nothing of it.", file=out)
        print(f"The backup of {_when(planned.manifest.made_at)} is put back in {data}.", file=out)
        if planned.outlook.seals_secrets:
            print(_SEALED_ELSEWHERE, file=out)
        if planned.outlook.keeps_settings:
            print(_KEPT_SETTINGS, file=out)
    return DONE


def _planned(data: Path, path: Path, only: Sequence[str], out: TextIO) -> restoring.RestorePlan:
    """Raises what `restoring.plan` does; of another shop it is told before what it has."""
    try:
        return restoring.plan(data, path, only)
    except NotAllowed as refused:
        held = refused.values.get("held")
        if isinstance(held, Lacking):
            print(f"In {data} stand:", file=out)
            _list_lacking(held, out)
        raise


def put_back(data: Path, asked: AskedBack, report_progress: Callable[[int, int], None]) -> None:
    """Carry out a manager's restore from the till, which is closed by now. report_progress: called
    with the bytes read and copied, and with all bytes. Raises PosError; nothing was changed then,
    unless the folder has the mark of a restore."""
    stop_left_over(data, wait=_END_SECONDS)
    with ExitStack() as nobody:
        _wait_alone(data, nobody)
        put_back_broken_off(data)
        planned = restoring.plan(
            data,
            Path(asked.folder),
            (),
            report_progress=lambda done, whole: report_progress(done, 2 * whole),
        )
        _check_accepted(planned.lacking, asked.lacking)
        read = planned.manifest.size
        restoring.carry_out(
            data,
            planned,
            asked=asked,
            report_progress=lambda done, whole: report_progress(read + done, read + whole),
        )
        mend(data)


def _wait_alone(data: Path, nobody: ExitStack) -> None:
    """Wait for the till's programs to end. Raises AlreadyRunning."""
    until = time.monotonic() + _END_SECONDS
    while True:
        try:
            nobody.enter_context(alone(data))
        except AlreadyRunning:
            if time.monotonic() >= until:
                raise
            time.sleep(_LOOK_SECONDS)
        else:
            return


def _check_accepted(lacking: Lacking, accepted: Lacking) -> None:
    """Refuse where more would be missing than a person accepted. New rows of acts don't count.
    Raises NotAllowed."""
    if lacking.is_owed or replace(lacking, acts=0) != replace(accepted, acts=0):
        raise NotAllowed("newer_than_told")


def finish_restore(data: Path) -> None:
    """Continue an interrupted restore, which a person confirmed and which is half done. Raises
    AlreadyRunning, DataFolderNotWritable."""
    if (data / RESTORE_MARK).exists():
        with alone(data):
            restoring.go_on(data)


def _second_folder(data: Path) -> str:
    """Return the setting, or "" where it can't be read: a restore may be meant to mend the
    settings."""
    try:
        return settings.load(data).backup.folder
    except MachineError:
        return ""


def _second(data: Path, folder: str) -> Path | None:
    try:
        return second_folder(data, folder)
    except MachineError:
        return None


# --- told ----------------------------------------------------------------------------------------


def _when(moment: datetime | None) -> str:
    return "" if moment is None else in_belgrade(moment).strftime("%Y-%m-%d %H:%M:%S")


def _list(sets: Sequence[BackupSet], out: TextIO) -> None:
    if not sets:
        print("There are no backups. To make one: pos-app backup", file=out)
        return
    for one in sets:
        holds = ""
        if one.holds is not None:
            receipts = counted(one.holds.receipts, "receipt")
            holds = f", {receipts}, {counted(one.holds.sales, 'sale')}"
            holds += f" ({one.holds.waiting} waiting)" if one.holds.waiting else ""
        size = f"{one.size / 1e6:.1f} MB"
        print(f"{_when(one.made_at)}  {one.folder}  ({one.why}, {size}{holds})", file=out)


def _tell(planned: restoring.RestorePlan, out: TextIO) -> None:
    manifest, lacking = planned.manifest, planned.lacking
    print(
        f"The backup of {_when(manifest.made_at)} (version {manifest.version}) is whole.", file=out
    )
    if many := lacking.taken_along:
        one = "sale that was paid and has no receipt yet goes along, and is sent."
        more = "sales that were paid and have no receipt yet go along, and are sent."
        print(counted(many, one, more), file=out)
    if lacking.is_nothing:
        return
    print("What is here now is newer. With the backup in its place will be missing:", file=out)
    _list_lacking(lacking, out, with_processor=LEDGER in planned.names)


def _list_lacking(lacking: Lacking, out: TextIO, *, with_processor: bool = False) -> None:
    for words in lacking_words(lacking, with_processor=with_processor):
        print(f"- {words}", file=out)


def _span(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def lacking_words(lacking: Lacking, *, with_processor: bool = False) -> list[str]:
    """List everything that would be missing, in English. with_processor: the set puts the
    development processor back too, which then has not signed the receipts either."""
    where = "only" if with_processor else "at the processor and"
    parts = []
    if lacking.receipts:
        first, last = _when(lacking.first_receipt), _when(lacking.last_receipt)
        one, many = "receipt that was signed", "receipts that were signed"
        parts.append(
            f"{counted(lacking.receipts, one, many)} ({_span(first, last)}):"
            f" {'it exists' if lacking.receipts == 1 else 'they exist'} {where}"
            " on paper, and can't be looked up, refunded or printed here any more"
        )
    if lacking.doubts:
        one = "receipt of which nobody knows yet whether it was signed"
        many = "receipts of which nobody knows yet whether they were signed"
        parts.append(counted(lacking.doubts, one, many))
    if lacking.sales:
        one, many = "sale that was confirmed", "sales that were confirmed"
        numbers = _span(str(lacking.first_sale), str(lacking.last_sale))
        word = "number" if lacking.sales == 1 else "numbers"
        parts.append(f"{counted(lacking.sales, one, many)} at the till ({word} {numbers})")
    if lacking.waiting:
        one = "OF THEM HAS NO RECEIPT YET: it was paid, and nobody will send it any more"
        many = "OF THEM HAVE NO RECEIPT YET: they were paid, and nobody will send them any more"
        parts.append(counted(lacking.waiting, one, many))
    parts += [counted(*one) for one in _further_counts(lacking) if one[0]]
    parts += [
        f"all that is in {name}: it can't be read, so nobody can count it"
        for name in lacking.unread
    ]
    return parts


def _further_counts(lacking: Lacking) -> tuple[tuple[int, str, str], ...]:
    """Return each further count, with the words for one and for many of it."""
    return (
        (lacking.carts, "open or suspended cart", ""),
        (lacking.shifts, "opening, count or closing of a shift",
         "openings, counts and closings of shifts"),
        (lacking.cash_moves, "time that cash was put in or taken out",
         "times that cash was put in or taken out"),
        (lacking.collected, "entry of money that came in later",
         "entries of money that came in later"),
        (lacking.acts, "row of what was done at the till", "rows of what was done at the till"),
        (lacking.edits, "change of an article", "changes of articles"),
        (lacking.planned_prices, "change of a planned price", "changes of planned prices"),
        (lacking.names, "change of a unit or category", "changes of units and categories"),
        (lacking.buyers, "change of a firm in the buyers' book",
         "changes of firms in the buyers' book"),
        (lacking.stores, "change of a store", "changes of stores"),
        (lacking.labels, "print of a price label", "prints of price labels"),
        (lacking.people, "change of a person, with PIN and badge",
         "changes of people, with their PINs and badges"),
        (lacking.rights, "change of rights", "changes of rights"),
        (lacking.decisions, "decision of a manager", "decisions of a manager"),
    )  # fmt: skip
