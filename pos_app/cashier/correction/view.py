"""The screen of a correction. Before the correction begins, the screen offers acts that may suffice
instead, asks what is wrong and for the true value, and shows at the right all that will be issued.
Afterwards it shows the parts of the job, each with its state.

Sources: till.md ("Receipts"), look.md, fiscal.md 6.6.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app import errors
from pos_app.cashier import commands
from pos_app.cashier.acts.act_steps import SHARED_STEPS, StepFace
from pos_app.cashier.acts.pair_in_front import PairStep
from pos_app.cashier.acts.pair_screen import SIDE_PERMILLE, PairScreen
from pos_app.cashier.correction import parts
from pos_app.cashier.correction.model import METHODS, CorrectionModel, What
from pos_app.cashier.correction.words import (
    done_content,
    missing_words,
    new_paid_words,
    notice_content,
    order_words,
    part_contents,
)
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.services.tasks import LastAsked
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.done import DonePanel
from pos_app.cashier.ui.figure import FigurePanel
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeAlone, NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.words.receipt_words import short_number
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.receipts.frozen_pair import PairStage

COPY_KEY, MAIL_KEY, REFUND_KEY = "K", "E", "R"
PAYMENT_KEY, BUYER_KEY = "P", "B"
OVER = (PairStage.DONE, PairStage.GIVEN_UP)

_FACES = {
    **SHARED_STEPS,
    PairStep.CORRECT: StepFace("corr.enter.correct", "pencil"),
    PairStep.ISSUE: StepFace("corr.enter.issue", "check"),
    PairStep.ASK: SHARED_STEPS["again"],
}


class CorrectionRoom(Room):
    """Holds one correction; it goes on when the screen is left. Signals: `changed()`."""

    changed = Signal()

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = CorrectionModel(frame.services, on_lifted=self.changed.emit)
        self._asking = LastAsked(frame.tasks, cancels=False)

    def leave(self) -> None:
        """Lock, because each visit asks for the PIN."""
        self.model.lock.lock()

    def ask(self) -> None:
        model = self.model
        if model.is_asking or not model.reference:
            return
        model.is_asking = True
        self._asking.ask(
            partial(self.frame.services.receipt_now, model.reference),
            name="read the receipt",
            take=self._take,
            fail=self._take,
        )

    def handle_change(self, change: Change) -> None:
        if change.what is not ShopChange.SALES or change.sale is None:
            return
        before = self.model.stage
        if not self.model.follow_sale(change.sale):
            return
        pair, stage = self.model.pair, self.model.stage
        if stage is PairStage.ISSUING and before is PairStage.REFUNDING:
            assert pair is not None
            self.frame.home.act_confirmed(pair.new)  # the sale shows it as its last act
        if self.model.is_refused and not self.model.was_begun_before:
            self._end_refused()
        self.changed.emit()

    def _end_refused(self) -> None:
        """Put a refused job away. Where that fails it stays, to be sent again or given up."""
        try:
            self.model.end_refused()
        except errors.PosError as error:
            self.model.trouble = error
        else:
            self.ask()  # some of its lines may have been refunded meanwhile

    def _take(self, came: ShownReceipt | errors.PosError) -> None:
        if isinstance(came, ShownReceipt):
            self.model.take_overview(came.overview)
        else:
            self.model.not_shown(came)
        self.changed.emit()


class CorrectionScreen(PairScreen):
    model: CorrectionModel
    title = "corr.title"
    help_keys = (
        (PAYMENT_KEY, "corr.keys.payment"),
        (BUYER_KEY, "corr.keys.buyer"),
        (f"{commands.method_cap(1)}…{len(METHODS) + 1}", "corr.keys.method"),
        (COPY_KEY, "corr.keys.copy"),
        (MAIL_KEY, "corr.keys.mail"),
        (REFUND_KEY, "corr.keys.refund"),
        (commands.ENTER, "corr.keys.enter"),
        ("Tab", "att.keys.tab"),
        (commands.TillCommand.KEYS, "keys.f1"),
        (commands.TillCommand.DRAWER, "keys.f10"),
        (commands.TillCommand.BACK, "corr.keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, CorrectionRoom)
        self.room, self.model = room, room.model
        self._texts = frame.ui.texts
        self._value: parts.PaymentPart | parts.BuyerPart | None = None
        self._cards: dict[What, parts.WhatCard] = {}
        self._area = ScrolledColumn(self.theme, name=self._texts(self.title))
        self._inside = QWidget()
        self._later = Button(self.theme, self._texts("corr.later"), icon="pause", spread=True)
        self._later.clicked.connect(self.back)
        self._end = Button(self.theme, self._texts("corr.give_up"), icon="x", spread=True)
        self._end.clicked.connect(self.give_up)
        self._lay_out()
        room.changed.connect(self.show_anew)
        self._show()
        self.show_place()

    def _lay_out(self) -> None:
        """Lay out two sides; in a narrow screen's largest type the right side is under the left."""
        metrics = self.theme.metrics
        is_stacked = metrics.narrow and metrics.large
        self._holder = holder = QVBoxLayout(self._inside)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.setSpacing(metrics.s3)
        holder.addLayout(self._left_column)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(metrics.s3)
        if is_stacked:
            holder.addLayout(self._right_column)
        else:
            side.addWidget(self._upper_side(), 1)
        holder.addStretch(0)  # has the room that nothing else asks for
        self._area.show_inside(self._inside)
        for button in (self._end, self._later, self.big):
            side.addWidget(button)
        for layout in (self._left_column, self._right_column):
            layout.setSpacing(metrics.s3)
        row: QBoxLayout = (
            QVBoxLayout(self._page_area) if is_stacked else QHBoxLayout(self._page_area)
        )
        row.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        row.setSpacing(metrics.s3)
        row.addWidget(self._area, 1000 - SIDE_PERMILLE)
        row.addWidget(self._side, 0 if is_stacked else SIDE_PERMILLE)
        self.column.addWidget(self._page_area, 1)
        self.column.addWidget(self.keys, 1)

    def _upper_side(self) -> ScrolledColumn:
        upper = ScrolledColumn(self.theme, name=self._texts("corr.will_do"))
        within = QWidget()
        above = QVBoxLayout(within)
        above.setContentsMargins(0, 0, 0, 0)
        above.addLayout(self._right_column)
        above.addStretch(1)
        upper.show_inside(within)
        return upper

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, screens.CorrectionPlace):
            self.end_refusal()
            self.model.open(screen_place.reference)
            if self.model.pair is None:
                self.room.ask()  # some of its lines may have been refunded since
            self.show_anew()

    def changed(self, change: Change) -> None:
        if change.what is ShopChange.SERVER:
            self._show_side()

    @property
    def holds_typed(self) -> bool:
        return self.model.can_type or super().holds_typed

    def tell_in_place(self, words: str) -> bool:
        """Show the words where it is told what a choice lacks."""
        if self._value is not None:
            self._show_missing()
        return self._value is not None

    def show_place(self) -> None:
        self.show_body(self._page_area, self._make_gate if self.model.is_locked else None)

    def _make_gate(self) -> PinGate:
        asked, first = self._texts("corr.pin"), self._texts("corr.first_pin")
        about = self.model.about
        return PinGate(self.model.lock, self.frame, asked=asked, first=first, about=about)

    def focus_place(self) -> None:
        part = self._value
        if self.gate is not None:
            self.gate.focus_first()
        elif part is None or not self.model.can_type or not _takes_caret(part, self.model):
            super().focus_place()

    def way_out(self) -> str:
        return self.name_of(screens.RECEIPTS if self.model.reference else "")

    def step_back(self) -> bool:
        """Go back to the receipt (Esc); a begun job goes on, or waits in Attention."""
        if not self.model.reference:
            return False
        pair, reference = self.model.pair, self.model.reference
        if pair is not None and pair.new.receipt is not None:
            reference = pair.new.receipt.fiscal_number
        self.frame.open(screens.RECEIPTS, screens.ReceiptPlace(reference, is_back=True))
        return True

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_behind = self.shows_keys or self.gate is not None
        if is_behind or not self._take_key(event):
            super().keyPressEvent(event)

    def _take_key(self, event: QKeyEvent) -> bool:
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            number = event.key() - Qt.Key.Key_1
            return 0 <= number <= len(METHODS) and self.choose(number)
        return not event.isAutoRepeat() and self._act_by_letter(letter_of(event))

    def _act_by_letter(self, letter: str) -> bool:
        if not self.model.can_type:
            return False
        reference = self.model.reference
        match letter:
            case "P":
                self.choose_what(What.PAYMENT)
            case "B":
                self.choose_what(What.BUYER)
            case "E" if not self.frame.services.may_mail:
                self.tell(lambda texts: texts("receipts.no_mail"))
            case "K" | "E":
                self.frame.open(screens.RECEIPTS, screens.ReceiptPlace(reference, is_back=True))
            case "R":
                self.frame.open(screens.REFUND, screens.RefundPlace(reference))
            case _:
                return False
        return True

    def choose_what(self, what: What) -> None:
        self.end_refusal()
        self.model.choose_what(what)
        self.show_anew()

    def choose(self, number: int) -> bool:
        if not self.model.choose(number):
            if self.model.can_type and self.model.what is What.PAYMENT:
                self.frame.home.tone("no")
                self._show_value()
            return False
        self._show_value()
        self.take_focus()
        return True

    def begin(self, step: PairStep) -> None:
        if step is PairStep.ASK:
            self.room.ask()
            self.show_anew()
        elif self.model.take_marked():
            self._show_value()
            self.take_focus()
        elif self.model.find_missing():
            self.frame.home.tone("no")
            self.big.debounce()
            self._show_value()
            self.take_focus()
        else:
            self.attempt(self._confirm)

    def _confirm(self) -> None:
        with self.frame.services.here.lifting(self.model.lock.lifted_by):
            sale = self.model.confirm()
        self.frame.home.act_confirmed(sale)

    def give_up(self) -> None:
        try:
            self.model.give_up()
        except (errors.NotAllowed, errors.MachineError) as error:
            self.model.trouble = error
        self.show_anew()

    # --- what is shown ---------------------------------------------------------------------------

    def show_anew(self) -> None:
        self._show()
        self.show_place()
        self.take_focus()

    def _show(self) -> None:
        model, texts = self.model, self._texts
        clear_layout(self._left_column)
        self._value, self._cards = None, {}
        overview = model.overview
        words = (
            "" if overview is None else texts("corr.receipt", number=short_number(overview.number))
        )
        self.head.set_title(texts(self.title), words.lower())
        self.show_way_back()
        is_alone = model.pair is None and (overview is None or model.fault is not None)
        if overview is not None and is_alone:
            self._left_column.addWidget(parts.ReceiptLine(self.theme, texts, model))
        self._add_notice(is_alone=is_alone)
        if overview is not None and model.pair is None and model.fault is None:
            self._add_choice()
        elif overview is not None and model.pair is not None:
            self._left_column.addWidget(parts.ComparedPanel(self.theme, texts, model))
            self._left_column.addWidget(
                parts.CorrectionPartsPanel(self.theme, texts, model, wide=True)
            )
            if model.stage not in OVER:
                self._left_column.addWidget(parts.foot(self.theme, "info", texts("corr.may_sell")))
        elif overview is None and model.trouble is None:
            self._left_column.addWidget(Label(self.theme, texts("corr.asking"), colour="ink_2"))
        self._show_side()

    def _add_notice(self, *, is_alone: bool) -> None:
        notice, texts = notice_content(self.model, self._texts), self._texts
        self._holder.setStretchFactor(self._left_column, int(is_alone and notice is not None))
        if notice is None:
            return
        heads = tuple(texts(f"att.heads.{head}") for head in ("happened", "safe", "press"))
        happened, safe, press = notice.words.happened, notice.words.safe, notice.words.press
        if is_alone:
            self._left_column.addWidget(
                NoticeAlone(self.theme, notice.kind, happened=happened, safe=safe, press=press)
            )
            return
        self._left_column.addWidget(
            NoticePanel(
                self.theme,
                notice.kind,
                happened=happened,
                safe=safe,
                press=press,
                heads=(heads[0], heads[1], heads[2]) if notice.in_columns else None,
            )
        )

    def _add_choice(self) -> None:
        texts, theme, model = self._texts, self.theme, self.model
        self._left_column.addWidget(parts.ReceiptLine(theme, texts, model))
        self._left_column.addWidget(self._lesser_acts())
        self._left_column.addWidget(parts.head_label(theme, texts("corr.what")))
        cards = QHBoxLayout()
        cards.setSpacing(theme.metrics.s2)
        holder = QWidget()
        holder.setLayout(cards)
        cards.setContentsMargins(0, 0, 0, 0)
        for what, key in ((What.PAYMENT, PAYMENT_KEY), (What.BUYER, BUYER_KEY)):
            card = parts.WhatCard(
                theme, texts(f"corr.{what}"), texts(f"corr.{what}.words"), key=key
            )
            card.setChecked(model.what is what)
            card.clicked.connect(self._chooser(what))
            self._cards[what] = card
            cards.addWidget(card, 1)
        self._left_column.addWidget(holder)
        if model.what is What.PAYMENT:
            paid = parts.PaymentPart(theme, texts, model)
            paid.chosen.connect(self.choose)
            paid.amount_typed.connect(self._show_value)
            self._value = paid
        else:
            buyer = parts.BuyerPart(theme, texts, model)
            buyer.changed.connect(self._show_value)
            self._value = buyer
        self._left_column.addWidget(self._value)
        self._missing = Label(theme, step=TypeStep.BASE, colour="danger", wrap=True)
        self._left_column.addWidget(self._missing)
        self._left_column.addWidget(
            NoticePanel(
                theme,
                NoticeKind.INFO,
                happened=texts("corr.what_it_is"),
                safe=texts("corr.goes_on"),
                press="",
            )
        )
        by = texts("corr.by", cashier=self.frame.services.cashier)
        self._left_column.addWidget(parts.foot(theme, "shield-check", by))
        self._show_missing()

    def _lesser_acts(self) -> QWidget:
        texts, theme = self._texts, self.theme
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s2)
        column.addWidget(parts.head_label(theme, texts("corr.enough")))
        grid = QGridLayout()
        grid.setSpacing(theme.metrics.s2)
        acts = (
            (COPY_KEY, "copy", "copy"),
            (MAIL_KEY, "mail", "mail"),
            (REFUND_KEY, "undo-2", "refund"),
        )
        for index, (key, icon, name) in enumerate(acts):
            button = Button(theme, texts(f"corr.act.{name}"), icon=icon, key=key, spread=True)
            button.clicked.connect(self._presser(key))
            if key == MAIL_KEY and not self.frame.services.may_mail:
                button.refuse(texts("receipts.no_mail"))
            columns = 2 if theme.metrics.narrow else len(acts)
            grid.addWidget(button, index // columns, index % columns)
        column.addLayout(grid)
        return holder

    def _presser(self, letter: str):  # type: ignore[no-untyped-def]
        return lambda: self._act_by_letter(letter)

    def _chooser(self, what: What):  # type: ignore[no-untyped-def]
        return lambda: self.choose_what(what)

    def _show_value(self) -> None:
        """Show a new choice or text; the fields keep their text."""
        self.end_refusal()
        if self._value is not None:
            self._value.show_model()
            self._show_missing()
        self._show_side()

    def _show_missing(self) -> None:
        words = self.refusal or missing_words(self.model, self._texts)
        self._missing.setText(words)
        self._missing.setVisible(bool(words))

    def _show_side(self) -> None:
        model, texts, theme = self.model, self._texts, self.theme
        clear_layout(self._right_column)
        overview = model.overview
        meant = model.next_enter
        if overview is not None and (model.pair is not None or model.fault is None):
            if model.pair is None:
                self._right_column.addWidget(
                    parts.CorrectionPartsPanel(theme, texts, model, wide=False)
                )
            elif model.stage is PairStage.DONE:
                self._right_column.addWidget(DonePanel(theme, done_content(model, texts)))
            elif model.stage is not PairStage.GIVEN_UP:
                self._right_column.addWidget(self._figure())
            if model.stage is not PairStage.GIVEN_UP:
                self._right_column.addWidget(parts.turnover(model, texts, theme))
            if model.stage not in (PairStage.DONE, PairStage.GIVEN_UP):
                self._right_column.addWidget(parts.drawer_notice(theme, texts))
        self._later.setVisible(model.stage in (PairStage.HALF, PairStage.NOT_BEGUN))
        self._end.setVisible(model.stage is PairStage.NOT_BEGUN)
        shows_sum = meant in (PairStep.CORRECT, PairStep.ISSUE) and overview is not None
        order = order_words(model, texts) if meant is PairStep.CORRECT else ""
        face = _FACES[meant]
        takes = bool(order) and model.what is What.BUYER and model.marked is not None
        self.big.show_act(
            order if takes or not face.word else texts(face.word),
            order="" if takes else order,
            amount=amount_text(overview.total) if shows_sum and overview and not order else "",
            key=commands.cap_of(commands.TillCommand.PAY) if model.is_doubted else commands.ENTER,
            icon=face.icon,
            kind=face.kind,
            rests=not (order or self.big.is_missing),
        )
        self.big.setVisible(bool(face.word))
        if meant is PairStep.WAIT:
            if self.big.hasFocus():  # a second Enter presses nothing else
                self._page_area.setFocus(Qt.FocusReason.OtherFocusReason)
            self.big.refuse(texts("corr.waits"))
        else:
            self.big.allow()

    def _figure(self) -> FigurePanel:
        model, texts = self.model, self._texts
        contents = part_contents(model, texts)
        assert model.overview is not None
        done = sum(part.is_done for part in contents)
        beside = texts("corr.part_of", part=min(done + 1, len(contents)), of=len(contents))
        words = texts("corr.new_paid", paid=new_paid_words(model, texts).lower())
        figure, amount = FigurePanel(self.theme), amount_text(model.overview.total)
        figure.show_figure(texts("corr.not_issued"), amount, words, beside=beside)
        return figure


def _takes_caret(part: parts.PaymentPart | parts.BuyerPart, model: CorrectionModel) -> bool:
    """Put the caret into the part; returns False where it has no field."""
    edit = part.number.edit if isinstance(part, parts.BuyerPart) else None
    if edit is not None and edit.hasFocus():
        return True
    if any(field.edit.hasFocus() for field in getattr(part, "fields", {}).values()):
        return True
    return part.focus_first()


ROOM, SCREEN = CorrectionRoom, CorrectionScreen
