"""A processor that writes its answers in another form than most: the shop sells, and our API writes
the receipt as usual. What can't be read is in fiscalization/test_foreign_answers.py."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus
from pos_app.domain.setup.processor_setup import ProcessorChange
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.cutting import CuttableH11
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.wire.strict_json import dumps
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.foreign_answers import Respelled
from tests.integration.fiscalization.shop import serving
from tests.integration.test_processor_page import Running, running

Spell = Callable[[dict[str, Any]], bytes]
TOLD = (
    "totalAmount",
    "taxItems",
    "totalCounter",
    "transactionTypeCounter",
    "taxGroupRevision",
    "tin",
)


def as_texts(value: Any) -> Any:
    """Turn each number into a text, and the kind of an answer's taxes into its name."""
    if isinstance(value, dict):
        kinds = ("TaxOnNet", "TaxOnTotal", "AmountPerQuantity")
        return {
            name: kinds[one] if name == "categoryType" else as_texts(one)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return list(map(as_texts, value))
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return str(value) if is_number else value


def as_numbers(said: dict[str, Any]) -> dict[str, Any]:
    """Turn codes, the UID's counter and the TIN into numbers, and yes and no into texts."""
    codes = {name: list(map(int, said[name])) for name in ("gsc", "mssc") if name in said}
    counter = said.get("lastInvoiceNumber")
    last = {"lastInvoiceNumber": int(counter.rpartition("-")[2])} if counter else {}
    tin = {"tin": int(said["tin"])} if "tin" in said else {}
    pin = {"isPinRequired": str(said["isPinRequired"])} if "isPinRequired" in said else {}
    return said | codes | last | tin | pin


FORMS: dict[str, Spell] = {
    "numbers as texts": lambda said: dumps(as_texts(said)),
    "codes as numbers": lambda said: dumps(as_numbers(said)),
    "a byte order mark": lambda said: b"\xef\xbb\xbf" + dumps(said),
    "all of them": lambda said: b"\xef\xbb\xbf" + dumps(as_texts(as_numbers(said))),
}


@asynccontextmanager
async def shop_at(folder: Path, spell: Spell) -> AsyncIterator[tuple[Running, Respelled]]:
    give_key(folder.parent / "lpfr")
    card = Processor.open(folder=folder.parent / "lpfr", options=Options())
    app = Respelled(create_app(card), spell)
    try:
        async with serving(app, http=CuttableH11) as url, running(folder) as server:
            await server.desk.change(ProcessorChange(kind="lpfr", url=url), by="Управник")
            await server.until("lpfr")
            yield server, app
    finally:
        card.close()


async def state(server: Running) -> ProcessorStatus:
    status = (await server.desk.setup()).status
    assert status is not None
    return status


@pytest.mark.deadline(120)
async def test_an_answer_in_another_form_is_the_same_receipt(folder: Path) -> None:
    async with shop_at(folder, dumps) as (server, app):
        usual = (await server.post("a-key-in-the-usual-form")).json()
        for number, (form, spell) in enumerate(FORMS.items()):
            app.spell = spell
            answer = await server.post(f"a-key-in-another-form-{number}")
            assert answer.status_code == 200, (form, answer.text)
            told = answer.json()
            for name in TOLD:
                expected = usual[name]
                if name in ("totalCounter", "transactionTypeCounter"):
                    expected += number + 1
                assert (form, name, told[name]) == (form, name, expected)
            status = await state(server)
            assert (form, status.state, status.unread) == (form, ProcessorState.READY, ())
