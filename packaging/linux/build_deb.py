"""Builds the Debian package of till, server and platform: `make package`.

It is dist/pos-app_VERSION_amd64.deb for Debian 12, and VERSION+SYSTEM for another one; beside it is
its bill of material (`artefacts.py`).

    .venv/bin/python packaging/linux/build_deb.py [--for ubuntu-24.04] [--fast]
        [--offered-by 'Our shop, our address']

The locked wheels for the system's Python lie in a folder of the product's own and run on it;
nothing of the system is replaced. The bytes depend on the commit and the lock alone. Its scripts
stop and start the services, where they are enabled; no data of a shop is touched.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import distributions
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

import artefacts

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "debian"
LOCK = ROOT / "packaging" / "requirements-linux.txt"
PRUNE = ROOT / "packaging" / "prune.py"
OF_DEBIAN_12 = "debian-12"


@dataclass(frozen=True, slots=True)
class System:
    """The system that a package is built for. minor: of its Python. renamed: libraries that have
    another name there than on Debian 12."""

    name: str
    minor: str
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def python(self) -> str:
        return f"python{self.minor}"

    @property
    def version(self) -> str:
        """Its version; after an upgrade of the system its package is newer than that of Debian
        12."""
        own = artefacts.version()
        return own if self.is_compiled else f"{own}+{self.name.replace('-', '')}"

    @property
    def is_compiled(self) -> bool:
        """Tell whether the byte code is in the package. The byte code of another Python is made
        when the package is installed, so that the package's bytes do not depend on a builder's
        Pythons."""
        return self.name == OF_DEBIAN_12


OF_64_BIT_TIME = {"libglib2.0-0": "libglib2.0-0t64"}
SYSTEMS = {
    system.name: system
    for system in (
        System(OF_DEBIAN_12, "3.11"),
        System("debian-13", "3.13", OF_64_BIT_TIME),
        System("ubuntu-24.04", "3.12", OF_64_BIT_TIME),
    )
}
LICENCES = "pos_app/resources/licences"
SOURCE = "qt/SOURCE.txt"
"""The offer of Qt's source, in the folder of licences."""
OFFERED_BY = "Whoever handed this copy over"
"""The words of packaging/notices.py for the one who offers it."""
MAINTAINER = "pos-app <pos-app@localhost>"
ICON = ROOT / "packaging" / "windows" / "pos-app.ico"
ICON_SIZES = (16, 32, 48, 256)

LAUNCHER = """#!/bin/sh
# The packages of the product lie beside it; whatever else is installed for Python is not looked at.
here=$(dirname "$(readlink -f "$0")")
PYTHONPATH=$here/../lib/pos-app
PYTHONNOUSERSITE=1
PYTHONSAFEPATH=1
export PYTHONPATH PYTHONNOUSERSITE PYTHONSAFEPATH
exec /usr/bin/PYTHON -m pos_app "$@"
"""
UNITS = ("pos-app-server.service", "pos-app-platform.service")
PRERM = f"""#!/bin/sh
set -e
BYTE_CODE
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ] && [ "$1" = remove ]; then
    for unit in {" ".join(UNITS)}; do
        systemctl disable --now $unit >/dev/null 2>&1 || true
    done
fi
"""
POSTINST = f"""#!/bin/sh
set -e
BYTE_CODE
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload >/dev/null 2>&1 || true
    if [ "$1" = configure ]; then
        systemctl try-restart {" ".join(UNITS)} >/dev/null 2>&1 || true
    fi
fi
"""
POSTRM = """#!/bin/sh
set -e
if [ "$1" = purge ]; then
    echo "pos-app: what was sold stays: /var/lib/pos-app, /var/lib/pos-app-platform and"
    echo "~/.local/share/pos-app of each user."
fi
"""
LIB = "$DPKG_ROOT/usr/lib/pos-app"
COMPILES = f"""\
if [ "$1" = configure ] && [ -x /usr/bin/PYTHON ]; then
    /usr/bin/PYTHON -m compileall -q -j 0 --invalidation-mode unchecked-hash "{LIB}"
fi
"""
FORGETS = f"""\
if [ -d "{LIB}" ]; then
    find "{LIB}" -type d -name __pycache__ -prune -exec rm -rf {{}} +
fi
"""
"""Byte code is never compared with its source, since nobody may write there: it is removed
first."""
OF_CHECKOUT = {
    "/opt/pos-app/.venv/bin/pos-app platform": "/usr/bin/pos-app platform --data"
    " /var/lib/pos-app-platform",
    "/opt/pos-app/docs": "/usr/share/doc/pos-app/docs",
    "# The data folder is /var/lib/pos-app.\nEnvironment=XDG_DATA_HOME=/var/lib\n": "",
    "\nStateDirectory=pos-app\n": "\nStateDirectory=pos-app-platform\n",
    "\nUser=pos-app\n": "\nUser=pos-app-platform\n",
}
"""The words of the platform's unit in a checkout, and their replacements in the package: the
program's path, and a user and a folder that are not those of the server's service."""
SECRETS = "etc/pos-app/platform.env"
"""This file is kept when the package is removed, and only root may read it."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--for", dest="system", choices=SYSTEMS, default=OF_DEBIAN_12)
    parser.add_argument("--fast", action="store_true", help="compress little; for tests")
    parser.add_argument("--offered-by", default="", help="who offers Qt's source, with an address")
    given = parser.parse_args(arguments)
    system = SYSTEMS[given.system]
    epoch = artefacts.epoch()
    os.environ["SOURCE_DATE_EPOCH"] = str(epoch)
    shutil.rmtree(WORK, ignore_errors=True)
    root = WORK / "root"
    lib = root / "usr/lib/pos-app"
    say(f"wheels for {system.name}")
    install_wheels(lib, system)
    run(sys.executable, str(PRUNE), str(HERE / "prune.toml"), str(lib))
    if system.is_compiled:
        say("byte code")
        compile_all(lib, system)
    say("package")
    lay_out(root, system)
    if given.offered_by:
        place = lib / LICENCES / SOURCE
        place.write_text(place.read_text("utf-8").replace(OFFERED_BY, given.offered_by), "utf-8")
    write_control(root, system)
    set_times(root, epoch)
    package = build(root, system, fast=given.fast)
    contents = artefacts.Contents(distributions(path=[str(lib)]), {"python_version": system.minor})
    bill = package.with_name(package.name + artefacts.BILL)
    artefacts.write_bill(bill, contents, version=system.version)
    artefacts.finish(package)
    return 0


def install_wheels(lib: Path, system: System) -> None:
    """Install the locked wheels for the system's Python, and the product's own."""
    pip = [sys.executable, "-m", "pip", "-qqq", "--disable-pip-version-check"]
    into = ["--target", str(lib), "--no-deps", "--no-compile", "--python-version", system.minor]
    locked = ["--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)]
    run(*pip, "install", *into, "--implementation", "cp", *locked)
    wheel = artefacts.wheel(WORK / "wheels")
    run(*pip, "install", *into, "--only-binary", ":all:", "--no-index", str(wheel))


def compile_all(lib: Path, system: System) -> None:
    """Make byte code that is never compared with its source: nobody may write there."""
    options = ["-q", "-j", "2", "--invalidation-mode", "unchecked-hash", "-s", str(WORK / "root")]
    run(f"/usr/bin/{system.python}", "-m", "compileall", *options, str(lib), quiet=True)


def lay_out(root: Path, system: System) -> None:
    write(
        root / "usr/bin/pos-app", LAUNCHER.replace("PYTHON -m", f"{system.python} -m"), mode=0o755
    )
    copy(HERE / "pos-app.desktop", root / "usr/share/applications/pos-app.desktop")
    server, platform = (root / "lib/systemd/system" / unit for unit in UNITS)
    copy(HERE / server.name, server)
    write(platform, platform_unit())
    copy(HERE / "platform.env", root / SECRETS)
    documents = root / "usr/share/doc/pos-app"
    for name in ("README.md", "SECURITY.md"):
        copy(ROOT / name, documents / name)
    shutil.copytree(ROOT / "docs", documents / "docs")
    write(documents / "copyright", copyright_text())
    (documents / "licences").symlink_to(f"../../../lib/pos-app/{LICENCES}")
    changes = (ROOT / "CHANGELOG.md").read_bytes()
    (documents / "changelog.gz").write_bytes(gzip.compress(changes, 9, mtime=0))
    for size in ICON_SIZES:
        write_icon(root / f"usr/share/icons/hicolor/{size}x{size}/apps/pos-app.png", size)


def platform_unit() -> str:
    text = (HERE / "pos-app-platform.service").read_text("utf-8")
    for there, here in OF_CHECKOUT.items():
        if text.count(there) != 1:
            raise SystemExit(f"the platform's unit has no longer, or twice: {there!r}")
        text = text.replace(there, here)
    return text


def copyright_text() -> str:
    """The product's licence, and those of its parts."""
    licences = ROOT / "resources/licences"
    parts = [(ROOT / "LICENSE").read_text("utf-8"), (licences / "NOTICES.md").read_text("utf-8")]
    return "\n\n".join(parts)


def write_icon(path: Path, size: int) -> None:
    path.parent.mkdir(parents=True)
    with Image.open(ICON) as icon:
        icon.size = (size, size)  # type: ignore[misc]  # an .ico shows one of its pictures by this
        icon.save(path)


def write_control(root: Path, system: System) -> None:
    size = sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir())
    fields = {
        "Package": "pos-app",
        "Version": system.version,
        "Architecture": "amd64",
        "Maintainer": MAINTAINER,
        "Installed-Size": str(size // 1024),
        "Depends": ", ".join(depends(system)),
        "Recommends": "fonts-inter, fonts-jetbrains-mono, cups-client",
        "Section": "misc",
        "Priority": "optional",
        "Description": "Point-of-sale cashier for shops in Serbia\n"
        " A till and a local fiscal API server: every sale becomes one signed fiscal receipt.",
    }
    control = "".join(f"{name}: {value}\n" for name, value in fields.items())
    write(root / "DEBIAN/control", control)
    write(root / "DEBIAN/conffiles", f"/{SECRETS}\n")
    compiles, forgets = ("", "") if system.is_compiled else (COMPILES, FORGETS)
    for name, script, more in (("prerm", PRERM, forgets), ("postinst", POSTINST, compiles)):
        text = script.replace("BYTE_CODE\n", more.replace("PYTHON", system.python))
        write(root / "DEBIAN" / name, text, mode=0o755)
    write(root / "DEBIAN/postrm", POSTRM, mode=0o755)


def depends(system: System) -> Iterator[str]:
    """The system's Python, and the libraries that Qt opens, as `packaging/prepare.sh` lists
    them."""
    yield system.python
    script = (ROOT / "packaging/prepare.sh").read_text("utf-8")
    told = script.partition('\nlibraries="')[2].partition('"')[0].split()
    names = {pair.partition(":")[2] for pair in told}
    yield from sorted(system.renamed.get(name, name) for name in names)


def set_times(root: Path, epoch: int) -> None:
    for path in (*root.rglob("*"), root):
        os.utime(path, (epoch, epoch), follow_symlinks=False)
        if not path.is_symlink():
            is_run = path.is_dir() or path.stat().st_mode & 0o100
            is_secret = path == root / SECRETS
            path.chmod(0o755 if is_run else 0o600 if is_secret else 0o644)


def build(root: Path, system: System, *, fast: bool) -> Path:
    package = ROOT / "dist" / f"pos-app_{system.version}_amd64.deb"
    package.parent.mkdir(exist_ok=True)
    how = ["-Zgzip", "-z1"] if fast else ["-Zxz", "-z6"]
    run("dpkg-deb", "--root-owner-group", *how, "--build", str(root), str(package), quiet=True)
    return package


# --- small parts ---------------------------------------------------------------------------------


def write(path: Path, text: str, *, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def run(*command: str, quiet: bool = False) -> None:
    """Run a command. Raises SystemExit with its error output."""
    done = subprocess.run(command, check=False, capture_output=quiet, text=True)
    if done.returncode:
        raise SystemExit(f"{command[0]} ended with {done.returncode} {done.stderr or ''}")


def say(words: str) -> None:
    print(f"pos-app package: {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
