"""The package on its target systems: apt installs it, it sells, its window opens, it is removed.

Each system is a folder with a base system of its own archive, without a kernel and without systemd.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import ImageGrab

from tests.integration.test_linux_packages import RECEIPT, ROOT
from tests.linux_systems.conftest import FOLDER
from tests.windows_installer.wine import screen

PATIENCE = 600.0
"""Seconds that anything may take."""
KEYS = "usr/share/keyrings/ubuntu-archive-keyring.gpg"
ARCHIVES = {
    "debian-13": ("trixie", "http://deb.debian.org/debian", "main"),
    "ubuntu-24.04": ("noble", "http://archive.ubuntu.com/ubuntu", "main,universe"),
}
"""The name of a release, its archive and the archive's parts."""
SHOP = "/home/shop"


class System:
    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *words: str, user: str = "root", **variables: str) -> str:
        """Run a command; returns its output. Raises AssertionError when it fails."""
        done = self._started(words, user, variables)
        out, errors = done.communicate(timeout=PATIENCE)
        assert done.returncode == 0, f"{words}: {out[-4000:]}{errors[-4000:]}"
        return out

    def start(self, *words: str, user: str, **variables: str) -> subprocess.Popen[str]:
        return self._started(words, user, variables)

    def _started(
        self, words: tuple[str, ...], user: str, variables: dict[str, str]
    ) -> subprocess.Popen[str]:
        """The mounts belong to this command alone, so that none is left."""
        script = (
            'root=$0; user=$1; shift; mount -t proc proc "$root/proc" &&'
            ' mount -t tmpfs tmpfs "$root/dev/shm" &&'
            ' exec chroot --userspec="$user" "$root" env -i "$@"'
        )
        home = "/root" if user == "root" else SHOP
        told = {"HOME": home, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        set_to = [f"{name}={value}" for name, value in (told | variables).items()]
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", script, str(self.root), user, *set_to, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )


def lay_out(name: str, keys: Path | None) -> System:
    """Make a base system, or skip where its archive can't be reached."""
    release, archive, parts = ARCHIVES[name]
    root = Path(FOLDER) / name
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    words = ["debootstrap", "--variant=minbase", f"--components={parts}"]
    words += [f"--keyring={keys}"] if keys else []
    # Ubuntu's releases are all made as the first ones were.
    how = ["/usr/share/debootstrap/scripts/gutsy"] if "ubuntu" in archive else []
    done = subprocess.run(
        [*words, release, str(root), archive, *how],
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    if "Failed getting release file" in done.stdout + done.stderr:
        pytest.skip(f"{archive} is not reached from here")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    made = System(root)
    made.run("apt-get", "update", "-qq")
    made.run("useradd", "--create-home", "shop")
    return made


@pytest.fixture(scope="module")
def debian() -> System:
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        pytest.fail("It needs root and Debian's debootstrap.")
    made = lay_out("debian-13", None)
    made.run("apt-get", "install", "-qq", "--no-install-recommends", "ubuntu-keyring")
    shutil.copyfile(made.root / KEYS, Path(FOLDER) / Path(KEYS).name)
    return made


@pytest.fixture(scope="module", params=ARCHIVES)
def system(debian: System, request: pytest.FixtureRequest) -> Iterator[System]:
    """A system with the package that is built for it. Debian brings the keys of Ubuntu."""
    name: str = request.param
    made = debian
    if name != "debian-13":
        made = lay_out(name, Path(FOLDER) / Path(KEYS).name)
    words = ["packaging/linux/build_deb.py", "--fast", "--for", name]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    built = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    shutil.copyfile(built.stdout.split()[-1], made.root / "pos-app.deb")
    yield made
    shutil.rmtree(made.root)


def byte_code(system: System) -> int:
    return len(list((system.root / "usr/lib/pos-app").rglob("*.pyc")))


def test_apt_installs_it_with_what_it_needs(system: System) -> None:
    """apt would refuse a library under a name that the system does not have."""
    words = ("apt-get", "install", "-qq", "--no-install-recommends", "/pos-app.deb")
    system.run(*words, DEBIAN_FRONTEND="noninteractive")
    assert system.run("dpkg-query", "-W", "-f", "${Status}", "pos-app") == "install ok installed"
    assert byte_code(system) > 2000


def test_it_sells(system: System) -> None:
    told = system.run("pos-app", "demo", user="shop", QT_QPA_PLATFORM="offscreen")
    assert RECEIPT in told
    account = ("platform", "account", "add", "Shops", "--data", f"{SHOP}/hosted")
    assert system.run("pos-app", *account, user="shop")


def test_its_window_opens_on_x11(system: System) -> None:
    with screen(181) as display:
        till = system.start("pos-app", "demo", user="shop", DISPLAY=display)
        try:
            end = time.monotonic() + PATIENCE
            colours = 0
            while colours < 500:
                assert till.poll() is None, till.communicate()
                assert time.monotonic() < end
                time.sleep(0.5)
                seen = ImageGrab.grab(xdisplay=display).convert("RGB").getcolors(1 << 24)
                colours = len(seen or ())
            ImageGrab.grab(xdisplay=display).save(Path(FOLDER) / f"{system.root.name}.png")
            system.run(
                "pos-app", "stop", "--data", f"{SHOP}/.local/share/pos-app-demo", user="shop"
            )
        finally:
            till.terminate()
            till.communicate(timeout=PATIENCE)


def test_installed_over_itself_it_still_sells_and_removed_it_leaves_the_shop(
    system: System,
) -> None:
    system.run("dpkg", "--install", "/pos-app.deb")
    assert byte_code(system) > 2000
    assert RECEIPT in system.run("pos-app", "demo", user="shop", QT_QPA_PLATFORM="offscreen")
    system.run("apt-get", "remove", "-qq", "pos-app")
    assert not (system.root / "usr/lib/pos-app").exists()
    shop = system.root / SHOP.lstrip("/")
    assert (shop / ".local/share/pos-app-demo/journal/journal.db").is_file()
