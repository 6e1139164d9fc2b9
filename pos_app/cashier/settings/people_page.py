"""The page of people and rights: the people above, the table of rights below; the fields of an
edited person replace the table. Sources: look.md, till.md ("People and rights")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.gate.who_and_pin import PersonCard, PinField, card_height
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.people_model import PeopleModel, PersonDraft
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import buttons
from pos_app.cashier.ui.answers import Removal
from pos_app.cashier.ui.bars import short_name
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.column_head import ColumnHead, HeadCell
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import box, fitting_words, width_of, write
from pos_app.cashier.ui.panel import FilledPanel, clear_layout
from pos_app.cashier.ui.save_bar import SaveBar
from pos_app.cashier.ui.scrolling import Scrolled, bring_into_sight
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.errors import PosError
from pos_app.selling.people.people import MOST_DIGITS, Person
from pos_app.selling.people.rights import Act, Leave, Role

ROLES = tuple(Role)
_ICONS: dict[Leave, tuple[str, Token]] = {
    Leave.MAY: ("check", "ok"),
    Leave.ASKS: ("key-round", "warn"),
    Leave.NEVER: ("ban", "danger"),
}
MOST_CARDS = 4
"""The most people side by side."""
TYPING_MS = 1_200
"""Digits of a percentage that follow each other within this time are one number."""


class RightCell(buttons.FacedButton):
    """A cell says what a role may do. A press sets its next value; the percentage of a discount can
    be typed. Signals: `turned()`; `number_typed(int)`."""

    number_typed = Signal(int)

    def __init__(self, theme: Theme, texts: Texts, act: Act, role: Role) -> None:
        super().__init__(theme, "")
        self.act, self.role = act, role
        self._texts = texts
        self._words, self._icon, self._is_new = "", "check", False
        self._ink: Token = "ok"
        self._digits = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_MS)
        self._pause.timeout.connect(self._forget_digits)

    def show_leave(self, leave: Leave, percent: int, *, is_new: bool) -> None:
        """Show a right; is_new: it is not saved."""
        texts = self._texts
        self._is_new = is_new
        if self.act is Act.DISCOUNT:
            self._words = texts("right.up_to", n=percent)
            self._icon, self._ink = "percent", "ink_2"
        else:
            self._words = texts(f"leave.{leave}")
            self._icon, self._ink = _ICONS[leave]
        names = (texts(f"right.{self.act}"), texts(f"role.{self.role}"), self._words)
        new = (texts("right.new"),) if is_new else ()
        self.setAccessibleName(", ".join((*names, *new)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(4.1 * self.theme.metrics.touch), self.theme.metrics.touch)

    def minimumSizeHint(self) -> QSize:
        return QSize(round(2.6 * self.theme.metrics.touch), self.theme.metrics.touch)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, metrics = QPainter(self), self.theme, self.theme.metrics
        self.paint_ground(painter, ButtonKind.PLAIN)
        if self._is_new:
            inner = self.rect()
            box(
                painter,
                inner,
                radius=metrics.radius_button,
                fill=theme.colour("warn_ground"),
                edge=theme.colour("warn_edge"),
                width=metrics.hair,
            )
        size = metrics.icon(18)
        least = theme.fonts.text_metrics(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        left, right = metrics.s2, self.width() - metrics.s2
        if least.fits(self._words, self.width() - 2 * metrics.s3 - size - metrics.s2):
            rect = QRect(metrics.s3, 0, size, self.height())
            theme.draw_icon(painter, self._icon, self._ink, 18, rect.center())
            left, right = rect.right() + metrics.s2, self.width() - metrics.s3
        if self._is_new:
            small = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.BOLD)
            new = self._texts("right.new")
            wide = width_of(small, new)
            if right - left - wide > 2 * metrics.touch:
                spot = QRect(right - wide, 0, wide, self.height())
                write(painter, spot, new, theme.colour("warn"), small)
                right -= wide + metrics.s2
        room = QRect(left, 0, right - left, self.height())
        step, bold = TypeStep.BASE, Weight.SEMIBOLD
        meter = fitting_words(
            theme, self.font(), self._words, step=step, weight=bold, free_width=room.width()
        )
        write(painter, room, self._words, theme.colour("ink"), meter.font, elide=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.act is Act.DISCOUNT and event.text().isdigit():
            wanted = int(self._digits + event.text())
            self._digits = str(wanted) if wanted <= 100 else event.text()
            self._pause.start()
            self.number_typed.emit(int(self._digits))
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()  # the table goes to the next cell
        else:
            super().keyPressEvent(event)

    def _forget_digits(self) -> None:
        self._digits = ""


class RightsHead(ColumnHead):
    """The heads of the columns, which stand still above them. columns: a widget in each column, and
    the head's words."""

    def __init__(self, theme: Theme, columns: Mapping[QWidget, str]) -> None:
        super().__init__(theme)
        self._columns = columns
        self.setAccessibleName(", ".join(columns.values()))
        for part in columns:
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self.update()
        return False

    def cells(self) -> Iterable[HeadCell]:
        for part, words in self._columns.items():
            left = self.mapFromGlobal(part.mapToGlobal(QPoint())).x()
            yield HeadCell(QRect(left, 0, part.width(), self.height()), words)


class RightsTable(FilledPanel):
    """A row for each act and a column for each role; arrows go from cell to cell, and Space presses
    a cell."""

    def __init__(self, model: PeopleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(theme)
        self._model = model
        metrics = theme.metrics
        grid = QGridLayout()
        grid.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        grid.setHorizontalSpacing(metrics.s1)
        grid.setVerticalSpacing(metrics.s1)
        grid.setColumnStretch(0, 1)
        self.cells: dict[tuple[Act, Role], RightCell] = {}
        names = [self._named(act, texts) for act in Act]
        for row, act in enumerate(Act):
            grid.addWidget(names[row], row, 0)
            for column, role in enumerate(ROLES, start=1):
                cell = RightCell(theme, texts, act, role)
                cell.clicked.connect(lambda _=False, act=act, role=role: model.turn(act, role))
                cell.number_typed.connect(lambda n, role=role: model.type_percent(role, n))
                self.cells[act, role] = cell
                grid.addWidget(cell, row, column)
        inside = QWidget()
        inside.setLayout(grid)
        area = Scrolled(theme, name=texts("right.table"))
        area.show_inside(inside)
        titles = (texts("right.head"), *(texts(f"role.{role}.title") for role in ROLES))
        first_row = (names[0], *(self.cells[next(iter(Act)), role] for role in ROLES))
        whole = self.edge_column()
        whole.addWidget(RightsHead(theme, dict(zip(first_row, titles, strict=True))))
        whole.addWidget(area)

    def _named(self, act: Act, texts: Texts) -> QWidget:
        named = QWidget()
        column = QVBoxLayout(named)
        column.setContentsMargins(QMargins())
        column.setSpacing(0)
        column.addWidget(
            Label(self.theme, texts(f"right.{act}"), weight=Weight.SEMIBOLD, wrap=True)
        )
        return named

    def show_model(self) -> None:
        rights, changed = self._model.rights, set(self._model.changed)
        for (act, role), cell in self.cells.items():
            is_new = (act, role) in changed
            cell.show_leave(rights.leave(act, role), rights.percent(role), is_new=is_new)

    def focus_first(self) -> None:
        next(iter(self.cells.values())).setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
        }
        step, focus = steps.get(Qt.Key(event.key())), self.focusWidget()
        if step is None or not isinstance(focus, RightCell):
            super().keyPressEvent(event)
            return
        acts = list(Act)
        row = min(max(acts.index(focus.act) + step[0], 0), len(acts) - 1)
        column = min(max(ROLES.index(focus.role) + step[1], 0), len(ROLES) - 1)
        cell = self.cells[acts[row], ROLES[column]]
        cell.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_sight(cell)


class PersonForm(parts.HeadedPanel):
    """Signal: `field_typed()`, a field was changed by hand."""

    field_typed = Signal()

    def __init__(self, model: PeopleModel, texts: Texts, theme: Theme) -> None:
        super().__init__(theme, texts("set.people.new"))
        self._model, self._texts = model, texts
        self.name = Field(theme, name=texts("set.people.name"), takes=InputKind.WORDS)
        self.role = Segment(
            theme, [texts(f"role.{one}.title") for one in ROLES], name=texts("set.people.role")
        )
        self.pin = PinField(theme, name=texts("set.people.pin"), longest=MOST_DIGITS)
        self.again = PinField(theme, name=texts("cat.pin.again"), longest=MOST_DIGITS)
        self._pin_words = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self._badge = Label(theme, wrap=True)
        self.no_badge = buttons.Button(theme, texts("set.people.no_badge"), icon="x")
        self.removal = Removal(
            theme, key_word=texts("set.people.remove"), safe_word=texts("set.people.keep")
        )
        self.why = Label(theme, colour="danger", wrap=True)
        self._lay_out()
        self.name.changed.connect(lambda text: self._type(name=text))
        self.role.chosen.connect(lambda number: self._type(role=ROLES[number]))
        self.pin.changed.connect(lambda text: self._type(pin=text))
        self.again.changed.connect(lambda text: self._type(again=text))
        self.no_badge.clicked.connect(self._drop_badge)
        self.removal.asked.connect(lambda: model.ask_removal(True))
        self.removal.kept.connect(lambda: model.ask_removal(False))
        self.removal.removed.connect(model.remove)

    def _type(self, **typed_fields: object) -> None:
        self._model.type(**typed_fields)
        self._show_faults()
        self._show_removal()
        self.field_typed.emit()

    def _lay_out(self) -> None:
        for name, part in (
            ("set.people.name", self.name),
            ("set.people.role", self.role),
            ("set.people.pin", self.pin),
            ("cat.pin.again", self.again),
        ):
            self.column.addWidget(parts.Titled(self.theme, self._texts(name), part))
        self.column.addWidget(self._pin_words)
        badge = QHBoxLayout()
        badge.addWidget(self._badge, 1)
        badge.addWidget(self.no_badge)
        self.column.addLayout(badge)
        self.column.addWidget(self.why)
        self.column.addStretch(1)
        self.column.addWidget(self.removal)

    def show_draft(self, draft: PersonDraft) -> None:
        model, texts = self._model, self._texts
        self.set_title(draft.person.name if draft.person else texts("set.people.new"))
        parts.show_in(self.name, draft.name)
        self.name.setEnabled(not model.is_name_given)
        self.role.set_current(ROLES.index(draft.role))
        self.role.setEnabled(draft.person is None or not model.is_alone)
        parts.show_in(self.pin, draft.pin)
        parts.show_in(self.again, draft.again)
        digits = model.digits
        words = texts("set.people.digits", n=digits) if digits else texts("set.people.any_digits")
        if draft.person is not None and model.leads(draft.person) and not model.is_alone:
            words = texts("set.people.lead_digits")
        has_pin = draft.person is not None and draft.person.has_pin
        self._pin_words.setText(f"{words} {texts('set.people.pin_stays')}" if has_pin else words)
        kept = draft.keeps_badge and draft.person is not None and draft.person.has_badge
        has_badge = bool(draft.badge) or kept
        self._badge.setText(texts("set.people.has_badge" if has_badge else "set.people.scan_badge"))
        self.no_badge.setVisible(has_badge)
        self.removal.setVisible(draft.person is not None and not model.is_alone)
        self._show_removal()
        self._show_faults()

    def _show_removal(self) -> None:
        texts, draft = self._texts, self._model.draft
        if draft is None or draft.person is None or not self._model.asks_removal:
            self.removal.end()
            return
        name = draft.person.name
        self.removal.ask(
            texts("set.people.remove_sure", name=name),
            words=texts("set.people.remove_words"),
            act_words=[
                texts("set.people.remove_named", name=one) for one in (name, short_name(name))
            ],
        )

    def focus_missing(self) -> None:
        """Put the focus into the first field that is wrong."""
        wrong = [field for name, field in self._fields() if name in self._model.faults]
        for field in wrong[:1]:
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            bring_into_sight(field)

    def _fields(self) -> Sequence[tuple[str, Field]]:
        return ("name", self.name), ("pin", self.pin), ("again", self.again)

    def _show_faults(self) -> None:
        model, texts = self._model, self._texts
        for name, field in self._fields():
            fault = model.faults.get(name)
            field.set_error(texts.error(fault).happened if fault else "")
        faults = (model.faults.get(one) for one in ("pin", "again", "badge"))
        pos_error = next(filter(None, faults), model.failure)  # a PIN's field shows no words itself
        self.why.setText(" ".join(part for part in _notice_sentences(pos_error, texts) if part))
        self.why.setVisible(pos_error is not None)

    def _drop_badge(self) -> None:
        self._model.type(badge="", keeps_badge=False)
        self._model.announce()


def _notice_sentences(error: PosError | None, texts: Texts) -> tuple[str, ...]:
    if error is None:
        return ()
    notice = texts.error(error)
    return notice.happened, notice.press


class PeoplePage(parts.SettingsPage):
    def __init__(self, model: PeopleModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__()
        self._model, self._texts, self._start = model, ui.texts, start
        self._theme = theme = ui.theme
        texts, metrics = ui.texts, ui.theme.metrics
        model.read()
        inside = QWidget()
        self._cards = QGridLayout(inside)
        self._cards.setContentsMargins(QMargins())
        self._cards.setSpacing(metrics.s2)
        self._people = Scrolled(ui.theme, name=texts("set.people.all"))
        self._people.show_inside(inside)
        self.cards: list[PersonCard] = []
        self.new: buttons.Button
        self.table = RightsTable(model, texts, theme)
        self.form = PersonForm(model, texts, theme)
        self._head = Label(theme, texts("right.title"), step=TypeStep.NAME, weight=Weight.BOLD)
        self._words = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self.recommend = buttons.Button(theme, texts("right.recommend"), icon="undo-2")
        self.acts = SaveBar(theme, texts)
        self.acts.add_act(self.recommend)
        self._pages = QStackedLayout()
        self._lay_out()
        self.recommend.clicked.connect(model.recommend)
        self.acts.drop.clicked.connect(self._drop)
        self.acts.save.clicked.connect(self._save)
        self.form.field_typed.connect(self._show_acts)
        self.show_model()

    def _lay_out(self) -> None:
        metrics = self._theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        whole.setSpacing(metrics.s3)
        whole.addWidget(self._people)
        head = QHBoxLayout()
        head.setSpacing(metrics.s3)
        head.addWidget(self._head)
        head.addWidget(self._words, 1)
        whole.addLayout(head)
        pages = QWidget()
        pages.setLayout(self._pages)
        self._pages.addWidget(self.table)
        self._form = Scrolled(self._theme, name=self._texts("set.people.new"))
        self._form.show_inside(self.form)
        self._pages.addWidget(self._form)
        whole.addWidget(pages, 1)
        whole.addWidget(self.acts)

    # --- for the frame ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        model.read()
        self._show_cards()
        self.table.show_model()
        draft = model.draft
        if draft is not None:
            # a form that is filled while it is hidden keeps its old layout
            self._pages.setCurrentWidget(self._form)
            self.form.show_draft(draft)
        else:
            self._pages.setCurrentWidget(self.table)
        is_table = draft is None
        self._head.setVisible(is_table)
        self.recommend.setVisible(is_table)
        self._words.setText(texts("right.alone" if model.is_alone else "right.words"))
        self._show_acts()

    def _show_acts(self) -> None:
        model, is_table = self._model, self._model.draft is None
        changed = bool(model.changed) if is_table else model.has_typed
        self.acts.drop.setVisible(changed)
        is_new = model.draft is not None and model.draft.person is None
        can_save = changed or is_new  # of a new person it is told what is missing
        parts.allow_if(self.acts.save, can_save, self._texts("set.nothing_to_save"))
        self.acts.save.show_act(order=self._order() if can_save else "")
        self.acts.tell(*self._standing())

    def _order(self) -> str:
        """Return what to do before the person can be saved; "" for nothing."""
        draft = self._model.draft
        match next(iter(self._model.lacks), ""):
            case "":
                return ""
            case "name" if draft is not None and draft.name.strip():
                return self._texts("set.people.order.other_name")
            case "name":
                return self._texts("set.people.order.name")
            case "again":
                return self._texts("pin.repeat")
        return self._texts("sign.type_pin")

    def _standing(self) -> tuple[StateKind | None, str]:
        """Return the state of what is typed, and its words, for the bar; a person's faults stand
        in the form."""
        model, texts = self._model, self._texts
        if model.draft is not None:
            return (StateKind.DECIDE, texts("set.unsaved")) if model.has_typed else (None, "")
        if model.failure is not None:
            words = " ".join(part for part in _notice_sentences(model.failure, texts) if part)
            return StateKind.FAILED, words
        if model.changed:
            return StateKind.DECIDE, texts.count("right.unsaved", len(model.changed))
        return (StateKind.DONE, texts(model.message)) if model.message else (None, "")

    def _show_cards(self) -> None:
        """Make the cards anew only if somebody came, went or has another name."""
        people, draft = list(self._model.people), self._model.draft
        if [card.person for card in self.cards] != people:
            clear_layout(self._cards)
            self.cards = [self._card(person) for person in people]
            self.new = buttons.Button(self._theme, self._texts("set.people.add"), icon="plus")
            self.new.clicked.connect(lambda: self._edit(None))
            self._place_cards()
        for card in self.cards:
            card.setChecked(draft is not None and draft.person == card.person)

    def _place_cards(self) -> None:
        """Put as many cards side by side as have room for their words."""
        many, gap = len(self.cards) + 1, self._theme.metrics.s2
        widest = max((card.whole_width() for card in self.cards), default=1)
        room = self.width() - 2 * self._theme.metrics.s3
        columns = min(many, MOST_CARDS, max(1, (room + gap) // (widest + gap)))
        for number, one in enumerate((*self.cards, self.new)):
            self._cards.addWidget(one, number // columns, number % columns)
            one.show()
        for column in range(MOST_CARDS):
            self._cards.setColumnStretch(column, 1 if column < columns else 0)
        self._people.setFixedHeight(self._height_of(-(-many // columns)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place_cards()

    def _height_of(self, rows: int) -> int:
        """Return the height of at most two rows; more rows scroll."""
        metrics, shown = self._theme.metrics, min(rows, 2)
        return shown * card_height(metrics) + (shown - 1) * metrics.s2

    def _card(self, person: Person) -> PersonCard:
        card = PersonCard(self._theme, person, self._words_of(person), tone=person.id)
        card.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        card.clicked.connect(lambda: self._edit(person))
        return card

    def _edit(self, person: Person | None) -> None:
        self._model.edit(person)
        self.focus_first()

    def _words_of(self, person: Person) -> str:
        texts = self._texts
        role = texts(f"role.{person.role}")
        if person.has_pin and person.has_badge:
            return texts("set.people.pin_and_badge", role=role)
        if person.has_badge:
            return texts("set.people.badge_alone", role=role)
        return texts("set.people.pin_alone", role=role) if person.has_pin else role

    def focus_first(self) -> None:
        if self._model.draft is not None:
            self.form.name.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.table.focus_first()

    def press_main(self) -> None:
        if self.acts.save.isEnabled():
            self._save()

    async def _save_person(self) -> None:
        await self._model.save_person()
        self.form.focus_missing()

    def _drop(self) -> None:
        if self._model.draft is not None:
            self._model.drop_typed()
        else:
            self._model.drop_rights()

    def _save(self) -> None:
        if self._model.draft is not None:
            self._start(self._save_person(), "keep a person")
        else:
            self._model.save_rights()
