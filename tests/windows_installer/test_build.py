"""The same commit gives the same installer, byte for byte, in every folder and for every
builder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pos_app import __version__
from pos_app.adapters.updates.source import SHIPPED, UpdateSource, trusted_source
from tests.windows_installer.wine import ROOT

WORK = ROOT / "build" / "windows"
MADE_HERE = (".git", ".venv", ".system", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
"""Files that are in a checkout and in no commit."""
VALID = """
import pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = pathlib.Path(sys.argv[1]).read_text("utf-8")
wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
sys.exit(wrong and str(wrong))
"""
"""Run by the Python beside the tool that made the bill: that one has CycloneDX's own schema."""
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
    """Of the files that a build keeps for the next one, this one gets the runtime and a tool."""
    first = WORK / f"{__version__}-TEST" / "stage"
    epoch = int((first / "pos-app.exe").stat().st_mtime)
    place = tmp_path / "друго-место"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE_HERE))
    kept = place / "build" / "windows"
    (kept / "cache").mkdir(parents=True)
    (kept / "sbom").symlink_to(WORK / "sbom")
    (runtime,) = (WORK / "cache").glob("python-*-TEST-amd64.zip")
    (kept / "cache" / runtime.name).symlink_to(runtime)
    others = {
        "SOURCE_DATE_EPOCH": str(epoch),
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "7",
        "LOGNAME": "other",
    }
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(
        [sys.executable, *WORDS], cwd=place, env=environment | others, umask=0o077, check=True
    )
    assert parts(kept / first.parent.name / "stage") == parts(first)
    assert (place / "again.exe").read_bytes() == new_setup.read_bytes()


def test_the_maker_s_key_is_in_the_program(new_setup: Path) -> None:
    shipped = WORK / f"{__version__}-TEST" / "stage" / "app" / "pos_app" / SHIPPED.name
    assert trusted_source(shipped=shipped, administrators=dict) == UpdateSource(URL, KEY)


def test_the_bill_names_every_part_with_its_version_and_its_licence(new_setup: Path) -> None:
    stage = WORK / f"{__version__}-TEST" / "stage"
    file = stage / "licences" / "sbom.cdx.json"
    words = [str(WORK / "sbom" / "bin" / "python"), "-c", VALID, str(file)]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    bill = json.loads(file.read_text(encoding="utf-8"))
    itself = bill["metadata"]["component"]
    assert (itself["name"], itself["version"]) == ("pos-app", __version__)
    (runtime,) = (WORK / "cache").glob("python-*-TEST-amd64.zip")
    lock = (ROOT / "packaging" / "requirements-windows.txt").read_text(encoding="utf-8")
    wanted = set(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", lock, re.MULTILINE))
    assert len(wanted) > 30
    wanted.add(("cpython", runtime.name.split("-")[1]))
    assert {(one["name"], one["version"]) for one in bill["components"]} == wanted
    for one in bill["components"]:
        (terms,) = one["licenses"]
        named = terms.get("expression") or terms["license"].get("id") or terms["license"]["name"]
        assert re.search(r"[A-Za-z]{2}", named), one["name"]
