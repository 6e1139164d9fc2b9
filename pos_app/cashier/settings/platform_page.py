"""The page of the platform and the keys of its account. Source: till.md (Settings)."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.settings.parts import (
    ActBar,
    Fact,
    FactRows,
    HeadedPanel,
    SettingsPage,
    Sides,
    Start,
    Titled,
    show_in,
)
from pos_app.cashier.settings.platform import Environment, PlatformField, PlatformModel
from pos_app.cashier.status import StatusFacts, synchronisation
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.choices import CheckBox, DropDown, Option, Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.keyboard_layout import Typed
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.instant import in_belgrade
from pos_app.domain.key_scope import KeyScope
from pos_app.domain.platform_setup import PlatformKey
from pos_app.domain.server_status import PublicModeState

_F = PlatformField
_ENVIRONMENTS = tuple(Environment)
EXAMPLES = {_F.URL: "https://platform.example/v2", _F.KEY: "pk_…"}
"""What stands in empty fields, in any language."""


class PlatformPage(SettingsPage):
    def __init__(self, model: PlatformModel, ui: UiContext, start: Start) -> None:
        super().__init__()
        self._model, self._texts, self._theme, self._start = model, ui.texts, ui.theme, start
        texts, theme = ui.texts, ui.theme
        parts = [texts(f"set.plat.env.{one}") for one in _ENVIRONMENTS]
        self.environment = Segment(theme, parts, name=texts("set.plat.environment"))
        self.fields = {entry: self._field(entry) for entry in PlatformField}
        self.open_key = Button(theme, icon="external-link", name=texts("set.plat.open"))
        self.try_key = Button(theme, texts("set.pfr.try"), icon="refresh-cw")
        self.store = DropDown(
            theme, name=texts("set.plat.store"), placeholder=texts("set.plat.first_store")
        )
        self.store_name = Field(theme, name=texts("set.plat.new_store"))
        self.add_store = Button(theme, texts("set.plat.add_store"), icon="plus")
        self.public_mode = CheckBox(theme, texts("set.plat.public"))
        self.sync_key = Button(theme, texts("set.plat.sync"), icon="refresh-cw")
        self.copy_client = CopyKey(theme, texts, texts("set.plat.copy_client"))
        self.copy_store = CopyKey(theme, texts, texts("set.plat.copy_store"))
        self.facts = FactRows(theme)
        self.acts = ActBar(theme, save=texts("set.save"), drop=texts("set.drop"))
        self.keys = KeyPanel(model, ui, start)
        self._no_platform = Label(theme, texts("set.plat.file"), colour="ink_2", wrap=True)
        self._question: NoticePanel | None = None
        self._asked_at = QVBoxLayout()
        self._lay_out()
        self._connect()
        self.show_model()

    def _field(self, entry: PlatformField) -> Field:
        made = Field(
            self._theme, name=self._texts(f"set.plat.{entry}"), takes=Typed.ADDRESS,
            mono=entry is not _F.SECRET,
            placeholder=EXAMPLES.get(entry, ""),
        )  # fmt: skip
        made.setObjectName(f"platform {entry}")
        made.changed.connect(partial(self._type, entry))
        if entry is _F.SECRET:
            made.edit.setEchoMode(QLineEdit.EchoMode.Password)
        return made

    # --- for the frame ---------------------------------------------------------------------------

    def refresh(self) -> None:
        model = self._model
        if model.is_outdated and not model.running:
            self._start(model.load(), "ask how the platform is set up")
        elif model.keys is None and model.has_platform and self._may_ask_keys():
            self._start(model.load_keys(), "ask for the platform's keys")
        self.facts.show_facts(self._facts())

    def _may_ask_keys(self) -> bool:
        """Once a visit; a failure is not asked again by itself."""
        model = self._model
        setup = model.setup
        has_key = setup is not None and setup.has_secret and bool(setup.key)
        return has_key and not model.running and model.failure is None and model.asked is None

    def focus_first(self) -> None:
        self.environment.setFocus(Qt.FocusReason.OtherFocusReason)

    def press_main(self) -> None:
        model = self._model
        if self.keys.name.edit.hasFocus():
            self.keys.make()
        elif not model.running and model.has_changes:
            self._save()

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._theme
        metrics = theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s4, metrics.s4, metrics.s4, metrics.s3)
        whole.setSpacing(metrics.s3)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(metrics.s1, metrics.s1, metrics.s1, metrics.s1)
        column.setSpacing(metrics.s3)
        column.addLayout(self._asked_at)
        typed = HeadedPanel(theme, texts("set.plat.title"))
        typed.head.addWidget(self.try_key)
        typed.column.addWidget(self._no_platform)
        typed.column.addWidget(self.environment, 0, Qt.AlignmentFlag.AlignLeft)
        for entry in PlatformField:
            more = (self.open_key,) if entry is _F.APPLICATION_URL else ()
            typed.column.addWidget(
                Titled(theme, texts(f"set.plat.{entry}"), self.fields[entry], *more)
            )
        typed.column.addStretch(1)
        column.addWidget(Sides(theme, typed, self._told()))
        column.addWidget(self.keys)
        column.addStretch(1)
        area = Scrolled(theme, name=texts("set.page.platform"))
        area.show_inside(inside)
        whole.addWidget(area, 1)
        whole.addWidget(self.acts)

    def _told(self) -> HeadedPanel:
        texts, theme = self._texts, self._theme
        told = HeadedPanel(theme, texts("set.plat.here"))
        told.column.addWidget(Titled(theme, texts("set.plat.store"), self.store))
        told.column.addWidget(
            Titled(theme, texts("set.plat.new_store"), self.store_name, self.add_store)
        )
        told.column.addWidget(self.public_mode)
        words = Label(theme, texts("set.plat.public_words"), colour="ink_2", wrap=True)
        told.column.addWidget(words)
        told.column.addWidget(self.facts)
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        for key in (self.copy_client, self.copy_store):
            row.addWidget(key, 1)
        told.column.addLayout(row)
        told.column.addWidget(self.sync_key, 0, Qt.AlignmentFlag.AlignLeft)
        told.column.addStretch(1)
        return told

    def _connect(self) -> None:
        model = self._model
        self.environment.chosen.connect(
            lambda number: model.choose_environment(_ENVIRONMENTS[number])
        )
        self.open_key.clicked.connect(self._open_application)
        self.try_key.clicked.connect(lambda: self._start(model.try_out(), "try the platform"))
        self.store.chosen.connect(model.choose_store)
        self.store_name.changed.connect(model.type_store_name)
        self.add_store.clicked.connect(model.ask_add_store)
        self.public_mode.clicked.connect(model.set_public_mode)
        self.sync_key.clicked.connect(self._synchronise)
        self.acts.save.clicked.connect(self._save)
        self.acts.drop.clicked.connect(model.drop)

    def _type(self, entry: PlatformField, text: str) -> None:
        if text != self._model.typed[entry]:
            self._model.type(entry, text)

    def _save(self) -> None:
        self._start(self._model.save(), "save the platform")

    def _synchronise(self) -> None:
        self._model.synchronise()
        self.sync_key.refuse(self._texts("set.plat.sync_asked"))

    def _open_application(self) -> None:
        url = QUrl(self._model.typed[_F.APPLICATION_URL].strip())
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        known, running = model.setup is not None, bool(model.running)
        self.environment.set_current(_ENVIRONMENTS.index(model.environment))
        for entry, field in self.fields.items():
            show_in(field, model.typed[entry])
        wrong = model.url_is_wrong or model.fault == "url"
        self.fields[_F.URL].set_error(texts("set.plat.fault.url") if wrong else "")
        kept = model.setup is not None and model.setup.has_secret
        self.fields[_F.SECRET].set_placeholder(texts("set.kept") if kept else "")
        application = model.typed[_F.APPLICATION_URL].strip()
        _allow(self.open_key, application.startswith(("http://", "https://")),
               texts("set.plat.no_address"))  # fmt: skip
        has_url = bool(model.typed[_F.URL].strip()) and not model.url_is_wrong
        _allow(self.try_key, known and not running and has_url, texts("set.plat.no_address"))
        self._no_platform.setVisible(known and not model.typed[_F.URL].strip())
        self._show_here()
        changed = known and model.has_changes
        self.acts.drop.setVisible(changed)
        can_save = changed and not running and not model.url_is_wrong
        _allow(self.acts.save, can_save, texts("set.nothing_to_save"))
        self.acts.tell(*self._standing())
        self._show_question()
        self.keys.show_model()

    def _show_here(self) -> None:
        model, texts, setup = self._model, self._texts, self._model.setup
        options = [Option(one.id, one.name) for one in model.stores]
        if model.store_id and model.store_id not in {one.key for one in options}:
            options.append(Option(model.store_id, model.store_id))
        self.store.set_options([Option("", texts("set.plat.first_store")), *options])
        self.store.set_current(model.store_id)
        show_in(self.store_name, model.store_name)
        can_add = model.has_platform and bool(model.store_name.strip()) and not model.running
        _allow(self.add_store, can_add, texts("set.plat.name_first"))
        self.public_mode.setChecked(model.public_mode)
        client = setup.client_id if setup is not None else ""
        self.copy_client.set_value(client, texts("set.plat.unknown"))
        self.copy_store.set_value(model.store_id, texts("set.plat.no_store"))
        sync = model.services.sync
        _allow(self.sync_key, sync is not None and model.has_platform and sync.progress is None,
               texts("set.plat.no_sync"))  # fmt: skip
        self.facts.show_facts(self._facts())

    def _facts(self) -> list[Fact]:
        """The test, the ids, public mode and the synchronisation."""
        model, texts = self._model, self._texts
        made: list[Fact] = []
        if (trial := model.trial) is not None:
            if trial.fault:
                words = texts(f"set.plat.fault.{trial.fault}")
                made.append(Fact(texts("set.pfr.tried"), words, StateKind.FAILED))
            else:
                words = texts.count("set.plat.answered", len(trial.stores), ms=trial.elapsed_ms)
                made.append(Fact(texts("set.pfr.tried"), words, StateKind.DONE))
        setup = model.setup
        if setup is not None and setup.client_id:
            made.append(Fact("clientId", _breakable(setup.client_id), is_mono=True))
        if model.store_id:
            made.append(Fact("storeId", _breakable(model.store_id), is_mono=True))
        made.append(self._public_fact())
        item = synchronisation(StatusFacts.of(model.services, waiting=0, to_decide=0), texts)
        words = (
            f"{item.state}"
            if item.subject == texts("status.sync")
            else (f"{item.subject.lower()} {item.state}")
        )
        made.append(Fact(texts("status.sync"), words, item.kind))
        if setup is not None and setup.given_elsewhere:
            made.append(Fact(texts("set.fact.given"), ", ".join(setup.given_elsewhere)))
        return made

    def _public_fact(self) -> Fact:
        """How the connection for other programs stands, and why it is refused."""
        texts, status = self._texts, self._model.services.server.status
        told = status.public_mode if status is not None else None
        if told is None:
            return Fact(texts("set.plat.public_state"), texts("set.plat.public.off"))
        words = texts(f"set.plat.public.{told.state}")
        if told.code and texts.has(f"set.plat.refusal.{told.code}"):
            words = f"{words}: {texts(f'set.plat.refusal.{told.code}')}"
        elif told.words and told.state is PublicModeState.REFUSED:
            words = f"{words}: {told.words}"
        kinds = {
            PublicModeState.CONNECTED: StateKind.DONE, PublicModeState.CONNECTING: StateKind.WAIT,
            PublicModeState.AWAY: StateKind.WAIT, PublicModeState.REFUSED: StateKind.FAILED,
        }  # fmt: skip
        state = kinds.get(PublicModeState(told.state), StateKind.DECIDE)
        return Fact(texts("set.plat.public_state"), words, state)

    def _standing(self) -> tuple[StateKind | None, str]:
        model, texts = self._model, self._texts
        if model.running:
            return StateKind.WAIT, texts(f"set.running.{model.running}")
        if model.failure is not None:
            return StateKind.FAILED, texts.error(model.failure).happened
        if model.fault:
            return StateKind.FAILED, texts(f"set.plat.fault.{model.fault}")
        if model.saved_at is not None:
            time = in_belgrade(model.saved_at).strftime("%H:%M")
            return StateKind.DONE, texts("set.saved", time=time)
        if model.desk is None:
            return StateKind.MARK, texts("set.pfr.no_server")
        if model.setup is not None and model.has_changes:
            return StateKind.DECIDE, texts("set.unsaved")
        return None, ""

    def _show_question(self) -> None:
        """What is asked before something is done that can't be taken back."""
        model, texts, asked = self._model, self._texts, self._model.asked
        if self._question is not None:
            self._question.hide()
            self._question.deleteLater()
            self._question = None
        if asked is None:
            return
        yes = Button(self._theme, texts(f"set.plat.ask.{asked.what}.yes"), kind=ButtonKind.DANGER)
        no = Button(self._theme, texts("set.plat.ask.no"))
        yes.clicked.connect(lambda: self._start(model.agree(), asked.what))
        no.clicked.connect(model.put_question_away)
        self._question = NoticePanel(
            self._theme, NoticeKind.WARN,
            happened=texts(f"set.plat.ask.{asked.what}", name=asked.name),
            safe=texts(f"set.plat.ask.{asked.what}.means"), press="", buttons=(yes, no),
        )  # fmt: skip
        self._asked_at.addWidget(self._question)
        no.setFocus(Qt.FocusReason.OtherFocusReason)


class CopyKey(Button):
    """Copies a value; it says once it was pressed that it is copied."""

    def __init__(self, theme: Theme, texts: Texts, words: str) -> None:
        super().__init__(theme, words, icon="copy")
        self._texts, self._usual, self._value = texts, words, ""
        self.clicked.connect(self._copy)

    def set_value(self, value: str, reason: str) -> None:
        """reason: why there is nothing to copy."""
        if value != self._value:
            self._value = value
            self.set_words(self._usual)
        _allow(self, bool(value), reason)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._value)
        self.set_words(self._texts("set.plat.copied"))


class KeyPanel(HeadedPanel):
    """The keys of the account: listed, made, revoked."""

    def __init__(self, model: PlatformModel, ui: UiContext, start: Start) -> None:
        super().__init__(ui.theme, ui.texts("set.plat.keys"))
        self._model, self._texts, self._start = model, ui.texts, start
        texts, theme = ui.texts, ui.theme
        self._words = Label(theme, texts("set.plat.keys_words"), colour="ink_2", wrap=True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.metrics.s1)
        self._shown: tuple[PlatformKey, ...] | None = None
        self.name = Field(theme, name=texts("set.plat.key_name"))
        self.scopes = {
            scope: CheckBox(theme, texts(f"set.plat.scope.{scope}")) for scope in KeyScope
        }
        self.add = Button(theme, texts("set.plat.add_key"), icon="plus")
        self.secret = Label(theme, mono=True, wrap=True)
        self.copy_secret = CopyKey(theme, texts, texts("set.plat.copy_secret"))
        self.put_away = Button(theme, texts("set.plat.put_away"), icon="check")
        self._new = QWidget()
        new = QVBoxLayout(self._new)
        new.setContentsMargins(0, 0, 0, 0)
        new.addWidget(Label(theme, texts("set.plat.secret_once"), wrap=True))
        new.addWidget(self.secret)
        row = QHBoxLayout()
        for key in (self.copy_secret, self.put_away):
            row.addWidget(key)
        row.addStretch(1)
        new.addLayout(row)
        self.column.addWidget(self._words)
        self.column.addWidget(self._new)
        self.column.addLayout(self._rows)
        self.column.addWidget(Titled(theme, texts("set.plat.key_name"), self.name, self.add))
        checks = QHBoxLayout()
        for check in self.scopes.values():
            checks.addWidget(check)
        checks.addStretch(1)
        self.column.addLayout(checks)
        self.name.changed.connect(model.type_key_name)
        self.add.clicked.connect(self.make)
        self.put_away.clicked.connect(model.put_key_away)
        for scope, check in self.scopes.items():
            check.clicked.connect(partial(model.set_scope, scope))

    def make(self) -> None:
        self._start(self._model.add_key(), "make a key")

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        self.setVisible(model.has_platform)
        show_in(self.name, model.key_name)
        for scope, check in self.scopes.items():
            check.setChecked(scope in model.key_scopes)
        can_make = bool(model.key_name.strip() and model.key_scopes) and not model.running
        _allow(self.add, can_make, texts("set.plat.name_first"))
        self._new.setVisible(model.new_key is not None)
        if (new := model.new_key) is not None:
            self.secret.setText(f"{new.id}\n{new.secret}")
            self.copy_secret.set_value(new.secret, "")
        else:
            self.secret.setText("")
            self.copy_secret.set_value("", texts("set.plat.put_away"))
        if model.keys != self._shown:
            self._shown = model.keys
            self._show_rows()

    def _show_rows(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for key in self._shown or ():
            self._rows.addWidget(self._row(key))

    def _row(self, key: PlatformKey) -> QWidget:
        texts, theme = self._texts, self.theme
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        used = key.last_used_at
        last = texts("set.plat.never_used") if used is None else texts(
            "set.plat.used", when=in_belgrade(used).strftime("%d.%m.%Y. %H:%M")
        )  # fmt: skip
        names = [texts(f"set.plat.scope.{KeyScope(one)}") for one in key.scopes
                 if one in set(KeyScope)]  # fmt: skip
        row.addWidget(Label(theme, key.name or key.id, wrap=True), 2)
        row.addWidget(Label(theme, ", ".join(names), colour="ink_2", wrap=True), 3)
        row.addWidget(Label(theme, last, colour="ink_2", wrap=True), 2)
        words = texts("set.plat.revoke")
        revoke = Button(
            theme, words, icon="trash-2", kind=ButtonKind.DANGER, name=f"{words}: {key.name}"
        )
        revoke.clicked.connect(lambda: self._model.ask_revoke(key))
        row.addWidget(revoke)
        return whole


def _breakable(id_: str) -> str:
    """An id goes on in the next line where one is too short for it."""
    return id_.replace("-", "-\u200b")


def _allow(button: Button, allowed: bool, reason: str) -> None:
    if allowed:
        button.allow()
    else:
        button.refuse(reason)
