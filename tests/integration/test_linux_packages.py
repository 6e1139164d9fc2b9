"""The Debian package and the wheel as they are installed on Linux, each into a folder of its
own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path

import artefacts
import pytest

from pos_app import __version__
from tests.scripts import built_by_another, copied

ROOT = Path(__file__).parents[2]
RECEIPT = "КРАЈ ФИСКАЛНОГ РАЧУНА"
NEEDED = "/usr/bin/python3.11"

pytestmark = pytest.mark.long


def run(*command: object, **more: object) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, timeout=500, **more
    )  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    told: str = done.stdout
    return told


def alone(home: Path) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"PATH": "/usr/bin:/bin", "HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}


def checkout(*arguments: object) -> str:
    return run(sys.executable, *arguments, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})


@pytest.fixture(scope="module")
def package() -> Path:
    if not shutil.which("dpkg-deb") or not Path(NEEDED).exists():
        pytest.skip("no Debian with its Python 3.11")
    return artefact(checkout("packaging/linux/build_deb.py", "--fast"))


def artefact(told: str) -> Path:
    return Path(told.rsplit(maxsplit=1)[-1])


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("elsewhere") / "друго-место")


def assert_the_same_from(elsewhere: Path, made: Path, *build: str) -> None:
    """Its bill too has the same bytes, and the sums fit both."""
    epoch = artefacts.epoch()
    again = artefact(built_by_another(elsewhere, epoch, *build))
    assert again.is_relative_to(elsewhere)
    for end in ("", artefacts.BILL):
        first, second = (one.with_name(one.name + end).read_bytes() for one in (made, again))
        assert first == second, end
    bill = json.loads(made.with_name(made.name + artefacts.BILL).read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] in made.name
    names = {one["name"] for one in bill["components"]}
    assert {"httpx", "pydantic", "PySide6_Essentials", "psycopg"} < names
    assert not {"pos-app", "hatchling"} & names
    run("sha256sum", "--check", "--strict", artefacts.SUMS, cwd=made.parent)


def dpkg(root: Path, *what: object) -> str:
    (root / "var/lib/dpkg").mkdir(parents=True, exist_ok=True)
    (root / "var/lib/dpkg/status").touch()
    options = (
        "--force-depends",
        "--force-not-root",
        "--force-script-chrootless",
        "--force-bad-path",
    )
    log = f"--log={root}/dpkg.log"
    return run("dpkg", f"--root={root}", *options, log, *what)


def test_it_is_installed_sells_and_is_removed(package: Path, tmp_path: Path) -> None:
    root, home = tmp_path / "root", tmp_path / "home"
    home.mkdir()
    dpkg(root, "--install", package)
    program = root / "usr/bin/pos-app"
    assert RECEIPT in run(program, "demo", env=alone(home), cwd=tmp_path)
    assert "pos-app" in run(program, "--version", env=alone(home))
    account = ("platform", "account", "add", "Shops", "--data", tmp_path / "hosted")
    assert run(program, *account, env=alone(home))
    secrets = root / "etc/pos-app/platform.env"
    assert secrets.stat().st_mode & 0o777 == 0o600
    secrets.write_text("POS_APP_PLATFORM_SERVER__WORKERS=2\n")
    dpkg(root, "--install", package)  # over itself, as an update does
    dpkg(root, "--remove", "pos-app")
    left = {path for path in root.rglob("*pos-app*") if "var/lib/dpkg" not in str(path)}
    assert left == {secrets.parent}
    assert secrets.read_text() == "POS_APP_PLATFORM_SERVER__WORKERS=2\n", "a person's"
    dpkg(root, "--purge", "pos-app")
    assert not secrets.exists()
    assert (home / ".local/share/pos-app-demo/journal/journal.db").is_file()


def test_its_menu_entry_and_units_name_what_is_there(package: Path, tmp_path: Path) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(tmp_path / "usr/share/applications/pos-app.desktop", "utf-8")
    assert (tmp_path / "usr/bin" / entry["Desktop Entry"]["TryExec"]).is_file()
    icon = f"{entry['Desktop Entry']['Icon']}.png"
    assert list(tmp_path.glob(f"usr/share/icons/hicolor/*/apps/{icon}"))
    folders = set()
    for name in ("server", "platform"):
        place = tmp_path / f"lib/systemd/system/pos-app-{name}.service"
        unit = place.read_text("utf-8")
        told = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
        assert (tmp_path / told["ExecStart"].split()[0].lstrip("/")).is_file()
        page = told["Documentation"].removeprefix("file:///")
        assert (tmp_path / page).is_file()
        assert f"--data /var/lib/{told['StateDirectory']} " in told["ExecStart"]
        assert told["EnvironmentFile"] == f"-/etc/pos-app/{name}.env"
        assert told["DynamicUser"] == told["NoNewPrivileges"] == "yes"
        folders.add((told["User"], told["StateDirectory"]))
        if shutil.which("systemd-analyze"):
            checked = tmp_path / place.name
            checked.write_text(unit.replace("/usr/bin/pos-app", "/bin/true"), "utf-8")
            assert run("systemd-analyze", "verify", checked) == ""
    assert len(folders) == 2, "both may run on one machine"


def test_its_licences_stand_where_debian_looks(package: Path, tmp_path: Path) -> None:
    run("dpkg-deb", "-x", package, tmp_path)
    licences = tmp_path / "usr/share/doc/pos-app/licences"
    kept = ROOT / "resources/licences"
    for name in ("qt/SOURCE.txt", "qt/third-party.txt", "rust/NOTICES.md", "texts/MIT.txt"):
        assert (licences / name).read_text("utf-8") == (kept / name).read_text("utf-8")


def test_a_build_in_another_folder_has_the_same_bytes(package: Path, elsewhere: Path) -> None:
    assert run("dpkg-deb", "--field", package, "Version").strip() == __version__
    assert_the_same_from(elsewhere, package, "packaging/linux/build_deb.py", "--fast")


@pytest.mark.parametrize(
    ("system", "version", "python"),
    [
        ("debian-13", f"{__version__}+debian13", "python3.13"),
        ("ubuntu-24.04", f"{__version__}+ubuntu24.04", "python3.12"),
    ],
)
def test_the_package_of_another_system_asks_for_its_python_and_is_the_same_each_time(
    package: Path, elsewhere: Path, tmp_path: Path, system: str, version: str, python: str
) -> None:
    """It needs none of this machine's Pythons: its byte code is made where it is installed."""
    build = ("packaging/linux/build_deb.py", "--fast", "--for", system)
    offered = ("--offered-by", "Радња д. о. о., Улица 1")
    made = artefact(checkout(*build))
    assert made.name == f"pos-app_{version}_amd64.deb"
    assert run("dpkg-deb", "--field", made, "Version").strip() == version
    here = run("dpkg-deb", "--field", package, "Version").strip()
    run("dpkg", "--compare-versions", version, "gt", here)
    needs = run("dpkg-deb", "--field", made, "Depends").strip().split(", ")
    assert needs[0] == python
    assert "libglib2.0-0t64" in needs
    assert "libglib2.0-0" not in needs
    run("dpkg-deb", "-x", made, tmp_path / "first")
    assert f"/usr/bin/{python} -m pos_app" in (tmp_path / "first/usr/bin/pos-app").read_text()
    assert not list((tmp_path / "first").rglob("*.pyc"))
    tag = f"cpython-{python.removeprefix('python').replace('.', '')}-"
    assert list((tmp_path / "first/usr/lib/pos-app").rglob(f"*.{tag}*.so"))
    assert_the_same_from(elsewhere, made, *build)
    run("dpkg-deb", "-x", artefact(checkout(*build, *offered)), tmp_path / "offered")
    text = (tmp_path / "offered/usr/share/doc/pos-app/licences/qt/SOURCE.txt").read_text("utf-8")
    assert "Радња д. о. о., Улица 1 gives to anybody" in text


def test_the_wheel_sells_in_an_empty_environment_and_is_the_same_from_another_folder(
    elsewhere: Path, tmp_path: Path
) -> None:
    place, home = tmp_path / "venv", tmp_path / "home"
    home.mkdir()
    build = ("packaging/artefacts.py", "wheel")
    wheel = artefact(checkout(*build))
    assert wheel.name == f"pos_app-{__version__}-py3-none-any.whl"
    assert_the_same_from(elsewhere, wheel, *build)
    venv.create(place, with_pip=True)
    run(place / "bin/python", "-m", "pip", "install", "-qqq", wheel)
    assert RECEIPT in run(place / "bin/pos-app", "demo", env=alone(home), cwd=tmp_path)
