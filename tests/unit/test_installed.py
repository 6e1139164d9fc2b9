"""How the product starts its own programs, and where an installed one keeps its data."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pos_app import installed
from pos_app.settings import default_data_folder


def test_a_package_is_started_by_its_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(installed.VARIABLE, raising=False)
    assert installed.command() == (sys.executable, "-m", "pos_app")
    assert installed.command("pos_app.adapters.x") == (sys.executable, "-m", "pos_app.adapters.x")
    assert installed.data_folder() is None


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
