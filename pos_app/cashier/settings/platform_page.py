"""The page of the platform and the keys of its account. Source: till.md (Settings)."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.settings import parts
from pos_app.cashier.settings.parts import CopyButton
from pos_app.cashier.settings.platform_form import PlatformForm
from pos_app.cashier.settings.platform_model import PlatformModel
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage
from pos_app.cashier.settings.values_page import ValuesForm
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import clear_layout
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.domain.setup.platform_setup import PlatformKey


class PlatformPage(parts.SetupPage):
    def __init__(self, model: PlatformModel, ui: UiContext, start: parts.Start) -> None:
        form = PlatformForm(model, ui, start)
        self.keys = KeyPanel(model, ui, start, form)
        page, name = ValuePage.PLATFORM, ui.texts("set.page.platform")
        self.values = ValuesForm(model.values, ui, VALUE_PAGES[page], page=page)
        super().__init__(model, ui, start, form, name=name, below=(self.values, self.keys))
        self._model, self._texts, self._start = model, ui.texts, start
        self.show_model()

    def refresh(self) -> None:
        super().refresh()
        self.values.refresh()
        if self._model.keys is None and self._model.has_platform and self._may_ask_keys():
            self._start(self._model.load_keys(), "ask for the platform's keys")

    def _may_ask_keys(self) -> bool:
        """Tell whether to ask for the keys. They are asked for once a visit, and not again after a
        failure."""
        model = self._model
        setup = model.setup
        has_key = setup is not None and setup.has_secret and bool(setup.key)
        is_free = not model.is_outdated and not model.running
        return has_key and is_free and model.failure is None and model.asked is None

    def press_main(self) -> None:
        if self.keys.name.edit.hasFocus():
            self.keys.make()
        else:
            super().press_main()

    def show_model(self) -> None:
        super().show_model()
        self.values.show_model()
        self.keys.show_model()

    def order(self) -> str:
        is_wrong = self._model.url_is_refused or self._model.values.wrong
        return self._texts("set.order.mend") if is_wrong else super().order()

    def focus_missing(self) -> None:
        wrong = self._model.values.wrong
        if wrong and not self._model.url_is_refused:
            self.values.rows[wrong].focus()
        else:
            super().focus_missing()

    def fault_words(self) -> str:
        fault = self._model.fault
        return self._texts(f"set.plat.fault.{fault}") if fault else ""


def _check(ui: UiContext, name: str) -> tuple[CheckBox, Label]:
    words = Label(ui.theme, ui.texts(f"set.plat.{name}_words"), colour="ink_2", wrap=True)
    return CheckBox(ui.theme, ui.texts(f"set.plat.{name}")), words


class KeyPanel(parts.HeadedPanel):
    def __init__(
        self, model: PlatformModel, ui: UiContext, start: parts.Start, form: PlatformForm
    ) -> None:
        """form: asks the questions about a key."""
        super().__init__(ui.theme, ui.texts("set.plat.keys"))
        self._model, self._texts, self._start, self._form = model, ui.texts, start, form
        texts, theme = ui.texts, ui.theme
        self._words = Label(theme, texts("set.plat.keys_words"), colour="ink_2", wrap=True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.metrics.s1)
        self._shown_keys: tuple[tuple[PlatformKey, bool, bool], ...] = ()
        """The shown keys, each with whether it is this till's own and whether it may be rotated."""
        self.name = Field(theme, name=texts("set.plat.key_name"))
        self.scopes = {
            scope: CheckBox(theme, texts(f"set.plat.scope.{scope}")) for scope in KeyScope
        }
        self.each_order, self._each_words = _check(ui, "each_order")
        self.one_client, self._one_words = _check(ui, "one_client")
        self.add = Button(theme, texts("set.plat.add_key"), icon="plus")
        self.secret = Label(theme, mono=True, wrap=True)
        self.copy_secret = CopyButton(theme, texts, texts("set.plat.copy_secret"))
        self.put_away = Button(theme, texts("set.plat.put_away"), icon="check")
        self._new = QWidget()
        new = QVBoxLayout(self._new)
        new.setContentsMargins(0, 0, 0, 0)
        new.addWidget(Label(theme, texts("set.plat.secret_once"), wrap=True))
        new.addWidget(self.secret)
        row = QHBoxLayout()
        row.addWidget(self.copy_secret)
        row.addWidget(self.put_away)
        row.addStretch(1)
        new.addLayout(row)
        self.column.addWidget(self._words)
        self.column.addLayout(self._rows)
        self.column.addWidget(parts.Titled(theme, texts("set.plat.key_name"), self.name, self.add))
        checks = QHBoxLayout()
        for check in self.scopes.values():
            checks.addWidget(check)
        checks.addStretch(1)
        self.column.addLayout(checks)
        for label in (self.each_order, self._each_words, self.one_client, self._one_words):
            self.column.addWidget(label)
        self.column.addWidget(self._new)
        self.name.changed.connect(model.type_key_name)
        self.add.clicked.connect(self.make)
        self.put_away.clicked.connect(model.put_key_away)
        for scope, check in self.scopes.items():
            check.clicked.connect(lambda on, scope=scope: model.set_scope(scope, on))
        self.each_order.clicked.connect(model.set_each_order_is_a_sale)
        self.one_client.clicked.connect(model.set_one_client)

    def make(self) -> None:
        self._start(self._model.add_key(), "make a key")

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        self.setVisible(model.has_platform)
        parts.show_in(self.name, model.key_name)
        for scope, check in self.scopes.items():
            check.setChecked(scope in model.key_scopes)
        sells = KeyScope.FISCALIZATION in model.key_scopes
        self.each_order.setChecked(model.each_order_is_a_sale)
        self.each_order.setVisible(sells)
        self._each_words.setVisible(sells)
        connects = KeyScope.APPLICATION in model.key_scopes
        self.one_client.setChecked(model.one_client)
        self.one_client.setVisible(connects)
        self._one_words.setVisible(connects)
        can_make = bool(model.key_name.strip() and model.key_scopes) and not model.running
        parts.allow_if(self.add, can_make, texts("set.plat.name_first"))
        new, was_shown = model.new_key, not self._new.isHidden()
        self._new.setVisible(new is not None)
        if new is not None:
            self.secret.setText(f"{new.id}\n{new.secret}")
            self.copy_secret.set_value(new.secret, "")
            if not was_shown:
                bring_into_sight(self._new)
        else:
            self.secret.setText("")
            self.copy_secret.set_value("", texts("set.plat.put_away"))
        listed = tuple((key, model.is_own(key), model.may_rotate(key)) for key in model.keys or ())
        if listed != self._shown_keys:
            self._shown_keys = listed
            self._show_rows()

    def _show_rows(self) -> None:
        self._form.questions.take_away()
        clear_layout(self._rows)
        for key, is_own, may_rotate in self._shown_keys:
            self._rows.addWidget(self._row(key, is_own=is_own, may_rotate=may_rotate))
            self._rows.addLayout(self._form.questions.at(key.id))
        self._form.show_question()

    def _row(self, key: PlatformKey, *, is_own: bool, may_rotate: bool) -> QWidget:
        texts, theme = self._texts, self.theme
        ways = QBoxLayout.Direction
        whole, row, acts = QWidget(), QHBoxLayout(), QHBoxLayout()
        both = QBoxLayout(ways.TopToBottom if theme.metrics.tight else ways.LeftToRight, whole)
        both.setContentsMargins(0, 0, 0, 0)
        for layout in (row, acts, both):
            layout.setSpacing(theme.metrics.s3)
        both.addLayout(row, 1)
        both.addLayout(acts)
        used = key.last_used_at
        last = (
            texts("set.plat.never_used")
            if used is None
            else texts("set.plat.used", when=moment_text(used))
        )
        names = [
            texts(f"set.plat.scope.{KeyScope(one)}") for one in key.scopes if one in set(KeyScope)
        ]
        names += [texts("set.plat.each_order_mark")] if key.each_order_is_a_sale else []
        names += [texts("set.plat.one_client_mark")] if key.one_client else []
        name = QVBoxLayout()
        name.setSpacing(0)
        name.addWidget(Label(theme, key.name or key.id, wrap=True))
        if is_own:
            mark = Label(
                theme,
                texts("set.plat.own_key"),
                step=TypeStep.SMALL,
                weight=Weight.BOLD,
                colour="accent",
                wrap=True,
            )
            name.addWidget(mark)
        row.addLayout(name, 2)
        row.addWidget(Label(theme, ", ".join(names), colour="ink_2", wrap=True), 3)
        row.addWidget(Label(theme, last, colour="ink_2", wrap=True), 2)
        words = texts("set.plat.rotate")
        rotate = Button(theme, words, icon="refresh-cw", name=f"{words}: {key.name}")
        rotate.clicked.connect(lambda: self._model.ask_rotate(key))
        parts.allow_if(rotate, may_rotate, texts("set.plat.rotate_first"))
        acts.addWidget(rotate)
        words = texts("set.plat.revoke")
        revoke = Button(
            theme, words, icon="trash-2", kind=ButtonKind.DANGER, name=f"{words}: {key.name}"
        )
        revoke.clicked.connect(lambda: self._model.ask_revoke(key))
        parts.allow_if(revoke, not is_own, texts("set.plat.own_key_stays"))
        acts.addWidget(revoke)
        return whole
