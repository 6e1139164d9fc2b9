"""Ways around the table of rights are tried by keys, taps and scans at a till where a cashier
works."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

import pytest

from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Quantity
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Act, Role
from pos_app.selling.sale.scan import ScanPurpose
from tests.fakes.people_here import sign_in
from tests.gui.inside import inside
from tests.gui.parts import layout_of, lines_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop, run
from tests.sweep import sampled

BADGE, UNKNOWN = "BOSS-0001", "BOSS-0002"
BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"


def acts(shop: Shop) -> list[ActRow]:
    """All acts: some have the shop's time, which stands still, some the file's."""
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    return list(shop.services.acts.acts(since=since, until=until))


def done(shop: Shop) -> list[NotedAct]:
    return [one.done for one in acts(shop)]


def at_work(shop: Shop, sell_in: SellIn, forbids: Collection[Act] = ()) -> Hands:
    """A till with a cashier who may never do the acts in `forbids`."""
    sign_in(shop.services, forbids)
    return sell_in(shop)


def purpose(hands: Hands, purpose: ScanPurpose) -> None:
    hands.press("F9")
    hands.tap_words(hands.window.texts("more.off_words"))
    assert inside(hands.window).model.cart.purpose is purpose


@pytest.mark.parametrize("by", sampled(["scan", "tile"]))
def test_a_scan_that_takes_one_off_needs_the_right_once_the_payment_was_begun(
    shop: Shop, sell_in: SellIn, by: str
) -> None:
    hands = at_work(shop, sell_in, [Act.REMOVE_WHILE_PAYING])
    hands.scan(BREAD_EAN)
    hands.scan(BREAD_EAN)
    hands.press("F12")
    hands.press("Esc")
    purpose(hands, ScanPurpose.TAKE_OFF)
    if by == "scan":
        hands.scan(BREAD_EAN)
    else:
        hands.tap_article(BREAD)
    assert hands.rows() == ["2 × Хлеб бели Сава 500 g, 117,98"]
    assert "Ово не смете на овој каси" in hands.notice()
    assert done(shop) == []


def test_a_cart_that_is_held_and_recalled_is_still_one_that_was_being_paid(
    shop: Shop, sell_in: SellIn
) -> None:
    """The next cart is paid meanwhile, so that no other trace of the payment is left."""
    hands = at_work(shop, sell_in, [Act.REMOVE_WHILE_PAYING])
    hands.scan(BREAD_EAN)
    for key in ("F12", "Esc", "F6"):
        hands.press(key)
    hands.scan(MILK_EAN)
    for key in ("F12", "Esc", "F6", "F6", "1"):
        hands.press(key)
    hands.press("Enter")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("Del")
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    assert NotedAct.LINE_REMOVED not in done(shop)


def test_an_amount_off_the_whole_grows_with_no_line_that_goes(shop: Shop, sell_in: SellIn) -> None:
    """5 % of ten pieces may be taken off; of the one that remains it would be half."""
    hands = at_work(shop, sell_in)
    for _ in range(10):
        hands.scan(BREAD_EAN)
    hands.press("F4")
    panel = inside(hands.window).work_area.panel
    hands.choose(panel.segment, 1)
    hands.type("29")
    hands.press("Enter")
    cart = inside(hands.window).model.cart
    assert hands.total() == "Укупно 560,90 РСД"
    hands.press("F3")
    hands.type("1")
    hands.press("Enter")
    assert hands.window.frame.cover_name == "approval"
    hands.press("Esc")
    assert cart.active_lines[0].quantity == Quantity("10")
    hands.press("F3")
    hands.type("11")
    hands.press("Enter")
    assert cart.active_lines[0].quantity == Quantity("11")


def test_a_discount_of_the_line_and_one_of_the_whole_count_together(
    shop: Shop, sell_in: SellIn
) -> None:
    hands = at_work(shop, sell_in)
    hands.scan(BREAD_EAN)
    hands.press("F4")
    hands.type("5")
    hands.press("Enter")
    hands.press("F12")
    hands.press("F4")
    hands.type("5")
    hands.press("Enter")
    assert hands.window.frame.cover_name == "approval"
    hands.press("Esc")
    assert inside(hands.window).model.cart.ticket.cart.discount is None
    assert done(shop) == [NotedAct.DISCOUNT]


def test_a_lower_quantity_leaves_its_row(shop: Shop, sell_in: SellIn) -> None:
    hands = at_work(shop, sell_in)
    for _ in range(3):
        hands.scan(BREAD_EAN)
    hands.press("F3")
    hands.type("1")
    hands.press("Enter")
    (row,) = acts(shop)
    assert (row.done, row.by, row.before, row.after) == (
        NotedAct.LINE_LESS,
        "Драгана Петровић",
        "176.97",
        "58.99",
    )


@pytest.mark.parametrize("forbids", [[], [Act.CATALOGUE]])
def test_an_article_is_created_on_the_spot_by_who_may(
    shop: Shop, sell_in: SellIn, forbids: list[Act]
) -> None:
    """A cashier has to ask for it, or never may."""
    hands = at_work(shop, sell_in, forbids)
    hands.scan("5901234123457")
    if forbids:
        names = [one.accessibleName() for one in hands.window.findChildren(type(hands.button("")))]
        assert hands.window.texts("notice.create") not in names
        return
    hands.tap_words(hands.window.texts("notice.create"))
    hands.type("Nov")
    hands.press("Enter")
    hands.type("100")
    hands.press("Enter")
    assert hands.window.frame.cover_name == "approval"
    hands.press("Esc")
    assert shop.catalogue.by_code(ArticleCode("5901234123457")) == ()
    assert done(shop) == []


def test_a_sale_that_no_processor_signs_leaves_its_row(shop: Shop, sell_in: SellIn) -> None:
    hands = at_work(shop, sell_in)
    lacking(shop)
    hands.scan(BREAD_EAN)
    shop.pause()
    hands.pad("+")
    assert inside(hands.window).model.cart.ticket.cart.is_empty
    (opened, queued) = acts(shop)
    sale = shop.database.sales.last(1)[0]
    assert opened.done is NotedAct.SHIFT_OPENED
    assert (queued.done, queued.after, queued.sale_key) == (NotedAct.QUEUED, "58.99", sale.key)


@pytest.mark.parametrize("key", sampled(["pad", "payment"]))
def test_it_is_confirmed_by_no_key_where_somebody_else_has_to_lift_it(
    shop: Shop, sell_in: SellIn, key: str
) -> None:
    hands = at_work(shop, sell_in)
    people = shop.services.people
    people.keep_rights(people.rights().turned(Act.QUEUE, Role.CASHIER))
    lacking(shop)
    hands.scan(BREAD_EAN)
    shop.pause()
    if key == "pad":
        hands.pad("+")
    else:
        hands.press("F12")
        hands.press("Enter")
        hands.tap(layout_of(inside(hands.window).work_area.payment).issue)
    assert hands.window.frame.cover_name == "approval"
    hands.press("Esc")
    assert shop.database.sales.last(1) == []
    assert done(shop) == []


def test_a_badge_that_is_scanned_at_the_sale_is_shown_and_kept_by_nobody(
    shop: Shop, sell_in: SellIn
) -> None:
    """The badge lifts an act, and the scanner read it twice: its code could be copied by anybody
    who sees it."""
    hands = at_work(shop, sell_in)
    people = shop.services.people
    people.keep_badge(people.people()[0], BADGE)
    hands.scan(BREAD_EAN)
    hands.scan(BADGE)
    assert "значка" in hands.notice()
    assert BADGE not in " ".join((*lines_of(hands.window), hands.notice()))
    assert inside(hands.window).model.cart.ticket.missed == ()
    kept = shop.database.carts.open_cart(training=False)
    assert kept is not None
    assert kept.missed == ()
    hands.scan(UNKNOWN)
    assert UNKNOWN in hands.notice()


def lacking(shop: Shop) -> None:
    """Let the server run without a processor that signs."""
    shop.server.processor = ProcessorState.AWAY
    run(shop.serve())
    assert shop.services.server.signs_nothing
