"""The program `pos-app check`: whether the files of a data folder are whole, in words; who can open
its secrets, and how long the processor's certificate is valid.

While a till or server runs its file is only read, as where nothing can be written; else an index
that is damaged is made anew.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TextIO

import apsw

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.sqlite.checksums import take_over
from pos_app.adapters.sqlite.contents import contradictions
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.integrity import faults_of, rebuild_indexes
from pos_app.adapters.sqlite.read_only import can_be_written, readable
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.domain.certificate import ends_soon
from pos_app.errors import AlreadyRunning, MachineError

WHOLE, DAMAGED = 0, 1
"""Exit codes: every file that is there is whole, or was made so · one is not."""


_RESTORE = "Stop the programs, move it away and restore a backup."
_SYNC = 'Move it away; "pos-app sync" makes a new one.'


def check_command(data: Path, *, out: TextIO) -> int:
    """Read each file whole and print a line for each; the exit code."""
    results = [_checked(database, data, out) for database in databases()]
    results.append(_platform_checked(data, out))
    return WHOLE if all((*results, _secrets_checked(data, out))) else DAMAGED


def _platform_checked(data: Path, out: TextIO) -> bool:
    """The database of a platform that is hosted here; nothing is said where there is none."""
    path = data / "platform" / "platform.db"
    if not path.exists():
        return True
    from pos_app.platform_api.database.damage import found
    from pos_app.platform_api.database.lost_log import LOST, is_without_log

    name = path.relative_to(data)
    is_lost = is_without_log(path)
    try:
        with readable(path) as file:
            faults = found(file)
    except MachineError as error:
        faults = [error.what]
    for fault in faults:
        print(f"{name}: damaged: {fault}", file=out)
    if is_lost and not faults:
        print(f"{name}: {LOST}.", file=out)
    cure = "Stop the platform, move it away and restore a backup." if faults else "whole."
    print(f"{name}: {cure}", file=out)
    return not faults


def _secrets_checked(data: Path, out: TextIO) -> bool:
    """Nothing is said where there are none. A certificate that ends is no fault of a file."""
    from pos_app.adapters.pfr.certificate import CertificateWrong
    from pos_app.adapters.secrets.reading import who_can_open
    from pos_app.bootstrap.issuing.processor_access import stored_certificate

    try:
        if words := who_can_open(data):
            print(f"secrets.sealed: {words}", file=out)
        certificate = stored_certificate(data)
    except (MachineError, CertificateWrong) as error:
        print(f"secrets: {error.what}", file=out)
        return False
    if certificate is not None:
        facts, now = certificate.facts, SystemClock().now()
        left = f"{facts.days_left(now)} days left" if now < facts.expires else "it has ended"
        more = ": ask for a new one." if ends_soon(facts.expires, now) else "."
        told = f"{facts.uid}, valid until {facts.expires:%Y-%m-%d}, {left}{more}"
        print(f"certificate of the processor: {told}", file=out)
    return True


def _checked(database: ShopDatabase, data: Path, out: TextIO) -> bool:
    name, path = database.path, data / database.path
    if not path.exists():
        print(f"{name}: not there.", file=out)
        return True
    is_writable = can_be_written(path)
    with ExitStack() as stack:
        is_ours = is_writable and _is_ours(database, data, stack)
        faults = _faults(database, path, out, is_ours=is_ours)
    if not faults:
        print(f"{name}: whole.", file=out)
        return True
    for fault in faults:
        print(f"{name}: damaged: {fault}", file=out)
    hint = ""
    if not is_writable:
        hint = "Nothing can be written there, so it was only read. "
    elif database.lock is not None and not is_ours:
        hint = "A program has it open, so it was only read. "
    print(f"{name}: {hint}{_SYNC if database.comes_again else _RESTORE}", file=out)
    return False


def _faults(database: ShopDatabase, path: Path, out: TextIO, *, is_ours: bool) -> list[str]:
    """What is wrong with the file, in words. is_ours: indexes are made anew."""
    contradicted = partial(
        contradictions, migrations=database.migrations, contents=database.contents
    )
    try:
        with readable(path) as file:
            if is_ours or file != path:
                take_over(file, contradicted)
            with closing(open_reader(file)) as connection:
                faults = faults_of(connection)
                if faults and is_ours:
                    connection.pragma("query_only", False)
                    if rebuild_indexes(connection):
                        words = "an index was damaged; it was made anew from its table."
                        print(f"{database.path}: {words}", file=out)
                        faults = []
                return faults or contradicted(connection)
    except MachineError as error:
        return [error.what]
    except (OSError, apsw.Error) as error:
        return [str(error)]


def _is_ours(database: ShopDatabase, data: Path, stack: ExitStack) -> bool:
    """Whether no other program writes it until the stack is closed."""
    if database.lock is None:
        return False
    try:
        stack.enter_context(FolderLock(data / database.lock, what="program"))
    except AlreadyRunning:
        return False
    return True
