"""Runs inside the installed tree: an update that the till of a data folder begins.

`installed-python.exe update.py may DATA` tells whether it may; it prints "it may", or the kind of
the refusal. `… update.py begin DATA [PROGRAM]` installs one; it prints "started", or the kind of
the refusal. PROGRAM replaces the installer after the till checked it.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

from pos_app import settings
from pos_app.adapters.updates.elevated_start import check_installer_closes
from pos_app.adapters.updates.source import update_source
from pos_app.adapters.updates.update_channel import UpdateHttp
from pos_app.errors import PosError


def may(data: Path) -> str:
    check_installer_closes(data)
    return "it may"


def begin(data: Path, other: str = "") -> str:
    """Begin an update as `pos_app.selling.updates` does."""

    async def begun() -> str:
        channel = UpdateHttp(source=update_source(settings.load(data)), data=data)
        release = await channel.look()
        file = release.installers[channel.system]
        installer = await channel.fetch(release, file, lambda size: None)
        if other:
            shutil.copyfile(other, installer)
        await channel.start(installer)
        return "started"

    return asyncio.run(begun())


if __name__ == "__main__":
    what, data, *more = sys.argv[1:]
    try:
        print(begin(Path(data), *more) if what == "begin" else may(Path(data)))
    except PosError as error:
        print(error.kind)
