"""Handovers of a paper that can't be drawn."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import pytest

from pos_app.adapters.handovers import PageHandover, ThermalHandover
from pos_app.documents.blocks import Document
from pos_app.documents.letter import ReceiptLetter
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import JobState
from pos_app.errors import Invalid, MachineError
from pos_app.fiscalization.device_ports import DeviceTrouble, Failed, HandOver, PrinterStatus
from pos_app.fiscalization.handover.handover_queue import ReceiptPaper
from pos_app.fiscalization.plans.planned import PlannedReceipt
from tests.unit.documents.papers import asked_for, receipt, request
from tests.unit.fiscalization.test_retry_schedule import job

JOB = replace(job(1), state=JobState.RUNNING)


@dataclass
class Undrawable:
    """Drawing a paper raises `reason`."""

    reason: Exception

    def thermal(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        raise self.reason

    def thermal_document(self, document: Document) -> bytes:
        raise self.reason

    def render(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        raise self.reason

    def pages(self, receipt: SignedReceipt, document: FiscalDocument, esir: EsirPart) -> bytes:
        raise self.reason

    def document_pages(self, document: Document) -> bytes:
        raise self.reason

    def letter(self, receipt: SignedReceipt) -> ReceiptLetter:
        raise self.reason


class Untouched:
    async def status(self) -> PrinterStatus:
        raise AssertionError

    async def print(self, job: bytes, *, title: str = "") -> HandOver:
        raise AssertionError

    async def open_drawer(self, pulse: bytes) -> HandOver:
        raise AssertionError


@pytest.mark.parametrize(
    ("reason", "words", "is_bug"),
    [
        (MachineError(what="No font has that letter."), "No font has that letter.", False),
        (Invalid(what="an amount has at most 12 digits"), "Invalid: an amount", True),
        (ZeroDivisionError("a bug"), "ZeroDivisionError: a bug", True),
    ],
)
@pytest.mark.parametrize("make", [ThermalHandover, PageHandover])
async def test_it_is_surely_not_printed_and_the_next_one_is(
    make: type[ThermalHandover] | type[PageHandover],
    reason: Exception,
    words: str,
    is_bug: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    document, esir = asked_for(request())
    paper = ReceiptPaper(receipt(), PlannedReceipt(document=document, esir=esir))
    outcome = await make(Untouched(), Undrawable(reason)).hand_over(JOB, paper)
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (DeviceTrouble.DOCUMENT, False)
    assert outcome.words.startswith(words)
    bugs = [one for one in caplog.records if one.levelno == logging.ERROR and one.exc_info]
    assert bool(bugs) is is_bug
