"""The notices of the shipped packages fit the locks, and no package is shipped without one."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.scripts import script

ROOT = Path(__file__).parents[2]
LICENCES = ROOT / "resources" / "licences"
LOCKS = ("requirements-linux.txt", "requirements-windows.txt")


@pytest.fixture(scope="module")
def notices() -> ModuleType:
    return script("notices")


def locked() -> dict[str, str]:
    """Every package that one of the locks names, with its version."""
    texts = [(ROOT / "packaging" / lock).read_text("utf-8") for lock in LOCKS]
    return dict(re.findall(r"^([a-z0-9-]+)==([^\s;]+)", "\n".join(texts), re.MULTILINE))


def rows(text: str) -> list[list[str]]:
    """The rows of the text's tables, without their heads."""
    lines = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    return [line for line in lines if line[1] not in ("version", "licence")]


def test_every_package_is_named_in_its_version_and_brings_a_text(notices: ModuleType) -> None:
    listed = (LICENCES / "NOTICES.md").read_text("utf-8").partition("\n## Fonts")[0]
    wanted = {name: one for name, one in locked().items() if name not in notices.OF_THE_BUILD}
    assert {row[0]: row[1] for row in rows(listed)} == wanted
    for name in wanted:
        assert [text for text in (LICENCES / name).rglob("*") if text.is_file()], name


def test_what_is_said_to_be_left_out_is_in_no_package(notices: ModuleType) -> None:
    left_out = (ROOT / "packaging" / "linux" / "prune.toml").read_text("utf-8")
    windows = (ROOT / "packaging" / LOCKS[1]).read_text("utf-8")
    for name in notices.OF_THE_BUILD:
        assert f'"{name.replace("-", "_")}*"' in left_out
        assert f"\n{name}==" not in windows


def test_every_crate_of_rust_is_named_as_its_package_tells(notices: ModuleType) -> None:
    text = (LICENCES / "rust" / "NOTICES.md").read_text("utf-8")
    names = [name for name in notices.locked_names() if name != "pywin32-ctypes"]
    with_rust = {name for name in names if notices.crates(name)}
    assert {"cryptography", "pydantic-core"} <= with_rust
    sections = dict(re.findall(r"^## (\S+ \S+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) == {f"{name} {locked()[name]}" for name in with_rust}
    for head, section in sections.items():
        told = [(one["name"], one["version"]) for one in notices.crates(head.split()[0])]
        assert [(row[0], row[1]) for row in rows(section)] == told, head


def test_a_package_with_a_library_of_rust_brings_a_bill_of_it(notices: ModuleType) -> None:
    """A library that contains the name of the registry of crates has crates inside."""
    for name in notices.locked_names() - {"pywin32-ctypes"}:
        package = distribution(name)
        for file in package.files or ():
            if file.suffix == ".so" and "PySide6" not in str(file):
                is_rust = b"/.cargo/registry/" in Path(str(package.locate_file(file))).read_bytes()
                assert not is_rust or notices.crates(name), f"{name}: {file}"


@pytest.mark.parametrize(
    ("licence", "is_taken"),
    [
        ("MIT OR Apache-2.0", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Unlicense OR MIT", True),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", True),
        ("GPL-2.0-only", False),
        ("MIT AND Beerware", False),
        ("Apache-2.0 WITH Other-exception", False),
    ],
)
def test_a_crate_under_a_licence_without_its_text_is_refused(
    notices: ModuleType, licence: str, is_taken: bool
) -> None:
    crate: dict[str, Any] = {"name": "some", "licenses": [{"expression": licence}]}
    if is_taken:
        assert notices.licence_of(crate) == licence
    else:
        with pytest.raises(SystemExit, match="some is under"):
            notices.licence_of(crate)


def test_the_source_of_qt_is_offered_in_the_version_that_is_shipped(notices: ModuleType) -> None:
    version = locked()["pyside6-essentials"]
    assert locked()["shiboken6"] == version
    text = (LICENCES / "qt" / "SOURCE.txt").read_text("utf-8")
    assert text == notices.offer()
    minor = version.rpartition(".")[0]
    assert f"https://download.qt.io/official_releases/qt/{minor}/{version}/" in text
    assert f"PySide6-{version}-src/" in text
    for folder in ("pyside6-essentials", "shiboken6"):
        assert {"LGPL-3", "GPL-3"} <= {one.name for one in (LICENCES / folder).iterdir()}


def test_both_builds_put_a_name_where_the_offer_has_none() -> None:
    text = (LICENCES / "qt" / "SOURCE.txt").read_text("utf-8")
    for build in ("windows/build.py", "linux/build_deb.py"):
        (words,) = re.findall(
            r'^OFFERED_BY = "(.+)"', (ROOT / "packaging" / build).read_text("utf-8"), re.MULTILINE
        )
        assert text.count(words) == 1, build
