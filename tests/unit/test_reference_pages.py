"""The tables of docs/reference agree with the code: states, codes, codebooks, colours; so does
docs/install/windows.md with the installer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pos_app.domain.receipt.buyer import BUYER_KINDS, COST_CENTRE_KINDS
from pos_app.domain.receipt.states import BEGINNINGS, MOVES
from pos_app.domain.setup.processor import CODES
from pos_app.wire import problem

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


def rows(name: str, head: str) -> Iterator[list[str]]:
    """The cells of the table that begins with that head, without the head."""
    table = page(name).partition(head)[2].partition("\n\n")[0]
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def names(cell: str) -> list[str]:
    return [name.strip().lower() for name in re.sub(r"\(.*?\)", "", cell).split("·")]


def test_the_states_of_a_request() -> None:
    told = {
        (old, new)
        for before, after, *_ in rows("exactly-once.md", "| from | to |")
        for old in names(before)
        for new in names(after)
    }
    moves = {(str(old), str(new)) for old, after in MOVES.items() for new in after}
    assert told == moves | {("–", str(state)) for state in BEGINNINGS}


def test_the_codes_of_an_answer() -> None:
    told = set()
    for _, status, code, classes, _ in rows("platform-contract.md", "| case | status |"):
        codes = re.findall(r"\d{8}", code)
        statuses = status.split(" · ") * (len(codes) if " · " not in status else 1)
        kinds = re.split(" or ", classes)
        told |= {
            (int(one), int(number), kind)
            for one, number in zip(statuses, codes, strict=True)
            for kind in kinds
        }
    cases = [case for case in vars(problem).values() if isinstance(case, problem.ProblemKind)]
    assert told == {(case.status, case.code, str(case.answer_class)) for case in cases}


def test_the_codes_of_a_processor() -> None:
    table = page("fiscal.md").partition("| code | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"\b\d{4}\b", table)) == set(CODES)


def test_the_codebooks() -> None:
    text = page("fiscal.md").partition("## 5. Codebooks")[2].partition("\n## ")[0]
    buyers, centres = text.partition("**buyerCostCenterId**")[::2]
    of_buyers = buyers.partition("characters:")[2].partition("\n\n")[0]
    of_centres = centres.partition("with a buyer:")[2].partition("\n\n")[0].partition(". It")[0]
    code = r"(?:^|·|older:|,)\s*(\d\d)\b"
    assert re.findall(code, of_buyers) == list(BUYER_KINDS)
    assert sorted(re.findall(code, of_centres)) == list(COST_CENTRE_KINDS)


INSTALL_PAGE = (ROOT / "docs/install/windows.md").read_text(encoding="utf-8")
SETUP = (ROOT / "packaging/windows/setup.nsi").read_text(encoding="utf-8")


def first_cells(head: str) -> list[str]:
    table = INSTALL_PAGE.partition(f"| {head} | meaning |\n|---|---|\n")[2].partition("\n\n")[0]
    return [row.split(" | ")[0].strip("| `") for row in table.splitlines()]


def test_each_exit_code_is_told_and_no_other() -> None:
    ends = re.findall(r"(?:!insertmacro REFUSE|SetErrorLevel|StrCpy \$lacks) (\d+)(?!\S)", SETUP)
    assert {*ends, "0"} == set(first_cells("code"))
    assert len(ends) > 10


def test_each_switch_is_told_and_no_other() -> None:
    told = {cell.removesuffix("DIR").rstrip("=") for cell in first_cells("switch")}
    read = set(re.findall(r'(?:GetOptions\} \$R0|UNQUOTED|SELECTED_BY) "(/\w+)=?"', SETUP))
    assert told == read | {"/S"}
