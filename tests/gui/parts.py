"""The parts of a screen, found among its widgets, and their words."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QAbstractButton, QWidget

from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.layout import PaymentLayout
from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, Segment
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.labels import Label, PaintedLabel
from pos_app.cashier.ui.notice import NoticeAlone, NoticePanel
from pos_app.cashier.window.frame import Frame, Screen
from tests.gui.crawl.painted import painted_by
from tests.gui.patience import until

Object = TypeVar("Object", bound=QObject)
Part = TypeVar("Part", bound=QWidget)


def is_in_front(frame: Frame, title: str) -> bool:
    """Tell whether the screen in front has this title. title: the id of its text."""
    return frame.top.accessibleName() == frame.ui.texts(title)


def in_front(frame: Frame, title: str) -> Any:
    """The screen in front, by its title, as a person finds it."""
    assert is_in_front(frame, title), f"{frame.top.accessibleName()} is in front"
    return frame.top


def screen_in(within: QWidget, words: str) -> Any:
    """The one screen with this title, visible or not."""
    (screen,) = [one for one in within.findChildren(Screen) if one.accessibleName() == words]
    return screen


def pages_titled(within: QWidget, words: str) -> list[Any]:
    """The visible pages and panels with this title, the outermost first. A button is none, nor is a
    label, which holds no other part."""
    named = [one for one in within.findChildren(QWidget) if one.accessibleName() == words]
    seen = [one for one in named if one.isVisible() and not isinstance(one, QAbstractButton)]
    return [one for one in seen if one.findChild(QWidget) is not None]


def is_page_in_front(frame: Frame, title: str, **values: str | int) -> bool:
    """Tell whether the screen in front shows a page or panel with this title. title: the id of its
    text. values: the text's own."""
    return bool(pages_titled(frame.top, frame.ui.texts(title, **values)))


def page_in_front(frame: Frame, title: str, **values: str | int) -> Any:
    """The page or panel with this title on the screen in front, as a person finds it."""
    words = frame.ui.texts(title, **values)
    first, *others = pages_titled(frame.top, words) or [None]
    assert first is not None, f"nothing is titled {words}"
    assert all(first.isAncestorOf(one) for one in others), f"{words} is the title of several"
    return first


async def page_shown(frame: Frame, title: str) -> Any:
    """Wait for the page or panel with this title on the screen in front, and return it."""
    await until(lambda: is_page_in_front(frame, title))
    return page_in_front(frame, title)


def notices_in(within: QWidget) -> list[str]:
    """The words of its visible notices and of what was done, as a screen reader reads them."""
    kinds = (NoticePanel, NoticeAlone, DonePanel)
    told = [one for kind in kinds for one in visible_parts(within, kind)]
    return [one.accessibleName() for one in told]


def notice_in(within: QWidget, words: str = "") -> NoticePanel:
    """The one visible notice, or the one that has these words."""
    (notice,) = [one for one in visible_parts(within, NoticePanel) if words in one.accessibleName()]
    return notice


def visible_parts(within: QWidget, kind: type[Part]) -> list[Part]:
    return [one for one in within.findChildren(kind) if one.isVisible()]


def only(within: QObject, kind: type[Object]) -> Object:
    (part,) = within.findChildren(kind)
    return part


def lines_of(within: QWidget) -> list[str]:
    labels: list[Label | PaintedLabel] = [
        *visible_parts(within, Label),
        *visible_parts(within, PaintedLabel),
    ]
    return [one.text() for one in labels if one.text()]


def right_of(widget: QWidget) -> int:
    """Where the widget ends at the right, in its window."""
    return widget.mapTo(widget.window(), widget.rect().topRight()).x()


def words_on(widget: QWidget) -> list[str]:
    """The words, amounts and key caps that a widget paints itself."""
    return [one.words for one in painted_by(widget)[0]]


def chips_of(row: ChipRow) -> list[Button]:
    """The chips of a row from the left, folded ones too."""
    chips = [one for one in row.findChildren(Button) if not one.spec.icon_last]
    return sorted(chips, key=lambda chip: (chip.isHidden(), chip.x()))


def more_of(row: ChipRow) -> Button:
    """The last chip of a row, which opens the menu of chips without room."""
    (more,) = [one for one in row.findChildren(Button) if one.spec.icon_last]
    return more


def pass_time(within: QObject, milliseconds: int) -> None:
    """Let the timers of that interval run out now."""
    timers = [one for one in within.findChildren(QTimer) if one.interval() == milliseconds]
    running = [one for one in timers if one.isActive()]
    assert running, f"nothing of it waits {milliseconds} ms"
    for timer in running:
        if timer.isSingleShot():
            timer.stop()
        timer.timeout.emit()


def place_of_part(segment: Segment, number: int) -> QPoint:
    """The point at which a finger presses a part of a segment."""
    return segment.part_rects()[number].center()


def layout_of(panel: PaymentPanel) -> PaymentLayout:
    """The visible layout of the payment panel; earlier ones are hidden until Qt deletes them."""
    (layout,) = [one for one in panel.findChildren(PaymentLayout) if not one.isHidden()]
    return layout


def form_of(panel: PaymentPanel) -> Form | None:
    """The form that is open over the payment, None without one or before a payment."""
    return layout_of(panel).form if panel.findChildren(PaymentLayout) else None
