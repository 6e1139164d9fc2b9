"""The page of the local API at a till with a real server."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PySide6.QtGui import QGuiApplication

from pos_app.adapters.data_folder.install import open_install
from pos_app.cashier.settings.api_page import ApiPage
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import HOST, ORIGINS, PORT
from pos_app.cashier.settings.values_page import ValueRow, ValuesForm
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.field import Field, TextArea
from tests.fakes.no_tls import NO_TLS
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import (
    lines_of,
    notice_in,
    notices_in,
    only,
    page_in_front,
    page_shown,
    visible_parts,
)
from tests.gui.settings.conftest import choose_value
from tests.gui.settings.screens import PIN
from tests.gui.window import real_till
from tests.gui.window.hands import SellIn
from tests.gui.window.real_till import RealTill

ORIGIN, NAME = "https://shop.example", "kasa.local"
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [
        {
            "quantity": 1,
            "unitPrice": 100,
            "article": {"name": 'Ана\'s "сто"', "taxRateLabel": "Ђ", "unit": "ком"},
        }
    ],
    "receiptDelivery": {"pdf": False},
}
KEY = "a-key-of-this-test-0001"
RECEIPTS = "/fiscalization/receipts"


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in) as made:
        yield made


async def ask(
    real: RealTill,
    method: str = "GET",
    path: str = f"{RECEIPTS}/none",
    *,
    body: object = None,
    **headers: str,
) -> httpx.Response:
    """Send a request as another program; repeat it while the shop is opened again."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    url = f"http://127.0.0.1:{real.shop.port}{path}"
    async with asyncio.timeout(30):
        while True:
            try:
                async with httpx.AsyncClient(trust_env=False, verify=NO_TLS, timeout=30) as client:
                    return await client.request(method, url, json=body, headers=named)
            except httpx.TransportError:
                await asyncio.sleep(0.1)


async def answered(real: RealTill, status: int, **headers: str) -> None:
    """Wait until the shop is open with the saved settings."""
    async with asyncio.timeout(30):
        while True:
            if (await ask(real, **headers)).status_code == status:
                return
            await asyncio.sleep(0.1)


async def page_of(real: RealTill) -> ApiPage:
    inside(real.hands.window).open("settings")
    screen = inside(real.hands.window).settings
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.model.choose(PageName.API)
    frame = real.hands.window.frame
    page: ApiPage = await page_shown(frame, "set.page.api")
    return page


def rows_of(real: RealTill) -> dict[str, ValueRow]:
    form: ValuesForm = page_in_front(real.hands.window.frame, "set.page.api").form
    return form.rows


async def tap(real: RealTill, page: ApiPage, button: Button) -> None:
    await real.until(button.isEnabled)
    real.hands.window.activateWindow()
    await real.by_hand(button.setFocus)
    await real.tap(button)


async def agreed(real: RealTill, page: ApiPage, words: str) -> None:
    """Say yes to the question that has these words."""
    await real.until(lambda: any(words in one for one in notices_in(page)))
    await real.tap(visible_parts(notice_in(page, words), Button)[-1])


def written(real: RealTill) -> dict[str, object]:
    server: dict[str, object] = tomllib.loads(
        (real.shop.data / "settings.toml").read_text(encoding="utf-8")
    )["server"]
    return server


@pytest.mark.deadline(120)
async def test_who_was_refused_is_shown_and_a_caller_is_let_in_by_a_press(real: RealTill) -> None:
    async with real.at_work():
        await a_refused_caller_is_let_in(real, "Origin", ORIGIN, ORIGIN, "origins", 403)
        sent = f"{NAME}:{real.shop.port}"
        await a_refused_caller_is_let_in(real, "Host", sent, NAME, "names", 421)
        await a_wrong_token_is_never_allowed(real)


async def a_refused_caller_is_let_in(
    real: RealTill, header: str, sent: str, value: str, setting: str, status: int
) -> None:
    assert (await ask(real, **{header: sent})).status_code == status
    page = await page_of(real)

    def allows() -> list[Button]:
        buttons = page.refused.allow.values()
        return [one for one in buttons if one.accessibleName() == f"Дозволи: {value}"]

    await real.until(lambda: bool(allows()))
    await tap(real, page, allows()[0])
    assert (await ask(real, **{header: sent})).status_code == status, "nothing is let in yet"
    await real.until(lambda: any(value in one for one in notices_in(page)))
    no, yes = (one.geometry() for one in visible_parts(notice_in(page), Button))
    assert yes.left() - no.right() > page.refused.theme.metrics.s6
    await real.press("Esc")
    await real.until(lambda: not notices_in(page))
    assert page.isVisible(), "Esc was the answer"
    await tap(real, page, allows()[0])
    await agreed(real, page, value)
    await real.until(lambda: written(real).get(setting) == [value])
    await answered(real, 404, **{header: sent})
    await real.until(lambda: any("Дозвољено" in one for one in lines_of(page.refused)))


async def a_wrong_token_is_never_allowed(real: RealTill) -> None:
    assert (await ask(real, X_Pos_Token="wrong")).status_code == 401
    page = await page_of(real)
    await real.until(
        lambda: any(one.startswith("Погрешан токен") for one in lines_of(page.refused))
    )
    names = [one.accessibleName() for one in page.refused.allow.values()]
    assert [one for one in names if ORIGIN not in one and NAME not in one] == []
    told = [one.replace("\u200b", "") for one in lines_of(page.refused)]
    assert f"GET {RECEIPTS}/none" in told


async def copied(real: RealTill, page: ApiPage, number: int) -> str:
    """Open a request by a press, and copy it."""
    await real.until(lambda: number in page.requests.rows)
    entry = page.requests.rows[number]
    await real.by_hand(entry.row.setFocus)
    await real.tap(entry.row)
    await real.until(lambda: entry.whole is not None)
    assert entry.whole is not None
    await tap(real, page, entry.whole.copy)
    return QGuiApplication.clipboard().text()


async def run(command: str) -> tuple[int, str]:
    """Run a command in a real shell; returns the status of HTTP, and the body."""
    child = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, errors = await child.communicate()
    assert child.returncode == 0, errors.decode()
    head, _, body = out.decode().partition("\r\n\r\n")
    found = re.match(r"HTTP/1.1 (\d+)", head)
    assert found is not None, out
    return int(found[1]), body


@pytest.mark.deadline(120)
async def test_the_last_requests_are_shown_and_copied_as_commands_that_run(real: RealTill) -> None:
    async with real.at_work():
        signed = await ask(real, "POST", RECEIPTS, body=SALE, Idempotency_Key=KEY)
        assert signed.status_code == 200, signed.text
        bought = {**SALE, "buyerId": "10:106543219", "transactionType": "sal"}
        assert (await ask(real, "POST", RECEIPTS, body=bought)).status_code == 400
        page = await page_of(real)
        await real.until(lambda: len(page.requests.rows) == 2)
        whole, masked = await copied(real, page, 1), await copied(real, page, 2)
        status, body = await run(whole)
        assert (status, json.loads(body)["invoiceNumber"]) == (200, signed.json()["invoiceNumber"])
        assert "106543219" not in masked
        assert "<buyer-left-out>" in masked
        assert (await run(masked))[0] == 400
        entry = page.requests.rows[2]
        assert entry.whole is not None
        assert not any(re.match(r"400\d+ ", one) for one in lines_of(entry.whole)), "for support"
        await real.tap(only(entry.whole, Details).button)
        assert any(re.match(r"400\d+ ", one) for one in lines_of(entry.whole))
        assert "sal" in entry.whole.body.toPlainText()
        await real.until(lambda: len(page.requests.rows) == 4)
        await tap_failed(real, page)
        await real.until(lambda: set(page.requests.rows) == {2, 4})


async def tap_failed(real: RealTill, page: ApiPage) -> None:
    await real.by_hand(page.requests.failed.setFocus)
    await real.tap(page.requests.failed)


async def a_port_that_is_taken_and_a_line_that_lets_nobody_in_are_not_saved(
    real: RealTill, page: ApiPage
) -> None:
    rows = rows_of(real)
    before = written(real)
    only(rows[ORIGINS], TextArea).setPlainText("shop.example")
    told = rows[ORIGINS]
    await real.until(lambda: any("Сваки ред" in one for one in lines_of(told)))
    assert page.acts.save.is_missing
    await tap(real, page, page.acts.drop)
    field = only(rows[PORT], Field)
    await real.by_hand(field.edit.setFocus)
    await real.by_hand(field.edit.selectAll)
    await real.type(str(real.shop.processor_port))
    await tap(real, page, page.acts.save)
    await real.until(lambda: "Тај порт" in page.acts.words)
    assert written(real) == before
    await tap(real, page, page.acts.drop)


@pytest.mark.deadline(120)
async def test_the_network_is_let_in_once_there_is_a_token_that_is_shown_once(
    real: RealTill,
) -> None:
    async with real.at_work():
        page = await page_of(real)
        await a_port_that_is_taken_and_a_line_that_lets_nobody_in_are_not_saved(real, page)
        await real.until(page.token.make.isEnabled)
        rows = rows_of(real)
        await real.by_hand(choose_value, real.hands, rows[HOST], "network")
        await real.until(lambda: page.acts.save.spec.words == "Направите токен")
        assert page.acts.words == "Измене још нису сачуване", "the key says it once"
        await tap(real, page, page.token.make)
        await real.until(lambda: bool(page.token.secret.text()))
        token = page.token.secret.text()
        await tap(real, page, page.token.copy)
        assert QGuiApplication.clipboard().text() == token
        await real.until(page.acts.save.isEnabled)
        await tap(real, page, page.token.put_away)
        await real.until(lambda: not page.token.secret.isVisible())
        await tap(real, page, page.acts.save)
        await real.until(lambda: written(real).get("host") == "0.0.0.0")
        await real.until(lambda: not page.token.away.isEnabled())
        assert token not in (real.shop.data / "secrets.sealed").read_text(encoding="utf-8")
        await answered(real, 404, X_Pos_Token=token)
        install = open_install(real.shop.data, environment=real.services.settings.environment)
        headers = {"X-Pos-Token": install.token, "X-Pos-Install": install.install_id}
        body = {"name": "lan_token", "value": "", "by": "Ана"}
        refused = await ask(
            real,
            "POST",
            "/till/local_api/keep_secret",
            body=body,
            **{name.replace("-", "_"): one for name, one in headers.items()},
        )
        assert refused.status_code == 409
        await real.by_hand(choose_value, real.hands, rows[HOST], "here")
        await tap(real, page, page.acts.save)
        await real.until(lambda: written(real).get("host") == "127.0.0.1")
        await answered(real, 401, X_Pos_Token=token)
        await tap(real, page, page.token.away)
        await agreed(real, page, "Уклонити токен?")
        await real.until(lambda: any("Нема токена" in one for one in lines_of(page.token)))
