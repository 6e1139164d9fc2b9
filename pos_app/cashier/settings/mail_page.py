"""The page of the shop's mail: its server, its password, a trial mail.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier.settings import parts
from pos_app.cashier.settings.mail_model import MailModel
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage
from pos_app.cashier.settings.values_page import ValuesPage
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.status import connection_words
from pos_app.domain.setup.mail_setup import MailTrial


class MailPage(ValuesPage):
    def __init__(self, model: MailModel, ui: UiContext, start: parts.Start) -> None:
        self.password = PasswordPanel(model, ui)
        self.trial = TrialPanel(model, ui, start)
        page = ValuePage.MAIL
        super().__init__(
            model, ui, start, VALUE_PAGES[page], page=page, below=(self.password, self.trial)
        )
        self._mail = model

    def refresh(self) -> None:
        super().refresh()
        if self._mail.is_to_ask:
            self._run(self._mail.ask(), "ask whether the mail has a password")

    def show_model(self) -> None:
        super().show_model()
        self.password.show_model()
        self.trial.show_model()


class PasswordPanel(parts.HeadedPanel):
    """The password is typed once and shown to nobody."""

    def __init__(self, model: MailModel, ui: UiContext) -> None:
        texts, theme = ui.texts, ui.theme
        super().__init__(theme, texts("set.mail.password"))
        self._model, self._texts = model, texts
        self.field = Field(theme, name=texts("set.mail.password"), takes=InputKind.WORDS)
        self.field.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self._given = parts.FactRows(theme)
        about = Label(theme, texts("set.mail.password_words"), colour="ink_2", wrap=True)
        for part in (about, bounded(theme, self.field), self._given):
            self.column.addWidget(part)
        self.field.changed.connect(model.type_password)
        self.show_model()

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        parts.show_in(self.field, model.password)
        has_one = model.server_answer is not None and model.server_answer.has_password
        self.field.set_placeholder(texts("set.kept") if has_one else "")
        self.field.setEnabled(not model.is_given)
        given = [parts.Fact(texts("set.fact.given"), texts("set.mail.password"))]
        self._given.show_facts(given if model.is_given else ())


class TrialPanel(parts.HeadedPanel):
    def __init__(self, model: MailModel, ui: UiContext, start: parts.Start) -> None:
        texts, theme = ui.texts, ui.theme
        super().__init__(theme, texts("set.mail.trial"))
        self._model, self._texts = model, texts
        self.to = Field(theme, name=texts("set.mail.to"), takes=InputKind.ADDRESS)
        self.send = Button(theme, texts("set.mail.send"), icon="mail")
        self.facts = parts.FactRows(theme)
        about = Label(theme, texts("set.mail.trial_words"), colour="ink_2", wrap=True)
        self.column.addWidget(about)
        self.column.addWidget(parts.Titled(theme, texts("set.mail.to"), self.to))
        self.column.addWidget(self.send, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.facts)
        self.to.changed.connect(model.type_to)
        self.send.clicked.connect(lambda _=False: start(model.send_trial(), "send a trial mail"))
        self.show_model()

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        parts.show_in(self.to, model.to)
        parts.allow_if(self.send, model.can_try, self._why_not())
        self.facts.show_facts([_trial_fact(model.trial, texts)] if model.trial is not None else ())

    def _why_not(self) -> str:
        model, texts = self._model, self._texts
        if model.has_changes:
            return texts("set.mail.save_first")
        return texts("set.mail.no_address" if model.has_mail else "set.mail.no_host")


def _trial_fact(trial: MailTrial, texts: Texts) -> parts.Fact:
    label = texts("set.mail.outcome")
    if not trial.fault:
        return parts.Fact(label, texts("set.mail.sent"), StateKind.DONE)
    words = connection_words(trial.tls, texts) or trouble_words(trial.fault, texts)
    if trial.may_be_sent:
        return parts.Fact(label, texts("set.mail.may_be_sent", why=words), StateKind.DECIDE)
    return parts.Fact(label, texts("set.mail.not_sent", why=words), StateKind.FAILED)


def trouble_words(trouble: str, texts: Texts) -> str:
    """Return what prevented a mail, as a part of a sentence."""
    text_ids = f"set.mail.fault.{trouble}", f"att.trouble.{trouble}.mail", f"att.trouble.{trouble}"
    return texts(next((text_id for text_id in text_ids if texts.has(text_id)), "att.trouble.other"))
