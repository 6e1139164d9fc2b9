"""A receipt of the shop's other till, found through the platform."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pos_app.cashier.receipts.foreign import ForeignPanel
from pos_app.cashier.receipts.view import ReceiptsScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import NumberLabel
from pos_app.cashier.ui.panel import Panel
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.server_status import PublicModeState
from pos_app.selling.sale.state import SaleState
from tests.e2e import shop as programs
from tests.e2e.nursery import door
from tests.e2e.town import Town
from tests.fakes.people_here import quick
from tests.gui.parts import in_front, lines_of, page_in_front, page_shown, visible_parts
from tests.gui.refund.opened import ID_CARD, receipt_of, refund_after
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.real_till import opened as opened_till
from tests.ports import free_ports

BREAD, PIN = "8609910700134", "4711"
OTHER = "Каса 2"
ITEMS = [
    {"sku": 1, "quantity": 2, "unitPrice": 58.99},
    {"sku": 20, "quantity": 1, "unitPrice": 279.99},
]


def words(real: RealTill) -> str:
    """What is told above the screen."""
    return " ".join(lines_of(real.hands.window.frame.top))


@dataclass
class TwoTills:
    """real: this till. town: the platform, and the other till's server."""

    real: RealTill
    town: Town

    def issued_there(self) -> dict[str, Any]:
        """Let the other till's server sign a receipt, and return it."""
        paid = {"cash": 100, "card": 297.97}
        answer = self.town.post(uuid.uuid4().hex, items=ITEMS, payments=paid)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@pytest.fixture
def two(
    tmp_path: Path, template: Path, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoTills]:
    with programs.opened(tmp_path / "other", template, door()) as shop:
        with (shop.data / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f'[till]\nname = "{OTHER}"\n')
        town = Town(shop, shop.folder / "town", ports=free_ports(1))
        town.open(join="ask")
        shop.processor()
        town.server = shop.server()
        town.connected()
        key, secret = town.credentials
        monkeypatch.setenv("POS_APP_PLATFORM_SECRET", secret)
        told = f'[platform]\nurl = "{town.url(0)}"\nkey = "{key}"\npublic_mode = true\n'
        with opened_till(tmp_path, template, sell_in, told=told) as real:
            yield TwoTills(real, town)


async def connected(real: RealTill) -> None:
    def is_connected() -> bool:
        status = real.services.server.status
        told = status.public_mode if status is not None else None
        return told is not None and told.state is PublicModeState.CONNECTED

    await real.until(is_connected)


def panel_of(real: RealTill) -> ForeignPanel:
    panel: ForeignPanel = page_in_front(real.hands.window.frame, "receipts.foreign.title")
    return panel


async def ended(real: RealTill) -> ReceiptsScreen:
    """Wait for the end of the search for the scanned receipt."""
    frame = real.hands.window.frame
    top: ReceiptsScreen = in_front(frame, "receipts.title")
    await real.until(lambda: top.model.elsewhere is not None)
    await page_shown(frame, "receipts.foreign.title")
    await real.until(lambda: "Тражи се на" not in words(real))
    return top


async def it_is_seen_and_refunded_by_hand_with_all_that_is_known(two: TwoTills) -> None:
    """F7, F2, its number, Enter; R, the PIN, F12, the identity card, Enter."""
    real = two.real
    sale = await real.sold(BREAD)
    real.services.manager.save_pin(quick(PIN))
    there = two.issued_there()
    await real.press("F7", "F2")
    await real.type(there["invoiceNumber"])
    await real.press("Enter")
    screen = await ended(real)
    assert screen.model.foreign is not None
    assert screen.model.foreign.till == OTHER
    assert f"Овај рачун је са касе „{OTHER}“" in words(real)
    assert there["invoiceNumber"] in words(real)
    assert "Готовина 100,00, Картица 297,97" in words(real)
    assert "Хлеб бели Сава" in panel_of(real).paper.accessibleName()
    (number,) = visible_parts(panel_of(real), NumberLabel)
    assert isinstance(number.parentWidget(), Panel)
    assert number.parentWidget().width() == panel_of(real).width(), "a head over the whole width"
    grey = {one.accessibleName(): one.isEnabled() for one in visible_parts(panel_of(real), Button)}
    assert [grey["Копија"], grey["Исправка"]] == [False, False]
    assert screen.model.opened is None
    await real.press("Enter")  # nothing is copied
    await real.type("i")
    assert real.hands.window.frame.top is screen
    await real.type("r")
    refund = in_front(real.hands.window.frame, "refund.title")
    await real.until(lambda: refund.gate is not None)
    await real.type(PIN)
    await real.press("Enter")
    await real.until(lambda: refund.gate is None)
    assert OTHER in words(real)
    assert refund.model.hand_draft is not None
    assert refund.model.hand_draft.amounts_by_label() == {
        TaxLabel.E: Money("117.98"),
        TaxLabel.DJ: Money("279.99"),
    }
    await real.press("F12")
    await real.type(ID_CARD)
    await real.press("Enter")
    done = await refund_after(real, sale)
    assert (done.state, done.total) == (SaleState.DONE, Money("397.97"))
    assert (await receipt_of(real, done)).refers_to == there["invoiceNumber"]


@pytest.mark.deadline(120)
async def test_a_receipt_of_the_other_till(two: TwoTills) -> None:
    async with two.real.at_work():
        await connected(two.real)
        await it_is_seen_and_refunded_by_hand_with_all_that_is_known(two)
