"""Each decision record has a number of its own and the common form, and the index lists it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/decisions"
INDEX = "README.md"
TEMPLATE = "0000-template.md"

NAME = re.compile(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")
HEAD = re.compile(
    r"# (?P<number>\d{4})\. (?P<title>[^\n]+)\n\n"
    r"- Status: (?P<status>[^\n]+)\n"
    r"- Date: (?P<date>20\d\d-[01]\d-[0-3]\d)\n"
    r"- Area: (?P<area>[^\n]+)\n"
)
PARTS = ["Context", "Decision", "Consequences"]
STATUS = re.compile(r"Accepted|Superseded by \[(?P<number>\d{4})\]\((?P<target>[^)]+)\)")
CITED_NUMBER = re.compile(r"\bdecisions? (\d{4})\b")
AREAS = {"law", "money", "protocol", "data"}
"""Any other fact stands on the page of its rule."""


def faults(files: dict[str, str]) -> Iterator[str]:
    """The faults of a folder of records. files: text by name, with the index."""
    records = sorted(name for name in files if name not in (INDEX, TEMPLATE))
    numbers = [int(name[:4]) for name in records if NAME.fullmatch(name)]
    yield from (f"{name}: no name of a record" for name in records if not NAME.fullmatch(name))
    if len(set(numbers)) != len(numbers):
        yield "two records have one number"
    rows = []
    for name in records:
        head = HEAD.match(files[name])
        if head is None:
            yield f"{name}: no title, status, date and area in the usual form"
            continue
        yield from (f"{name}: {fault}" for fault in _faults_of_record(name, head, files[name]))
        rows.append(
            f"| [{name[:4]}]({name}) | {head['date']} | {head['title']} | {head['status']}"
            f" | {head['area']} |"
        )
    told = [line for line in files[INDEX].splitlines() if line.startswith("| [")]
    yield from (f"the index lacks: {row}" for row in rows if row not in told)
    yield from (f"the index alone has: {row}" for row in told if row not in rows)
    if len(told) == len(rows) and told != sorted(told):
        yield "the index is not in order"


def _faults_of_record(name: str, head: re.Match[str], text: str) -> Iterator[str]:
    if head["number"] != name[:4]:
        yield "its title has another number"
    if head["area"] not in AREAS:
        yield f"no area: {head['area']}"
    sections = re.split(r"^## (.+)$", text[head.end() :], flags=re.MULTILINE)
    if sections[1::2] != PARTS or not all(part.strip() for part in sections[2::2]):
        yield f"its parts are not {', '.join(PARTS)}, each with words"
    status = STATUS.fullmatch(head["status"])
    if status is None:
        yield f"no status: {head['status']}"
    elif status["number"] and status["target"][:4] != status["number"]:
        yield "its link leads to another record than it says"
    elif status["number"] and int(status["number"]) <= int(name[:4]):
        yield "superseded by a record that is not later"


def own_files() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def test_records_and_index_are_whole() -> None:
    assert list(faults(own_files())) == []


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
