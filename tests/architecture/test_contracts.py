"""Breaks each import contract of `pyproject.toml` on purpose, in a package made of nothing else.

A contract that names a package wrongly would hold for ever. So every import that a contract
forbids is written, in the rooms and to the rooms that it names, and each must be told.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "pos_app"
Import = tuple[str, str]
"""A module of the product, and what it imports."""


def contracts() -> dict[str, Mapping[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {one["name"]: one for one in settings["tool"]["importlinter"]["contracts"]}


def breaks_of(contract: Mapping[str, Any]) -> Iterator[Import]:
    """The imports that a contract forbids."""
    match contract["type"]:
        case "forbidden":
            for source in contract["source_modules"]:
                yield from ((source, forbidden) for forbidden in contract["forbidden_modules"])
        case "protected":
            rooms = {f"pos_app.{one.parent.name}" for one in PRODUCT.glob("*/__init__.py")}
            named = {*contract["allowed_importers"], *contract["protected_modules"]}
            for protected in contract["protected_modules"]:
                yield from ((room, protected) for room in rooms - named)
        case "layers":
            for container in contract["containers"]:
                yield from _breaks_of_layers(container, contract["layers"])


def _breaks_of_layers(container: str, layers: list[str]) -> Iterator[Import]:
    """An arrow points up, or sideways between rooms that "|" divides."""
    floors = [[f"{container}.{one}" for one in re.findall(r"\w+", layer)] for layer in layers]
    for upper, lower in combinations(floors, 2):
        yield from ((low, up) for low in lower for up in upper)
    for layer, floor in zip(layers, floors, strict=True):
        yield from permutations(floor, 2) if "|" in layer else ()


def file_of(module: str) -> Path:
    path = Path(*module.split("."))
    return path / "__init__.py" if (ROOT / path).is_dir() else path.with_suffix(".py")


def test_each_contract_sees_its_breaks(tmp_path: Path) -> None:
    for path in (
        *(one.relative_to(ROOT) for one in PRODUCT.rglob("*.py")),
        file_of("pos_app.helpers"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    breaks = {name: {*breaks_of(contract)} for name, contract in contracts().items()}
    for source, imported in set[Import]().union(*breaks.values()):
        with (tmp_path / file_of(source)).open("r+", encoding="utf-8") as module:
            module.seek(0, os.SEEK_END)
            module.write(f"import {imported}\n")
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "pos_app.helpers" in done.stdout, "a room that nobody drew"
    _, _, details = done.stdout.partition("Broken contracts")
    sections = re.split(r"^(.+)\n-+$", details, flags=re.MULTILINE)
    told = dict(zip(sections[1::2], sections[2::2], strict=True))
    unseen = [
        f"{name}: {source} > {imported}"
        for name, forbidden in breaks.items()
        for source, imported in forbidden
        if f"{source} -> {imported} (l." not in told.get(name, "")
    ]
    assert unseen == []
