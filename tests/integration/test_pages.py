"""The examples of the pages about the catalogue's file and the development processor work."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import get_args

from pos_app.pfr_emulator.condition import Condition
from pos_app.pfr_emulator.faults import Fault, Kind
from tests.integration.test_server_program import run

DOCS = Path(__file__).parents[2] / "docs"
FILE_PAGE = (DOCS / "catalogue-file.md").read_text(encoding="utf-8")
PROCESSOR_PAGE = (DOCS / "processor.md").read_text(encoding="utf-8")


def test_the_articles_of_the_page_come_in(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", FILE_PAGE, re.DOTALL)
    file = tmp_path / "articles.json"
    file.write_text(shown, encoding="utf-8")
    done = run("sync", str(file), "--data", str(tmp_path / "shop"), "--accept-removals")
    assert done.returncode == 0, done.stderr
    assert "2 added" in done.stdout + done.stderr


def test_every_kind_of_fault_is_told() -> None:
    table = PROCESSOR_PAGE.partition("| `kind` |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row)} == set(get_args(Kind))


def test_the_faults_and_conditions_that_are_shown_are_taken() -> None:
    (shown,) = re.findall(r"^    curl (.*)$", PROCESSOR_PAGE, re.MULTILINE)
    assert Fault.model_validate(json.loads(shlex.split(shown)[-1])).kind == "refuse"
    (conditions,) = re.findall(r"^\| `PATCH /state` \|(.*)\|$", PROCESSOR_PAGE, re.MULTILINE)
    told = [json.loads(body) for body in re.findall(r"`(\{.*?\})`", conditions)]
    assert len(told) == 3
    for change in told:
        assert Condition.model_validate(change) != Condition()
