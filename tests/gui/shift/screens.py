from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from pos_app.cashier.shift.model import ShiftModel, ShiftPageKind
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.window.screens import SHIFT
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import shift_report
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs, cash_move
from tests.gui.crawl.posing import at_once, over_till
from tests.gui.window.posed import Pose
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


def opening(_: Shop, window: TillWindow) -> None:
    window.frame.open(SHIFT)


def open_now(shop: Shop, window: TillWindow) -> None:
    shop.database.shifts.begin(
        Money(10000), FloatIs.COUNTED, by="Драгана Петровић", at=shop.clock.now()
    )
    fill(shop, window)
    window.frame.open(SHIFT)


def on(*acts: Callable[[ShiftModel], object]) -> Pose:
    """Acts on the model of the open screen, which shows what came of them."""

    def act(_: Shop, window: TillWindow) -> None:
        room = room_of(window)
        for one in acts:
            one(room.model)
        room.changed.emit()

    return act


def notes_out(model: ShiftModel) -> None:
    model.begin_move(MoveKind.OUT)


def more_than_there_is(model: ShiftModel) -> None:
    model.move_amount, model.move_reason = "450000", "млеко"
    model.ask_drawer()


def cash_moved(shop: Shop, _: TillWindow) -> None:
    now = shop.clock.now()
    for kind, amount, reason in ((MoveKind.IN, 3000, "ситнина"), (MoveKind.DROP, 5000, "")):
        cash_move(shop.database.shifts, kind, Money(amount), reason=reason, by="Мира", at=now)


def row_by_row(model: ShiftModel) -> None:
    model.shows_rows = True


def at_check(model: ShiftModel) -> None:
    model.page = ShiftPageKind.CHECK


def count_typed(model: ShiftModel) -> None:
    for name, text in TYPED.items():
        model.type_count(name, text)


def too_little_counted(model: ShiftModel) -> None:
    model.begin_count()
    model.type_count("pieces.note.5000", "2")
    model.type_count("slip.Терминал 1", "500")
    model.confirm_count()


def cash_came_in(shop: Shop, window: TillWindow) -> None:
    """Cash is put in after the count, and the difference is read anew."""
    shop.clock.go_on(60_000)
    now = shop.clock.now()
    cash_move(shop.database.shifts, MoveKind.IN, Money(3000), reason="ситнина", by="Мира", at=now)
    on(ShiftModel.announce)(shop, window)


def closed_with_reasons(model: ShiftModel) -> None:
    model.reasons = {"cash": "Кусур", "card": "Не зна се"}
    model.close(DeliveryWay.PDF)


def told_of(act: Callable[[ShiftModel], object]) -> Pose:
    """An act to which the server has answered; the day had several hours."""

    def answered(model: ShiftModel) -> None:
        model.server = TOLD
        model.make_report()
        assert model.report is not None
        hours = tuple(
            shift_report.HourSum(6 + place, Money(amount)) for place, amount in enumerate(HOURS)
        )
        model.report = replace(model.report, takings=replace(model.report.takings, hours=hours))

    return on(act, answered)


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
        closed_with_reasons(room.model)
        shop.clock.go_on(begun)
    fill(shop, window)
    window.frame.open(SHIFT)
    on(ShiftModel.begin_closed)(shop, window)


X_REPORT = at_once(open_now, cash_moved, told_of(lambda model: model.begin_x(True)))
DIFFERENCE = at_once(open_now, told_of(too_little_counted))
SCENES: dict[str, Pose] = {
    "opening": opening,
    "opened": at_once(opening, on(ShiftModel.open_shift)),  # on this visit
    "open_now": open_now,
    "drop": at_once(open_now, on(notes_out)),
    "above": at_once(open_now, on(notes_out, more_than_there_is)),
    "x_report": X_REPORT,
    "rows": at_once(X_REPORT, on(row_by_row)),
    "check": at_once(open_now, on(at_check)),  # a cart is suspended, and a sale waits
    "counting": at_once(open_now, on(ShiftModel.begin_count, count_typed)),
    "difference": DIFFERENCE,
    "moved_after_count": at_once(DIFFERENCE, cash_came_in),
    "counted": at_once(DIFFERENCE, on(at_check)),  # and the count was left
    "done": at_once(DIFFERENCE, on(closed_with_reasons)),
    "closed": closed,
    "past": at_once(closed, on(lambda model: model.open_past(model.closed[0]))),
}
posed = over_till(SCENES)
