"""The program `pos-app upgrade`, which brings a shop's databases to this version, or leaves them as
before (`adapters.sqlite.shop_upgrade`)."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from pos_app import __version__, settings
from pos_app.adapters.data_folder.first_start_file import shops_in
from pos_app.adapters.data_folder.private_files import mend
from pos_app.adapters.data_folder.upgrade_mark import note_version
from pos_app.adapters.sqlite.shop_databases import databases
from pos_app.adapters.sqlite.shop_upgrade import bring_to_this_version, put_back_broken_off
from pos_app.bootstrap.commands.alone import alone
from pos_app.bootstrap.commands.stop import BUSY
from pos_app.errors import AlreadyRunning, MachineError, PosError

DONE, PUT_BACK = 0, 20
"""Exit codes: everything is at this version · the databases could not be upgraded, and are as
before."""


def upgrade_command(data: Path, *, out: TextIO) -> int:
    """Upgrade the folder and its demo, print the outcome in words, and return the exit code."""
    try:
        settings.check_folder(data)
        with ExitStack() as nobody:
            for folder in shops_in(data):
                nobody.enter_context(alone(folder))
            mend(data)
            parts = [upgrade(folder) for folder in shops_in(data)]
    except AlreadyRunning as error:
        print(error, file=out)
        return BUSY
    except PosError as error:
        about = f"{error.file}: " if isinstance(error, MachineError) and error.file else ""
        print(f"{about}{error} The shop's data are as they were before.", file=out)
        return PUT_BACK
    print("\n".join(parts), file=out)
    return DONE


def upgrade(data: Path) -> str:
    """Bring all databases to this version; return in words what was done. No program may run on the
    folder. Raises MachineError; everything is then as it was."""
    put_back_broken_off(data)
    settings.load(data)
    found = [one for one in databases() if (data / one.path).exists()]
    if not found:
        return f"There is nothing to upgrade in {data}."
    copies = bring_to_this_version(data, found)
    note_version(data)
    return f"The databases in {data} are at version {__version__}; copies are in {copies}."
