"""Runs inside the installed tree: installs an update as a till of a data folder does.

`installed-python.exe begin_update.py DATA [PROGRAM]` prints "started", or the kind of the refusal.
PROGRAM replaces the installer after the till checked it.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

from pos_app import settings
from pos_app.adapters.updates.source import update_source
from pos_app.adapters.updates.update_channel import UpdateHttp
from pos_app.errors import PosError


async def begin(data: Path, other: str = "") -> None:
    """Begin an update as `pos_app.selling.updates` does."""
    channel = UpdateHttp(source=update_source(settings.load(data)), data=data)
    release = await channel.look()
    file = release.installers[channel.system]
    installer = await channel.fetch(release, file, lambda size: None)
    if other:
        shutil.copyfile(other, installer)
    await channel.start(installer)


def main() -> None:
    try:
        asyncio.run(begin(Path(sys.argv[1]), *sys.argv[2:]))
        print("started")
    except PosError as error:
        print(error.kind)


if __name__ == "__main__":
    main()
