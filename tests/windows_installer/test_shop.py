"""A shop's computer: installed, used, upgraded while the till runs, removed; in this order."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import httpx
from PIL import ImageGrab

from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
from tests.e2e.shop import sale
from tests.fakes.no_tls import NO_TLS
from tests.ports import free_port
from tests.windows_installer import wine
from tests.windows_installer.wine import Windows

PARTS = {"app", "lib", "licences", "python"} | {
    *("pos-app.exe", "pos-app-till.exe", "pos-app-service.exe", "uninstall.exe")
}
DATA = r"C:\ProgramData\pos-app"


def version_of(program: Path) -> str:
    content = program.read_bytes()
    key = "ProductVersion\0".encode("utf-16-le")
    text = content[content.rindex(key) + len(key) :][:80].decode("utf-16-le", "ignore")
    return text.lstrip("\0").partition("\0")[0]


def tree(folder: Path) -> dict[str, int]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.stat().st_size for path in files}


def menu(windows: Windows) -> Path:
    return windows.disk / "ProgramData/Microsoft/Windows/Start Menu/Programs/pos-app.lnk"


def colours_on(display: str) -> int:
    """The number of colours on a screen: an empty one has one, a till's some hundreds."""
    colours = ImageGrab.grab(xdisplay=display).convert("RGB").getcolors(1 << 24)
    return len(colours or ())


def receipts(data: Path, *, file: str = "journal/journal.db") -> int:
    connection = apsw.Connection(str(data / file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        (count,) = next(connection.execute("SELECT count(*) FROM receipts"))
    finally:
        connection.close()
    assert isinstance(count, int)
    return count


def open_shop(windows: Windows, data: Path) -> None:
    """A demo shop in a folder of disk C:, its server at a port of the tests' own."""
    place = "C:\\" + str(data.relative_to(windows.disk)).replace("/", "\\")
    assert windows.run("pos-app.exe", "demo", "--prepare", "--data", place).returncode == 0
    with (data / "settings.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[server]\nport = {free_port()}\n")


def port_of(data: Path) -> int:
    found = re.search(r"^port = (\d+)", (data / "settings.toml").read_text("utf-8"), re.MULTILINE)
    assert found
    return int(found[1])


def answers(data: Path) -> bool:
    try:
        httpx.get(f"http://127.0.0.1:{port_of(data)}/", verify=NO_TLS, timeout=60)
    except httpx.TransportError:
        return False
    return True


@contextmanager
def open_till(windows: Windows, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """The till of the shop in `windows.data`, whose server answers."""
    with windows.running("pos-app-till.exe", *words) as till:
        wine.wait_until(lambda: answers(windows.data))
        yield till


@contextmanager
def broken_journal(windows: Windows) -> Iterator[None]:
    """Data that no version can bring along."""
    journal = windows.data / "journal/journal.db"
    kept = journal.read_bytes()
    journal.write_bytes(b"no database" * 1000)
    try:
        yield
    finally:
        journal.write_bytes(kept)


def test_it_is_installed_without_a_question(windows: Windows, old_setup: Path) -> None:
    assert windows.setup(old_setup) == 0
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    for name in PARTS:
        if name.startswith("pos-app"):
            assert version_of(windows.installed / name) == wine.OLD_VERSION, name
    assert windows.run("pos-app.exe", "--version").stdout.split() == ["pos-app", wine.OLD_VERSION]
    assert any((windows.installed / "app/pos_app/__pycache__").iterdir())
    assert (windows.installed / "licences/sbom.cdx.json").is_file()
    assert {path.name for path in windows.data.iterdir()} == {"till", "catalogue", "journal"}
    assert menu(windows).is_file()
    assert (windows.disk / "users/Public/Desktop/pos-app.lnk").is_file()
    assert windows.registry(wine.UNINSTALL, "DisplayVersion") == wine.OLD_VERSION
    assert windows.registry(wine.SOFTWARE, "Data") == DATA


def test_the_icon_opens_the_till_and_its_server_issues_receipts(
    windows: Windows, pictures: Path, display: str
) -> None:
    open_shop(windows, windows.data)
    with open_till(windows) as till:
        receipt(windows, "first-of-this-shop")
        wine.wait_until(lambda: colours_on(display) > 500)
        ImageGrab.grab(xdisplay=display).save(pictures / "till.png")
        assert till.poll() is None
        assert (windows.run("pos-app.exe", "stop").returncode, till.wait(wine.PATIENCE)) == (0, 0)
    assert receipts(windows.data) == 1


def receipt(windows: Windows, key: str) -> None:
    """Have the installed server issue a receipt. Raises when it does not."""
    asked = sale(2, receiptDelivery={"pdf": True})
    address = f"http://127.0.0.1:{port_of(windows.data)}/fiscalization/receipts"
    headers = {"Idempotency-Key": key}
    end = time.monotonic() + wine.PATIENCE
    while True:
        answer = httpx.post(address, json=asked, headers=headers, verify=NO_TLS, timeout=30)
        if answer.status_code == 200 or time.monotonic() > end:
            break
        time.sleep(1)
    assert answer.status_code == 200, answer.text
    assert answer.json()["verificationUrl"].startswith("https://sandbox.suf.purs.gov.rs/v/")


def test_while_the_till_runs_a_silent_upgrade_changes_nothing(
    windows: Windows, new_setup: Path
) -> None:
    before = tree(windows.installed)
    with open_till(windows) as till:
        assert windows.setup(new_setup) == 10
        assert till.poll() is None
        assert answers(windows.data)
    assert tree(windows.installed) == before
    assert windows.registry(wine.SOFTWARE, "Version") == wine.OLD_VERSION


def test_when_the_data_can_not_be_brought_along_the_old_version_comes_back(
    windows: Windows, new_setup: Path
) -> None:
    before = tree(windows.installed)
    with broken_journal(windows):
        assert windows.setup(new_setup) == 20
    assert tree(windows.installed) == before
    assert windows.registry(wine.SOFTWARE, "Version") == wine.OLD_VERSION
    assert windows.run("pos-app.exe", "check", "--data", DATA).returncode == 0


def test_what_the_power_took_in_the_middle_is_put_back_first(
    windows: Windows, new_setup: Path
) -> None:
    """The old version lies aside, and half of the new one is there."""
    before = tree(windows.installed)
    aside = windows.installed / "old"
    aside.mkdir()
    for part in PARTS:
        (windows.installed / part).rename(aside / part)
    (windows.installed / "lib").mkdir()
    (windows.installed / "lib" / "half.py").write_text("half")
    with broken_journal(windows):  # so that the old version remains visible
        assert windows.setup(new_setup) == 20
    assert tree(windows.installed) == before


def test_with_a_second_shop_open_close_closes_neither(windows: Windows, new_setup: Path) -> None:
    second = windows.disk / "second"
    open_shop(windows, second)
    before = tree(windows.installed)
    with (
        windows.running("pos-app-till.exe") as till,
        windows.running("pos-app-till.exe", "--data", r"C:\second") as other,
    ):
        wine.wait_until(lambda: answers(windows.data) and answers(second))
        assert windows.setup(new_setup, "/CLOSE") == 10
        assert (till.poll(), other.poll()) == (None, None)
        assert answers(windows.data)
        assert answers(second)
    assert tree(windows.installed) == before


def test_a_till_that_was_closed_for_an_upgrade_that_failed_is_opened_again(
    windows: Windows, new_setup: Path
) -> None:
    in_the_way = windows.data / "backups"  # where the copies of the databases are wanted
    assert not in_the_way.exists()
    with open_till(windows) as till:
        in_the_way.write_text("a file")
        assert (windows.setup(new_setup, "/CLOSE"), till.wait(wine.PATIENCE)) == (20, 0)
    in_the_way.unlink()
    wine.wait_until(lambda: answers(windows.data))
    assert windows.registry(wine.SOFTWARE, "Version") == wine.OLD_VERSION
    assert windows.run("pos-app.exe", "stop").returncode == 0


def test_with_close_it_is_upgraded_while_the_till_runs(windows: Windows, new_setup: Path) -> None:
    (menu(windows)).unlink()  # by a person who wants no entry there
    with open_till(windows) as till:
        assert (windows.setup(new_setup, "/CLOSE"), till.wait(wine.PATIENCE)) == (0, 0)
    version = windows.run("pos-app.exe", "--version").stdout.split()[1]
    assert version != wine.OLD_VERSION
    assert windows.registry(wine.SOFTWARE, "Version") == version
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    assert not menu(windows).exists()
    assert receipts(windows.data) == 1
    with open_till(windows):
        receipt(windows, "first-of-the-new-version")
    assert receipts(windows.data) == 2


def test_the_databases_were_copied_aside_before_they_were_changed(windows: Windows) -> None:
    (copies,) = (windows.data / BACKUPS).iterdir()
    new = windows.registry(wine.SOFTWARE, "Version")
    assert (copies.name, receipts(copies)) == (f"before-{new}", 1)
    assert (copies / "till" / "till.db").is_file()
    assert windows.run("pos-app.exe", "check", "--data", DATA).returncode == 0


def test_an_update_is_begun_by_the_installed_shop_s_till_while_it_is_open_alone(
    windows: Windows,
) -> None:
    windows.make_python()
    script = f"Z:{Path(__file__).with_name('update.py')}"

    def told(data: str) -> str:
        return windows.run("installed-python.exe", script, "may", data).stdout.strip()

    second = windows.disk / "second"
    assert (told(DATA), told(r"C:\second")) == ("it may", "update_other_till")
    with windows.running("pos-app-till.exe", "--data", r"C:\second"):
        wine.wait_until(lambda: answers(second))
        assert told(DATA) == "update_second_shop"
    (windows.installed / "installed-python.exe").unlink()


def test_an_older_version_is_refused(windows: Windows, old_setup: Path) -> None:
    before = tree(windows.installed)
    assert (windows.setup(old_setup), tree(windows.installed)) == (3, before)


def test_the_uninstaller_leaves_a_running_till_alone(windows: Windows) -> None:
    second = windows.disk / "second"
    with open_till(windows) as till:
        assert windows.uninstall() == 10
        with windows.running("pos-app-till.exe", "--data", r"C:\second") as other:
            wine.wait_until(lambda: answers(second))
            assert windows.uninstall("/CLOSE") == 10
            assert (till.poll(), other.poll()) == (None, None)
            assert answers(second)
        assert till.poll() is None
        assert answers(windows.data)
    assert {path.name for path in windows.installed.iterdir()} == PARTS
    assert windows.registry(wine.UNINSTALL, "DisplayVersion")


def test_it_is_removed_and_the_data_are_kept(windows: Windows) -> None:
    before = tree(windows.data)
    assert windows.uninstall() == 0
    assert not windows.installed.exists()
    assert (tree(windows.data), receipts(windows.data)) == (before, 2)
    assert not (windows.disk / "users/Public/Desktop/pos-app.lnk").exists()
    assert windows.registry(wine.UNINSTALL, "DisplayVersion") is None
    assert windows.registry(wine.SOFTWARE, "Version") is None


def test_installed_again_it_finds_its_receipts(windows: Windows, new_setup: Path) -> None:
    assert windows.setup(new_setup, "/NOICONS") == 0
    assert not menu(windows).exists()
    assert receipts(windows.data) == 2
    with open_till(windows):
        receipt(windows, "after-the-return")
    assert receipts(windows.data) == 3


def test_close_also_closes_the_demo_of_the_shop_beside_its_own_server(windows: Windows) -> None:
    chosen = {"choice": "demo", "step": "articles", "typed": {}, "is_over": False}
    (windows.data / "first-start.json").write_text(json.dumps(chosen))
    demo = windows.data / "demo"
    with windows.running("pos-app-till.exe") as till, windows.running("pos-app.exe", "server"):
        wine.wait_until(lambda: answers(windows.data))
        wine.wait_until((demo / "journal" / "server.address").is_file)
        assert (windows.uninstall("/CLOSE"), till.wait(wine.PATIENCE)) == (0, 0)
    assert not windows.installed.exists()
    assert (demo / "till" / "till.db").is_file()
    assert receipts(windows.data) == 3
