"""An update that a till begins: the accepted sources, and the program started as administrator,
for which wine asks nobody."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.release_host import ReleaseHost, release_host
from tests.windows_installer import wine
from tests.windows_installer.wine import Windows

DATA = r"C:\ProgramData\pos-app"
POLICY = r"HKLM\Software\Policies\pos-app"
SCRIPT = Path(__file__).with_name("update.py")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReleaseHost]:
    with release_host(tmp_path_factory.mktemp("host")) as made:
        yield made


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReleaseHost]:
    with release_host(tmp_path_factory.mktemp("maker")) as made:
        yield made


@pytest.fixture(scope="module")
def program(windows: Windows, new_setup: Path) -> bytes:
    """The offered installer: it leaves a file beside it where it was started."""
    assert windows.setup(new_setup, "/NOICONS") == 0
    windows.make_python()
    made = windows.disk / "offered.exe"
    windows.compile(Path(__file__).parent / "helpers" / "refuses.c", made, "-municode")
    return made.read_bytes()


def begun(windows: Windows, *other: str) -> str:
    told = windows.run("installed-python.exe", f"Z:{SCRIPT}", "begin", DATA, *other)
    return told.stdout.strip() or told.stderr


def set_by_administrator(windows: Windows, host: ReleaseHost) -> None:
    for name, value in (("UpdateUrl", host.manifest_url), ("UpdateKey", host.public_key)):
        windows.set_value(POLICY, name, "REG_SZ", value)


def write_settings(windows: Windows, host: ReleaseHost) -> None:
    text = f'[updates]\nurl = "{host.manifest_url}"\nkey = "{host.public_key}"\n'
    (windows.data / "settings.toml").write_text(text, encoding="utf-8")


def started(windows: Windows) -> list[Path]:
    return sorted(windows.disk.rglob("*.asked"))


def test_what_a_user_writes_into_the_settings_is_not_asked(
    windows: Windows, host: ReleaseHost, maker: ReleaseHost, program: bytes
) -> None:
    """Nor beside an administrator's word."""
    host.offer("99.0.0", program)
    maker.offer("99.0.0", program)
    write_settings(windows, host)
    assert begun(windows) == "update_settings"
    set_by_administrator(windows, maker)
    assert begun(windows) == "update_settings"
    (windows.data / "settings.toml").unlink()
    maker.offer("99.0.0", program, key=host.key)
    assert begun(windows) == "update_unsigned"
    assert (host.asked, started(windows)) == ([], [])


def test_an_installer_that_was_exchanged_is_not_started(
    windows: Windows, maker: ReleaseHost, program: bytes
) -> None:
    maker.offer("99.0.0", program)
    other = windows.disk / "other.exe"
    other.write_bytes(program + b"changed")
    assert (begun(windows, r"C:\other.exe"), started(windows)) == ("update_exchanged", [])
    assert not (windows.installed / "update").exists()


def test_what_the_maker_signed_is_started_where_only_administrators_write(
    windows: Windows, maker: ReleaseHost, program: bytes
) -> None:
    maker.offer("99.0.0", program)
    assert begun(windows) == "started"
    wine.wait_until(lambda: bool(started(windows)))
    (made,) = started(windows)
    assert made.parent == windows.installed / "update"
    assert (made.parent / "pos-app-99.0.0.exe").read_bytes() == program


def test_the_uninstaller_takes_the_copy_away(windows: Windows) -> None:
    (windows.installed / "installed-python.exe").unlink()
    assert windows.uninstall() == 0
    assert not windows.installed.exists()
