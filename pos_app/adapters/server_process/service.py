"""The mark of a data folder whose server is a service of the computer: no till starts one there.

The Windows installer writes it where it installs the service.
Source: windows.md, "Layout and behaviour".
"""

from __future__ import annotations

from pathlib import Path

from pos_app.errors import DataFolderNotWritable, ServerEnded

MARK = "server-is-a-service.txt"
"""The name is also in packaging/windows/setup.nsi."""
_READ_BY_TILL = ("install.json", "settings.toml")


def is_kept_by_service(data: Path) -> bool:
    return (data / MARK).exists()


def check_till_may_open(data: Path) -> None:
    """Raise DataFolderNotWritable where the folder is a service's and this account may not read
    what a till needs, ServerEnded where the service was never started on it."""
    if not is_kept_by_service(data):
        return
    for name in _READ_BY_TILL:
        try:
            (data / name).open("rb").close()
        except FileNotFoundError as error:
            if name == _READ_BY_TILL[0]:
                raise silent_service(data) from error
        except OSError as error:
            raise DataFolderNotWritable("service", path=str(data), why=error) from error


def silent_service(data: Path) -> ServerEnded:
    """Return the error of a silent service: a till does not start it, so a person has to."""
    return ServerEnded("service", path=str(data / "logs" / "service.log"), data=data)
