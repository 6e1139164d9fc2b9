"""Pictures of Attention."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pos_app.cashier.attention.view import AttentionScreen, AttentionSides
from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.cashier.window.screens import ATTENTION
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalMark, PublicModeState
from pos_app.domain.setup.release import Version
from pos_app.errors import Refused
from pos_app.selling.attention.pair_decisions import PairDecision
from pos_app.selling.sale.sale import RestoredCopy
from pos_app.selling.server.drawer_openings import DrawerShut
from tests.fakes.fiscal_server import Fault
from tests.gui import pictures
from tests.gui.attention import cases
from tests.gui.attention.counter import TABLE
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.crawl.posing import named, opened_in
from tests.gui.parts import only, page_in_front
from tests.gui.payment.shop import Shop
from tests.gui.window.joining import ask_to_join


async def empty(shop: Shop, screen: AttentionScreen) -> None:
    """No case is open."""


async def doubt(shop: Shop, screen: AttentionScreen) -> None:
    """The picture's case: one doubt, two sales behind it."""
    await cases.solved(shop)
    await cases.doubtful(shop)
    await cases.waiting(shop, "1236.00", "359.98")


async def refused(shop: Shop, screen: AttentionScreen) -> None:
    """The server refused a sale."""
    await cases.refused(shop)


async def acts_refused(shop: Shop, screen: AttentionScreen) -> None:
    """A refund that was not sent while the buyer waited, and a closing that the server refused."""
    await cases.act_refused(shop, Fault.WAIT)
    await cases.act_refused(shop, Fault.FIX, Operation.CLOSE)


async def corrections(shop: Shop, screen: AttentionScreen) -> None:
    """Three corrections: nothing of the first is issued, only the refund of the second, and the
    server refuses the new receipt of the third."""
    await cases.correction_half_done(shop, Fault.FIX)
    await cases.correction_half_done(shop)
    await cases.correction_not_begun(shop)


async def goods_left(shop: Shop, screen: AttentionScreen) -> None:
    """An advance of another system is closed by hand, and nobody issued the receipt of its
    goods."""
    await cases.closed_by_hand(shop)


async def exchanges(shop: Shop, screen: AttentionScreen) -> None:
    """Two exchanges: the server refuses the sale of one, and nothing of the other is issued."""
    await cases.exchange_half_done(shop, Fault.FIX)
    await cases.exchange_not_begun(shop)


async def credit_owed(shop: Shop, screen: AttentionScreen) -> None:
    """The refund of an exchange is issued, and its sale was ended without a receipt or a cart."""
    half = await cases.exchange_half_done(shop, Fault.FIX)
    shop.outbox.cancel(half.new.key, reason="gone")
    await cases.settle(shop)


async def half_done_here(shop: Shop, screen: AttentionScreen) -> None:
    """A refund of this till whose copy is in doubt."""
    await cases.half_done_here(shop, was_refused=False)


async def unreadable(shop: Shop, screen: AttentionScreen) -> None:
    """A signed sale that the server can't read, beside one that it refused."""
    await cases.unreadable(shop)
    await cases.refused(shop)
    screen.model.choose(next(one.key for one in shop.store.sales.done_to_be_seen()))


async def waits(shop: Shop, screen: AttentionScreen) -> None:
    """The server is away, and a sale waits."""
    shop.server.running = False
    cases.sold(shop, "1236.00")
    await cases.settle(shop)


async def unread_pair(shop: Shop, screen: AttentionScreen) -> None:
    """A half-done pair that the server can't read, beside one that it can."""
    shop.server.open = (cases.half_done_unread(shop), cases.half_done(shop, Operation.REFUND))
    await cases.settle(shop)


async def undone_pair(shop: Shop, screen: AttentionScreen) -> None:
    """A manager undid a pair, and the till was restarted since."""
    decision = PairDecision(
        "949d27ba-refund",
        shop.clock.now(),
        "Власник",
        True,
        Money("842.50"),
        Operation.REFUND,
        "ABCD1234-ABCD1234-8660",
    )
    shop.store.decisions.keep_decision(decision)
    screen.refresh()
    only(screen, AttentionSides).show_solved.click()


async def server(shop: Shop, screen: AttentionScreen) -> None:
    """The server can't be started, and a sale waits for it."""
    await waits(shop, screen)
    shop.outbox.take_server_fault(cases.newer_journal())


async def stranger(shop: Shop, screen: AttentionScreen) -> None:
    """Another till's server answers in its place."""
    shop.server.stranger = "other_install"
    await cases.settle(shop)


async def alarms(shop: Shop, screen: AttentionScreen) -> None:
    """A late receipt, and receipts of others."""
    await cases.alarmed(shop, cases.late_receipt(shop), cases.foreign_traffic(shop))


async def damaged_catalogue(shop: Shop, screen: AttentionScreen) -> None:
    """The server can't read the catalogue's file."""
    await cases.alarmed(shop, cases.catalogue_damaged(shop))


async def restored(shop: Shop, screen: AttentionScreen) -> None:
    """An older journal was put back."""
    await cases.put_back(shop)


async def restored_till(shop: Shop, screen: AttentionScreen) -> None:
    """An older file of the till was put back: the journal has sales that it lacks."""
    journal = JournalMark("j", 9, "cd")
    shop.store.sales.act_on_restore(
        RestoredCopy(journal, "E", last_sequence=7, last_key="cc" * 16, is_journal=False),
        at=shop.clock.now(),
    )
    screen.refresh()


async def certificate(shop: Shop, screen: AttentionScreen) -> None:
    """The certificate of the tax administration's processor ends soon."""
    await cases.certified(shop, days=12)
    screen.model.load()
    screen.model.choose("certificate_ends")


async def status_unread(shop: Shop, screen: AttentionScreen) -> None:
    """The processor reports something unknown."""
    await cases.unread(shop, "allTaxRates")
    screen.model.load()
    screen.model.choose("status_unread")


async def new_element(shop: Shop, screen: AttentionScreen) -> None:
    """The processor has another element."""
    await cases.put_back(shop)
    screen.model.load()
    screen.model.choose("element NEWC4RD1")


async def set_aside(shop: Shop, screen: AttentionScreen) -> None:
    """The carts of a copy are set aside."""
    await cases.put_back(shop)
    screen.model.load()
    screen.model.choose("carts set aside")


async def prints(shop: Shop, screen: AttentionScreen) -> None:
    """Papers and mails that were not printed or sent, or only perhaps."""
    await cases.undelivered(shop, *cases.not_printed(shop))


async def repeated(shop: Shop, screen: AttentionScreen) -> None:
    """A print that a person wanted once more, and that the server does not report any more."""
    *_, waits_for_paper = cases.not_printed(shop)
    await cases.undelivered(shop, waits_for_paper)
    screen.refresh()
    assert screen.case_view is not None
    assert screen.case_view.steps is not None
    screen.case_view.steps.give("again")
    await asyncio.sleep(0.05)
    page_in_front(screen.frame, "att.list").rows[screen.model.current_id].click()
    await cases.undelivered(shop)


async def not_opened(shop: Shop, screen: AttentionScreen) -> None:
    """Nothing opened the file that was wanted instead of a paper."""
    *_, waits_for_paper = cases.not_printed(shop)
    await cases.undelivered(shop, waits_for_paper)
    screen.refresh()
    await asyncio.sleep(0.05)
    shop.receipt_files.folder = Path(
        "/home/kasa/.local/share/pos-app/till/shown/ABCD1234-ABCD1234-8654"
    )
    assert screen.case_view is not None
    assert screen.case_view.steps is not None
    screen.case_view.steps.give("pdf")
    await asyncio.sleep(0.05)


async def drawer(shop: Shop, screen: AttentionScreen) -> None:
    """The drawer did not open with the last sale."""
    await cases.settle(shop)
    shut = DrawerShut(Refused(what="The drawer stayed shut."), shop.clock.now())
    screen.frame.announce(Change(ShopChange.DRAWER, shut=shut))


async def keys(shop: Shop, screen: AttentionScreen) -> None:
    await doubt(shop, screen)
    screen.refresh()
    screen.toggle_keys()


async def foreign(shop: Shop, screen: AttentionScreen) -> None:
    """Receipts of other programs."""
    await cases.alarmed(shop, cases.foreign_traffic(shop))


async def callers(shop: Shop, screen: AttentionScreen) -> None:
    """Nothing waits, a page was refused, and its row is pressed."""
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)
    screen.refresh()
    await asyncio.sleep(0.05)
    page_in_front(screen.frame, "att.list").rows[screen.model.cases[0].id].click()


async def quiet(shop: Shop, screen: AttentionScreen) -> None:
    """Nothing waits, and a page was refused."""
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)


async def lines(shop: Shop, screen: AttentionScreen) -> None:
    """The items of the sale in doubt."""
    await doubt(shop, screen)
    screen.refresh()
    assert screen.case_view is not None
    screen.case_view.toggle_lines()


async def done(shop: Shop, screen: AttentionScreen) -> None:
    """The list of cases solved today."""
    await doubt(shop, screen)
    screen.refresh()
    page_in_front(screen.frame, "att.list").solved_button.click()


async def wrong(shop: Shop, screen: AttentionScreen) -> None:
    """Half a QR code, and a manager without a name."""
    await doubt(shop, screen)
    screen.refresh()
    screen.receipt_scanned("https://suf.purs.gov.rs/v/?vl=AAAA")
    assert screen.case_view is not None
    assert screen.case_view.steps is not None
    screen.case_view.steps.give("absent")


async def complete(shop: Shop, screen: AttentionScreen) -> None:
    """Items to be completed."""
    for number, code in enumerate(("4006381333931", "8600999000014", "4006381333931")):
        cases.sold_unknown(shop, code, f"{120 + 40 * number}.00")
    await cases.settle(shop, 30)
    screen.refresh()
    page_in_front(screen.frame, "att.list").rows[screen.model.cases[0].id].click()


async def pair(shop: Shop, screen: AttentionScreen) -> None:
    """A closing of an advance whose sale was refused."""
    await cases.half_pair(shop)


async def undo(shop: Shop, screen: AttentionScreen) -> None:
    """A cash refund whose copy was refused; the manager is asked to confirm that it is undone."""
    await cases.half_pair(shop, Operation.REFUND)
    screen.refresh()
    await asyncio.sleep(0.05)
    assert screen.case_view is not None
    assert screen.case_view.steps is not None
    screen.case_view.steps.fill("manager", "Милан")
    screen.case_view.steps.buttons["reverse"].click()


async def new_version(shop: Shop, screen: AttentionScreen) -> None:
    """A newer version of the program, before anybody has answered."""
    shop.releases.offer()
    await shop.updates.look()
    screen.refresh()
    page_in_front(screen.frame, "att.list").rows["new version"].click()


async def version_fetched(shop: Shop, screen: AttentionScreen) -> None:
    """Half of its installer is downloaded."""
    await new_version(shop, screen)
    shop.updates.fetched = 15_728_640


async def not_installed(shop: Shop, screen: AttentionScreen) -> None:
    """Its installer was started, but the version is not installed."""
    shop.updates.not_installed = Version(3, 3, 0)


async def cloned(shop: Shop, screen: AttentionScreen) -> None:
    """The data of this computer was copied to another one, and both connect."""
    await cases.cloned(shop)


async def public_refused(shop: Shop, screen: AttentionScreen) -> None:
    """The platform refuses this till."""
    await cases.public_mode(shop, PublicModeState.REFUSED, code="taken", by="Каса 2")


async def public_notice(shop: Shop, screen: AttentionScreen) -> None:
    """Another till wanted this till's name."""
    await cases.newcomer_refused(shop)
    screen.model.load()
    screen.model.choose("public_notice")


async def joining(shop: Shop, screen: AttentionScreen) -> None:
    """The platform's account is another one than the one of this shop's articles."""
    ask_to_join(shop.services.settings.data / "catalogue.db")
    screen.refresh()
    page_in_front(screen.frame, "att.list").rows["joining to decide"].click()


SCENES = named(
    pair, restored, restored_till, new_element, set_aside, unread_pair, undone_pair, undo, doubt,
    empty, unreadable, refused, acts_refused, corrections, goods_left, credit_owed, exchanges,
    half_done_here, waits, server, stranger, alarms, damaged_catalogue, certificate, status_unread,
    prints, repeated, not_opened, drawer, keys, foreign, callers, quiet, lines, done, wrong,
    complete, new_version, version_fetched, not_installed, joining, cloned, public_refused,
    public_notice,
)  # fmt: skip


framed = in_frame(ATTENTION, "att.title", table=TABLE, opens_files=False, hears=False)
posed = pictures.posed_by(
    opened_in(framed, SCENES, show=AttentionScreen.refresh, focus=AttentionScreen.take_focus)
)
