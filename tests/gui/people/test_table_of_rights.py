"""Nobody does what the table of rights forbids."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from pos_app.cashier.sale.questions import RemovedLines
from pos_app.cashier.sale.sale_screen import TRY_AGAIN_MS
from pos_app.cashier.window.frame import APPROVAL, LOCK
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.rights import Act, Leave, Role
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.people_here import sign_in
from tests.gui.advances.test_advances import ADVANCE, issue, paying
from tests.gui.inside import inside
from tests.gui.parts import layout_of, lines_of, notices_in, pass_time
from tests.gui.people.crew import ARTICLE, BADGES, FINGER, KEY, NAMES, PINS, Crew, cell, hire
from tests.gui.people.ways import AWAY, WAYS, menu
from tests.gui.pictures import settle
from tests.gui.window import real_till
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.real_till import RealTill
from tests.gui.window.shop import BREAD, Shop, run
from tests.sweep import each, sampled

DEVICES = (
    '\n[printer]\nkind = "network"\naddress = "127.0.0.1"\ndrawer = "pin2"\n'
    '[mail]\nhost = "127.0.0.1"\nport = 9\nsender = "racuni@primer.rs"\n'
)
"""A drawer and a mail server that do not exist: requests to them have no effect."""
MANAGER_KEEPS = (Act.SETTINGS, Role.MANAGER)


@pytest.fixture
def real(tmp_path: Path, template: Path, sell_in: SellIn) -> Iterator[RealTill]:
    with real_till.opened(tmp_path, template, sell_in, told=DEVICES, before=hire) as made:
        yield made


PARTS = 32
_TURNS = [
    (role, leave, (place + step) % PARTS)
    for step in range(PARTS)
    for shift in range(len(Leave))
    for place, role in enumerate(Role)
    for leave in [tuple(Leave)[(place + shift + 1) % len(Leave)]]
]
"""Each role with each word and each part of the ways."""


@pytest.mark.deadline(280)
@pytest.mark.parametrize(("role", "leave", "part"), sampled(_TURNS, few=3))
async def test_each_way_to_each_act(
    real: RealTill, times: int, role: Role, leave: Leave, part: int
) -> None:
    """`make test` cancels or locks in two of the ways in which another person is asked."""
    left = 2 if times <= 50 else len(WAYS)
    async with real.at_work():
        crew = Crew(real, role)
        await crew.arrive()
        faults = []
        for number, way in enumerate(WAYS[part::PARTS]):
            if (way.act, role) == MANAGER_KEEPS and leave is not Leave.MAY:
                continue
            try:
                await crew.tried(way, leave)
                if leave is Leave.ASKS and number < left:
                    await crew.cancelled(way)
                    await crew.locked(way)
            except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                place = traceback.extract_tb(error.__traceback__)[-1]
                lines = "".join(traceback.format_exception_only(error)).rstrip()
                faults.append(f"- {way}\n  {place.filename}:{place.lineno}: {lines}")
        assert not faults, "\n".join(faults)
        assert crew.raw_words() == []


def test_each_act_of_the_table_is_tried_by_key_and_by_finger() -> None:
    assert {(one.act, one.by) for one in WAYS} >= set(product(Act, (KEY, FINGER)))


async def at_the_settings(crew: Crew) -> None:
    """At the gate of the settings, which asks for another person."""
    crew.people.keep_rights(cell(Act.SETTINGS, crew.role, Leave.ASKS))
    await menu("settings")(crew)
    assert crew.is_asked


async def a_pin_that_is_right_too_late_lifts_nothing(crew: Crew) -> None:
    """The cashier left while the PIN was tried, which takes a thread some 50 ms."""
    real = crew.real
    await at_the_settings(crew)

    def typed_and_left() -> None:
        real.hands.type(PINS[Role.LEAD])
        real.hands.press("Esc")

    await real.by_hand(typed_and_left)
    assert crew.frame.is_home
    await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
    await at_the_settings(crew)
    await real.press("Esc")


async def a_pin_that_is_right_only_after_the_lock_lifts_nothing(crew: Crew) -> None:
    """F11 is pressed right after its last digit, over an act that waits in place."""
    real = crew.real
    crew.people.keep_rights(cell(Act.DRAWER, crew.role, Leave.ASKS))
    await real.press("F10")
    await real.until(lambda: crew.is_asked)
    gate = crew.gate().who
    assert gate is not None
    assert gate.person is None  # the PIN tells whose it is

    def typed_and_locked() -> None:
        real.hands.type(PINS[Role.LEAD])
        real.hands.press("F11")

    await real.by_hand(typed_and_locked)
    assert crew.frame.cover_name == LOCK
    await real.until(lambda: "try the PIN" not in crew.frame.tasks.names)
    await crew.arrive()
    assert crew.frame.is_home
    assert NotedAct.DRAWER not in [one.done for one in crew.rows()]


async def a_key_that_is_pressed_twice_is_lifted_once(
    crew: Crew, key: str, act: Act, done: NotedAct
) -> None:
    """The same holds for a badge that the scanner reads twice."""
    real = crew.real
    crew.people.keep_rights(cell(act, crew.role, Leave.ASKS))
    rows, lines = crew.rows(), len(crew.model.cart.active_lines)

    def twice(act: Callable[[str], None], what: str) -> None:
        for _ in range(2):
            act(what)

    await real.by_hand(twice, real.hands.press, key)
    await real.until(lambda: crew.is_asked)
    await real.by_hand(twice, real.hands.scan, BADGES[Role.MANAGER])
    await real.until(lambda: crew.frame.is_home)
    await real.until(lambda: bool(crew.new(rows)))
    (row,) = crew.new(rows)
    assert (row.done, row.lifted_by) == (done, NAMES[Role.MANAGER])
    assert len(crew.model.cart.active_lines) == lines - (key == "Del")
    assert crew.model.cart.ticket.missed == ()


async def test_a_pin_or_a_badge_lifts_what_was_asked_and_that_once(real: RealTill) -> None:
    async with real.at_work():
        crew = Crew(real, Role.CASHIER)
        await crew.arrive()
        await a_pin_that_is_right_too_late_lifts_nothing(crew)
        await a_pin_that_is_right_only_after_the_lock_lifts_nothing(crew)
        await real.scan(ARTICLE)
        await real.scan(MILK_EAN)
        await real.press("F12", "Esc")
        await a_key_that_is_pressed_twice_is_lifted_once(crew, "F10", Act.DRAWER, NotedAct.DRAWER)
        await a_key_that_is_pressed_twice_is_lifted_once(
            crew, "Del", Act.REMOVE_WHILE_PAYING, NotedAct.LINE_REMOVED
        )


async def test_where_a_badge_needs_the_pin_it_only_chooses_the_name(
    tmp_path: Path, template: Path, sell_in: SellIn
) -> None:
    told = "\n[people]\nbadge_needs_pin = true\n"
    with real_till.opened(tmp_path, template, sell_in, told=told, before=hire) as real:
        async with real.at_work():
            crew = Crew(real, Role.CASHIER)
            await crew.arrive()
            await at_the_settings(crew)
            await real.scan(BADGES[Role.MANAGER])
            assert crew.is_asked, "a badge alone lifted it"
            await real.type(PINS[Role.MANAGER])
            await real.until(lambda: not crew.is_asked)
            assert crew.frame.top_name == "settings"


BADGE, UNKNOWN = "BOSS-0001", "BOSS-0002"
MILK_EAN, NOBODYS = "8609951100139", "5901234123457"
ONE_BREAD = ["1 × Хлеб бели Сава 500 g, 58,99"]
HALF_BREAD, PRICED_CHEESE = ONE_BREAD[0], "2600013009908"


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
    hands.scan(ARTICLE)
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
        hands.scan(ARTICLE)
    hands.press("F4")
    hands.choose(inside(hands.window).work_area.panel.segment, 1)
    keys(hands, "29", "Enter")
    cart = inside(hands.window).model.cart
    assert hands.total() == "Укупно 560,90 РСД"
    keys(hands, "F3", "1", "Enter")
    is_asked(hands)
    assert cart.active_lines[0].quantity == Quantity("10")
    keys(hands, "Esc", "F3", "11", "Enter")
    assert cart.active_lines[0].quantity == Quantity("11")


def a_discount_of_the_line_and_one_of_the_whole_count_together(hands: Hands) -> None:
    hands.scan(ARTICLE)
    keys(hands, "F4", "5", "Enter", "F12", "F4", "5", "Enter")
    is_asked(hands)
    assert inside(hands.window).model.cart.ticket.cart.discount is None


def a_percentage_that_was_allowed_is_off_no_larger_quantity(hands: Hands) -> None:
    """A manager allowed half of one bread; the forty of which it would be half ask anew."""
    people = hands.shop.services.people
    people.keep_badge(next(one for one in people.people() if one.role is Role.MANAGER), BADGE)
    hands.scan(ARTICLE)
    keys(hands, "F4", "50", "Enter")
    assert hands.window.frame.cover_name == APPROVAL
    hands.scan(BADGE)
    settle()
    line = inside(hands.window).model.cart.active_lines[0]
    assert line.total == Money("29.50")
    keys(hands, "F3", "40", "Enter")
    is_asked(hands)
    assert inside(hands.window).model.cart.active_lines[0].quantity == Quantity.ONE
    hands.press("Esc")
    keys(hands, "F4", "5", "Enter", "F3", "3", "Enter")
    assert inside(hands.window).model.cart.active_lines[0].quantity == Quantity("3")


def half_is_allowed(hands: Hands) -> None:
    """A manager allows half of the whole receipt."""
    people = hands.shop.services.people
    people.keep_badge(next(one for one in people.people() if one.role is Role.MANAGER), BADGE)
    keys(hands, "F12", "F4", "50", "Enter")
    hands.scan(BADGE)
    settle()
    hands.press("Esc", "Esc")
    assert hands.ticket.cart.discount is not None


def more_of_an_article_at_half_its_price_is_asked_for_on_each_way(hands: Hands) -> None:
    """The first piece of another article has its half; only the quantity that was typed for what
    nobody allowed goes with it."""
    hands.scan(ARTICLE)
    half_is_allowed(hands)
    ways: list[Callable[[], object]] = [
        lambda: hands.scan(ARTICLE),
        lambda: (hands.type("38*"), hands.scan(ARTICLE)),
        lambda: hands.enter(BREAD),
        lambda: hands.press("#Hleb beli Sa", "Enter"),
        lambda: hands.tap_article(BREAD),
        lambda: (hands.press("F12"), hands.scan(ARTICLE)),
    ]
    for way in ways:
        way()
        is_asked(hands)
        assert hands.rows() == [HALF_BREAD]
        while not hands.window.frame.is_home or hands.area.is_paying:
            hands.press("Esc")
    hands.scan(PRICED_CHEESE)
    assert hands.rows()[-1].startswith("1,101 × ")
    hands.scan(PRICED_CHEESE)
    is_asked(hands)
    hands.type("38*")
    hands.scan(ARTICLE, BADGE)
    settle()
    assert hands.rows()[-1].startswith("39 × Хлеб")


def scans_that_wait_for_an_approval_are_entered_in_their_order(hands: Hands) -> None:
    """The bread of one that waits is allowed, that of the other is not; the milk is as new."""
    hands.scan(ARTICLE)
    half_is_allowed(hands)
    hands.press("F3")
    hands.scan(ARTICLE, ARTICLE, MILK_EAN)
    hands.press("Esc")
    hands.scan(BADGE)
    settle()
    pass_time(hands.window, TRY_AGAIN_MS)
    assert [row[:4] for row in hands.rows()] == ["2 × "]
    is_asked(hands)
    pass_time(hands.window, TRY_AGAIN_MS)
    assert [row[:4] for row in hands.rows()] == ["2 × ", "1 × "]


def a_line_that_is_put_back_is_more_of_its_article_too(hands: Hands) -> None:
    hands.scan(ARTICLE)
    keys(hands, "F3", "40", "Enter")
    hands.scan(MILK_EAN)
    keys(hands, "PgUp", "Del")
    half_is_allowed(hands)
    hands.scan(ARTICLE)
    hands.model.questions.ask(RemovedLines())
    hands.press("Enter")
    is_asked(hands)
    assert [row[:4] for row in hands.rows()] == ["1 × ", "1 × "]


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
    """The badge lifts an act, and the scanner read it twice."""
    people = hands.shop.services.people
    people.keep_badge(people.people()[0], BADGE)
    hands.scan(ARTICLE)
    hands.scan(BADGE)
    assert "значка" in hands.notice()
    assert BADGE not in " ".join((*lines_of(hands.window), hands.notice()))
    assert inside(hands.window).model.cart.ticket.missed == ()
    kept = hands.shop.database.carts.open_cart(training=False)
    assert kept is not None
    assert kept.missed == ()
    hands.scan(UNKNOWN)
    assert UNKNOWN in hands.notice()


def a_badge_is_told_as_one_wherever_it_is_scanned(hands: Hands) -> None:
    """It leads away from no screen, and leaves nothing for the sale to tell."""
    people, frame = hands.shop.services.people, hands.window.frame
    people.keep_badge(people.people()[0], BADGE)
    lets(hands, Act.CATALOGUE, Leave.MAY)
    lets(hands, Act.REPORTS, Leave.MAY)
    hands.scan(ARTICLE)
    for name in ("attention", "receipts", "advances", "shift", "catalogue", "reports"):
        frame.open(name)
        screen = frame.top
        hands.scan(BADGE)
        settle()
        said = " ".join((*lines_of(screen), *notices_in(screen)))
        assert "Ово је значка, а не артикал" in said, name
        assert "значка служи за пријаву" in said.lower(), name
        assert "ниједан артикал" not in said, name
        assert BADGE not in said, name
        assert frame.top is screen, name
        inside(hands.window).go_home()
        assert hands.notice() == "", name
    hands.press("F12")
    hands.scan(BADGE)
    assert "значка" in hands.paying.head.news_text()
    hands.press("Esc", "Esc", "F4")
    hands.scan(BADGE)
    hands.press("Esc")
    assert "значка" in hands.notice()
    assert inside(hands.window).model.cart.ticket.missed == ()


def nobody_is_asked_to_allow_training_while_a_question_stands(hands: Hands) -> None:
    lets(hands, Act.TRAINING, Leave.ASKS)
    hands.scan(ARTICLE)
    hands.press("F4")
    number = list(DocumentKind).index(DocumentKind.TRAINING)
    hands.choose(inside(hands.window).top.segment, number)
    assert hands.window.frame.is_home
    assert hands.model.questions.is_asked
    assert hands.shop.tones.played[-1] == "no"


@each("way", [
    a_recalled_cart_is_still_one_that_was_being_paid,
    an_amount_off_the_whole_grows_with_no_line_that_goes,
    a_discount_of_the_line_and_one_of_the_whole_count_together,
    a_percentage_that_was_allowed_is_off_no_larger_quantity,
    more_of_an_article_at_half_its_price_is_asked_for_on_each_way,
    scans_that_wait_for_an_approval_are_entered_in_their_order,
    a_line_that_is_put_back_is_more_of_its_article_too,
    an_article_is_created_on_the_spot_by_who_may,
    a_badge_that_is_scanned_at_the_sale_is_shown_and_kept_by_nobody,
    a_badge_is_told_as_one_wherever_it_is_scanned,
    nobody_is_asked_to_allow_training_while_a_question_stands,
])  # fmt: skip
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
    hands.scan(ARTICLE)
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


def test_somebody_is_asked_once_for_a_sale_that_may_wait_and_never_for_an_advance(
    shop: Shop, sell_in: SellIn
) -> None:
    """All else that a till says or asks about a sale comes before."""
    sign_in(shop.services)
    hands = sell_in(shop)
    lacking(shop)
    people = shop.services.people
    people.keep_rights(people.rights().turned(Act.QUEUE, Role.CASHIER))
    people.keep_badge(next(one for one in people.people() if one.role is Role.MANAGER), BADGE)
    hands.scan(NOBODYS, ARTICLE)
    hands.type("9000")
    hands.pay("+")
    assert hands.window.frame.cover_name == ""
    assert "није додат" in hands.notice()
    hands.pay("+")
    assert hands.window.frame.cover_name == ""
    hands.press("F12")
    assert hands.window.frame.cover_name == APPROVAL
    hands.scan(BADGE)
    settle()
    assert len(hands.sales()) == 1
    hands.scan(ARTICLE)
    hands.press("F12", "#9000", "Enter", "F12")
    assert hands.window.frame.cover_name == APPROVAL
    hands.scan(BADGE)
    settle()
    assert len(hands.sales()) == 2
    hands.scan(ARTICLE)
    hands.press("Ctrl+2")
    hands.pay("+")
    assert hands.window.frame.cover_name == ""
    assert "Аванс" in hands.notice()
    hands.press("F12", "Enter", "Enter")
    assert hands.window.frame.cover_name == ""
    assert len(hands.sales()) == 2


async def test_a_further_payment_waits_for_a_processor_and_asks_nobody(real: RealTill) -> None:
    async with real.at_work():
        crew = Crew(real, Role.CASHIER)
        await crew.arrive()
        crew.people.keep_rights(cell(Act.QUEUE, Role.CASHIER, Leave.ASKS))
        await paying(real, issue(real, ADVANCE))
        real.shop.change(unreachable=AWAY)
        await real.until(lambda: real.services.server.signs_nothing)
        await real.type("1000")
        await real.press("Enter")
        assert crew.words("error.not_allowed.advance_waits") in notices_in(crew.frame.top)[0]
        assert not crew.is_asked
