"""Rows of existing journals can be read, and are written again byte by byte.

`golden/` holds plans of every operation and a signed answer, as this product wrote them. They are
never made anew: a changed form is a new form beside these.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.adapters.sqlite.journal import packing

GOLDEN = Path(__file__).with_name("golden")
PLANS = sorted(path.stem for path in GOLDEN.glob("plan_*.json"))
_END = b"\0"
"""The separator between the JSON of an answer and the bytes of its address."""


def test_every_operation_has_a_plan_here() -> None:
    for name in ("issue", "advance", "close_refund", "close_sale", "copy", "refund", "refund_copy"):
        assert f"plan_{name}" in PLANS


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_keeps_its_bytes(name: str) -> None:
    kept = (GOLDEN / f"{name}.json").read_bytes()
    assert packing.planned_to_json(packing.planned_from_json(kept)) == kept


def test_a_signed_answer_keeps_its_bytes() -> None:
    kept = (GOLDEN / "answer").read_bytes()
    text, mark, sealed = kept.partition(_END)
    receipt = packing.answer_of(packing.packed(text + mark, sealed))
    assert receipt.invoice_number in text.decode()
    assert packing.unpacked(packing.answer_packed(receipt)) == kept
