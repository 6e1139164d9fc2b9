"""Writes what others have in Qt, with their licences: `packaging/licences/qt/third-party.txt`.

    .venv/bin/python packaging/qt_notices.py QTBASE QTSVG QTIMAGEFORMATS

Each is an unpacked source of Qt, of the release that is locked where it can be had: Qt's modules
say in `qt_attribution.json` what they have of others. Run it with those sources when the lock
gets another Qt; `packaging/notices.py` takes the file along as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent / "licences" / "qt" / "third-party.txt"
MODULES = {
    *("qtcore", "qtdbus", "qtgui", "qtnetwork", "qtprintsupport", "qtwidgets", "qtsvg"),
    *("qtimageformats", "qtwaylandcompositor"),
}
"""Modules of Qt in both packages, by the names of its documentation. The protocols of Wayland are
listed under its compositor, which is not shipped; the platform plug-in for Wayland has them too."""
OF_OTHER_SYSTEMS = {
    *("android-native-style", "cocoa-platform-plugin", "dejayvu", "qeventdispatcher_cf")
}
"""Parts for Android, macOS and browsers."""
HEAD = """\
Code of third parties in Qt

Written by packaging/qt_notices.py from what Qt's own sources say: {sources}. A part may
be for one of the systems alone, and one that a system brings itself is not inside. No part was
changed for this product.
"""


def main(arguments: list[str]) -> None:
    if not arguments:
        raise SystemExit(__doc__)
    sources = [Path(given) for given in arguments]
    named = ", ".join(f"{module(source)} {version(source)}" for source in sources)
    parts = [part for source in sources for part in attributions(source)]
    texts: dict[str, str] = {}
    written = [HEAD.format(sources=named), *(told(*part, texts) for part in parts)]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("\n".join(written), encoding="utf-8")
    print(f"{len(parts)} parts of {named}", file=sys.stderr)


def module(source: Path) -> str:
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^project\((Qt\w+)", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{source} is no source of Qt.")
    return found[1].lower()


def version(source: Path) -> str:
    """The version that a source names, "6.11.2". The folder of a release has its name."""
    text = (source / ".cmake.conf").read_text(encoding="utf-8")
    (found,) = re.findall(r'^set\(QT_REPO_MODULE_VERSION "([^"]+)"\)', text, re.MULTILINE)
    is_release = source.resolve().name == f"{module(source)}-everywhere-src-{found}"
    return str(found) if is_release else f"{found} (a state of its development)"


def attributions(source: Path) -> Iterator[tuple[dict[str, Any], Path, Path]]:
    """Each part that is shipped, with the folder of its files and its source."""
    for file in sorted(source.rglob("qt_attribution.json")):
        # Qt's own reader accepts line ends within a text.
        read = json.loads(file.read_text(encoding="utf-8"), strict=False)
        for part in read if isinstance(read, list) else [read]:
            is_tool = part.get("QtParts") == ["tools"]
            if part["QDocModule"] in MODULES and part["Id"] not in OF_OTHER_SYSTEMS and not is_tool:
                yield part, file.parent, source


def told(part: dict[str, Any], folder: Path, source: Path, texts: dict[str, str]) -> str:
    """The text about a part. texts: those that were written already, with the part of each."""
    name = " ".join(filter(None, (part["Name"], part.get("Version"))))
    lines = ["=" * 100, name, "", part.get("Description", ""), part.get("QtUsage", "")]
    lines += [
        f"Licence: {part['LicenseId']} ({part['License']})",
        "",
        *copyrights(part, folder),
        "",
    ]
    for text in licence_texts(part, folder, source):
        if text in texts:
            lines += [f"Its text is that of {texts[text]}.", ""]
        else:
            texts[text] = part["Name"]
            lines += [text, ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def copyrights(part: dict[str, Any], folder: Path) -> list[str]:
    given = part.get("Copyright", [])
    lines = [given] if isinstance(given, str) else list(given)
    if "CopyrightFile" in part:
        lines.append((folder / part["CopyrightFile"]).read_text(encoding="utf-8").strip())
    if not lines:
        raise SystemExit(f"{part['Id']} names no copyright.")
    return lines


def licence_texts(part: dict[str, Any], folder: Path, source: Path) -> Iterator[str]:
    """The files that a part names, or else the texts of its licences that Qt keeps."""
    files = part.get("LicenseFiles") or part.get("LicenseFile") or []
    places = [folder / one for one in ([files] if isinstance(files, str) else files)]
    for place in places or kept_texts(part["LicenseId"], source):
        yield place.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")


def kept_texts(licence: str, source: Path) -> list[Path]:
    ids = re.findall(r"[\w.+-]+", re.sub(r"\b(AND|OR|WITH)\b", " ", licence))
    return [source / "LICENSES" / f"{one}.txt" for one in ids]


if __name__ == "__main__":
    main(sys.argv[1:])
