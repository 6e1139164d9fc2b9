"""Checks by machine of a window that stands still: each yields its findings.

Exceptions of the design are named where they are allowed: thin bars lie over the area that they
scroll, the bottom line is lower than a key. Everything else is a finding.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)

from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.catalogue.table import ProductTable
from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.payment.form import Form
from pos_app.cashier.receipts.paper import SMALLEST_PX as SMALLEST_ON_PAPER
from pos_app.cashier.receipts.paper import PaperView
from pos_app.cashier.sale.cart_parts import LastReceiptStrip
from pos_app.cashier.settings.parts import HeadedPanel
from pos_app.cashier.texts.lookup import LANGUAGES, catalogue
from pos_app.cashier.ui import buttons, views
from pos_app.cashier.ui.bars import ScreenHead, StatusLine
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import TICK, ButtonKind
from pos_app.cashier.ui.choices import DropDown, Segment
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.field import FIELD_WIDTH, Field, IconButton, SearchField
from pos_app.cashier.ui.keyboard import KeyButton, Pad
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Metrics, TypeStep
from pos_app.cashier.ui.notice import NoticePanel
from pos_app.cashier.ui.paint_cart import cart_hits
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.rows import CartRow, CartState
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.text.transliteration import latin
from tests.gui.crawl.painted import Box, Text, taped

ELLIPSIS = "…"
BACK_ICON = "arrow-left"
TO_EDGE = (StatusLine, LastReceiptStrip, CaseRow, KeyButton)
"""Controls that are as wide as the screen, or as the column that they are in; and the letters of
the keyboard, which take a gap less there, so that each is as wide as a finger."""
KEYS = (buttons.Button, buttons.ActionButton, BigButton, KeyButton, Segment)
"""Widgets that always show their whole word: it is never cut with …."""
CONTROLS = (QAbstractButton, Field, Segment)
SMALLEST_PX = 13
SLACK = 1.0
"""Pixels by which letters may reach over: their sides are rounded."""
LEAST_CONTRAST, LEAST_OF_AMOUNTS, LEAST_OF_EDGES = 4.5, 7.0, 3.0
MEASURED = 0.02
"""The part of a contrast that the rounding of colours may take."""
AMOUNT = re.compile(r"[−+]?\d{1,3}(\.\d{3})*,\d\d")
FIGURES = re.compile(r"[−+]?[\d.,]+")
BADGE = re.compile(r"\d{1,3}(\.\d{3})*(,\d+)?")
"""The number of pieces in the cart, which lies on the corner of the article's picture."""
USUAL_AMOUNT, USUAL_QUANTITY = 7, 4
"""The most digits of figures that are never written smaller than words: 99.999,99 and 9.999."""
NUMBER = re.compile(r"\d{2}")
NUMBER_ALONE = re.compile(r"[\w/-]*\d{2}")
"""The number of a receipt, an order or a person, as words end with it."""
PUNCTUATION = ".,:;?!()„“"
KEY_NAME = re.compile(
    r"F\d+|[A-Z]|Enter|Esc|[↑↓]|Tab|Del|Ctrl.*|Alt.*|[-+−*/\d,.⌫]|Num.*|Shift.*|.*[+−].*"
)
LAYOUTS = 20
"""After so many layouts, one after another, a window stands still."""
SAME_PLACE = 3
"""Pixels in both directions in which two texts may overlap."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, and the widget or text that has it."""

    check: str
    what: str

    def __str__(self) -> str:
        return f"{self.check}: {self.what}"


class Seen:
    """A window that stands still: its visible widgets, its texts and its picture."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        self.window = window
        self.theme = theme
        inside = [one for one in window.findChildren(QWidget) if one.isVisible()]
        self.widgets = [window, *(one for one in inside if one.window() is window)]
        self.picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        self.pixels = memoryview(self.picture.constBits()).cast("I")
        """The colours of the picture, row by row, as `QColor.rgb` has them."""
        self.tapes = {one: taped(one) for one in self.widgets}
        self.texts: list[Text] = [text for tape in self.tapes.values() for text in tape.texts]

    @property
    def metrics(self) -> Metrics:
        return self.theme.metrics

    def rect_of(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self.window, QPoint(0, 0)), widget.size())

    def uncut_part(self, text: Text) -> QRect:
        """The part of a text that no parent cuts off, in the window."""
        return self.part(text.widget, text.rect.toAlignedRect())

    def part(self, widget: QWidget, place: QRect) -> QRect:
        """The part of a rectangle in a widget that no parent cuts off, in the window."""
        while True:
            place = place.intersected(widget.rect())
            above = widget.parentWidget()
            if above is None or widget is self.window:
                return place
            place = place.translated(widget.pos())
            widget = above


Check = Callable[[Seen], Iterator[str]]


def named(widget: QWidget | None) -> str:
    if widget is None:
        return "nothing"
    words = widget.accessibleName()
    if isinstance(widget.parentWidget(), QAbstractScrollArea) and not words:
        return f"in {named(widget.parentWidget())}"
    return f"{type(widget).__name__}{f' “{words}”' if words else ''}"


# --- texts ---------------------------------------------------------------------------------------


def cut(seen: Seen) -> Iterator[str]:
    """A text that is wider or higher than its room, a key or placeholder that ends with …, and a
    key outside its window."""
    for text in seen.texts:
        if text.words.rstrip().endswith(ELLIPSIS) and _bears_whole_words(text):
            yield f"“{text.words}” on {named(text.widget)}"
        elif by := _cut_by(text):
            yield f"“{text.words}” on {named(text.widget)} is cut by {by}"
    for widget in seen.widgets:
        if isinstance(widget, QAbstractButton | Field) and not _is_in_scrolled(widget):
            hidden = widget.size() - seen.part(widget, widget.rect()).size()
            if not hidden.isNull():
                yield f"{named(widget)} itself, by {hidden.width()}×{hidden.height()}"


def _bears_whole_words(text: Text) -> bool:
    """Whether it is a key, or the placeholder of a field that does not end with … itself."""
    if isinstance(text.widget, QLineEdit):
        return text.words != text.widget.placeholderText()
    return isinstance(text.widget, KEYS)


def _cut_by(text: Text) -> str:
    place, widget = QRectF(text.rect), text.widget
    while True:
        room, above = QRectF(widget.rect()), widget.parentWidget()
        if _scrolls(widget):
            place.setTop(min(max(place.top(), 0), room.bottom()))
            place.setBottom(min(max(place.bottom(), 0), room.bottom()))
            if place.isEmpty():
                return ""  # the rest is reached by scrolling
        if widget is text.widget and text.clip is not None and not _holds(text.clip, place):
            return "its clip"
        if not _holds(room, place):
            return "itself" if widget is text.widget else type(widget).__name__
        if above is None or widget.isWindow():
            return ""
        place.translate(widget.pos())
        widget = above


def _scrolls(widget: QWidget) -> bool:
    """Whether its contents may reach over its upper and lower edge; tiles show whole rows."""
    above = widget.parentWidget()
    if not isinstance(above, QAbstractScrollArea) or above.viewport() is not widget:
        return False
    return not isinstance(above, views.TileView)


def _is_in_scrolled(widget: QWidget | None) -> bool:
    while widget is not None and not widget.isWindow():
        if _scrolls(widget):
            return True
        widget = widget.parentWidget()
    return False


def _holds(room: QRectF, place: QRectF) -> bool:
    return room.adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(place)


@dataclass(frozen=True, slots=True)
class MayBeCut:
    """Words that may have a …. on: the kind of widget, or the list that it is in. pattern: what is
    shown of them. why: where a person sees the rest."""

    on: str
    pattern: str
    why: str


MAY_BE_CUT = (
    MayBeCut("KeyCap", r"(Alt|Ctrl)\+\d…\d", "the … stands for the keys between; nothing is cut"),
    MayBeCut("LineEdit", "pk_…", "an example of a key, which is as secret as the key"),
    MayBeCut("AdvancePath", "…", "stands for whole steps, the oldest; the receipts list them"),
    MayBeCut("NumberLabel", r"…[\w-]*\d+", "a receipt's number keeps its end, as below"),
    MayBeCut(
        "LastReceiptStrip", r"…[\w-]*\d+", "a receipt's number keeps its end, which is its own"
    ),
    MayBeCut("TileView", r".*\S{3}….*", "an article's name in two lines, whole in list and cart"),
    MayBeCut(
        "ProductTable",
        r".{7}.*…(\s\S+\s\S+)?",
        "an article's name, with its measure; whole in the form of its row",
    ),
    MayBeCut("Chart", r".{6}.*….*", "an article's name beside a bar, whole in its row below"),
)
"""All texts that may be cut; of an amount no digit may."""


def shortened(seen: Seen) -> Iterator[str]:
    """Any other text of which a part was left out: a name, an amount, a label, a fact."""
    for text in seen.texts:
        if _is_shortened(text) and not _bears_whole_words(text):
            yield f"“{text.words}” on {named(text.widget)}, of “{text.whole}”"


def _is_shortened(text: Text) -> bool:
    """Whether it has a … that neither the till's own words have nor the list allows."""
    if ELLIPSIS not in text.words or _is_own(text.words):
        return False
    if AMOUNT.search(text.whole):
        return True
    around = text.widget, text.widget.parentWidget()
    kinds = {kind.__name__ for one in around for kind in type(one).__mro__}
    return not any(one.on in kinds and re.fullmatch(one.pattern, text.words) for one in MAY_BE_CUT)


def endless(seen: Seen) -> Iterator[str]:
    """A number that was cut at its end, which alone tells it from others, or that a … took whole.
    An article's name ends with its measure, which is no number of its own."""
    for text in seen.texts:
        kept = text.words.rstrip().removesuffix(ELLIPSIS)
        if kept == text.words.rstrip() or not text.whole.startswith(kept):
            continue
        begin = text.whole.rfind(" ", 0, len(kept)) + 1
        number = text.whole[begin:].split(" ", 1)[0]
        last = text.whole.rsplit(" ", 1)[-1]
        if len(number) > len(kept) - begin and NUMBER.search(number):
            yield f"“{text.words}” on {named(text.widget)}, of “{number}”"
        elif NUMBER_ALONE.fullmatch(last):
            yield f"“{text.words}” on {named(text.widget)}, without “{last}”"


def torn(seen: Seen) -> Iterator[str]:
    """A word that begins on one line and ends on the next, as "Cheque / s". An address, a code or
    a number has no other place to be broken."""
    for text in seen.texts:
        if text.torn.strip(PUNCTUATION).isalpha():
            yield f"“{text.torn}” on {named(text.widget)} after “{text.words}”"


def _is_own(words: str) -> bool:
    """Whether these are the till's own words with their …, or the last line of them."""
    return words != ELLIPSIS and any(
        own.fullmatch(words) or own.pattern.endswith(f"\\ {re.escape(words)}")
        for own in words_with_ellipsis()
    )


@cache
def words_with_ellipsis() -> tuple[re.Pattern[str], ...]:
    """The till's own words that have a …, as "Тражи се…", with anything for their values."""
    forms = (form for one in LANGUAGES for own in catalogue(one).forms.values() for form in own)
    told = {form for form in forms if ELLIPSIS in form}
    told |= {latin(form) for form in told}
    return tuple(re.compile(re.sub(r"\\{\w+\\}", ".*", re.escape(form))) for form in told)


def small(seen: Seen) -> Iterator[str]:
    """Words below 13 px; the names of keys on their caps have 12, and the drawing of a paper is as
    large as its 40 columns have room for."""
    least = round(SMALLEST_PX * seen.metrics.text_scale)
    caps = seen.metrics.type_px(TypeStep.CAP)
    for text in seen.texts:
        is_cap = isinstance(text.widget, buttons.KeyCap) or KEY_NAME.fullmatch(text.words)
        if isinstance(text.widget, PaperView) and text.px >= SMALLEST_ON_PAPER:
            continue
        if text.px < least and not (text.px == caps and is_cap) and not _is_long(text.words):
            yield f"“{text.words}” on {named(text.widget)} is {text.px} px"


def _is_long(words: str) -> bool:
    """Whether these are figures that no shop has every day: they shrink so that no digit is
    lost."""
    usual = USUAL_AMOUNT if AMOUNT.fullmatch(words) else USUAL_QUANTITY
    return bool(FIGURES.fullmatch(words)) and sum(map(str.isdigit, words)) > usual


def uneven(seen: Seen) -> Iterator[str]:
    """Words of keys in one row that have more than one size."""
    keys = [text for text in seen.texts if isinstance(text.widget, buttons.ActionButton)]
    words = [text for text in keys if not KEY_NAME.fullmatch(text.words)]

    def row(text: Text) -> int:
        return seen.rect_of(text.widget).top()

    for _, same in groupby(sorted(words, key=row), key=row):
        sizes = {text.words: text.px for text in same}
        if len(set(sizes.values())) > 1:
            yield f"one row of keys in several sizes: {sizes}"


def contrast(seen: Seen) -> Iterator[str]:
    """Words with too little contrast to their ground, measured in the picture."""
    for text in seen.texts:
        ground = _ground(seen, text)
        if ground is None:
            continue
        found = ratio(text.ink, ground)
        least = LEAST_OF_AMOUNTS if AMOUNT.fullmatch(text.words) else LEAST_CONTRAST
        if found < least - MEASURED:
            colours = f"{text.ink.name()} on {ground.name()}"
            yield f"“{text.words}” on {named(text.widget)}: {found:.2f} ({colours})"


def faint(seen: Seen) -> Iterator[str]:
    """An enabled control whose edge, and what it encloses, are hardly seen on their real ground."""
    for widget, tape in seen.tapes.items():
        if not widget.isEnabled() or not _is_pressed(widget):
            continue
        for box in tape.boxes:
            ground = _ground_of(seen, widget, box)
            if box.edge is None or ground is None:
                continue
            found = max(ratio(colour, ground) for colour in (box.edge, box.fill or box.edge))
            if found < LEAST_OF_EDGES - MEASURED:
                colours = f"{box.edge.name()} on {ground.name()}"
                yield f"the edge of {named(widget)}: {found:.2f} ({colours})"


def _is_pressed(widget: QWidget) -> bool:
    """Whether it is a control, or shows tiles. Marks in the rows of a list are no controls."""
    return isinstance(widget, CONTROLS) or isinstance(widget.parentWidget(), views.TileView)


def _ground_of(seen: Seen, widget: QWidget, box: Box) -> QColor | None:
    """The colour beside the middle of a box's left edge, or None if that is not seen."""
    beside = QPoint(round(box.rect.left()) - 1, round(box.rect.center().y()))
    place = widget.mapTo(seen.window, beside)
    whole = seen.part(widget, box.rect.toAlignedRect())
    if whole.height() < box.rect.height() - SLACK or not seen.picture.rect().contains(place):
        return None
    return QColor.fromRgb(seen.picture.pixel(place))


def _ground(seen: Seen, text: Text) -> QColor | None:
    """The commonest colour around the letters that is not theirs, or None if the text is not
    shown."""
    place = seen.uncut_part(text)
    if place.width() < SAME_PLACE or place.height() < SAME_PLACE:
        return None
    step = max(1, place.width() // 24)  # for one letter each pixel: else its edge is the commonest
    pixels, width = Counter[int](), seen.picture.width()
    for y in range(place.top(), place.bottom() + 1, min(2, step)):
        pixels.update(seen.pixels[y * width + place.left() : y * width + place.right() + 1 : step])
    pixels.pop(text.ink.rgb(), None)
    if not pixels:
        return None
    return QColor.fromRgb(max(pixels, key=lambda pixel: pixels[pixel]))


def ratio(one: QColor, other: QColor) -> float:
    """Contrast by the WCAG 2 formula, 1…21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = colour.redF(), colour.greenF(), colour.blueF()
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


# --- places --------------------------------------------------------------------------------------


def overlap(seen: Seen) -> Iterator[str]:
    """Two widgets of one parent at the same position, or two texts."""
    inside = defaultdict[QWidget | None, list[QWidget]](list)
    for widget in filter(_stands, seen.widgets[1:]):
        inside[widget.parentWidget()].append(widget)
    for parent, widgets in inside.items():
        for one, other in combinations(widgets, 2):
            if one.geometry().intersects(other.geometry()):
                yield f"{named(one)} and {named(other)}, in {named(parent)}"
    yield from _texts_that_meet(seen)


def _texts_that_meet(seen: Seen) -> Iterator[str]:
    for widget, tape in seen.tapes.items():
        for first, second in combinations(tape.texts, 2):
            if _meet(first.rect, second.rect):
                yield f"“{first.words}” and “{second.words}”, on {named(widget)}"
        for text in tape.texts:
            is_badge = BADGE.fullmatch(text.words) and text.px <= seen.metrics.type_px(
                TypeStep.SMALL
            )
            if not is_badge and any(_meet(text.rect, one) for one in tape.pictures):
                yield f"“{text.words}” and a picture, on {named(widget)}"

    places = [(text, QRectF(seen.uncut_part(text))) for text in seen.texts]
    shown = [(text, place) for text, place in places if not place.isEmpty()]
    for (first, place), (second, other) in combinations(shown, 2):
        if first.widget is second.widget or not _meet(place, other):
            continue
        if not _hides(first, second) and not _hides(second, first):
            where = f"{named(first.widget)} and {named(second.widget)}"
            yield f"“{first.words}” and “{second.words}”, on {where}"


def _hides(text: Text, other: Text) -> bool:
    """Whether all of `other` lies under a panel within its widget on which the text stands."""
    panel: QWidget | None = text.widget
    while panel is not None and panel.parentWidget() is not other.widget:
        panel = panel.parentWidget()
    return panel is not None and QRectF(panel.geometry()).contains(QRectF(other.rect))


def _meet(one: QRectF, other: QRectF) -> bool:
    met = one.intersected(other)
    return met.width() > SAME_PLACE and met.height() > SAME_PLACE


def _stands(widget: QWidget) -> bool:
    """Whether the widget has a position of its own: bars, the ring and ornaments, which a finger
    does not meet, lie over the widgets that they belong to."""
    is_over = isinstance(widget, QScrollBar | IconButton) or _is_ornament(widget)
    if is_over or widget.size().isEmpty():
        return False
    return not isinstance(widget.parentWidget(), QAbstractScrollArea)


def _is_ornament(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


def covered(seen: Seen) -> Iterator[str]:
    """A text under another widget, and a current row that its view half hides."""
    for text in seen.texts:
        place = seen.uncut_part(text)
        if _is_ornament(text.widget):
            continue
        for point in (place.center(), place.topLeft(), place.bottomRight()):
            if place.isEmpty():
                break
            over = seen.window.childAt(point)
            if over is None or over is text.widget or over.isAncestorOf(text.widget):
                continue
            if not isinstance(over, QScrollBar) and not text.widget.isAncestorOf(over):
                yield f"“{text.words}” on {named(text.widget)} lies under {named(over)}"
                break
    for view in (one for one in seen.widgets if isinstance(one, views.RowView)):
        yield from _half_hidden(view)


def _half_hidden(view: views.RowView) -> Iterator[str]:
    model, room = view.model(), view.viewport().rect()
    if model is None or not isinstance(view.delegate, views.CartDelegate):
        return
    for number in range(model.rowCount()):
        row, place = model.index(number, 0).data(views.ROW), view.visualRect(model.index(number, 0))
        is_current = isinstance(row, CartRow) and row.state is CartState.CURRENT
        if is_current and place.height() <= room.height() and not room.contains(place):
            yield f"the current line “{row.name}” is not wholly seen"


def _indexes(view: QAbstractItemView) -> Iterator[QModelIndex]:
    model = view.model()
    room = view.viewport().rect()
    first = max(0, view.indexAt(QPoint(room.width() // 2, 2)).row())
    for row in range(first, model.rowCount() if model is not None else 0):
        index = model.index(row, 0)
        if view.visualRect(index).top() > room.bottom():
            return
        yield index


def half_begun(seen: Seen) -> Iterator[str]:
    """A list, or the table of the catalogue, whose first row is cut by its upper edge while it
    rests."""
    for view in (one for one in seen.widgets if isinstance(one, views.LinesView | ProductTable)):
        bar, current = view.verticalScrollBar(), view.visualRect(view.currentIndex())
        first = view.visualRect(view.indexAt(QPoint(view.viewport().width() // 2, 0)))
        could_move = bar.value() + first.bottom() < bar.maximum()
        if first.top() < 0 and (could_move or current.bottom() - first.top() < view.height()):
            yield f"the first row of {named(view)}, by {-first.top()} px"


# --- targets -------------------------------------------------------------------------------------


def target(seen: Seen) -> Iterator[str]:
    """Parts that are pressed and smaller than the promised touch size."""
    for widget in seen.widgets:
        for name, size in _targets(widget):
            wide, high = _promised(widget, seen.metrics)
            if size.width() < wide or size.height() < high:
                got = f"{size.width()}×{size.height()}"
                yield f"{name} is {got}, promised {wide}×{high}"


def _targets(widget: QWidget) -> Iterator[tuple[str, QRect]]:
    if isinstance(widget, QAbstractButton | Field):
        yield named(widget), widget.rect()
    elif isinstance(widget, Segment):
        for number, part in enumerate(widget.part_rects()):
            yield f"part {number} of {named(widget)}", part.adjusted(-1, -1, 1, 1)
    elif isinstance(widget, views.RowView):
        for index in _indexes(widget):
            yield f"row {index.row()} of {named(widget)}", widget.visualRect(index)
            yield from _cart_buttons(widget, index)


def _cart_buttons(view: views.RowView, index: QModelIndex) -> Iterator[tuple[str, QRect]]:
    row = index.data(views.ROW)
    words = getattr(view.delegate, "words", None)
    if not isinstance(row, CartRow) or words is None:
        return
    hits = cart_hits(view.visualRect(index), view.theme, row, words)
    for name in ("minus", "plus", "remove", "restore"):
        hit: QRect = getattr(hits, name)
        if not hit.isEmpty():
            yield f"{name} in row {index.row()} of {named(view)}", hit


def _promised(widget: QWidget, metrics: Metrics) -> tuple[int, int]:
    match widget:
        case BigButton() if widget.kind is ButtonKind.DANGER:
            return metrics.touch, metrics.touch  # no yes of its screen is larger than the safe one
        case buttons.ActionButton() | BigButton():
            return metrics.touch, metrics.button
        case StatusLine():
            return metrics.touch, metrics.status
        case LastReceiptStrip():
            return metrics.touch, metrics.bar
        case KeyButton():  # letters and figures of a pad: a key and its gap are as wide as a finger
            return metrics.touch - metrics.s2, metrics.touch
        case buttons.Button() if isinstance(widget.parentWidget(), Pad):
            return metrics.touch - metrics.s2, metrics.touch
        case buttons.Button():
            return metrics.touch, widget.sizeHint().height()
        case _:
            return metrics.touch, metrics.touch


# --- keys ----------------------------------------------------------------------------------------


def filled(seen: Seen) -> Iterator[str]:
    """A key that can't be pressed and looks filled all the same, or has its tick."""
    for widget in seen.widgets:
        if not isinstance(widget, buttons.Button | BigButton) or widget.isEnabled():
            continue
        tape, accent = seen.tapes[widget], seen.theme.colour("accent")
        if any(box.fill == accent for box in tape.boxes) or TICK in tape.icons:
            yield f"{named(widget)} is refused"


def reddened(seen: Seen) -> Iterator[str]:
    """A red field beside a filled key, which would take what the field tells as wrong. What is
    searched is no part of what the key takes."""
    accent, danger = seen.theme.colour("accent"), seen.theme.colour("danger")
    for key in seen.widgets:
        is_key = isinstance(key, buttons.Button | BigButton) and key.isEnabled()
        if not is_key or not any(box.fill == accent for box in seen.tapes[key].boxes):
            continue
        for widget in seen.widgets:
            is_red = any(box.edge == danger for box in seen.tapes[widget].boxes)
            if is_red and isinstance(widget, Field) and not isinstance(widget, SearchField):
                yield f"{named(widget.edit)} beside {named(key)}"


def twice(seen: Seen) -> Iterator[str]:
    """One key cap on two controls: only one of them is what the key does. A list of keys explains
    them, and is no control."""
    capped: dict[str, list[QWidget]] = {}
    for text in seen.texts:
        is_cap = text.is_in_box and KEY_NAME.fullmatch(text.words)
        is_listed = isinstance(text.widget, buttons.KeyCap) or seen.uncut_part(text).isEmpty()
        if is_cap and not is_listed:
            capped.setdefault(text.words, []).append(text.widget)
    for cap, widgets in capped.items():
        if len(widgets) > 1:
            yield f"{cap} on {' and '.join(map(named, widgets))}"


def unescaped(seen: Seen) -> Iterator[str]:
    """A question whose safe answer is not what Esc gives, and which no other one precedes there."""
    panels = [one for one in seen.widgets if isinstance(one, NoticePanel)]
    safe = [one.safe_answer for one in panels if isinstance(one.safe_answer, buttons.Button)]
    if safe and not any(one.spec.key == ESCAPE for one in safe):
        yield ", ".join(map(named, safe))


def ways_back(seen: Seen) -> Iterator[str]:
    """Two keys that lead back: one leads back, from wherever one is. An arrow without a word
    moves something."""
    back = _back_keys(seen)
    if len(back) > 1:
        yield " and ".join(map(named, back))


def leads_nowhere(seen: Seen) -> Iterator[str]:
    """A key that leads back and has the name of the page on which it stands, as if it led there."""
    px = seen.metrics.type_px(TypeStep.TITLE)
    titles = [one for one in seen.texts if one.px == px and not isinstance(one.widget, CONTROLS)]
    for key in _back_keys(seen):
        words = {text.words for text in seen.tapes[key].texts}
        if any(one.words in words and not seen.uncut_part(one).isEmpty() for one in titles):
            yield f"{named(key)} stands on the page of that name"


def repeated(seen: Seen) -> Iterator[str]:
    """The head of a panel that says again what the head of its screen says."""
    head = {one.words for one in seen.texts if isinstance(one.widget.parent(), ScreenHead)}
    for panel in (one for one in seen.widgets if isinstance(one, HeadedPanel)):
        if panel.title in head and any(
            one.words == panel.title and one.widget.parent() is panel for one in seen.texts
        ):
            yield panel.title


def _back_keys(seen: Seen) -> list[QWidget]:
    return [
        widget
        for widget, tape in seen.tapes.items()
        if isinstance(widget, QAbstractButton) and BACK_ICON in tape.icons and tape.texts
    ]


def edge(seen: Seen) -> Iterator[str]:
    """A control nearer to the left or right edge of the screen than all are, or cut at the side of
    what scrolls it. What lies from edge to edge begins at the edge itself: a bar, and a row of a
    list."""
    room = seen.window.rect().adjusted(seen.metrics.s3, 0, -seen.metrics.s3, 0)
    for widget in seen.widgets:
        if not isinstance(widget, CONTROLS) or _is_ornament(widget) or isinstance(widget, TO_EDGE):
            continue
        place = seen.part(widget, widget.rect())
        if place.isEmpty():
            continue
        if place.width() < widget.width():
            cut_off = widget.width() - place.width()
            yield f"{cut_off} of {widget.width()} px of {named(widget)} are cut at its side"
        beside = max(room.left() - place.left(), place.right() - room.right())
        if beside > 0:
            yield f"{named(widget)} lies {seen.metrics.s3 - beside} px from the screen's edge"


MAY_BE_WIDE = {
    "SearchField": "a search has the width of what it searches",
    "SuspendedPanel": "a search, of the carts that are held",
    "ReasonField": "a reason is as wide as the ready-made ones beside it",
    "QuantityPanel": "the one number of a question is as wide as what stands below it",
    "LinePricePanel": "the one number of a question is as wide as what stands below it",
    "PinPanel": "the one number of a question is as wide as what stands below it",
    "ProductEditor": "the form beside the catalogue's table fills its panel",
}
"""The kinds of fields, and of what they stand in, that are no fields of a form, and why."""


def wide(seen: Seen) -> Iterator[str]:
    """A field of a form that is wider than one is, whatever room it has."""
    most = seen.metrics.px(FIELD_WIDTH)
    for widget in seen.widgets:
        if not isinstance(widget, Field | DropDown) or widget.width() <= most:
            continue
        if not _kinds_around(widget) & MAY_BE_WIDE.keys():
            pressed = widget.edit if isinstance(widget, Field) else widget
            yield f"{named(pressed)} of {widget.width()} px"


def ragged(seen: Seen) -> Iterator[str]:
    """What stands between the fields of a page of the payment, and ends further right than they
    do."""
    for form in seen.widgets:
        inside = form.findChildren(QWidget) if isinstance(form, Form) else []
        controls = [one for one in inside if one.isVisible() and isinstance(one, CONTROLS)]
        lefts = [seen.rect_of(one).left() for one in controls if isinstance(one, Field)]
        for control in controls:
            beyond = seen.rect_of(control).right() + 1 - min(lefts, default=seen.window.width())
            beyond -= seen.metrics.px(FIELD_WIDTH)
            if beyond > 0 and not isinstance(control.parentWidget(), Pad):
                yield f"{named(control)} by {beyond} px"


def lower_case(seen: Seen) -> Iterator[str]:
    """A line of what was done that begins with a small letter."""
    for panel in (one for one in seen.widgets if isinstance(one, DonePanel)):
        for label in panel.findChildren(Label):
            yield from (f"“{line}”" for line in label.text().splitlines() if line[0].islower())


def _kinds_around(widget: QWidget | None) -> set[str]:
    """The names of the classes of a widget, and of all that it stands in."""
    kinds = set[str]()
    while widget is not None:
        kinds |= {kind.__name__ for kind in type(widget).__mro__}
        widget = widget.parentWidget()
    return kinds


def low(seen: Seen) -> Iterator[str]:
    """A round panel that stands on the status line, as if it went on below it."""
    tops = [seen.rect_of(one).top() for one in seen.widgets if isinstance(one, StatusLine)]
    for widget in seen.widgets:
        if isinstance(widget, Panel) and seen.part(widget, widget.rect()).size() == widget.size():
            bottom = seen.rect_of(widget).bottom() + 1
            if any(0 <= top - bottom < seen.metrics.s3 for top in tops):
                yield f"{named(widget)} ends {tops[0] - bottom} px above the status line"


def indented(seen: Seen) -> Iterator[str]:
    """The word "Details" that begins right of the text above it."""
    for widget in seen.widgets:
        if isinstance(widget, Details) and (told := seen.tapes[widget.button].texts):
            beside = widget.button.mapTo(widget, told[0].rect.toRect().topLeft()).x()
            if beside > SLACK:
                yield f"“{told[0].words}” by {beside} px"


def asked_again(seen: Seen) -> Iterator[str]:
    """A step of Attention that says its case's question again."""
    px = seen.metrics.type_px(TypeStep.TITLE)
    asked = {one.words for one in seen.texts if one.px == px}
    for widget in seen.widgets:
        if isinstance(widget, StepsView):
            words = {one.text() for one in widget.findChildren(Label) if one.isVisible()}
            yield from sorted(words & asked)


class _Layouts(QObject):
    """Notes who asks for a layout."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self.asked_by: list[QWidget] = []
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest and isinstance(watched, QWidget):
            self.asked_by.append(watched)
        return False


def restless(seen: Seen) -> Iterator[str]:
    """Widgets that ask for a layout after each layout, as a key does that is given two widths in
    turn. Such a till uses a whole core while nobody touches it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    layouts = _Layouts(application)
    for _ in range(LAYOUTS):
        layouts.asked_by.clear()
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    application.removeEventFilter(layouts)
    inside = [one for one in layouts.asked_by if seen.window.isAncestorOf(one)]
    if inside:
        yield ", ".join(dict.fromkeys(map(named, inside)))


# --- names ---------------------------------------------------------------------------------------


def unnamed(seen: Seen) -> Iterator[str]:
    """Widgets that take the focus, a press or text, without a name to be read aloud."""
    for widget in seen.widgets[1:]:
        takes = widget.focusPolicy() is not Qt.FocusPolicy.NoFocus and widget.focusProxy() is None
        pressed = isinstance(widget, QAbstractButton | QLineEdit | QPlainTextEdit)
        if (takes or pressed) and not widget.accessibleName().strip():
            yield f"{named(widget)} in {named(widget.parentWidget())}"


def unseen(seen: Seen) -> Iterator[str]:
    """The focused field, scrolled out of sight; above an empty one other text is read first."""
    for widget in seen.widgets:
        is_typed = isinstance(widget, QLineEdit) and bool(widget.text())
        if is_typed and widget is seen.window.focusWidget():
            in_sight = seen.part(widget, widget.rect()).height()
            if in_sight < widget.height():
                yield f"{in_sight} of {widget.height()} px of {named(widget)} are in sight"


CHECKS: Sequence[Check] = (
    cut,
    shortened,
    endless,
    torn,
    small,
    uneven,
    contrast,
    faint,
    overlap,
    covered,
    half_begun,
    target,
    edge,
    wide,
    low,
    indented,
    asked_again,
    ragged,
    lower_case,
    filled,
    reddened,
    unescaped,
    ways_back,
    leads_nowhere,
    repeated,
    restless,
    unnamed,
    unseen,
    twice,
)


def findings(seen: Seen) -> list[Finding]:
    told = (Finding(check.__name__, what) for check in CHECKS for what in check(seen))
    return list(dict.fromkeys(told))
