"""The payment as it is shown: in the words and sizes of the moment, with what was said last."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.cashier.payment.faults import PaymentFault
from pos_app.cashier.payment.form import Form
from pos_app.cashier.payment.layout import QUIET, PaymentNews
from pos_app.cashier.payment.model import PaymentModel
from pos_app.cashier.payment.pages import PagedStage
from pos_app.cashier.services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.theme import Theme


class ShownPayment(QWidget):
    """The stage of a payment, made anew when words or sizes change. What it does is the panel's:
    a subclass connects the stage and takes the keys.
    """

    reminds: Callable[[], str] = staticmethod(lambda: "")
    """What of the sale is not to be forgotten while it is paid, in words; "" for nothing."""

    def __init__(
        self, services: TillServices, texts: Texts, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._texts = texts
        self._theme = theme
        self._model: PaymentModel | None = None
        self._stage: PagedStage | None = None
        self._news = QUIET
        self._error = ""
        self.setAccessibleName(texts("pay.title"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        texts.changed.connect(self._rebuild)
        theme.changed.connect(self._rebuild)

    def _connect(self, stage: PagedStage) -> None:
        """Listen to a stage that was just made."""
        raise NotImplementedError

    def _on_key(self, event: QKeyEvent) -> bool:
        """Take a key; whether it meant something."""
        raise NotImplementedError

    @property
    def model(self) -> PaymentModel | None:
        """The payment under way."""
        return self._model

    def focus_amount(self) -> None:
        """Put the caret where digits go."""
        if self._form is not None:
            self._form.focus_first()
            return
        field = self._stage.board.lines.field if self._stage is not None else None
        (field or self).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def _form(self) -> Form | None:
        return self._stage.form if self._stage is not None else None

    def _is_page(self) -> bool:
        return self._stage is not None and self._stage.page is not None

    # --- what is shown ---------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._stage is not None:
            self._stage.fit(event.size().height())

    def _rebuild(self) -> None:
        """All widgets anew, in the words and sizes of the moment."""
        if self._model is None:
            return
        focus = QApplication.focusWidget()
        had_focus = focus is self or (focus is not None and self.isAncestorOf(focus))
        if self._stage is not None:
            self._column.removeWidget(self._stage)
            self._stage.hide()
            self._stage.deleteLater()
        self._stage = stage = PagedStage(self._theme, self._texts, self._model, on_key=self._on_key)
        self._column.addWidget(stage)
        stage.show()
        self._connect(stage)
        stage.fit(self.height())
        self._show()
        if had_focus:
            self.focus_amount()

    def _show(self) -> None:
        """Everything as the model says it."""
        if self._stage is not None:
            self._stage.show_model(self._faults(), news=self._told(), error=self._error)

    def _told(self) -> PaymentNews:
        """What happened last; without that, what the cashier is not to forget."""
        reminder = self.reminds()
        return (
            self._news
            if self._news.words or not reminder
            else PaymentNews(reminder, is_trouble=True)
        )

    def _faults(self) -> tuple[PaymentFault, ...]:
        return self._model.faults(self._services.till.clock.now()) if self._model else ()
