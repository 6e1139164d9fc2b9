"""Pictures of signing in and of an act that another person permits."""

from __future__ import annotations

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.sign_in.view import SignInRoom, SignInScreen
from pos_app.cashier.window.frame import APPROVAL, LOCK, Change, ShopChange, WaitingCounts
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import NotAllowed
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act, Role
from tests.fakes.people_here import quick, sign_in
from tests.gui.crawl.posing import named, over_till
from tests.gui.parts import in_front
from tests.gui.window.screens import fill
from tests.gui.window.shop import Shop

EAN = "8609910700134"
MORE = (
    "Милица Јовановић", "Марко Петровић", "Ана Марија Стефановић-Вукашиновић", "Јован Ђорђевић",
    "Теодора Николић", "Вук", "Снежана Радосављевић", "Петар Лукић",
)  # fmt: skip


def _people(shop: Shop) -> tuple[Person, Person]:
    """The cashier who works here, and another one."""
    dragana = sign_in(shop.services, (Act.DROP_CART,))
    people = shop.services.people
    milos = people.keep_pin(people.add("Милош Илић", Role.CASHIER), quick("2468"))
    people.keep_badge(milos, "BADGE-2468")
    return dragana, milos


def _room(window: TillWindow) -> SignInRoom:
    room = window.frame.room(LOCK)
    assert isinstance(room, SignInRoom)
    return room


def _screen(window: TillWindow) -> SignInScreen:
    screen: SignInScreen = in_front(window.frame, "sign.title")
    return screen


def nobody(shop: Shop, window: TillWindow) -> None:
    _people(shop)
    shop.services.here.person = None
    window.frame.cover(LOCK)


def many(shop: Shop, window: TillWindow) -> None:
    for name in MORE:
        shop.services.people.add(name, Role.LEAD)
    nobody(shop, window)


def new_pin(shop: Shop, window: TillWindow) -> None:
    _people(shop)
    shop.services.people.add(MORE[0], Role.LEAD)
    shop.services.here.person = None
    window.frame.cover(LOCK)
    who = _screen(window).who
    next(card for card in who.cards if card.person.name == MORE[0]).click()


def foreign_cart(shop: Shop, window: TillWindow) -> None:
    _, milos = _people(shop)
    fill(shop, window)
    window.lock()
    _room(window).model.ask_anybody()
    _room(window).model.chosen = milos
    _screen(window).show_model()


def held(shop: Shop, window: TillWindow) -> None:
    foreign_cart(shop, window)
    _room(window).show_badge("BADGE-2468")
    hold = _screen(window).suspend
    hold.click()


def locked(shop: Shop, window: TillWindow) -> None:
    _people(shop)
    fill(shop, window)
    window.lock()


def paying(shop: Shop, window: TillWindow) -> None:
    _people(shop)
    fill(shop, window)
    window.frame.uncover(APPROVAL)  # nobody has to permit the discount
    window.press_key(TillCommand.PAY)
    home = window.frame.home_room
    assert isinstance(home, SaleRoom)
    payment = home.payment.model
    assert isinstance(payment, PaymentModel)
    payment.tender = payment.tender.holding(((PaymentMethod.CASH, Money(500)),))
    window.lock()
    _room(window).model.ask_anybody()
    _screen(window).show_model()


def scanned(shop: Shop, window: TillWindow) -> None:
    locked(shop, window)
    window.on_scan(EAN)


def wrong(shop: Shop, window: TillWindow) -> None:
    locked(shop, window)
    _room(window).refused.emit(
        window.frame.ui.texts.error(NotAllowed("pin_wrong", what="This is not the PIN.")).happened
    )


def lifted(shop: Shop, window: TillWindow) -> None:
    _people(shop)
    fill(shop, window)
    assert window.frame.cover_name == APPROVAL


def goods_scanned(shop: Shop, window: TillWindow) -> None:
    lifted(shop, window)
    window.on_scan(EAN)


def at_work(shop: Shop, window: TillWindow) -> None:
    person, _ = _people(shop)
    people = shop.services.people
    shop.services.here.person = people.change(person, name=MORE[2], role=Role.CASHIER)
    people.keep_rights(people.rights().with_percent(Role.CASHIER, 100))
    window.frame.announce(Change(ShopChange.CASHIER))
    fill(shop, window)
    window.frame.show_counted(WaitingCounts(12, 12))


SCENES = named(
    at_work, nobody, many, new_pin, foreign_cart, held, locked, paying, scanned, wrong, lifted,
    goods_scanned,
)  # fmt: skip
posed = over_till(SCENES)
