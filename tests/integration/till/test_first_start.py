"""The first start of a till's folder: who has one, what it remembers, and the till opened again;
and what its first scan waits for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder import DEMO
from pos_app.adapters.data_folder.first_start_file import NAME, FirstStartFile, shops_in
from pos_app.adapters.data_folder.install import open_install
from pos_app.bootstrap.commands.stop import STOPPED
from pos_app.bootstrap.till.till import CashierInSettings, DisplayInSettings, FirstStartHere
from pos_app.cashier.services.display_setup import DisplaySetup
from pos_app.selling.first_start import FirstStart, ShopChoice
from pos_app.selling.sale.cashier_setup import CashierSetup
from tests.e2e.nursery import Life, door
from tests.integration.test_server_program import run
from tests.integration.till.test_stop import STANDING
from tests.ports import free_ports
from tests.sweep import each

ROOT = Path(__file__).parents[3]
OPENING = "tests.integration.till.opening_till"


def test_the_demo_opens_in_place_of_the_question_and_at_each_start_after(tmp_path: Path) -> None:
    empty, covered = "meanwhile []\n", "meanwhile ['Каса се отвара …']\n"
    for told in (f"{empty}asks\n{covered}sells True True\n", f"{empty}sells True True\n"):
        till = Life(door(), ["-m", OPENING, str(tmp_path)], env=os.environ)
        assert (till.communicate(120)[0], till.wait()) == (told, 0)
    assert shops_in(tmp_path) == (tmp_path, tmp_path / DEMO)
    stopped = run("stop", "--data", str(tmp_path))
    assert stopped.returncode == STOPPED
    assert str(tmp_path / DEMO) in stopped.stdout


def test_a_folder_with_a_shop_is_not_asked(tmp_path: Path) -> None:
    open_install(tmp_path, environment="production")
    first = FirstStartHere(settings.load(tmp_path))
    assert not first.read().is_wanted
    assert not (tmp_path / NAME).exists()
    assert first.shop().data == tmp_path


@each("content", ["", "{", '{"choice": "x"}', "[]", "null", '{"choice": 1}'])
def test_a_file_that_can_t_be_read_keeps_no_shop_from_selling(tmp_path: Path, content: str) -> None:
    (tmp_path / NAME).write_text(content)
    assert not FirstStartFile(tmp_path).read().is_wanted


def test_who_sells_and_vat_are_in_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings from the environment are not written, because they would still win."""
    kept_in = CashierInSettings(tmp_path)
    for name, in_vat in (("Мира", False), ("Пера", True)):
        kept_in.save(CashierSetup(name, in_vat=in_vat))
        read = settings.load(tmp_path)
        assert (read.till.cashier, read.esir.in_vat) == (name, in_vat)
    monkeypatch.setenv("POS_APP_TILL__CASHIER", "Ана")
    assert kept_in.given_elsewhere() == ("till.cashier",)
    kept_in.save(CashierSetup("Нико", in_vat=False))
    read = settings.load(tmp_path)
    assert (read.till.cashier, read.esir.in_vat) == ("Ана", False)
    assert "Нико" not in (tmp_path / settings.FILE_NAME).read_text("utf-8")


def test_where_the_customer_display_stands_is_kept_in_the_settings(tmp_path: Path) -> None:
    kept_in = DisplayInSettings(tmp_path)
    for setup, kept in (
        (DisplaySetup("KUPAC", "slike", "dark"), ("KUPAC", "slike", "dark")),
        (DisplaySetup("DELL"), ("DELL", "", "till")),
    ):
        kept_in.save(setup)
        read = settings.load(tmp_path).customer_display
        assert (read.monitor, read.pictures, read.theme) == kept


def test_the_language_is_kept_in_the_settings(tmp_path: Path) -> None:
    FirstStartHere(settings.load(tmp_path)).keep_language("sr-Latn")
    assert settings.load(tmp_path).till.language == "sr-Latn"


@pytest.mark.parametrize("language", ["sr-Latn", "en"])
def test_first_start_and_demo_speak_as_the_setup_did(tmp_path: Path, language: str) -> None:
    """The setup writes the language into a data folder without settings."""
    setup = (ROOT / "packaging/windows/setup.nsi").read_text("utf-8")
    assert f'StrCpy $0 "{language}"' in setup
    (written,) = re.findall(r"""FileWrite \$1 '(\[till\].*)'""", setup)
    words = written.replace(r"$\n", "\n").replace("$0", language)
    (tmp_path / settings.FILE_NAME).write_text(words, "ascii")
    first = FirstStartHere(settings.load(tmp_path))
    assert first.read().is_wanted
    assert first.shop().till.language == language
    first.save(FirstStart(ShopChoice.DEMO))
    assert first.shop().till.language == language
    CashierInSettings(tmp_path).save(CashierSetup("Мира", in_vat=True))
    assert settings.load(tmp_path).till.language == language


# --- the first scan -------------------------------------------------------------------------------


def test_the_first_scan_waits_for_no_shape_and_no_http(tmp_path: Path) -> None:
    """The till has a Python of its own, since a fork of the nursery has loaded everything."""
    assert run("demo", "--prepare", "--data", str(tmp_path)).returncode == 0
    (port,) = free_ports(1)
    with (tmp_path / "settings.toml").open("a") as file:
        file.write(f"\n[server]\nport = {port}\n")
    words = [sys.executable, "-m", STANDING, str(tmp_path), "cart"]
    till = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        word, total, *loaded = till.stdout.readline().split()
    finally:
        till.terminate()
        till.communicate(timeout=30)
    assert word == "stands"
    assert total != "0.00"
    assert loaded == []
