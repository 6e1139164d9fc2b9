"""Each screen that shows why an act on a receipt is not lawful has Serbian words for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pos_app.cashier.advances.view import why_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.receipt.receipt_overview import WhyNot
from pos_app.selling.receipts.correction import CorrectionFault

CASHIER = Path(__file__).parents[3] / "pos_app" / "cashier"
_KEY = re.compile(r'f"([a-z_.]*why_not)\.\{')


def spoken() -> set[str]:
    """The beginnings of the keys by which screens show it."""
    return {one for file in CASHIER.rglob("*.py") for one in _KEY.findall(file.read_text("utf-8"))}


@pytest.mark.parametrize("why", WhyNot)
def test_each_reason_has_words_wherever_it_is_told(why: WhyNot) -> None:
    keys = {f"{key}.{why}" for key in spoken()}
    assert f"receipts.why_not.{why}" in keys
    assert all(map(Texts().has, keys))
    assert why_words(why, Texts())


@pytest.mark.parametrize("fault", CorrectionFault)
def test_each_fault_of_a_correction_has_words(fault: CorrectionFault) -> None:
    assert Texts().has(f"corr.fault.{fault}")
