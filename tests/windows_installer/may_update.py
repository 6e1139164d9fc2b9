"""Runs inside the installed tree: tells whether the till of a data folder may begin an update.

`installed-python.exe may_update.py DATA` prints "it may", or the kind of the refusal.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pos_app.adapters.updates.elevated_start import check_installer_closes
from pos_app.errors import NotAllowed


def main() -> None:
    try:
        check_installer_closes(Path(sys.argv[1]))
        print("it may")
    except NotAllowed as error:
        print(error.kind)


if __name__ == "__main__":
    main()
