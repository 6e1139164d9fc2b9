"""Whatever a processor answers is a receipt, a refusal or a doubt, never another error."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given

from pos_app.adapters.pfr.client import PfrClient
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.server_status import ProcessorStatus
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import OutcomeUnknown, RemoteError
from pos_app.fiscalization.ports import PfrRefused, PfrSigned, PfrUnclear
from tests.integration.fiscalization.foreign_answers import (
    RECEIPT,
    STATUS,
    STATUS_CODES,
    Instead,
    nothing,
    odd_answers,
    written,
)
from tests.integration.fiscalization.shop import serving
from tests.integration.test_processor_page import Running
from tests.unit.fiscalization.test_doubt import document

ID = "0123456789abcdef0123456789abcdef"
INVOICES, LOOK_UP, STATUS_PATH = (
    ("POST", "/api/v3/invoices"),
    ("GET", "/api/v3/invoices/"),
    ("GET", "/api/v3/status"),
)
LARGE = "1" + "0" * 30


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


def test_an_answer_of_absurd_size_is_not_kept(foreign: Foreign) -> None:
    foreign.answers(200, b"[" * (5 * 1024 * 1024))
    assert isinstance(foreign.asked(foreign.client.status()), OutcomeUnknown)
    assert isinstance(foreign.asked(foreign.client.find(ID)), OutcomeUnknown)
    reply = foreign.run(foreign.client.sign(document(), pfr_request_id=ID))
    assert isinstance(reply, PfrUnclear)


# --- answers in another form than most ---


async def state(server: Running) -> ProcessorStatus:
    status = (await server.desk.setup()).status
    assert status is not None
    return status
