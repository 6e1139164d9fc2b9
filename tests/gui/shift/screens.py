from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_app.cashier.shift.model import ShiftPageKind
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.window.screens import SHIFT
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import shift_report
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs, cash_move
from tests.gui.crawl.posing import named, over_till
from tests.gui.window.screens import fill
from tests.gui.window.shop import Shop

TYPED = {
    "pieces.note.5000": "10", "pieces.note.2000": "19", "pieces.note.1000": "21",
    "pieces.note.500": "14", "pieces.note.200": "27", "packs.note.200": "1",
    "pieces.note.100": "58", "pieces.note.50": "31", "pieces.note.20": "29",
    "pieces.note.10": "46", "pieces.coin.20": "31", "pieces.coin.10": "34",
    "packs.coin.10": "1", "pieces.coin.5": "41", "packs.coin.5": "2",
}  # fmt: skip
"""The count of mock-17."""
TOLD = shift_report.FromServer(
    datetime(2026, 11, 20, 20, 20, tzinfo=UTC),
    labels=(
        shift_report.LabelSum("Ђ", Decimal(20), Money("304152.46"), Money("50692.08")),
        shift_report.LabelSum("Е", Decimal(10), Money("169020.77"), Money("15365.52")),
    ),
    closed_advances=shift_report.Sum("closed_advances", Money(-5000), 1),
    others=(shift_report.Sum("Веб-продаја", Money(5460), 2),),
    categories=(
        shift_report.Sum("Пекара", Money("117.98")),
        shift_report.Sum("Млечни производи", Money("129.99")),
    ),
)
HOURS = (5000, 9100, 4800, 7700, 56555, 8100, 15000, 21000, 3300, 14800, 15200)


def room_of(window: TillWindow) -> ShiftRoom:
    room = window.frame.room(SHIFT)
    assert isinstance(room, ShiftRoom)
    return room


def _open(shop: Shop, window: TillWindow) -> ShiftRoom:
    shop.database.shifts.begin(
        Money(10000), FloatIs.COUNTED, by="Драгана Петровић", at=shop.clock.now()
    )
    fill(shop, window)
    window.frame.open(SHIFT)
    return room_of(window)


def opening(shop: Shop, window: TillWindow) -> None:
    window.frame.open(SHIFT)


def opened(shop: Shop, window: TillWindow) -> None:
    opening(shop, window)
    room = room_of(window)
    room.model.open_shift()
    room.changed.emit()


def open_now(shop: Shop, window: TillWindow) -> None:
    _open(shop, window)


def drop(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    room.model.begin_move(MoveKind.OUT)
    room.changed.emit()


def above(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    room.model.begin_move(MoveKind.OUT)
    room.model.move_amount, room.model.move_reason = "450000", "млеко"
    room.model.ask_drawer()
    room.changed.emit()


def x_report(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    now = shop.clock.now()
    for kind, amount, reason in ((MoveKind.IN, 3000, "ситнина"), (MoveKind.DROP, 5000, "")):
        cash_move(shop.database.shifts, kind, Money(amount), reason=reason, by="Мира", at=now)
    room.model.begin_x(True)
    _tell(room)


def rows(shop: Shop, window: TillWindow) -> None:
    x_report(shop, window)
    room = room_of(window)
    room.model.shows_rows = True
    room.changed.emit()


def check(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    room.model.page = ShiftPageKind.CHECK
    room.changed.emit()


def counting(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    room.model.begin_count()
    for name, text in TYPED.items():
        room.model.type_count(name, text)
    room.changed.emit()


def difference(shop: Shop, window: TillWindow) -> None:
    room = _open(shop, window)
    room.model.begin_count()
    room.model.type_count("pieces.note.5000", "2")
    room.model.type_count("slip.Терминал 1", "500")
    room.model.confirm_count()
    _tell(room)


def counted(shop: Shop, window: TillWindow) -> None:
    difference(shop, window)
    room = room_of(window)
    room.model.page = ShiftPageKind.CHECK
    room.changed.emit()


def done(shop: Shop, window: TillWindow) -> None:
    difference(shop, window)
    room = room_of(window)
    room.model.reasons = {"cash": "Кусур", "card": "Не зна се"}
    room.model.close(DeliveryWay.PDF)
    room.changed.emit()


def closed(shop: Shop, window: TillWindow) -> None:
    """The list of closed shifts: one without a difference, one over midnight with one."""
    for begun, people, notes in (
        (86_400_000, ("Драгана Петровић", "Ненад Јовановић"), "2"),
        (0, ("Милош Илић", "Милош Илић"), "1"),
    ):
        shop.clock.go_on(-begun)
        shifts, now = shop.database.shifts, shop.clock.now()
        shifts.begin(Money(10000), FloatIs.COUNTED, by=people[0], at=now)
        room = room_of(window)
        room.model.read()
        room.model.begin_count()
        room.model.type_count("pieces.note.5000", notes)
        room.model.confirm_count()
        room.model.reasons = {"cash": "Кусур", "card": "Не зна се"}
        room.model.close(DeliveryWay.PDF)
        shop.clock.go_on(begun)
    fill(shop, window)
    window.frame.open(SHIFT)
    room = room_of(window)
    room.model.begin_closed()
    room.changed.emit()


def past(shop: Shop, window: TillWindow) -> None:
    closed(shop, window)
    room = room_of(window)
    room.model.open_past(room.model.closed[0])
    room.changed.emit()


def _tell(room: ShiftRoom) -> None:
    """Let the server have answered; the day had several hours."""

    model = room.model
    model.server = TOLD
    model.make_report()
    assert model.report is not None
    hours = tuple(
        shift_report.HourSum(6 + place, Money(amount)) for place, amount in enumerate(HOURS)
    )
    model.report = replace(model.report, takings=replace(model.report.takings, hours=hours))
    room.changed.emit()


SCENES = named(
    opening, opened, open_now, drop, above, x_report, rows, check, counting, difference, counted,
    done, closed, past,
)  # fmt: skip
posed = over_till(SCENES)
