"""The program `pos-app forget-pin`: a manager who forgot the PIN chooses another.

Every user with write access to the data folder may do so; the till has to be closed.
"""

from __future__ import annotations

from contextlib import closing
from typing import TextIO

from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.upgrade_mark import take_mark_away
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.settings import Settings


def forget_pin(settings: Settings, *, out: TextIO) -> int:
    """Forget the PIN, print that it is forgotten, and return the exit code. Raises AlreadyRunning,
    and what databases raise."""
    folder = settings.data / "till"
    if not (folder / FILE_NAME).exists():
        print("There is no till in this data folder.", file=out)
        return 1
    install = open_install(settings.data, environment=settings.environment)
    with closing(open_till(folder, till_id=install.till_id)) as database:
        take_mark_away(settings.data)
        if not database.manager.is_set():
            print("This till has no manager's PIN.", file=out)
            return 0
        database.manager.forget()
    print("The manager's PIN is forgotten. The till asks for a new one.", file=out)
    return 0
