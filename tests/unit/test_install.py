"""The identities of an installation, made once on whatever file system a shop has."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.adapters.data_folder.install import open_client_id, open_install


@pytest.fixture
def without_links(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Let links fail as on FAT32 and exFAT. Returns a function that sets an act to run just
    before."""
    came: list[Callable[[], object]] = []

    def refused(_: Path, __: Path) -> None:
        for one in came:
            one()
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refused)
    return came.append


@pytest.mark.usefixtures("without_links")
def test_a_disk_without_links_can_hold_a_shop(folder: Path) -> None:
    made = open_install(folder, environment="demo")
    assert open_install(folder, environment="demo") == made
    assert open_client_id(folder) == open_client_id(folder)
    assert sorted(file.name for file in folder.iterdir()) == ["client.json", "install.json"]


def test_who_came_first_there_is_not_replaced(
    folder: Path, without_links: Callable[[Callable[[], object]], None]
) -> None:
    first = b'{"client_id": "7d1c3a52-4c0b-4f0e-9d0a-1f2e3d4c5b6a"}'
    without_links(lambda: (folder / "client.json").write_bytes(first))
    assert open_client_id(folder) == "7d1c3a52-4c0b-4f0e-9d0a-1f2e3d4c5b6a"
    assert [file.name for file in folder.iterdir()] == ["client.json"]
