"""The product's start of its own programs, and the folder of an installed one's data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pos_app import installed
from pos_app.settings import default_data_folder


def test_a_package_is_started_by_its_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(installed.VARIABLE, raising=False)
    command = installed.command("pos_app.adapters.x")
    assert command == (sys.executable, "-P", "-m", "pos_app.adapters.x")
    assert installed.command() == (*command[:-1], "pos_app")
    assert installed.data_folder() is None


def test_what_lies_in_the_current_folder_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(42)", encoding="utf-8")
    words = (*installed.command(), "--help")
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=False).returncode == 0


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
