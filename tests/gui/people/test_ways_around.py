"""Ways around the table of rights are tried by keys, taps and scans at a till where a cashier
works; the ways to each act are in `ways.py`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from pos_app.cashier.window.frame import APPROVAL
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Quantity
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from tests.fakes.people_here import sign_in
from tests.gui.inside import inside
from tests.gui.parts import layout_of, lines_of
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop, run
from tests.sweep import each

BADGE, UNKNOWN = "BOSS-0001", "BOSS-0002"
BREAD_EAN, MILK_EAN, NOBODYS = "8609910700134", "8609951100139", "5901234123457"
ONE_BREAD = ["1 × Хлеб бели Сава 500 g, 58,99"]


def acts(shop: Shop) -> list[ActRow]:
    """All acts: some have the shop's time, which stands still, some the file's."""
    since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    return list(shop.services.acts.acts(since=since, until=until))


def done(hands: Hands) -> list[NotedAct]:
    return [one.done for one in acts(hands.shop)]


@pytest.fixture
def at_work(shop: Shop, sell_in: SellIn) -> Anew:
    """A till with a cashier."""
    sign_in(shop.services)
    return Anew(sell_in(shop))


def lets(hands: Hands, act: Act, leave: Leave) -> None:
    """What the cashier may do."""
    people = hands.shop.services.people
    people.keep_rights(people.rights().with_cell(act, Role.CASHIER, leave))


def lacking(shop: Shop) -> None:
    """Let the server run without a processor that signs."""
    shop.server.processor = ProcessorState.AWAY
    run(shop.serve())
    assert shop.services.server.signs_nothing


def keys(hands: Hands, *names: str) -> None:
    for name in names:
        if name.isdigit():
            hands.type(name)
        else:
            hands.press(name)


def is_asked(hands: Hands) -> None:
    """Somebody else has to permit it; nobody does."""
    assert hands.window.frame.cover_name == APPROVAL
    hands.press("Esc")


def a_recalled_cart_is_still_one_that_was_being_paid(hands: Hands) -> None:
    """The next cart is paid meanwhile, so that no other trace of the payment is left."""
    lets(hands, Act.REMOVE_WHILE_PAYING, Leave.NEVER)
    hands.scan(BREAD_EAN)
    keys(hands, "F12", "Esc", "F6")
    hands.scan(MILK_EAN)
    keys(hands, "F12", "Esc", "F6", "F6", "1", "Enter")
    assert hands.rows() == ONE_BREAD
    hands.press("Del")
    assert hands.rows() == ONE_BREAD
    assert NotedAct.LINE_REMOVED not in done(hands)


def an_amount_off_the_whole_grows_with_no_line_that_goes(hands: Hands) -> None:
    """5 % of ten pieces may be taken off; of the one that remains it would be half."""
    for _ in range(10):
        hands.scan(BREAD_EAN)
    hands.press("F4")
    hands.choose(inside(hands.window).work_area.panel.segment, 1)
    keys(hands, "29", "Enter")
    cart = inside(hands.window).model.cart
    assert hands.total() == "Укупно 560,90 РСД"
    keys(hands, "F3", "1", "Enter")
    is_asked(hands)
    assert cart.active_lines[0].quantity == Quantity("10")
    keys(hands, "F3", "11", "Enter")
    assert cart.active_lines[0].quantity == Quantity("11")


def a_discount_of_the_line_and_one_of_the_whole_count_together(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    keys(hands, "F4", "5", "Enter", "F12", "F4", "5", "Enter")
    is_asked(hands)
    assert inside(hands.window).model.cart.ticket.cart.discount is None


def an_article_is_created_on_the_spot_by_who_may(hands: Hands) -> None:
    """A cashier has to ask for it, or never may."""
    create = hands.window.texts("notice.create")
    lets(hands, Act.CATALOGUE, Leave.NEVER)
    hands.scan(NOBODYS)
    assert not hands.buttons(create)
    lets(hands, Act.CATALOGUE, Leave.ASKS)
    hands.scan(NOBODYS)
    hands.tap_words(create)
    hands.type("Nov")
    keys(hands, "Enter", "100", "Enter")
    is_asked(hands)
    assert hands.shop.catalogue.by_code(ArticleCode(NOBODYS)) == ()


def a_badge_that_is_scanned_at_the_sale_is_shown_and_kept_by_nobody(hands: Hands) -> None:
    """The badge lifts an act, and the scanner read it twice: its code could be copied by anybody
    who sees it."""
    people = hands.shop.services.people
    people.keep_badge(people.people()[0], BADGE)
    hands.scan(BREAD_EAN)
    hands.scan(BADGE)
    assert "значка" in hands.notice()
    assert BADGE not in " ".join((*lines_of(hands.window), hands.notice()))
    assert inside(hands.window).model.cart.ticket.missed == ()
    kept = hands.shop.database.carts.open_cart(training=False)
    assert kept is not None
    assert kept.missed == ()
    hands.scan(UNKNOWN)
    assert UNKNOWN in hands.notice()


@each(
    "way",
    [
        a_recalled_cart_is_still_one_that_was_being_paid,
        an_amount_off_the_whole_grows_with_no_line_that_goes,
        a_discount_of_the_line_and_one_of_the_whole_count_together,
        an_article_is_created_on_the_spot_by_who_may,
        a_badge_that_is_scanned_at_the_sale_is_shown_and_kept_by_nobody,
    ],
)
def test_no_way_leads_around_the_table(at_work: Anew, way: Callable[[Hands], None]) -> None:
    hands = at_work.begin()
    people = hands.shop.services.people
    rights = people.rights()
    way(hands)
    people.keep_rights(rights)


def test_a_sale_that_no_processor_signs_is_confirmed_by_who_may(
    shop: Shop, sell_in: SellIn
) -> None:
    """By no key where somebody else has to lift it; it leaves its row."""
    sign_in(shop.services)
    hands = sell_in(shop)
    lacking(shop)
    people = shop.services.people
    people.keep_rights(people.rights().turned(Act.QUEUE, Role.CASHIER))
    hands.scan(BREAD_EAN)
    shop.pause()
    hands.pad("+")
    is_asked(hands)
    keys(hands, "F12", "Enter")
    if hands.window.frame.cover_name != APPROVAL:
        hands.tap(layout_of(inside(hands.window).work_area.payment).issue)
    is_asked(hands)
    assert shop.database.sales.last(1) == []
    assert done(hands) == []
    lets(hands, Act.QUEUE, Leave.MAY)
    shop.pause()
    hands.tap(layout_of(inside(hands.window).work_area.payment).issue)
    assert inside(hands.window).model.cart.ticket.cart.is_empty
    (opened, queued) = acts(shop)
    sale = shop.database.sales.last(1)[0]
    assert opened.done is NotedAct.SHIFT_OPENED
    assert (queued.done, queued.after, queued.sale_key) == (NotedAct.QUEUED, "58.99", sale.key)
