"""No word of the window's language goes into what a server is asked to sign, nor into the row of an
act: copies, corrections, exchanges and the closings of advances, made by the same presses at one
till in each of the languages."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest

from pos_app.cashier.texts.lookup import LANGUAGES
from pos_app.domain.receipt.operations import Operation
from pos_app.selling.sale.sale import Sale
from tests.fakes.inner_connection import connection_of
from tests.gui.advances.test_advances import ADVANCE, issue
from tests.gui.correction.test_correction import corrected, seller
from tests.gui.correction.test_correction import opened as correcting
from tests.gui.exchange.test_exchange import begun, done
from tests.gui.parts import in_front
from tests.gui.refund import opened as refunding
from tests.gui.window.real_till import OUTCOMES, RealTill, real

__all__ = ["real"]

BREAD, MILK = "8609910700134", "8609951100139"
VARIES = re.compile(r"[0-9A-Z]{8}-[0-9A-Z]{8}-\d+|20\d\d-\d\d-\d\d[T ][\d:.+Z]+|[0-9a-f-]{32,36}")
"""Numbers of receipts, times and keys."""


async def copied(real: RealTill) -> None:
    """F7, the scan, Enter, Enter."""
    sale = await real.sold(BREAD)
    assert sale.receipt is not None
    url = sale.receipt.verification_url
    assert url is not None
    await real.press("F7")
    await real.scan(url)
    screen = in_front(real.hands.window.frame, "receipts.title")
    await real.until(
        lambda: (
            screen.model.opened is not None
            and screen.model.opened.overview.number == sale.receipt.fiscal_number
        )
    )
    await real.press("Enter")
    await real.until(lambda: screen.model.doing is not None)
    await real.until(lambda: not screen.opened.acts.main.rests)
    await real.press("Enter")
    await issued(real, Operation.COPY)


async def refunded(real: RealTill) -> None:
    await refunding.opened(real, await real.sold(BREAD))
    await real.scan(refunding.ID_CARD)
    await real.press("F12")
    await real.press("Enter")
    await issued(real, Operation.REFUND)


async def payment_corrected(real: RealTill) -> None:
    sale = await real.sold(BREAD, MILK)
    await real.until(lambda: bool(seller(real)))
    screen = await correcting(real, sale)
    await real.press("Alt+2")
    await real.press("Enter")
    await corrected(real, screen)


async def exchanged(real: RealTill) -> None:
    await begun(real, await real.sold(BREAD), MILK)
    await real.press("F12")
    await real.press("Enter", "Enter")
    await done(real)


async def paid_and_closed(real: RealTill) -> None:
    """A further payment on an advance, and its closing with the final receipt."""
    number = issue(real, ADVANCE)["invoiceNumber"]
    await real.press("F8")
    screen = in_front(real.hands.window.frame, "adv.title")
    await real.by_hand(screen.room.open_number, number)

    def is_open(many: int) -> bool:
        found = screen.model.opened
        if found is None or len(found.chain) != many:
            return False
        return number in [one.number for one in found.chain]

    await real.until(lambda: is_open(1))
    await real.type("+")
    await real.type("1500")
    await real.press("Enter")
    await issued(real, Operation.ADVANCE)
    await real.until(lambda: is_open(2))
    await real.press("Enter")
    await real.press("Enter")
    await issued(real, Operation.CLOSE)


async def issued(real: RealTill, operation: Operation) -> Sale:
    await real.until(lambda: real.last().operation == operation and real.last().state in OUTCOMES)
    return real.last()


ACTS = (copied, refunded, payment_corrected, exchanged, paid_and_closed)


def frozen(real: RealTill, after: int) -> list[object]:
    connection = connection_of(real.core.database.sales)
    sql = (
        "SELECT operation, kind, CAST(body AS TEXT) FROM sales WHERE sequence > ? ORDER BY sequence"
    )
    return [
        (operation, kind, json.loads(VARIES.sub("", body)))
        for operation, kind, body in connection.execute(sql, (after,))
    ]


def acted(real: RealTill, after: int) -> list[str]:
    connection = connection_of(real.core.database.sales)
    rows = connection.execute("SELECT * FROM acts WHERE id > ? ORDER BY id", (after,))
    return [VARIES.sub("", repr(row[1:])) for row in rows]


def last(real: RealTill, sql: str) -> int:
    found: int | None = connection_of(real.core.database.sales).execute(sql).get
    return found or 0


@pytest.mark.deadline(300)
async def test_what_is_signed_is_the_same_whatever_language_the_window_has(real: RealTill) -> None:
    made: list[dict[str, list[Any]]] = []
    async with real.at_work():
        await real.sold(BREAD)  # which opens the shift
        for language in LANGUAGES:
            await real.by_hand(partial(real.hands.window.change, language=language))
            by_act: dict[str, list[Any]] = {}
            for act in ACTS:
                sale = last(real, "SELECT max(sequence) FROM sales")
                row = last(real, "SELECT max(id) FROM acts")
                await act(real)
                await real.by_hand(real.hands.window.frame.go_home)
                by_act[act.__name__] = [frozen(real, sale), acted(real, row)]
                assert len(by_act[act.__name__][0]) > 1
            made.append(by_act)
    first, *others = made
    for language, other in zip(LANGUAGES[1:], others, strict=True):
        for name, rows in first.items():
            assert other[name] == rows, f"{name} in a window in {language}"
