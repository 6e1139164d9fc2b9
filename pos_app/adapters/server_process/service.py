"""The mark of a data folder whose server is a service of the computer: no till starts one there.

The Windows installer writes it where it installs the service.
Source: windows.md, "Layout and behaviour".
"""

from __future__ import annotations

from pathlib import Path

from pos_app.errors import OR_SUPPORT, DataFolderNotWritable, ServerEnded

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
            raise DataFolderNotWritable(
                f"The server of {data} is a service of this computer, and this account may not"
                f" read its folder: {error}.",
                safe="The service goes on; nothing was changed.",
                do="Use a computer without the service as a till. To make this one a till, have an"
                " administrator remove the program and install it without the service; the data"
                f" stay. {OR_SUPPORT}",
                kind="service",
                path=str(data),
            ) from error


def silent_service(data: Path) -> ServerEnded:
    """Return the error of a service that does not answer: a till does not start it, so a person has
    to."""
    return ServerEnded(
        f"The server of {data} is a service of this computer, and does not answer.",
        safe="What was confirmed before is safe.",
        do='Have an administrator start the service "pos-app" in Windows, or call support.',
        kind="service",
        path=str(data / "logs" / "service.log"),
    )
