"""Collects the licences of everything that is shipped in `resources/licences/`.

    .venv/bin/python packaging/notices.py [FOLDER]

Packages are those of the locks for Linux and Windows; names and licences come from their installed
metadata, and the crates of Rust that are linked into them from the bills of material that they
bring. Qt's parts by others are in `packaging/licences/qt` (`qt_notices.py` writes it). Run it after
renewing the locks; FOLDER is another target.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distributions
from importlib.metadata import distribution as installed
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "licences"
LOCKS = ("requirements-linux.txt", "requirements-windows.txt")
OF_WINDOWS = ROOT / "build" / "notices"
"""Packages for Windows alone, unpacked."""
OF_THE_BUILD = {"hatchling", "pathspec", "pluggy", "trove-classifiers"}
"""Locked packages that are left out of each package of ours (`linux/prune.toml`)."""
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)[^/]*", re.IGNORECASE)
BY_HAND = ROOT / "packaging" / "licences"
"""Licence texts of packages that include none, from the same release; a folder each."""
COMMON_TEXTS = Path("/usr/share/common-licenses")
STANDARD = BY_HAND / "texts"
"""Texts of licences by their SPDX identifiers, each without a holder's name."""
NOT_TAKEN = {
    *("BSL-1.0", "GPL-2.0-only", "LGPL-2.1-or-later", "MIT-0", "Unlicense"),
    "Apache-2.0 WITH LLVM-exception",
}
"""Licences that crates offer as an alternative to one of those texts."""
BINDING = "pyside6-essentials"
SOURCE = """\
Where the source of Qt and of its Python binding is

This product uses Qt {version} and Qt for Python {version} (PySide6 and Shiboken) under the GNU
Lesser General Public License, version 3 (LGPL-3 and GPL-3 in the folders {folders}). They are
the binary wheels pyside6-essentials {version} and shiboken6 {version} of the Python Package
Index, unchanged but that parts which the product does not use were left out. They are separate
shared libraries: another build of the same interface may be put in their place.

The complete source of exactly these versions, with the scripts that build them, is at

    https://download.qt.io/official_releases/qt/{minor}/{version}/submodules/
        (qtbase, qtsvg, qtimageformats and qtwayland) or, in one file, in ../single/
    https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{version}-src/
    https://code.qt.io/, in qt/qtbase.git and its neighbours and in pyside/pyside-setup.git,
        under the tag v{version}

{psycopg_binary} is under the LGPL-3 too, and is in the Debian package alone, as the wheel of the
Python Package Index; its source is at https://github.com/psycopg/psycopg, under the tag of that
version.

Written offer. {offered_by} gives to anybody who has this product, for as long as spare parts or
support for it are offered and for at least three years from the day on which this copy was
handed over, a complete machine-readable copy of all that source: on a data carrier for no more
than what copying and sending it costs, or over a network for nothing. Ask for the "source of Qt
{version} and Qt for Python {version}".
"""
OFFERED_BY = "Whoever handed this copy over"
"""Both builds replace these words with a name and an address (`--offered-by`)."""
BESIDE = """
Qt and its Python binding are used under the LGPL, version 3, as separate shared libraries:
another build of them may be put in their place. `qt/SOURCE.txt` says where their source is and
offers it; `qt/third-party.txt` has the notices of the code of others in Qt. The libraries of ICU
that come with Qt on Linux are under Unicode-DFS-2016 (`texts/`). The crates of Rust that are
linked into packages are in `rust/NOTICES.md`: {rust}.

fpdf2, psycopg, psycopg-binary and psycopg-pool are used under the LGPL, version 3, unchanged.
The SQLite inside apsw is in the public domain; the OpenSSL {openssl} inside cryptography is
under the Apache licence 2.0; the certificates inside certifi are Mozilla's, under the MPL 2.0.
Beside psycopg-binary, in the Debian package alone, are the shared libraries libpq (PostgreSQL
licence), OpenSSL (Apache-2.0), MIT Kerberos (MIT), OpenLDAP (OLDAP-2.8), Cyrus SASL
(BSD-4-Clause-UC), keyutils and libxcrypt (LGPL-2.1).

## Fonts

| font | licence | text |
|---|---|---|
| Inter | OFL-1.1 | `fonts-inter/copyright.txt` |
| JetBrains Mono | OFL-1.1 | `fonts-jetbrains-mono/copyright.txt` |

## The viewer of /docs

| viewer | licence | text |
|---|---|---|
| Swagger UI | Apache-2.0 | `swagger-ui/LICENSE` |

## Icons

| icons | licence | text |
|---|---|---|
| Lucide | ISC, some from Feather under MIT | `../icons/LICENSE` |
"""


@dataclass(frozen=True, slots=True)
class Shipped:
    name: str
    version: str
    terms: str
    texts: tuple[Path, ...]


def locked_names() -> set[str]:
    names: set[str] = set()
    for lock in LOCKS:
        text = (ROOT / "packaging" / lock).read_text(encoding="utf-8")
        names |= set(re.findall(r"^([A-Za-z0-9._-]+)==", text, flags=re.MULTILINE))
    return {str(canonicalize_name(name)) for name in names} - OF_THE_BUILD


def distribution(name: str) -> Distribution:
    """The locked package: the installed one, or the one that was unpacked for Windows."""
    try:
        return installed(name)
    except PackageNotFoundError:
        named = distributions(path=[str(OF_WINDOWS)])
        return next(one for one in named if canonicalize_name(one.name) == name)


def bring_those_of_windows() -> None:
    """Unpack the packages that are locked for Windows and are not installed here."""
    lock = (ROOT / "packaging" / LOCKS[1]).read_text(encoding="utf-8")
    lacking = []
    for entry in re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE):
        name, _, _ = entry.partition("==")
        try:
            if name:
                installed(name)
        except PackageNotFoundError:
            lacking.append(entry)
    shutil.rmtree(OF_WINDOWS, ignore_errors=True)
    OF_WINDOWS.mkdir(parents=True)
    asked = OF_WINDOWS / "requirements.txt"
    asked.write_text("".join(lacking), encoding="utf-8")
    words = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    words += ["--no-deps", "--require-hashes", "--no-compile", "--only-binary", ":all:"]
    words += ["--platform", "win_amd64", "--implementation", "cp", "--python-version", "3.11"]
    subprocess.run([*words, "--target", str(OF_WINDOWS), "--requirement", str(asked)], check=True)


def terms_of(package: Distribution) -> str:
    facts = package.metadata
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in facts.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    for field in ("License-Expression", "License"):
        if field in facts:
            return facts[field].partition("\n")[0]
    return ", ".join(classifiers) or "see its text"


def shipped(name: str) -> Shipped:
    package = distribution(name)
    texts = [
        Path(str(package.locate_file(file)))
        for file in package.files or ()
        if ".dist-info/" in str(file)
        and (LICENCE_FILE.fullmatch(file.name) or ".dist-info/licenses/" in str(file))
    ] or list((BY_HAND / name).glob("*"))
    if not texts and "LGPL-3.0" in terms_of(package):
        texts = [COMMON_TEXTS / "LGPL-3", COMMON_TEXTS / "GPL-3"]
    if not texts:
        raise SystemExit(f"{name} brings no licence text: add it by hand")
    return Shipped(name, package.version, terms_of(package), tuple(sorted(texts)))


def copy_texts(packages: list[Shipped], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for package in packages:
        target = folder / package.name
        target.mkdir(parents=True)
        for text in package.texts:
            place = target / text.name
            if place.exists():  # two parts of one package, each with its LICENSE
                place = target / text.parent.name / text.name
                place.parent.mkdir(exist_ok=True)
            shutil.copyfile(text, place)
    for font in ("fonts-inter", "fonts-jetbrains-mono"):
        target = folder / font
        target.mkdir(parents=True)
        source = ROOT / "resources" / "fonts" / f"{font}.copyright.txt"
        shutil.copyfile(source, target / "copyright.txt")
    viewer = folder / "swagger-ui"
    viewer.mkdir(parents=True)
    shutil.copyfile(ROOT / "resources" / "swagger-ui" / "LICENSE", viewer / "LICENSE")
    shutil.copytree(BY_HAND / "qt", folder / "qt")
    shutil.copytree(STANDARD, folder / "texts")


# --- Qt's source, and crates of Rust -------------------------------------------------------------


def offer() -> str:
    """The address of Qt's source, and the offer of it."""
    version = distribution(BINDING).version
    minor = version.rpartition(".")[0]
    folders = f"`{BINDING}` and `shiboken6`"
    psycopg = f"psycopg-binary {distribution('psycopg-binary').version}"
    return SOURCE.format(
        version=version, minor=minor, folders=folders, offered_by=OFFERED_BY, psycopg_binary=psycopg
    )


def bills(package: Distribution) -> Iterator[dict[str, Any]]:
    """The bills of material that a package brings, in the form of CycloneDX."""
    for file in package.files or ():
        if ".dist-info/sboms/" in str(file) and file.suffix == ".json":
            yield json.loads(Path(str(package.locate_file(file))).read_text(encoding="utf-8"))


def crates(name: str) -> list[dict[str, Any]]:
    """The crates inside a package, without those that only built it."""
    parts = [part for bill in bills(distribution(name)) for part in bill["components"]]
    linked = [
        part
        for part in parts
        if part.get("purl", "").startswith("pkg:cargo/") and part.get("scope") != "excluded"
    ]
    return sorted(linked, key=lambda part: (part["name"], part["version"]))


def holder(crate: dict[str, Any]) -> str:
    authors = crate.get("author") or ", ".join(one["name"] for one in crate.get("authors", ()))
    told = re.sub(r"\s*<[^>]*>", "", str(authors)).replace("|", "/").strip()
    return told or f"the {crate['name']} developers"


def licence_of(crate: dict[str, Any]) -> str:
    """Its licence by SPDX. Raises SystemExit when the text of a used one is missing."""
    (given,) = crate["licenses"]
    named = str(given.get("expression") or given["license"].get("id") or given["license"]["name"])
    asked = re.findall(r"[\w.+-]+ WITH [\w.+-]+|\b(?!AND\b|OR\b)[\w.+-]+", named)
    lacking = {one for one in asked if not (STANDARD / f"{one}.txt").exists()} - NOT_TAKEN
    only_other = all(one in NOT_TAKEN for one in asked)
    if lacking or only_other:
        raise SystemExit(f"{crate['name']} is under {named}: add its text to {STANDARD}")
    return " ".join(named.split())


def rust_notices(names: list[str]) -> str:
    lines = [
        "# The crates of Rust inside the packages",
        "",
        "Written by `packaging/notices.py` from the bill of material that each package brings. A",
        "crate may be for one of the systems alone. The names are those of the authors, who hold",
        "the copyright with the contributors of each crate; the texts of the licences are in",
        "`../texts`. Where a crate is under one licence OR another, any of those with a text there",
        "may be taken.",
    ]
    for name in names:
        lines += ["", f"## {name} {distribution(name).version}", ""]
        lines += ["| crate | version | licence | copyright |", "|---|---|---|---|"]
        lines += [
            f"| {one['name']} | {one['version']} | {licence_of(one)} | {holder(one)} |"
            for one in crates(name)
        ]
    return "\n".join(lines) + "\n"


def openssl() -> str:
    """The version of OpenSSL inside cryptography."""
    parts = [part for bill in bills(distribution("cryptography")) for part in bill["components"]]
    (found,) = {
        part["version"] for part in parts if part["name"] == "openssl" and "generic" in part["purl"]
    }
    return str(found)


# --- the list ------------------------------------------------------------------------------------


def notices(packages: list[Shipped], with_rust: list[str]) -> str:
    rows = [f"| {package.name} | {package.version} | {package.terms} |" for package in packages]
    head = [
        "# What this product is made with",
        "",
        "Written by `packaging/notices.py`. The text of each licence is in the folder of its name.",
        "",
        "## Libraries",
        "",
        "| package | version | licence |",
        "|---|---|---|",
    ]
    beside = BESIDE.format(rust=", ".join(with_rust), openssl=openssl())
    return "\n".join([*head, *rows]) + "\n" + beside


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else FOLDER
    bring_those_of_windows()
    packages = [shipped(name) for name in sorted(locked_names())]
    with_rust = [package.name for package in packages if crates(package.name)]
    copy_texts(packages, folder)
    (folder / "qt" / "SOURCE.txt").write_text(offer(), encoding="utf-8")
    (folder / "rust").mkdir()
    (folder / "rust" / "NOTICES.md").write_text(rust_notices(with_rust), encoding="utf-8")
    (folder / "NOTICES.md").write_text(notices(packages, with_rust), encoding="utf-8")
    print(f"{len(packages)} packages in {folder}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
