"""Each decision record has a number of its own and the common form, and the index lists it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/decisions"
RECORD = re.compile(
    r"# (?P<number>\d{4})\. (?P<title>[^\n]+)\n\n"
    r"- Status: (?P<status>Accepted|Superseded by \[(?P<by>\d{4})\]\((?P=by)-[^)]+\))\n"
    r"- Date: (?P<date>20\d\d-[01]\d-[0-3]\d)\n"
    r"- Area: (?P<area>law|money|protocol|data)\n"  # any other fact stands on the page of its rule
    r"\s*## Context\n(?!\s*##).+\n## Decision\n(?!\s*##).+\n## Consequences\n.*\S.*",
    re.DOTALL,
)
PARTS = ["Context", "Decision", "Consequences"]
CITED_NUMBER = re.compile(r"\bdecisions? (\d{4})\b")


def test_records_and_index_are_whole() -> None:
    rows = list[str]()
    for path in sorted(set(FOLDER.iterdir()) - {FOLDER / "README.md", FOLDER / "0000-template.md"}):
        name, text = path.name, path.read_text(encoding="utf-8")
        assert re.fullmatch(r"\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md", name)
        record = RECORD.fullmatch(text)
        assert record is not None, f"{name} has not the form of a record"
        assert re.findall("^## (.+)$", text, re.MULTILINE) == PARTS
        assert record["number"] == name[:4] < (record["by"] or "9999")
        told = (record[one] for one in ("date", "title", "status", "area"))
        rows.append(" | ".join((f"| [{name[:4]}]({name})", *told)) + " |")
    assert len({row[:7] for row in rows}) == len(rows), "two records have one number"
    index = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    assert [row for row in index if row.startswith("| [")] == rows


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
