"""The same commit gives the same installer, byte for byte, in every folder for every builder."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from packaging.utils import canonicalize_name

from pos_app import __version__
from pos_app.adapters.updates.source import SHIPPED, UpdateSource, trusted_source
from tests.scripts import built_by_another, copied
from tests.windows_installer.wine import ROOT

WORK = ROOT / "build" / "windows"
URL, KEY = "https://updates.invalid/manifest.json", f"{'A' * 43}="
"""The maker of test builds, as build.py names it."""
WORDS = (
    *("packaging/windows/build.py", "--compression", "zlib", "--out", "again.exe"),
    *("--update-url", URL, "--update-key", KEY),
)


def parts(stage: Path) -> dict[str, tuple[int, int, str]]:
    return {
        path.relative_to(stage).as_posix(): (
            int(path.stat().st_mtime),
            path.stat().st_size,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in stage.rglob("*")
        if path.is_file()
    }


def test_another_build_in_another_place_has_the_same_bytes(new_setup: Path, tmp_path: Path) -> None:
    """Of the files that a build keeps for the next one, this one gets the runtime."""
    first = WORK / f"{__version__}-TEST" / "stage"
    epoch = int((first / "pos-app.exe").stat().st_mtime)
    place = copied(tmp_path / "друго-место")
    kept = place / "build" / "windows"
    (kept / "cache").mkdir(parents=True)
    (runtime,) = (WORK / "cache").glob("python-*-TEST-amd64.zip")
    (kept / "cache" / runtime.name).symlink_to(runtime)
    built_by_another(place, epoch, *WORDS)
    assert parts(kept / first.parent.name / "stage") == parts(first)
    for end in ("", ".cdx.json"):
        again, first_one = place / f"again.exe{end}", new_setup.with_name(new_setup.name + end)
        assert again.read_bytes() == first_one.read_bytes()


def test_the_maker_s_key_is_in_the_program(new_setup: Path) -> None:
    shipped = WORK / f"{__version__}-TEST" / "stage" / "app" / "pos_app" / SHIPPED.name
    assert trusted_source(shipped=shipped, administrators=dict) == UpdateSource(URL, KEY)


def test_the_bill_names_every_part_with_its_version_and_its_licence(new_setup: Path) -> None:
    stage = WORK / f"{__version__}-TEST" / "stage"
    file = stage / "licences" / "sbom.cdx.json"
    text = file.read_text(encoding="utf-8")
    assert new_setup.with_name(f"{new_setup.name}.cdx.json").read_text(encoding="utf-8") == text
    bill = json.loads(text)
    itself = bill["metadata"]["component"]
    assert (itself["name"], itself["version"]) == ("pos-app", __version__)
    (runtime,) = (WORK / "cache").glob("python-*-TEST-amd64.zip")
    lock = (ROOT / "packaging" / "requirements-windows.txt").read_text(encoding="utf-8")
    wanted = set(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock, re.MULTILINE))
    assert len(wanted) > 30
    wanted.add(("cpython", runtime.name.split("-")[1]))
    named = {(canonicalize_name(one["name"]), one["version"]) for one in bill["components"]}
    assert named == wanted
    for one in bill["components"]:
        (terms,) = one["licenses"]
        words = terms.get("expression") or terms["license"].get("id") or terms["license"]["name"]
        assert re.search(r"[A-Za-z]{2}", words), one["name"]
