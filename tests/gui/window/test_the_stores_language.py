"""No word of the window's language goes on a document, nor into the row of an act, which a report
prints: the same acts at the same times leave the same rows in the till's file and the same papers,
whatever language the window has."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pypdfium2
import pytest

from pos_app.adapters.report_export import asked_of
from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.sale.questions import VoidQuestion
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.window.frame import HOME
from pos_app.cashier.window.screens import REFUND, REPORTS, SHIFT, RefundPlace
from pos_app.selling.reports.report import ReportName
from pos_app.selling.sale.cashier_setup import CashierSetup
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import in_front, lines_of, page_in_front
from tests.gui.patience import until
from tests.gui.refund.test_by_hand import FOREIGN
from tests.gui.reports.weeks import weeks
from tests.gui.shift.test_keys import Papers, begun, counting, ended, printing, rested, sold
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, CHEESE, RATES, Shop, copied

PIN = "4711"
SPOKEN: tuple[Language, ...] = ("sr-Cyrl", "en")
"""Serbian in Latin letters is made of the Cyrillic: a word that leaks does so in English too."""
RANDOM = {"people", "meta"}
"""Tables whose rows have a salt, or the mark of the server in memory."""
BY_THE_SYSTEMS_CLOCK = re.compile(r"(?!2026-11-20)20\d\d-\d\d-\d\dT[\d:.+]+")
"""Times that are not the standing clock's: some rows of acts have them."""


@dataclass
class Till:
    """A till whose window has one language. left: what else it made, by the name of its act."""

    hands: Hands
    papers: Papers
    files: Path
    left: dict[str, object] = field(default_factory=dict)

    @property
    def shop(self) -> Shop:
        return self.hands.shop


Act = Callable[[Till], Awaitable[None]]


async def sales(till: Till) -> None:
    """Each kind of document, with a line of open text and a buyer."""
    model = till.hands.model
    for kind in DocumentKind:
        model.cart.set_kind(kind)
        till.hands.scan(BREAD)
        till.shop.pause()
        till.hands.pad("+")
        await seen()
        assert till.shop.database.sales.last(1)[0].kind is kind
    model.cart.set_kind(DocumentKind.SALE)


async def voided(till: Till) -> None:
    """A cart is dropped for each of the ready-made reasons, by its key or by its button."""
    for digit in "123":
        till.hands.scan(BREAD)
        till.hands.model.questions.ask(VoidQuestion())
        await seen()
        panel = page_in_front(till.hands.window.frame, "ask.drop")
        if digit == "2":
            till.hands.tap(panel.reasons[1])
        else:
            till.hands.type(digit)
        till.hands.press("Enter")
        await seen()
        assert not till.hands.rows()


async def shifts(till: Till) -> None:
    """Cash in and out, an X, and a count that differs, with each ready-made reason: papers."""
    for word in ("change", "unknown"):
        if till.shop.database.shifts.open_shift() is None:
            begun(till.hands, 1000)
        await sold(till.hands)
        till.hands.window.frame.open(SHIFT)
        await seen()
        for key in "ucis":  # nothing goes out that is not there
            till.hands.type(key)
            till.hands.type("250")
            till.hands.press("Enter")
            if key in "ui":
                till.hands.type("mleko")
                till.hands.press("Enter")
            await seen()
        till.hands.press("Esc")
        screen = counting(till.hands)
        till.hands.type("0")
        till.hands.press("F12")
        page = page_in_front(till.hands.window.frame, "shift.step.difference")
        await rested(till.hands)
        for row in page.reasons.values():
            till.hands.tap(row.chips[word])
            assert [name for name, chip in row.chips.items() if chip.isChecked()] == [word]
        await rested(till.hands)
        till.hands.press("F12")
        assert screen.model.page is ShiftPageKind.DONE
        await seen()
        till.hands.window.frame.go_home()
        await seen()


async def by_hand(till: Till) -> None:
    """A refund of a receipt that no journal holds."""
    frame = till.hands.window.frame
    frame.open(REFUND, RefundPlace(FOREIGN.number, HOME, FOREIGN))
    screen = in_front(frame, "refund.title")
    let_in(screen.model.lock, PIN)
    await until(lambda: screen.hand_page.is_typing)
    till.hands.type("100")
    till.hands.scan("008412357")
    before = till.shop.database.sales.last(1)
    till.hands.press("F12")
    till.hands.press("Enter")
    await until(lambda: till.shop.database.sales.last(1) != before)


async def decided(till: Till) -> None:
    """A refused sale is dropped in Attention for a ready-made reason."""
    await till.shop.serve(60)
    assert not till.shop.database.sales.waiting()
    await sold(till.hands)
    sale = till.shop.database.sales.last(1)[0]
    till.shop.server.faults.append(Fault.FIX)
    await till.shop.serve()
    assert till.shop.database.sales.sale(sale.key).state is SaleState.REFUSED
    inside(till.hands.window).open_case(sale.key)
    case = in_front(till.hands.window.frame, "att.title").case_view
    texts = till.hands.window.texts
    case.steps.fill("reason", texts("att.reason.mistake"))
    till.hands.tap(case.steps.buttons["drop"])
    await until(lambda: bool(till.shop.database.sales.sale(sale.key).cancel_reason))
    await till.shop.serve()


async def relabelled(till: Till) -> None:
    """An act of Attention that leaves its own words in the row of a decision."""
    services, texts = till.shop.services, till.hands.window.texts
    services.cashier_here.saved = CashierSetup("Касир 3", in_vat=False)
    inside(till.hands.window).open_case("tax labels")
    for _ in range(2):
        till.hands.tap_words(texts("att.labels_of_vat.relabel"))
    done = texts("att.labels_of_vat.done")
    await until(lambda: any(done in line for line in lines_of(till.hands.window)))


async def training(till: Till) -> None:
    """The training receipt of the page of the processor."""
    inside(till.hands.window).open("settings")
    screen = inside(till.hands.window).settings
    assert screen is not None
    let_in(screen.model, PIN)
    screen.model.choose(PageName.PROCESSOR)
    model = screen.model.processor
    await model.load()
    await model.issue_training()
    till.left["training"] = [body for _, body in till.shop.processor_setup.issued]


async def reports(till: Till) -> None:
    """Each report: its sheet is all that the process which files and prints it is given."""
    frame = till.hands.window.frame
    frame.open(REPORTS)
    screen: ReportsScreen = in_front(frame, "rep.title")
    let_in(screen.model, PIN)
    till.shop.receipts.signed = weeks(till.shop.clock.now(), days=10)
    for name in ReportName:
        screen.room.choose(name)
        screen.room.ask()
        await until(lambda: screen.model.report is not None and screen.model.is_current)
        await until(lambda: not screen.model.is_asking)
        sheet = screen.room.sheet()
        assert sheet is not None
        till.left[name] = asked_of(sheet)


def pages_of(pdf: bytes) -> list[str]:
    with closing(pypdfium2.PdfDocument(pdf)) as file:
        return [page.get_textpage().get_text_bounded() for page in file]


async def labels(till: Till) -> None:
    """The labels of two articles for the shelf."""
    inside(till.hands.window).open("catalogue")
    screen = inside(till.hands.window).catalogue
    let_in(screen.model, PIN)
    for code in (BREAD, CHEESE):
        screen.model.listed.tick(till.shop.row(code).product_id)
    path = till.files / "labels.pdf"
    path.unlink(missing_ok=True)
    screen.files.print_labels(path, only_changed=False)
    await until(lambda: screen.work is None)
    till.left["labels"] = pages_of(path.read_bytes())


ACTS: tuple[Act, ...] = (
    sales, voided, shifts, decided, by_hand, relabelled, training, reports, labels,
)  # fmt: skip


def rows_of(till: Till) -> dict[str, list[Any]]:
    connection = connection_of(till.shop.database.sales)
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {
        table: sorted(
            BY_THE_SYSTEMS_CLOCK.sub("", repr(row))
            for row in connection.execute(f"SELECT * FROM {table}")
        )
        for table in tables
        if table not in RANDOM
    }


async def made_by(till: Till, acts: tuple[Act, ...]) -> dict[str, object]:
    for act in acts:
        await act(till)
        till.hands.window.frame.go_home()
        await seen()
    await ended(till.hands)
    return {**rows_of(till), "papers": till.papers.printed, **till.left}


@pytest.mark.deadline(480)
async def test_what_is_made_is_the_same_whatever_language_the_window_has(
    tmp_path: Path, few: Path, sell_in: SellIn
) -> None:
    made: dict[Language, dict[str, object]] = {}
    for language in SPOKEN:
        shop = Shop(copied(few, tmp_path / language), file_work=child(CATALOGUE_FILES))
        papers = printing(shop)
        hands = sell_in(shop)
        hands.window.change(language=language)
        shop.server.rates = (RATES,)
        await seen()
        made[language] = await made_by(Till(hands, papers, tmp_path), ACTS)
        hands.filter.remove()
        shop.close()
    first, *others = SPOKEN
    assert len(cast("list[object]", made[first]["papers"])) == 10, "two shifts with four slips"
    assert len(cast("list[object]", made[first]["training"])) == 1
    assert "за 1" in str(made[first]["labels"]), "a label has words"
    for other in others:
        assert made[other].keys() == made[first].keys()
        for name, rows in made[first].items():
            assert made[other][name] == rows, f"{name} of a window in {other}"
