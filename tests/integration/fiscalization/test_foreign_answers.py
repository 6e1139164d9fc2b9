"""Whatever a processor answers is a receipt, a refusal or a doubt, never another error."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given

from pos_app.adapters.pfr.client import PfrClient
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.server_status import ProcessorState, ProcessorStatus
from pos_app.domain.setup.processor import PfrStatus
from pos_app.domain.setup.processor_setup import ProcessorChange
from pos_app.errors import OutcomeUnknown, RemoteError
from pos_app.fiscalization.ports import PfrRefused, PfrSigned, PfrUnclear
from pos_app.fiscalization.refusals import NotSigned, OutcomeNotKnown
from pos_app.pfr_emulator.app import create_app
from pos_app.pfr_emulator.cutting import CuttableH11, gone_within
from pos_app.pfr_emulator.faults import Fault
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.processor import Processor
from pos_app.wire.strict_json import dumps
from tests.fakes.processor_key import give_key
from tests.integration.fiscalization.foreign_answers import (
    ODD,
    RECEIPT,
    STATUS,
    STATUS_CODES,
    Instead,
    Respelled,
    nothing,
    odd_answers,
    written,
)
from tests.integration.fiscalization.shop import opened, serving
from tests.integration.test_settings_pages import Running, running
from tests.unit.fiscalization.test_doubt import document

ID = "0123456789abcdef0123456789abcdef"
KEY = "0123456789abcdef"
INVOICES, LOOK_UP, STATUS_PATH = (
    ("POST", "/api/v3/invoices"),
    ("GET", "/api/v3/invoices/"),
    ("GET", "/api/v3/status"),
)
LARGE = "1" + "0" * 30
NO_STATUS = written(STATUS, ("lastInvoiceNumber", f'"ABCD1234-ABCD1234-{LARGE}"'))


@dataclass
class Foreign:
    """The real client at an application that gives the answers a test sets."""

    client: PfrClient
    app: Instead
    run: Callable[[Any], Any]

    def answers(self, status: int, content: bytes) -> None:
        for path in (INVOICES, LOOK_UP, STATUS_PATH):
            self.app.answers[path] = status, content

    def asked(self, question: Any) -> Any:

        async def ask() -> Any:
            try:
                return await question
            except RemoteError as error:
                return error

        return self.run(ask())


@pytest.fixture(scope="module")
def foreign() -> Iterator[Foreign]:
    app, stack = Instead(nothing), contextlib.AsyncExitStack()
    with asyncio.Runner() as runner:
        url = runner.run(stack.enter_async_context(serving(app)))
        client = PfrClient(url)
        stack.push_async_callback(client.close)
        yield Foreign(client, app, runner.run)
        runner.run(stack.aclose())


@given(STATUS_CODES, odd_answers(STATUS))
@example(200, written(STATUS, ("lastInvoiceNumber", '"' + "9" * 5000 + '"')))
@example(200, written(STATUS, ("lastInvoiceNumber", f'"ABCD1234-ABCD1234-{LARGE}"')))
def test_a_status_is_told_or_not(foreign: Foreign, status: int, content: bytes) -> None:
    foreign.answers(status, content)
    told = foreign.asked(foreign.client.status())
    assert isinstance(told, PfrStatus | RemoteError)
    if isinstance(told, PfrStatus):
        assert told.total_counter is None or 0 <= told.total_counter < 2**32


SHOUTED = r'"\u001b[31mitems\n\u0000\u202e' + "x" * 5000 + '"'


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    "content",
    [
        f'{{"modelState":[{{"property":{SHOUTED},"errors":["2805"]}}]}}',
        f"{{{SHOUTED}:1,{SHOUTED}:2}}",
        written(RECEIPT, ("sdcDateTime", SHOUTED)).decode(),
        written(RECEIPT, ("invoiceNumber", SHOUTED)).decode(),
        written(STATUS, ("uid", SHOUTED), ("gsc", f"[{SHOUTED}]")).decode(),
    ],
)
def test_words_of_an_answer_command_nothing(foreign: Foreign, status: int, content: str) -> None:
    """These words are stored, logged and shown: one line each, cut, without invisible signs."""
    foreign.answers(status, content.encode())
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    words = [fault.property for fault in reply.faults] if isinstance(reply, PfrRefused) else []
    if isinstance(reply, PfrUnclear):
        words.append(reply.words)
    told = [
        foreign.asked(question) for question in (foreign.client.status(), foreign.client.find(ID))
    ]
    words += [one.what for one in told if isinstance(one, RemoteError)]
    assert words
    assert all(one.isprintable() and len(one) <= 300 for one in words), words


@given(STATUS_CODES, odd_answers(RECEIPT))
@example(200, written(RECEIPT, ("totalCounter", LARGE)))
def test_a_post_has_four_endings_and_a_look_up_finds_or_not(
    foreign: Foreign, status: int, content: bytes
) -> None:
    foreign.answers(status, content)
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    assert isinstance(reply, PfrSigned | PfrRefused | PfrUnclear)
    if isinstance(reply, PfrSigned):
        counters = (reply.receipt.total_counter, reply.receipt.transaction_type_counter)
        assert all(one is None or 0 <= one < 2**32 for one in counters)
    found = foreign.asked(foreign.client.find(ID))
    assert found is None or isinstance(found, SignedReceipt | RemoteError)
    assert found is not None or status == 404 or content.strip() in (b"", b"null")


@pytest.mark.parametrize(
    ("member", "text"),
    [
        ("totalCounter", LARGE),
        ("totalCounter", "-1"),
        ("totalCounter", "4294967296"),
        ("totalCounter", "1.5"),
        ("totalAmount", "1000000000000"),
        ("totalAmount", LARGE),
        ("invoiceNumber", f'"ABCD1234-ABCD1234-{LARGE}"'),
        ("invoiceNumber", '"' + "A" * 51 + '"'),
        ("sdcDateTime", '"9999-12-28T00:00:00Z"'),
        ("sdcDateTime", '"1969-12-31T00:00:00Z"'),
    ],
)
def test_a_value_of_no_receipt_cannot_be_read(foreign: Foreign, member: str, text: str) -> None:
    foreign.answers(200, written(RECEIPT, (member, text)))
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    assert isinstance(reply, PfrUnclear)
    assert isinstance(foreign.asked(foreign.client.find(ID)), OutcomeUnknown)


@pytest.mark.parametrize("member", ["taxGroupRevision", "transactionTypeCounter"])
def test_one_that_proves_nothing_is_not_told(foreign: Foreign, member: str) -> None:
    foreign.answers(200, written(RECEIPT, (member, LARGE)))
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    assert isinstance(reply, PfrSigned)
    assert (reply.receipt.tax_group_revision, reply.receipt.transaction_type_counter).count(
        None
    ) == 1


GROUP = '{"validFrom":"%s","taxCategories":[{"taxRates":[{"rate":%s,"label":"Ђ"}]}]}'
RATES = f"[{GROUP % ('2015-01-01T00:00:00Z', 18)},{GROUP % ('2022-01-01', -100)}]"


@pytest.mark.parametrize(
    ("member", "text", "decides"),
    [
        ("lastInvoiceNumber", f'"ABCD1234-ABCD1234-{LARGE}"', True),
        ("lastInvoiceNumber", '"ABCD1234-ABCD1234-4294967296"', True),
        ("uid", '"../../ABCD"', True),
        ("sdcDateTime", '"9999-12-28T00:00:00Z"', False),
        ("allTaxRates", RATES, False),
    ],
)
def test_a_status_with_one_that_decides_nothing_is_read_without(
    foreign: Foreign, member: str, text: str, decides: bool
) -> None:
    foreign.answers(200, written(STATUS, (member, text)))
    status = foreign.asked(foreign.client.status())
    assert isinstance(status, OutcomeUnknown if decides else PfrStatus)
    if not decides:
        assert status.unread == (member,)
        assert [group.percent for group in status.rates] == [{"Ђ": 20}]


def test_an_answer_of_absurd_size_is_not_kept(foreign: Foreign) -> None:
    foreign.answers(200, b"[" * (5 * 1024 * 1024))
    assert isinstance(foreign.asked(foreign.client.status()), OutcomeUnknown)
    assert isinstance(foreign.asked(foreign.client.find(ID)), OutcomeUnknown)
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    assert isinstance(reply, PfrUnclear)


@pytest.mark.parametrize("status", [302, 400, 401, 429])
def test_a_refused_look_up_without_a_body_proves_nothing(foreign: Foreign, status: int) -> None:
    foreign.answers(status, b"")
    assert isinstance(foreign.asked(foreign.client.find(ID)), OutcomeUnknown)


STILL = [
    written(RECEIPT, ("totalCounter", LARGE)),
    written(RECEIPT, ("invoiceNumber", f'"ABCD1234-ABCD1234-{LARGE}"')),
    written(RECEIPT, ("sdcDateTime", '"9999-12-29T00:00:00Z"')),
    *(odd.encode() for odd in ODD[::4] if odd != "null"),
]


async def test_the_watch_lives_on(folder: Path) -> None:
    wrapped = list[Instead]()

    def heard(processor: Any) -> Instead:
        wrapped.append(Instead(create_app(processor)))
        return wrapped[0]

    async with opened(folder, heard=heard) as shop:
        (app,) = wrapped
        for place, content in enumerate(STILL):
            key = f"{KEY}-{place}"
            for path in (INVOICES, LOOK_UP):
                app.answers[path] = 200, content
            with pytest.raises((OutcomeNotKnown, NotSigned)):
                await shop.sell(key=key)
            app.answers[STATUS_PATH] = 200, NO_STATUS
            await asyncio.wait_for(
                shop.lane.look_again(shop.journal.open_requests()[0].id, seconds=2), 5
            )
            app.answers.clear()
            shop.lane.look_now()
            await shop.until(key, "signed")
            sold = await shop.sell(key=f"next-{key}")
            assert sold.receipt.total_counter == 2 * place + 2, content[:40]


# --- a byte now and then --------------------------------------------------------------------------
DRIP = 0.2
"""Seconds between two bytes: less than any time-out between two of them."""


@pytest.mark.deadline(20)
async def test_an_answer_that_drips_is_given_up_as_a_whole(folder: Path) -> None:
    processor = Processor.open(folder=folder / "processor")
    processor.faults.add(Fault(kind="slow", seconds=DRIP))
    try:
        async with serving(create_app(processor), http=CuttableH11) as url:
            client = PfrClient(url, read_seconds=0.5)
            reply = await client.sign(document(), pfr_request_id="a" * 32)
            await client.close()
    finally:
        processor.close()
    assert isinstance(reply, PfrUnclear)
    assert len(read_entries(folder / "processor")) == 1


@pytest.mark.deadline(20)
async def test_a_status_that_drips_is_no_answer() -> None:
    async def drip(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        while not await gone_within(receive, DRIP):
            await send({"type": "http.response.body", "body": b" ", "more_body": True})

    async with serving(drip) as url:
        client = PfrClient(url, ask_seconds=0.5)
        with pytest.raises(OutcomeUnknown):
            await client.status()
        await client.close()


# --- answers in another form than most ---
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
