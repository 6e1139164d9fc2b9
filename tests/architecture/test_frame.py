"""The frame of the checkout: locks, notices, icons and the wheel agree with each other."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = {
    system: (ROOT / f"packaging/requirements-{system}.txt").read_text(encoding="utf-8")
    for system in ("linux", "windows", "dev", "platform")
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def pins(lock: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCKS[lock], flags=re.MULTILINE))


def asked_for(system: str) -> set[str]:
    """The names of the project's own dependencies on "linux" or "win32"."""
    found = set()
    for line in PROJECT["project"]["dependencies"]:
        wanted, _, marker = line.partition(";")
        if not marker or f"'{system}'" in marker:
            found.add(re.split(r"[<>=]", wanted)[0].strip().lower().replace("_", "-"))
    return found


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_hashes_and_no_address(lock: str) -> None:
    text = LOCKS[lock]
    assert "://" not in text
    assert "--index" not in text
    requirements = re.split(r"\n(?=\S)", text)
    pinned = [part for part in requirements if "==" in part.partition("\n")[0]]
    assert len(pinned) == len(pins(lock)) > 20
    assert all("--hash=sha256:" in part for part in pinned)


def test_locks_hold_what_the_project_asks_for() -> None:
    assert asked_for("linux") <= set(pins("linux"))
    assert asked_for("win32") <= set(pins("windows"))


def test_a_machine_that_hosts_the_platform_needs_no_window_and_no_sound() -> None:
    linux, platform = pins("linux"), pins("platform")
    both = linux.keys() & platform.keys()
    assert {name: platform[name] for name in both} == {name: linux[name] for name in both}
    assert linux.keys() - both == {"pyside6-essentials", "shiboken6", "qasync", "miniaudio"}


def test_tests_run_with_the_versions_that_are_shipped() -> None:
    assert pins("linux").items() <= pins("dev").items()
    both = pins("linux").keys() & pins("windows").keys()
    assert {name: pins("windows")[name] for name in both} == {
        name: pins("linux")[name] for name in both
    }


def test_notices_name_what_is_locked() -> None:
    text = (ROOT / "resources/licences/NOTICES.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| ([\w.-]+) \| (\d\S*) \|", text, flags=re.MULTILINE))
    locked = pins("linux") | pins("windows")
    assert named.items() <= locked.items(), "run packaging/notices.py"
    assert asked_for("linux") | asked_for("win32") <= named.keys()
    for name in named:
        assert any((ROOT / "resources/licences" / name).rglob("*")), name


def test_checks_before_a_commit_are_those_of_make_check() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = re.findall(r"^(?:quick|check):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    checks = re.findall(r"\$\(FOR_TEST\) \$\(BIN\)/(.+)", "".join(recipes))
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(
        r"^ +entry: packaging/prepare\.sh test \.venv/bin/(.+)$", hooks, re.MULTILINE
    )
    assert entries == checks
    assert len(entries) == len("".join(recipes).splitlines()) == hooks.count("language: system")


def test_the_changelog_tells_of_this_version() -> None:
    from pos_app import __version__

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert versions[:2] == ["Unreleased", __version__]


def test_each_icon_of_the_design_is_there_and_takes_the_colour_of_its_text() -> None:
    names = runpy.run_path(str(ROOT / "packaging/icons.py"))["NAMES"].split()
    files = {path.stem: path for path in (ROOT / "resources/icons").glob("*.svg")}
    assert sorted(files) == sorted(names), "run packaging/icons.py"
    for path in files.values():
        assert 'stroke="currentColor"' in path.read_text(encoding="utf-8"), path.name


def test_wheel_carries_the_resources_and_finds_them(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*build, "--no-index", "--wheel-dir", tmp_path, ROOT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("pos_app-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        names = set(archive.namelist())
    fonts = {
        f"pos_app/resources/fonts/{font.name}" for font in (ROOT / "resources/fonts").glob("*")
    }
    assert names >= fonts | {"pos_app/resources/licences/NOTICES.md"}
    found = subprocess.run(
        [sys.executable, "-c", "from pos_app import resources; print(resources.folder())"],
        cwd=tmp_path / "site",
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()) == tmp_path / "site/pos_app/resources"
