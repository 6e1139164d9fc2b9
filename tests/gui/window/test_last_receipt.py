"""The last sale: shown as its customer sees it, or with why it can't be."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QFile, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from pos_app import errors
from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.sale.server_acts import SHOW_MS
from pos_app.cashier.services import file_viewer
from pos_app.cashier.services.file_viewer import DesktopViewer
from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.states import JobMethod, JobState
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.delivery_jobs import undelivered_paper
from tests.fakes.fiscal_server import Fault
from tests.fakes.receipt_files import NotingViewer
from tests.gui.acts import acted
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in, only, pass_time
from tests.gui.patience import until
from tests.gui.payment.shop import CASHIER
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop

KINDS = [DocumentKind.PROFORMA, DocumentKind.SALE, DocumentKind.TRAINING]


async def sell(hands: Hands, kind: DocumentKind = DocumentKind.SALE, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    if kind is not DocumentKind.SALE:
        inside(hands.window).set_kind(kind)
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    await hands.shop.serve()
    await seen()


def choose(hands: Hands) -> None:
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")


def press_strip(hands: Hands) -> None:
    hands.scan(MILK)
    hands.tap(hands.cart.strip)
    hands.tap_words("Прикажи рачун")


@pytest.fixture
def viewer() -> NotingViewer:
    return NotingViewer()


@pytest.fixture
def till(shop: Shop, sell_in: SellIn, viewer: NotingViewer) -> Hands:
    return sell_in(shop, viewer=viewer, width=1024, text=150)


async def test_the_last_document_of_any_kind_is_shown(till: Hands, viewer: NotingViewer) -> None:
    """By its key and by touch from the strip; before there is one, that is said."""
    shown = till.shop.receipt_files.asked
    choose(till)
    assert till.notice().startswith("Још нема рачуна на овој каси")
    for number, kind in enumerate(KINDS):
        till.press("Esc")
        await sell(till, kind)
        if kind is DocumentKind.TRAINING:  # training's last receipt is shown in training
            till.press("Esc")
            inside(till.window).set_kind(kind)
        choose(till)
        await seen()
        assert shown[-1] == (f"receipt-{number + 1}", CASHIER)
        assert viewer.files[-1] == Path(f"/shown/receipt-{number + 1}.pdf")
        assert (till.notice(), till.model.questions.question) == ("", None)
    inside(till.window).set_kind(DocumentKind.SALE)
    press_strip(till)
    await seen()
    assert (len(viewer.files), till.notice()) == (4, "")
    texts, _ = painted_by(till.cart.strip)
    (words,) = (one.words for one in texts if "1234-" in one.words)
    assert words.startswith("…")
    assert words.endswith("1234-2")


async def test_one_that_the_server_can_t_read_is_told_as_issued(hands: Hands) -> None:
    shop = hands.shop
    shop.server.damaged = True
    await sell(hands, DocumentKind.SALE, Fault.ANSWER_LOST)
    assert shop.tones.played[-1] == "attention"
    last = hands.sold()
    facts = last_facts(last, hands.window.texts)
    assert (facts.number, facts.state) == ("ABCD1234-ABCD1234-1", "издат, нечитљив")
    hands.scan(MILK)
    hands.tap(hands.cart.strip)
    told = hands.notice()
    assert told.startswith("Рачун ABCD1234-ABCD1234-1 ")
    assert "сервер не може да га прочита. Позовите подршку" in told


FAILURES = (
    (errors.Refused(what="x"), "Сервер није дао рачун за приказ Издат је и сачуван."),
    (
        errors.Unreadable(what="x", number="A-B-1"),
        "Рачун је издат, али сервер не може да га прочита Важи под својим бројем;",
    ),
    (errors.NotDelivered(what="x"), "Сада не може да се прикаже рачун: сервер није доступан"),
    (errors.OutcomeUnknown(what="x"), "Сервер није послао рачун за приказ"),
    (
        errors.DataFolderNotWritable(what="x", path="/shown"),
        "Каса не може да уписује своје податке",
    ),
)


async def test_each_way_to_fail_is_said_in_words(till: Hands, viewer: NotingViewer) -> None:
    await sell(till)
    for fault, told in FAILURES:
        till.shop.receipt_files.fault = fault
        choose(till)
        await seen()
        assert till.notice().startswith(told), fault
        till.press("Esc")
        assert till.notice() == ""
    till.shop.receipt_files.fault = None
    till.shop.receipt_files.free.clear()
    choose(till)
    pass_time(till.window, SHOW_MS)
    assert till.notice().startswith("Припрема се рачун за приказ")
    till.scan(MILK)
    assert len(till.rows()) == 1, "the next sale begins meanwhile"
    assert viewer.files == []
    till.shop.receipt_files.free.set()
    await seen()
    assert (till.notice(), len(viewer.files)) == ("", 1)
    await sell(till, DocumentKind.SALE, Fault.FIX)
    choose(till)
    assert till.notice().startswith("Последњи рачун још није издат Продаја је сачувана.")


async def test_change_that_was_given_out_is_never_large_again(hands: Hands) -> None:
    window, shop = hands.window, hands.shop

    def shown() -> tuple[bool, bool]:
        """Whether the large change and the strip are visible."""
        return not only(hands.cart.large, AmountLabel).isHidden(), not inside(
            window
        ).cart.strip.isHidden()

    async def sold(article: str) -> None:
        hands.press(f"#{article}", "Enter", "#200")
        hands.pad("+")
        await shop.serve()
        await seen()

    await sold(BREAD)
    assert shown() == (True, False)
    hands.press(f"#{MILK}", "Enter", "F6")
    assert (hands.rows(), shown()) == ([], (False, True))
    inside(window).set_kind(DocumentKind.TRAINING)
    await sold(BREAD)
    inside(window).set_kind(DocumentKind.TRAINING)
    hands.press(f"#{MILK}", "Enter")
    inside(window).set_kind(DocumentKind.SALE)
    await seen()
    assert (hands.rows(), shown()) == ([], (False, True))


LOOK = 10_000
"""A time longer than between two requests of the till for the server's status."""
ONE, TWO = "ABCD1234-ABCD1234-1", "ABCD1234-ABCD1234-2"
SOLVE = "Реши"


async def sell_for_200(hands: Hands, *faults: Fault) -> None:
    hands.shop.server.faults.extend(faults)
    hands.press(f"#{BREAD}", "Enter")
    hands.shop.pause()
    hands.type("200")
    hands.pad("+")
    await look_on(hands)


async def look_on(hands: Hands) -> None:
    """Let the till ask for the server's status."""
    hands.shop.clock.go_on(LOOK)
    await hands.shop.serve()
    await seen()


async def not_come(hands: Hands, number: str = ONE, **more: object) -> None:
    """Let the server report that the paper of a receipt was not printed."""
    now = hands.shop.clock.now()
    hands.shop.server.jobs = (undelivered_paper(number, now, **more),)  # type: ignore[arg-type]
    await look_on(hands)


def told(hands: Hands) -> tuple[str, StateKind, bool]:
    """The strip's words, its kind, and whether it has its own ground and button."""
    strip = hands.cart.strip
    assert strip.isVisible()
    words, _ = strip.accessibleDescription().rsplit(". ", 1)
    return words, strip.kind, strip.calls


def large(hands: Hands) -> str:
    """The notice over the empty cart as a screen reader reads it, "" without one."""
    return "".join(notices_in(hands.cart.large))


NOT_COME = (
    (JobMethod.THERMAL, JobState.WAITING, "Издат, није одштампан"),
    (JobMethod.THERMAL, JobState.RUNNING, "Издат, није одштампан"),
    (JobMethod.A4, JobState.FAILED, "Издат, није одштампан"),
    (JobMethod.THERMAL, JobState.UNPROVEN, "Издат, можда није одштампан"),
    (JobMethod.EMAIL, JobState.FAILED, "Издат, није послат имејлом"),
    (JobMethod.EMAIL, JobState.UNPROVEN, "Издат, можда није послат"),
)


async def test_a_receipt_whose_paper_did_not_come_is_amber_and_leads_to_its_case(
    hands: Hands,
) -> None:
    """Over an empty cart a notice says why, and the change stays large."""
    await sell_for_200(hands)
    for method, state, _ in NOT_COME:
        await not_come(hands, method=method, state=state)
        assert large(hands).startswith("Рачун је издат"), (method, state)
    await not_come(hands, method=JobMethod.EMAIL)  # it goes on by itself
    assert large(hands) == ""
    await not_come(hands, TWO)  # another receipt's paper
    assert large(hands) == ""
    await not_come(hands, trouble="paper_out")
    assert large(hands).startswith("Рачун је издат, али није одштампан Узрок: нема папира.")
    await not_come(hands, trouble="away")
    assert "Узрок: штампач се не јавља. Кад се отклони, рачун се штампа сам." in large(hands)
    assert only(hands.cart.large, AmountLabel).isVisible()
    said = hands.cart.large.accessibleName()
    assert said.startswith("Кусур 141,00.")
    assert "Издат, није одштампан" in said
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == "job 1"
    hands.press("Esc", f"#{MILK}", "Enter")
    for method, state, words in NOT_COME:
        await not_come(hands, method=method, state=state)
        assert told(hands) == (words, StateKind.DECIDE, True), (method, state)
        assert hands.cart.strip.accessibleDescription().startswith(f"{words}.")
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == "job 1"
    hands.shop.server.jobs = ()  # paper was put in, and the receipt was printed
    await look_on(hands)
    inside(hands.window).open_case("job 1")
    assert inside(hands.window).attention.case_view is None, "it leads to what waits"
    hands.press("Esc")
    assert told(hands)[1:] == (StateKind.DONE, False)


OPERATIONS = {
    Operation.REFUND: ("Рефундација · издато · −842,50", "Враћено −843,00"),
    Operation.COPY: ("Копија рачуна · издато · 842,50", "Износ 842,50"),
    Operation.ADVANCE: ("Уплата на аванс · издато · 842,50", "Готовина 842,50"),
    Operation.CLOSE: ("Затварање аванса · издато · 842,50", "Готовина 842,50"),
}


async def test_after_a_restart_an_operation_is_not_told_as_a_sale(
    shop: Shop, sell_in: SellIn
) -> None:
    for operation, (said, at_the_right) in OPERATIONS.items():
        acted(shop.till, operation, rounding="-0.50" if operation is Operation.REFUND else "0")
        await shop.serve()
        hands = sell_in(shop)
        await look_on(hands)
        what, _, total = said.split(" · ")
        assert hands.cart.large.accessibleName().startswith(f"{at_the_right}. {what} · издат")
        assert at_the_right.rsplit(maxsplit=1)[-1] in lines_of(hands.cart.large)
        hands.press(f"#{MILK}", "Enter")
        words, *state = told(hands)
        assert words.startswith(said)
        assert state == [StateKind.DONE, False]
        hands.tap(hands.cart.strip)
        assert hands.notice().startswith(what)
        assert total in hands.notice()
        hands.press("Esc", "Del", "F6")
        hands.window.close()


async def test_a_refused_sale_has_its_ground_its_words_and_a_way_to_be_solved(hands: Hands) -> None:
    """The one that was pressed is shown, whatever else waits."""
    await sell_for_200(hands, Fault.FIX)
    first = hands.sold()
    hands.button(SOLVE).setFocus()
    hands.press("Enter")  # by keyboard alone
    assert inside(hands.window).attention.model.current_id == first.key
    hands.press("Esc")
    await sell_for_200(hands, Fault.FIX)
    assert large(hands).startswith("Рачун није издат Продаја је сачувана")
    assert only(hands.cart.large, AmountLabel).isVisible()
    refused = hands.sold()
    hands.press(f"#{MILK}", "Enter")
    assert told(hands)[0].startswith("Није издат")
    assert told(hands)[1:] == (StateKind.FAILED, True)
    assert hands.cart.strip.accessibleName() == "Последњи рачун износ 58,99"
    inside(hands.window).open("attention")
    assert inside(hands.window).attention.model.current_id == first.key  # the first that waits
    hands.press("Esc")
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == refused.key
    hands.tap_words("Исправи")
    await look_on(hands)
    assert hands.shop.database.sales.sale(refused.key).state is SaleState.CANCELLED


async def test_a_doubt_leads_to_its_case_and_calls_once_it_does_not_end_by_itself(
    hands: Hands,
) -> None:
    """The large form leads where the strip leads; a press that is drawn away is none."""
    large_form, left = hands.cart.large, Qt.MouseButton.LeftButton
    hands.tap(large_form)
    assert (inside(hands.window).is_in("attention"), hands.notice()) == (False, "")
    assert large_form.focusPolicy() is Qt.FocusPolicy.NoFocus, "there is nothing to press"
    await sell_for_200(hands, Fault.IN_DOUBT)
    doubt = hands.sold()
    assert (doubt.state, large(hands)) == (SaleState.DOUBT, "")
    assert "проверава се" in large_form.accessibleName()
    QTest.mousePress(large_form, left, pos=large_form.rect().center())
    QTest.mouseRelease(large_form, left, pos=QPoint(-40, -40))
    assert not inside(hands.window).is_in("attention")
    for way in ("touch", "keyboard"):
        if way == "touch":
            hands.tap(only(large_form, AmountLabel))
        else:
            large_form.setFocus(Qt.FocusReason.TabFocusReason)
            hands.press("Enter")
        await seen()
        assert inside(hands.window).attention.model.current_id == doubt.key
        assert not any("је у реду" in line for line in lines_of(inside(hands.window).attention))
        hands.press("Esc")
    assert "attention" not in hands.shop.tones.played
    hands.shop.clock.go_on(YOUNG)
    await look_on(hands)
    assert large(hands).startswith("Не зна се да ли је рачун издат")
    assert "attention" in hands.shop.tones.played
    hands.tap_words(SOLVE)
    assert inside(hands.window).attention.model.current_id == doubt.key


async def test_the_bottom_line_has_the_printer_while_it_keeps_papers_back(hands: Hands) -> None:
    await sell_for_200(hands)
    for trouble, words in (
        ("away", "Штампач се не јавља"),
        ("paper_out", "Штампач нема папира"),
        ("stuck", "Штампач не штампа"),
    ):
        assert "Штамп" not in hands.bottom_line()
        await not_come(hands, TWO, trouble=trouble)  # another receipt than the last
        assert f" · {words} · " in hands.bottom_line()
        assert hands.bottom_line().endswith("Продаја и рачуни раде; папир се не штампа")
        assert hands.shop.tones.played[-1] == "attention"
        hands.shop.tones.played.clear()
        await look_on(hands)
        assert hands.shop.tones.played == []  # it has already called once
        hands.shop.server.jobs = ()
        await look_on(hands)
        assert "Штамп" not in hands.bottom_line()
    await not_come(hands, state=JobState.UNPROVEN)
    assert " · Штампа 1 папир тражи одлуку · " in hands.bottom_line()
    hands.shop.server.running = False  # what it told is no state of the printer any more
    await look_on(hands)
    assert "Штамп" not in hands.bottom_line()


of_linux = pytest.mark.skipif(sys.platform != "linux", reason="xdg-open is of Linux")
FILE = "/shown/receipt-1.pdf"


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program in place of xdg-open, alone on the path; returns the file that it writes."""

    def install(script: str) -> Path:
        programs, noted = tmp_path / "programs", tmp_path / "noted"
        programs.mkdir()
        program = programs / "xdg-open"
        program.write_text(
            f'#!/bin/sh\necho $$ > {noted}.pid\necho "$1" > {noted}\n{script}\n', encoding="utf-8"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
        return noted

    return install


async def ask(shop: Shop, sell_in: SellIn, viewer: DesktopViewer | None = None) -> Hands:
    """Show the last receipt, at a till that opens it with the system's own program."""
    hands = sell_in(shop, viewer=viewer or DesktopViewer())
    hands.model.entry.enter_code(BREAD)
    hands.pay("+")
    await shop.serve()
    await seen()
    hands.press("F9")
    hands.tap_words("прикажи PDF: Последњи рачун")
    return hands


@of_linux
async def test_an_opener_that_fails_is_told_with_the_place_of_the_file_which_is_copied_by_touch(
    shop: Shop, sell_in: SellIn, opener: Callable[[str], Path]
) -> None:
    opener("exit 3")
    hands = await ask(shop, sell_in)
    await until(lambda: hands.notice().startswith("Не може да се отвори рачун"))
    assert "receipt-1.pdf" in hands.notice()
    assert not any(FILE in line for line in (hands.notice(), *lines_of(hands.window)))
    hands.tap_words("Детаљи")
    assert FILE in lines_of(hands.window)
    assert shop.tones.played[-1] == "attention"
    hands.tap_words("Копирај путању")
    assert QGuiApplication.clipboard().text() == FILE
    assert hands.button("Копирано").isVisible()
    hands.press("Esc")
    assert hands.notice() == ""


@of_linux
@pytest.mark.qt_log_ignore("does not support QPlatformServices", extend=True)
async def test_a_machine_without_an_opener_says_so(
    shop: Shop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    hands = await ask(shop, sell_in)
    await until(hands.notice)
    assert hands.notice().startswith("Не може да се отвори рачун")


@of_linux
@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 0", "opened"),
        ("/bin/sleep 0.3\nexit 0", "opened"),
        ("exec /bin/sleep 30", "opened"),
        ("exit 3", "failed"),
        ("/bin/sleep 0.3\nexit 4", "failed"),
        ("kill -9 $$", "failed"),
    ],
)
async def test_it_is_told_once_whether_a_program_took_the_file(
    opener: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    noted = opener(script)
    monkeypatch.setattr(file_viewer, "OPENS_WITHIN_MS", 1500)
    desktop, heard = DesktopViewer(), list[str]()
    desktop.show(
        Path(FILE),
        on_failed=lambda: heard.append("failed"),
        on_opened=lambda: heard.append("opened"),
    )
    assert heard == []
    await until(lambda: heard and QFile.exists(str(noted)))
    if desktop.running:
        os.kill(int(noted.with_suffix(".pid").read_text()), signal.SIGKILL)
    await until(lambda: not desktop.running)
    assert heard == [told]
