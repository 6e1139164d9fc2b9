"""The parts of the payment panel: head, figure, the board or a page in the middle, the big button.

In tight room these steps follow each other, so that methods and notes stay in sight: the pad folds
behind a button, the figure gets one size smaller, the head takes the figure between its two
buttons, and the methods are joined into the fewest rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier import commands
from pos_app.cashier.acts.act_steps import SURE
from pos_app.cashier.acts.confirm_amount import ConfirmAmount
from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.payment.advance_form import AdvanceForm
from pos_app.cashier.payment.board import MOST_LINES, Board
from pos_app.cashier.payment.buyer_form import BuyerForm
from pos_app.cashier.payment.delivery_form import DeliveryForm
from pos_app.cashier.payment.discount_form import DiscountForm
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.lines_view import OnKey
from pos_app.cashier.payment.model import QUIET, Payment, PaymentModel, PaymentNews
from pos_app.cashier.payment.payment_input import PaymentEvents
from pos_app.cashier.payment.payment_texts import figure_words, line_errors, next_act_words
from pos_app.cashier.payment.text_form import TextForm
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.bars import BackButton
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.figure import BigFigure
from pos_app.cashier.ui.labels import ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeAlone, NoticeKind
from pos_app.cashier.ui.panel import KeysPage
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.cart_texts import fault_order, fault_words
from pos_app.errors import PosError
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.receipt_drafts import FaultPart, PaymentFault
from pos_app.selling.sale.unusual_amounts import Unusual


class PaymentHeader(QWidget):
    """The way back, the title, the last news, and the button of the folded pad. In a low panel it
    holds the figure, too. Then its buttons show only icons, and the news are in `note`, which the
    layout puts below the head. It is no `ScreenHead`, whose words stay beside the title: the news
    stand at the right, and title and stretch make room for the figure."""

    def __init__(self, theme: Theme, texts: Texts, *, hint: str, has_way_back: bool) -> None:
        """hint: says what becomes of a scanned article while there are no news."""
        super().__init__()
        self._theme = theme
        self._texts = texts
        self.back = BackButton(theme, key=commands.ESCAPE)
        self._title = Label(theme, texts("pay.title"), step=TypeStep.TITLE, weight=Weight.BOLD)
        self.numbers = Button(theme, texts("pay.numbers"), icon="calculator")
        self._news = QUIET
        self._hint = hint
        self._icon = Icon(theme, "info", size=18)
        self._words_label = ElidedLabel(theme, self._hint, colour="ink_2")
        self._words_label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.note = QWidget()
        self._beside = beside = QHBoxLayout(self.note)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(theme.metrics.s3)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        row.addWidget(self.back)
        self.back.setVisible(has_way_back)
        row.addWidget(self._title)
        self._gap = QWidget()
        row.addWidget(self._gap, 1)
        row.addWidget(self._icon)
        row.addWidget(self._words_label)
        row.addWidget(self.numbers)
        self.note.hide()
        self._figure: QWidget | None = None

    @property
    def title(self) -> str:
        return self._title.text()

    def set_title(self, title: str) -> None:
        self._title.setText(title)

    def tell(self, news: PaymentNews) -> None:
        """Show the news, or without news the quiet hint."""
        self._news = news
        if news.is_trouble:
            self._icon.set_icon("triangle-alert", "warn")
        elif news.words:
            self._icon.set_icon("circle-check", "ok")
        else:
            self._icon.set_icon("info", "ink_2")
        self._words_label.setText(news.words or self._hint)
        self._show_news()

    def fold(self, folded: bool) -> None:
        """Set whether the button of the folded pad is shown; the hint gives way to that button,
        news don't."""
        self.numbers.setVisible(folded)
        self._show_news()

    def embed_figure(self, figure: QWidget | None) -> None:
        """Show the figure between the two buttons, or with None remove it."""
        if figure is self._figure:
            return
        if self._figure is not None:
            self._row.removeWidget(self._figure)
        self._figure = figure
        holds = figure is not None
        for button in (self.back, self.numbers):
            button.set_compact(holds)
        self._title.setVisible(not holds)
        self._gap.setVisible(not holds)
        for part in (self._icon, self._words_label):
            layout = self._beside if holds else self._row
            self._row.removeWidget(part)
            layout.insertWidget(layout.indexOf(self.numbers), part)
        if holds:
            self._beside.setStretch(1, 1)
        if figure is not None:
            self._row.insertWidget(1, figure, 1)
        self._show_news()

    def show_numbers(self, visible: bool) -> None:
        """Set whether the folded pad is open; then its button leads back to the methods."""
        self.numbers.set_words(self._texts("pay.methods" if visible else "pay.numbers"))
        self.numbers.set_icon("banknote" if visible else "calculator")

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._show_news()
        super().resizeEvent(event)

    def _has_room(self) -> bool:
        """Tell whether the quiet hint has room."""
        parts: list[QWidget] = [self._title, self._icon, self._words_label]
        if not self.back.isHidden():
            parts.append(self.back)
        gaps = (len(parts) + 1) * self._theme.metrics.s3
        return sum(one.sizeHint().width() for one in parts) + gaps <= self.width()

    def _show_news(self) -> None:
        shown = bool(self._news.words) or (self.numbers.isHidden() and self._has_room())
        self._icon.setVisible(shown)
        self._words_label.setVisible(shown)
        self.note.setVisible(shown and self._figure is not None)

    def news_text(self) -> str:
        return self._words_label.text()


PAGE_OF = {FaultPart.COST_CENTRE: FaultPart.BUYER, FaultPart.WIRE_TIME: FaultPart.ADVANCE}
"""The faults that are corrected on the page of another part."""


def form_at(
    part: FaultPart,
    theme: Theme,
    texts: Texts,
    model: Payment,
    events: PaymentEvents,
    *,
    till: Till,
    known: KnownBuyers,
    may: Callable[[Decimal], bool],
) -> Form:
    """Return the page of a part. Raises KeyError for a part without a page, which is a bug."""
    now = till.clock.now()

    def discount() -> Form:
        assert isinstance(model, PaymentModel)
        return DiscountForm(theme, texts, model, events, till=till, may=may)

    pages: dict[FaultPart, Callable[[], Form]] = {
        FaultPart.BUYER: lambda: BuyerForm(theme, texts, model, events, known=known),
        FaultPart.DELIVERY: lambda: DeliveryForm(theme, texts, model, events, known=known),
        FaultPart.DISCOUNT: discount,
        FaultPart.TEXT: lambda: TextForm(theme, texts, model, events),
        FaultPart.ADVANCE: lambda: AdvanceForm(theme, texts, model, events, now=now),
    }
    return pages[PAGE_OF.get(part, part)]()


class PaymentLayout(QWidget):
    """The whole panel in one language, theme and size; it is made anew when one of these
    changes."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        model: Payment,
        *,
        known: KnownBuyers,
        on_key: OnKey,
        has_way_back: bool,
    ) -> None:
        super().__init__()
        self.theme = theme
        self.texts = texts
        self.model = model
        self._known = known
        hint = texts(model.scan_hint)
        self.head = PaymentHeader(theme, texts, hint=hint, has_way_back=has_way_back)
        self.figure = BigFigure(theme)
        self.events = PaymentEvents(self)
        self.board = Board(theme, texts, model, self.events, known=known, on_key=on_key)
        self.issue = BigButton(theme, "", key=commands.ENTER, icon="check")
        self.page: QWidget | None = None
        self._is_slim = False
        self._page_word = ""
        self.form_title = ""
        """The title of the form that was shown last; keys may cover it."""
        self._faults: Sequence[PaymentFault] = ()
        self._was_page = False
        metrics = theme.metrics
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s2)
        self._middle = QVBoxLayout()
        self._middle.setSpacing(0)
        self._middle.addWidget(self.board)
        column.addWidget(self.head)
        column.addWidget(self.head.note)
        column.addWidget(self.figure)
        column.addLayout(self._middle, 1)
        column.addWidget(self.issue)
        self.fit(self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def set_page(self, page: QWidget | None, *, title: str = "", word: str = "") -> None:
        """Show a page in place of the board, or with None the board. title: "" for the payment's
        title. word: the big button's word on a page from which the button only leads back."""
        self._page_word = word
        self.head.set_title(title or self.texts(self.model.title))
        if self.page is not None:
            self._middle.removeWidget(self.page)
            self.page.hide()
            self.page.deleteLater()
        self.page = page
        self.board.setVisible(page is None)
        if page is not None:
            self._middle.addWidget(page)
            page.show()
        self._show_parts()

    # --- what may stand in place of the payment -------------------------------------------------

    @property
    def form(self) -> Form | None:
        return self.page if isinstance(self.page, Form) else None

    def show_form(self, part: FaultPart, *, till: Till, may: Callable[[Decimal], bool]) -> Form:
        """may: whether the person gives a discount of so many percent without asking."""
        form = form_at(
            part,
            self.theme,
            self.texts,
            self.model,
            self.events,
            till=till,
            known=self._known,
            may=may,
        )
        form.value_typed.connect(self._show_value)
        self.form_title = form.title
        self.set_page(form, title=form.title)
        return form

    def tell(self, error: PosError) -> None:
        """Show why the payment could not be confirmed."""
        page = NoticePage(self.theme, self.texts, self.texts.error(error))
        self.set_page(page, title=self.texts("pay.failed"), word=self.texts("pay.back_to"))
        self.issue.setFocus()

    def show_keys(self, over: FaultPart | Unusual | None) -> None:
        """Show the keys of the payment, or of the page that covers it."""
        texts, title, enter = self.texts, self.texts("pay.keys"), commands.ENTER
        screen = commands.KeyPage.PAYMENT
        if isinstance(over, Unusual):
            screen, title = commands.KeyPage.UNUSUAL, texts("ask.keys")
        elif over is not None:
            screen, title = commands.KeyPage.FORM, texts("ask.keys")
            enter = TextForm.done_key if over is FaultPart.TEXT else commands.ENTER
        page = KeysPage(self.theme, commands.help_page(screen, texts, enter=enter), name=title)
        self.set_page(page, title=title)

    def ask_if_right(self, unusual: Unusual) -> None:
        """Ask whether an unusual amount is right; the big button leads back to it."""
        page = ConfirmAmount(self.theme, self.texts, unusual)
        page.agreed.connect(self.events.agreed)
        self.set_page(page, title=self.texts("sure.title"), word=self.texts("sure.mend"))

    # --- everything as it stands ----------------------------------------------------------------

    def show_model(self, faults: Sequence[PaymentFault], *, news: PaymentNews, error: str) -> None:
        """error: what was refused in the active line."""
        texts, self._faults = self.texts, faults
        wrong = {fault.part: fault for fault in faults}
        self._show_figure()
        fault = fault_words(wrong.get(FaultPart.LINES), texts)
        errors = line_errors(self.model, texts, fault=fault, error=error)
        self.board.show_model(errors=errors, wrong=wrong)
        self.head.tell(news)
        self.head.show_numbers(self.board.shows_numbers)
        self._show_issue()

    def _show_figure(self) -> None:
        """Show what is left to pay, with a discount as it is typed."""
        model, form = self.model, self.form
        figure = figure_words(
            (form.figure if form is not None else None) or model.figure(),
            self.texts,
            takes_part=model.takes_part,
        )
        self.figure.show_figure(figure.title, figure.amount, figure.words, chosen=figure.is_change)

    def _show_value(self) -> None:
        """Show what a discount does while it is typed."""
        self._show_figure()
        self._show_issue()

    def _show_issue(self) -> None:
        """Show on the big button what it does, or what is missing on a page before it can. On the
        notice of a failure it looks plain."""
        form, model, texts = self.page, self.model, self.texts
        has_page = form is not None
        place_changed, self._was_page = has_page != self._was_page, has_page
        self.issue.setVisible(not isinstance(form, KeysPage))
        word, amount, order = self._page_word or texts("pay.done"), "", ""
        key = commands.ENTER
        if not has_page:
            self.head.set_title(texts(model.title))
            word, amount, order = next_act_words(model, texts)
        elif isinstance(form, Form):
            word = form.done_word or word
            order = fault_order(form.fault(self._faults), texts)
            key = form.done_key
            if form.is_doubted:
                order, key = texts(SURE), commands.cap_of(commands.TillCommand.PAY)
        self.issue.show_act(
            word,
            order=order,
            amount=amount,
            key=key,
            icon="undo-2" if self._page_word else "check",
            kind=ButtonKind.PLAIN if isinstance(form, NoticePage) else ButtonKind.FILLED,
            rests=place_changed,
        )

    def fit(self, height: int) -> None:
        """Fold the parts that have no room in a panel of this height."""
        board, large = self.board, self.figure.height_for(compact=False)
        low = self.figure.height_for(compact=True)
        fits = self._height_around(large) + board.whole_height(lines=MOST_LINES) <= height
        fits_one = self._height_around(large) + board.whole_height(lines=1) <= height
        tight, folded = not fits and not fits_one, board.folded_height(joined=False)
        is_low = tight and self._height_around(large) + folded > height
        self._is_slim = is_low and self._height_around(low) + folded > height
        is_lowest = self._is_slim and self._height_around(None) + folded > height
        joined = is_lowest and board.can_join(self.width() - 2 * self.theme.metrics.s3)
        figure = None if self._is_slim else low if is_low else large
        board.set_room(
            height - self._height_around(figure),
            lines=MOST_LINES if fits else 1,
            tight=tight,
            joined=joined,
        )
        self.figure.set_compact(is_low)
        self._show_parts()

    def _show_parts(self) -> None:
        """Show the parts. A page takes the figure's room, unless the page changes the amount
        due."""
        tight, is_slim = self.board.is_tight, self._is_slim and self.page is None
        self.head.fold(self.board.folds_pad and self.page is None)
        self.head.embed_figure(self.figure if is_slim else None)
        self.figure.set_slim(is_slim)
        if not is_slim and self._column.indexOf(self.figure) < 0:
            self._column.insertWidget(2, self.figure)
        wanted = self.page is None or (self.form is not None and self.form.figure is not None)
        self.figure.setVisible(wanted and (self.page is None or not tight))

    def _height_around(self, figure: int | None) -> int:
        """Return the height above and below the board. figure: the figure's height, None if the
        head holds it."""
        metrics = self.theme.metrics
        above = max(metrics.touch, self.figure.height_for(compact=True))
        if figure is not None:
            above = metrics.touch + metrics.s2 + figure
        return above + self.issue.sizeHint().height() + 2 * metrics.s2 + 2 * metrics.s3


class NoticePage(QWidget):
    """A page that says why the payment was not confirmed, that it is safe, and what to do."""

    def __init__(self, theme: Theme, texts: Texts, notice_text: NoticeWords) -> None:
        super().__init__()
        notice = NoticeAlone(
            theme,
            NoticeKind.DANGER,
            happened=f"{texts('pay.not_confirmed')}. {notice_text.happened}",
            safe=notice_text.safe or texts("pay.not_confirmed.safe"),
            press=notice_text.press or texts("pay.not_confirmed.do"),
        )
        self.setAccessibleName(notice.accessibleName())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(notice)
