"""The processor's memory: counters, numbers, look-ups and stored receipts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import apsw
import pytest

from pos_app import errors
from pos_app.pfr_emulator.ledger import LEDGER_FILE, Ledger
from pos_app.pfr_emulator.processor import Processor


def signed(processor: Processor, body: bytes, **given: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(processor.sign(body, **given))
    return answer


def test_a_ledger_of_an_unreleased_build_is_told_as_such(tmp_path: Path) -> None:
    for statement in ("UPDATE made_by SET steps = 'of another build'", "DROP TABLE made_by"):
        if not (tmp_path / LEDGER_FILE).exists():
            Ledger.open(tmp_path, first_facts={}).close()
        database = apsw.Connection(str(tmp_path / LEDGER_FILE))
        database.execute(statement)
        database.close()
        with pytest.raises(errors.DatabaseDamaged, match="unreleased build") as told:
            Ledger.open(tmp_path, first_facts={})
        assert told.value.kind == "unreleased_ledger"
