"""The identities of an installation, made once on whatever file system a shop has."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app import installed
from pos_app.adapters.data_folder.install import open_client_id, open_install
from pos_app.settings import default_data_folder


@pytest.fixture
def without_links(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Links fail as on FAT32 and exFAT. Returns a function that sets an act to run just before."""
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


# --- the product's start of its own programs, and the folder of an installed one's data ----------


def test_a_package_is_started_by_its_own_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(installed.VARIABLE, raising=False)
    command = installed.command("pos_app.adapters.x")
    assert command == (sys.executable, "-P", "-m", "pos_app.adapters.x")
    assert installed.command() == (*command[:-1], "pos_app")
    assert installed.data_folder() is None
    (tmp_path / "json.py").write_text("raise SystemExit(42)", encoding="utf-8")
    words = (*installed.command(), "--help")
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, "what lies in the current folder is not run"


def test_an_installed_product_is_started_by_its_launcher_and_shares_its_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(installed.VARIABLE, str(tmp_path / "pos-app"))
    monkeypatch.setenv("PROGRAMDATA", str(tmp_path / "ProgramData"))
    launcher = str(tmp_path / "pos-app" / "pos-app.exe")
    assert installed.command() == (launcher,)
    assert installed.command("pos_app.adapters.x") == (launcher, "-m", "pos_app.adapters.x")
    assert installed.data_folder() is None  # elsewhere the data are the user's own
    monkeypatch.setattr(sys, "platform", "win32")
    assert default_data_folder() == tmp_path / "ProgramData" / "pos-app"
