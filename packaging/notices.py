"""Collects the licences of everything that is shipped in `resources/licences/`.

    .venv/bin/python packaging/notices.py

Packages are the product's dependencies, direct and indirect, on Linux and on Windows; names and
licences come from their installed metadata. Run it after renewing the locks.
"""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "resources" / "licences"
LOCKS = ("requirements-linux.txt", "requirements-windows.txt")
SYSTEMS = (
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": ""},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "extra": ""},
)
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)[^/]*", re.IGNORECASE)
BY_HAND = ROOT / "packaging" / "licences"
"""Licence texts of packages that include none, from the same release; a folder each."""
COMMON_TEXTS = Path("/usr/share/common-licenses")
BESIDE = """
Qt and its Python binding are used under the LGPL, version 3, as separate shared libraries: another
build of them may be put in their place. Qt carries code of third parties; the Qt documentation of
the version above lists it ("Licenses Used in Qt"). fpdf2 is used under the LGPL, version 3,
unchanged. The SQLite inside apsw is in the public domain; the OpenSSL inside cryptography is under
the Apache licence 2.0; the certificates inside certifi are Mozilla's, under the MPL 2.0.

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
    """One package that is shipped with the product."""

    name: str
    version: str
    terms: str
    texts: tuple[Path, ...]


def locked_names() -> set[str]:
    names = set()
    for lock in LOCKS:
        text = (ROOT / "packaging" / lock).read_text(encoding="utf-8")
        names |= set(re.findall(r"^([A-Za-z0-9._-]+)==", text, flags=re.MULTILINE))
    return {canonicalize_name(name) for name in names}


def needed_names(name: str, seen: set[str]) -> set[str]:
    """The direct and indirect dependencies of the installed package `name`, on any system."""
    for line in distribution(name).requires or ():
        wanted = Requirement(line)
        needed = wanted.marker is None or any(map(wanted.marker.evaluate, SYSTEMS))
        found = str(canonicalize_name(wanted.name))
        if needed and found in locked_names() and found not in seen:
            seen |= {found}
            needed_names(found, seen)
    return seen


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


def copy_texts(packages: list[Shipped]) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    for package in packages:
        target = FOLDER / package.name
        target.mkdir(parents=True)
        for text in package.texts:
            place = target / text.name
            if place.exists():  # two parts of one package, each with its LICENSE
                place = target / text.parent.name / text.name
                place.parent.mkdir(exist_ok=True)
            shutil.copyfile(text, place)
    for font in ("fonts-inter", "fonts-jetbrains-mono"):
        target = FOLDER / font
        target.mkdir(parents=True)
        source = ROOT / "resources" / "fonts" / f"{font}.copyright.txt"
        shutil.copyfile(source, target / "copyright.txt")
    viewer = FOLDER / "swagger-ui"
    viewer.mkdir(parents=True)
    shutil.copyfile(ROOT / "resources" / "swagger-ui" / "LICENSE", viewer / "LICENSE")


def notices(packages: list[Shipped]) -> str:
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
    return "\n".join([*head, *rows]) + "\n" + BESIDE


def main() -> None:
    packages = [shipped(name) for name in sorted(needed_names("pos-app", set()))]
    copy_texts(packages)
    (FOLDER / "NOTICES.md").write_text(notices(packages), encoding="utf-8")
    print(f"{len(packages)} packages in {FOLDER}", file=sys.stderr)


if __name__ == "__main__":
    main()
