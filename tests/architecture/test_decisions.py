"""Each decision record that is cited is there, and the index lists all of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/decisions"
CITED_NUMBER = re.compile(r"\bdecisions? (\d{4})\b")


def test_the_index_has_a_row_for_each_record() -> None:
    names = sorted(one.name for one in FOLDER.iterdir() if one.name != "README.md")
    rows = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [row.split("](")[1].split(")")[0] for row in rows if row.startswith("| [")]
    assert ["0000-template.md", *listed] == names


def test_each_number_that_is_cited_is_that_of_a_record() -> None:
    places = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for folder in ("pos_app", "tests", "packaging"):
        places += (ROOT / folder).rglob("*.py")
    numbers = {path.name[:4] for path in FOLDER.iterdir()}
    cited = {
        (place.relative_to(ROOT).as_posix(), number)
        for place in places
        for number in CITED_NUMBER.findall(place.read_text(encoding="utf-8"))
    }
    assert cited
    assert not sorted(one for one in cited if one[1] not in numbers)
