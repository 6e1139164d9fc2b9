"""A computer without a till: the service keeps the server."""

from __future__ import annotations

from pathlib import Path

from pos_app.adapters.server_process.service import MARK
from tests.ports import free_port
from tests.windows_installer import wine
from tests.windows_installer.test_shop import answers, receipt
from tests.windows_installer.wine import Windows

DATA = r"C:\shop"
"""The path is given explicitly: a service of wine sees another ProgramData."""

ARTICLES = r"C:\Program Files\pos-app\app\pos_app\resources\demo\catalogue.json"


def test_the_service_starts_the_server(windows: Windows, old_setup: Path) -> None:
    windows.data = windows.disk / "shop"
    windows.data.mkdir()
    (windows.data / "settings.toml").write_text(
        'environment = "demo"\n[processor]\nkind = "development"\n'
        f"[server]\nport = {free_port()}\n",
        encoding="utf-8",
    )
    assert windows.setup(old_setup, "/SERVICE", f"/DATA={DATA}") == 0
    assert windows.registry(wine.SOFTWARE, "Service") == "0x1"
    wine.wait_until(lambda: answers(windows.data))


def test_it_issues_receipts(windows: Windows) -> None:
    told = windows.run("pos-app.exe", "sync", ARTICLES, "--data", DATA)
    assert told.returncode == 0, told.stderr
    receipt(windows, "through-the-service")


def test_an_upgrade_stops_it_and_starts_the_new_version(windows: Windows, new_setup: Path) -> None:
    assert windows.setup(new_setup) == 0
    assert windows.registry(wine.SOFTWARE, "Version") != wine.OLD_VERSION
    assert windows.registry(wine.SOFTWARE, "Data") == DATA
    wine.wait_until(lambda: answers(windows.data))
    receipt(windows, "through-the-new-service")


def test_a_server_that_was_ended_comes_back(windows: Windows) -> None:
    assert windows.run("pos-app.exe", "stop", "--service", "--data", DATA).returncode == 0
    wine.wait_until(lambda: answers(windows.data))


def test_a_till_uses_the_service_s_server_and_starts_none(windows: Windows) -> None:
    assert (windows.data / MARK).is_file()
    address = windows.data / "journal" / "server.address"
    before = address.read_text()
    with windows.running("pos-app-till.exe", "--data", DATA) as till:
        wine.wait_until((windows.data / "till" / "till.db").is_file)
        wine.stays(lambda: till.poll() is None and answers(windows.data), seconds=10)
        assert address.read_text() == before
        assert not (windows.data / "logs" / "server.log").exists()
        assert windows.uninstall() == 10
        assert till.poll() is None
    wine.wait_until(lambda: answers(windows.data))


def test_with_close_the_uninstaller_closes_the_till_and_takes_the_service_along(
    windows: Windows,
) -> None:
    with windows.running("pos-app-till.exe", "--data", DATA) as till:
        wine.stays(lambda: till.poll() is None and answers(windows.data), seconds=10)
        assert (windows.uninstall("/CLOSE"), till.wait(wine.PATIENCE)) == (0, 0)
    assert not windows.installed.exists()
    wine.stays(lambda: not answers(windows.data), seconds=3)  # it would be started again within
    assert (windows.data / "journal" / "journal.db").is_file()


def test_a_service_that_does_not_start_is_told_and_all_else_is_there(
    windows: Windows, new_setup: Path
) -> None:
    """A service of that name which is a driver can't be started as a program."""
    words = ("create", "pos-app", "type=", "kernel", "binPath=", r"C:\nowhere.sys")
    assert windows.quietly("sc", *words) == 0
    assert windows.setup(new_setup, "/SERVICE", f"/DATA={DATA}") == 31
    assert "services.msc" in (windows.installed / "setup.log").read_text(encoding="utf-16")
    assert windows.registry(wine.SOFTWARE, "Service") == "0x1"
    assert windows.run("pos-app.exe", "check", "--data", DATA).returncode == 0
    assert windows.uninstall() == 0
    assert not windows.installed.exists()
