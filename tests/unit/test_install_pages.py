"""docs/install/windows.md tells each switch and each exit code of the installer, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/install/windows.md").read_text(encoding="utf-8")
SETUP = (ROOT / "packaging/windows/setup.nsi").read_text(encoding="utf-8")


def first_cells(head: str) -> list[str]:
    table = PAGE.partition(f"| {head} | meaning |\n|---|---|\n")[2].partition("\n\n")[0]
    return [row.split(" | ")[0].strip("| `") for row in table.splitlines()]


def test_each_exit_code_is_told_and_no_other() -> None:
    ends = re.findall(r"(?:!insertmacro REFUSE|SetErrorLevel|StrCpy \$lacks) (\d+)(?!\S)", SETUP)
    assert {*ends, "0"} == set(first_cells("code"))
    assert len(ends) > 10


def test_each_switch_is_told_and_no_other() -> None:
    told = {cell.removesuffix("DIR").rstrip("=") for cell in first_cells("switch")}
    read = set(re.findall(r'(?:GetOptions\} \$R0|UNQUOTED|SELECTED_BY) "(/\w+)=?"', SETUP))
    assert told == read | {"/S"}
