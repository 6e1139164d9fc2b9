"""The form of the platform: its address, its store, public mode. Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.settings import platform_model
from pos_app.cashier.settings.parts import (
    CopyButton,
    Fact,
    FactRows,
    HeadedPanel,
    QuestionSlots,
    SetupForm,
    Sides,
    Start,
    Titled,
    allow_if,
    given_facts,
    keep_room,
    show_in,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import choices
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.status import (
    StatusFacts,
    as_sentence,
    connection_words,
    refusal_words,
    synchronisation,
)
from pos_app.cashier.words.joining_words import changes_lines
from pos_app.domain.receipt.server_status import PublicModeState
from pos_app.domain.setup.safe_connection import UNSAFE
from pos_app.selling.synchronisation.joining import JoiningAnswer, JoiningQuestion

_F = platform_model.PlatformField
_ENVIRONMENTS = tuple(platform_model.Environment)
EXAMPLES = {_F.URL: "https://platform.example/v2", _F.KEY: "pk_…"}
"""Placeholders, the same in every language."""


class PlatformForm(SetupForm):
    def __init__(
        self,
        model: platform_model.PlatformModel,
        ui: UiContext,
        start: Start,
        *,
        is_first: bool = False,
    ) -> None:
        """is_first: only the fields that a new shop needs are shown; a button unfolds the rest."""
        super().__init__()
        self._model, self._texts, self._theme, self._start = model, ui.texts, ui.theme, start
        self._is_first = is_first
        texts, theme = ui.texts, ui.theme
        parts = [texts(f"set.plat.env.{one}") for one in _ENVIRONMENTS]
        self.environment = choices.Segment(theme, parts, name=texts("set.plat.environment"))
        self.fields = {entry: self._field(entry) for entry in platform_model.PlatformField}
        self.clear_text = choices.CheckBox(theme, texts("set.plat.clear_text"))
        words = texts("set.plat.clear_text_words")
        self._clear_text_words = Label(theme, words, colour="ink_2", wrap=True)
        opens, name = texts("file.open"), texts("set.plat.open")
        self.open_button = Button(theme, opens, icon="external-link", name=name)
        self.try_button = Button(theme, texts("set.pfr.try"), icon="refresh-cw")
        self.store = choices.DropDown(
            theme, name=texts("set.plat.store"), placeholder=texts("set.plat.first_store")
        )
        self.store_name = Field(theme, name=texts("set.plat.new_store"))
        self.add_store = Button(theme, texts("set.plat.add_store"), icon="plus")
        self.public_mode = choices.CheckBox(theme, texts("set.plat.public"))
        self.sync_button = Button(theme, texts("set.plat.sync"), icon="refresh-cw")
        self.join_button = Button(theme, texts("set.join.anew"), icon="upload")
        self.copy_client = CopyButton(theme, texts, texts("set.plat.copy_client"))
        self.new_client = Button(theme, texts("set.plat.new_client"), icon="key-round")
        self.copy_store = CopyButton(theme, texts, texts("set.plat.copy_store"))
        self.facts = FactRows(theme)
        self.tried = FactRows(theme)
        self.more = Button(theme, kind=ButtonKind.QUIET, icon_last=True, flush=True)
        self._shows_rest = not is_first
        self._facts_panel = HeadedPanel(theme, texts("set.plat.here"))
        self._store_block = Titled(theme, texts("set.plat.store"), self.store)
        self._blocks: dict[platform_model.PlatformField, QWidget] = {}
        self._no_platform = Label(theme, texts("set.plat.file"), colour="ink_2", wrap=True)
        if not is_first:
            keep_room(self._no_platform)
        self.questions = QuestionSlots(self._question_panel)
        self._joining: NoticePanel | None = None
        self._joining_shown: JoiningQuestion | None = None
        self._asked_at = QVBoxLayout()
        self._lay_out()
        self._connect()
        self.show_model()

    def _field(self, entry: platform_model.PlatformField) -> Field:
        made = Field(
            self._theme,
            name=self._texts(f"set.plat.{entry}"),
            takes=InputKind.ADDRESS,
            mono=entry is not _F.SECRET,
            placeholder=EXAMPLES.get(entry, ""),
        )
        made.setObjectName(f"platform {entry}")
        if entry is _F.URL:
            made.keep_room_for_error()
        made.changed.connect(partial(self._type, entry))
        if entry is _F.SECRET:
            made.edit.setEchoMode(QLineEdit.EchoMode.Password)
        return made

    def refresh(self) -> None:
        model = self._model
        if model.is_outdated and not model.running:
            self._start(model.load(), "ask how the platform is set up")
        self._show_facts()
        self._show_joining()

    def focus_first(self) -> None:
        self.environment.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_missing(self) -> None:
        if self.fields[_F.URL].fault():
            self.fields[_F.URL].point_out()
        elif self._model.fault == "store":
            self.store.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first()

    # --- parts -----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        column.addLayout(self._asked_at)
        typed = HeadedPanel(theme, texts("set.plat.title"))
        typed.head.addWidget(self.try_button)
        typed.column.addWidget(self._no_platform)
        typed.column.addWidget(self.environment, 0, Qt.AlignmentFlag.AlignLeft)
        for entry in platform_model.PlatformField:
            beside = (self.open_button,) if entry is _F.APPLICATION_URL else ()
            words = texts(f"set.plat.{entry}")
            self._blocks[entry] = Titled(theme, words, self.fields[entry], *beside)
            typed.column.addWidget(self._blocks[entry])
        # below the fields, because it comes and goes with the typed address
        typed.column.addWidget(self.clear_text)
        typed.column.addWidget(self._clear_text_words)
        # the button tries the values typed before it
        self.setTabOrder(self.fields[_F.SECRET].edit, self.try_button)
        self._lay_out_facts()
        typed.column.addWidget(self.tried)
        if self._is_first:
            typed.column.addWidget(self._store_block)
        typed.column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.more.setVisible(self._is_first)
        typed.column.addStretch(1)
        column.addWidget(Sides(theme, typed, self._facts_panel))

    def _lay_out_facts(self) -> None:
        texts, theme, headed_panel = self._texts, self._theme, self._facts_panel
        if not self._is_first:
            headed_panel.column.addWidget(self._store_block)
        headed_panel.column.addWidget(
            Titled(theme, texts("set.plat.new_store"), self.store_name, self.add_store)
        )
        headed_panel.column.addLayout(self.questions.at("add_store"))
        headed_panel.column.addWidget(self.public_mode)
        words = Label(theme, texts("set.plat.public_words"), colour="ink_2", wrap=True)
        headed_panel.column.addWidget(words)
        headed_panel.column.addWidget(self.facts)
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        for button in (self.copy_client, self.copy_store):
            row.addWidget(button, 1)
        headed_panel.column.addLayout(row)
        headed_panel.column.addWidget(self.new_client, 0, Qt.AlignmentFlag.AlignLeft)
        headed_panel.column.addLayout(self.questions.at("new_client"))
        headed_panel.column.addWidget(self.sync_button, 0, Qt.AlignmentFlag.AlignLeft)
        headed_panel.column.addWidget(self.join_button, 0, Qt.AlignmentFlag.AlignLeft)
        headed_panel.column.addStretch(1)

    def _connect(self) -> None:
        model = self._model
        self.environment.chosen.connect(
            lambda number: model.choose_environment(_ENVIRONMENTS[number])
        )
        self.clear_text.clicked.connect(model.allow_clear_text)
        self.open_button.clicked.connect(self._open_application)
        self.try_button.clicked.connect(self.fields[_F.URL].end_typing)
        self.try_button.clicked.connect(lambda: self._start(model.try_out(), "try the platform"))
        self.store.chosen.connect(model.choose_store)
        self.store_name.changed.connect(model.type_store_name)
        self.add_store.clicked.connect(model.ask_add_store)
        self.public_mode.clicked.connect(model.set_public_mode)
        self.sync_button.clicked.connect(self._synchronise)
        self.new_client.clicked.connect(model.ask_new_client)
        self.join_button.clicked.connect(model.ask_joining_anew)
        self.more.clicked.connect(self._show_more_or_less)

    def _type(self, entry: platform_model.PlatformField, text: str) -> None:
        if text != self._model.typed_texts[entry]:
            self.fields[entry].set_error("")
            self._model.type(entry, text)

    def _show_more_or_less(self) -> None:
        self._shows_rest = not self._shows_rest
        self.show_model()

    def _synchronise(self) -> None:
        self._model.synchronise()
        self.sync_button.refuse(self._texts("set.plat.sync_asked"))

    def _open_application(self) -> None:
        url = QUrl(self._model.typed_texts[_F.APPLICATION_URL].strip())
        is_opened = url.scheme() in ("http", "https") and QDesktopServices.openUrl(url)
        words = "" if is_opened else self._texts("set.plat.not_opened")
        self.fields[_F.APPLICATION_URL].set_error(words)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        known = model.setup is not None
        self.environment.set_current(_ENVIRONMENTS.index(model.environment))
        for entry, field in self.fields.items():
            show_in(field, model.typed_texts[entry])
        self.fields[_F.URL].judge(self._wrong_url())
        for one in (self.clear_text, self._clear_text_words):
            one.setVisible(model.asks_for_clear_text)
        self.clear_text.setChecked(model.asks_for_clear_text and not model.clear_text)
        kept = model.setup is not None and model.setup.has_secret
        self.fields[_F.SECRET].set_placeholder(texts("set.kept") if kept else "")
        application = model.typed_texts[_F.APPLICATION_URL].strip()
        allow_if(
            self.open_button,
            application.startswith(("http://", "https://")),
            texts("set.plat.no_address"),
        )
        may_ask = not (model.url_is_wrong or model.clear_text)
        has_url = bool(model.typed_texts[_F.URL].strip()) and may_ask
        why_not = self._wrong_url() or texts("set.plat.no_address")
        allow_if(self.try_button, known and has_url, why_not)
        has_none = known and not model.typed_texts[_F.URL].strip()
        self._no_platform.setVisible(has_none and not self._is_first)
        self._show_rest()
        self._show_here()
        self.show_question()
        self._show_joining()

    def _wrong_url(self) -> str:
        model, texts = self._model, self._texts
        if model.url_is_wrong or model.fault == "url":
            return texts("set.plat.fault.url")
        fault = model.fault if model.clear_text is None else model.clear_text.code
        text_id = f"set.plat.fault.{fault}"
        return texts(text_id) if fault in UNSAFE and texts.has(text_id) else ""

    def _show_rest(self) -> None:
        """Show or hide the fields that a first start folds; the choice among several stores is
        always shown."""
        shown = self._shows_rest
        self.more.set_words(self._texts("set.plat.rest"))
        self.more.set_icon("chevron-up" if shown else "chevron-down")
        self._blocks[_F.APPLICATION_URL].setVisible(shown)
        self._facts_panel.setVisible(shown)
        self._store_block.setVisible(shown or len(self._model.stores) > 1)

    def _show_here(self) -> None:
        model, texts, setup = self._model, self._texts, self._model.setup
        options = [choices.Option(one.id, one.name) for one in model.stores]
        if model.store_id and model.store_id not in {one.id for one in options}:
            options.append(choices.Option(model.store_id, self._name_of_store()))
        is_asked = model.fault == "store"
        nothing = texts("set.plat.choose_store" if is_asked else "set.plat.first_store")
        self.store.set_options([choices.Option("", nothing), *options])
        self.store.set_current(model.store_id)
        show_in(self.store_name, model.store_name)
        can_add = model.has_platform and bool(model.store_name.strip()) and not model.running
        allow_if(self.add_store, can_add, texts("set.plat.name_first"))
        self.public_mode.setChecked(model.public_mode)
        client = setup.client_id if setup is not None else ""
        self.copy_client.set_value(client, texts("set.plat.unknown"))
        self.copy_store.set_value(model.store_in_use, texts("set.plat.no_store"))
        sync = model.services.sync
        allow_if(
            self.sync_button,
            sync is not None and model.has_platform and sync.progress is None,
            texts("set.plat.no_sync"),
        )
        self._show_facts()

    def _name_of_store(self) -> str:
        """Name a store that the platform has not told yet, by what the catalogue has of it."""
        store = self._model.services.catalogue.store(self._model.store_id)
        return (store.name if store is not None else "") or self._texts("set.plat.store_chosen")

    def _show_facts(self) -> None:
        tried = self._trial_facts() if self._is_first else []
        self.tried.show_facts(tried)
        self.tried.setVisible(bool(tried))
        self.facts.show_facts(self._facts())
        self.new_client.setVisible(self._model.client_trouble is not None)

    def _trial_facts(self) -> list[Fact]:
        trial, texts = self._model.trial, self._texts
        if trial is None:
            return []
        if trial.fault:
            text_id = f"set.plat.fault.{trial.fault}"
            words = (
                texts(text_id)
                if texts.has(text_id)
                else as_sentence(connection_words(trial.fault, texts))
            )
            return [Fact(texts("set.pfr.tried"), words, StateKind.FAILED)]
        words = texts.count(
            "set.plat.answered", len(trial.stores), ms=texts.number(trial.elapsed_ms or 0)
        )
        return [Fact(texts("set.pfr.tried"), words, StateKind.DONE)]

    def _facts(self) -> list[Fact]:
        model, texts = self._model, self._texts
        made = [] if self._is_first else self._trial_facts()
        setup = model.setup
        if setup is not None and setup.client_id:
            name = texts("set.plat.client_id")
            made.append(Fact(name, breakable(setup.client_id, after="-"), is_mono=True))
        if store := model.store_in_use:
            made.append(Fact(texts("set.plat.store_id"), breakable(store, after="-"), is_mono=True))
        if model.joining.answer is JoiningAnswer.READ:
            reads, held = texts("set.join.reads"), model.services.catalogue.facts().to_send
            if held:
                reads = f"{reads}; {texts.count('set.join.held', held)}"
            made.append(Fact(texts("set.join.fact"), reads, StateKind.MARK))
        made.append(self._public_fact())
        facts = StatusFacts.of(model.services, waiting=0, to_decide=0)
        item = synchronisation(facts, texts)
        words = (
            f"{item.state}"
            if item.subject == texts("status.sync")
            else (f"{item.subject.lower()} {item.state}")
        )
        status = facts.catalogue_status
        if status.away_since is not None and (why := connection_words(status.fault, texts)):
            words = f"{words}: {why}"
        made.append(Fact(texts("status.sync"), words, item.kind))
        if setup is not None:
            made.extend(given_facts(texts, setup.given_elsewhere))
        return made

    def _public_fact(self) -> Fact:
        texts, status = self._texts, self._model.services.server.status
        public_mode = status.public_mode if status is not None else None
        if public_mode is None:
            return Fact(texts("set.plat.public_state"), texts("set.plat.public.off"))
        words = texts(f"set.plat.public.{public_mode.state}")
        why = refusal_words(public_mode, texts)
        if not why and public_mode.state is PublicModeState.REFUSED:
            why = public_mode.words
        if why:
            words = f"{words}: {why}"
        if why and self._model.client_trouble is not None:
            button_words = texts("set.plat.new_client")
            words = f"{words}. {texts('set.plat.new_client_helps', key=button_words)}"
        kinds = {
            PublicModeState.CONNECTED: StateKind.DONE,
            PublicModeState.CONNECTING: StateKind.WAIT,
            PublicModeState.AWAY: StateKind.WAIT,
            PublicModeState.REFUSED: StateKind.FAILED,
        }
        state = kinds.get(PublicModeState(public_mode.state), StateKind.DECIDE)
        return Fact(texts("set.plat.public_state"), words, state)

    def _show_joining(self) -> None:
        """Ask about joining first: show whose account the key opens and what would be sent
        there."""
        model, joining = self._model, self._model.joining
        self.join_button.setVisible(joining.answer is JoiningAnswer.READ)
        is_open = joining.answer is None and model.has_platform and not model.decides_later
        asked = joining.question if is_open else None
        if asked == self._joining_shown:
            return
        self._joining_shown = asked
        if self._joining is not None:
            self._joining.hide()
            self._joining.deleteLater()
            self._joining = None
        if asked is not None:
            self._joining = self._joining_panel(asked)
            self._asked_at.addWidget(self._joining)
            self.show_question()
            bring_into_sight(self._joining)

    def _joining_panel(self, asked: JoiningQuestion) -> NoticePanel:
        model, texts = self._model, self._texts
        send = Button(self._theme, texts("set.join.send"), icon="upload")
        read = Button(self._theme, texts("set.join.read"), icon="download")
        later = Button(self._theme, texts("set.join.later"))
        send.clicked.connect(lambda: model.answer_joining(JoiningAnswer.SEND, asked))
        read.clicked.connect(lambda: model.answer_joining(JoiningAnswer.READ, asked))
        later.clicked.connect(model.decide_later)
        return NoticePanel(
            self._theme,
            NoticeKind.WARN,
            happened=texts("set.join.asks"),
            safe="\n".join(_joining_lines(asked, texts)),
            press="",
            safe_answer=later,
            buttons=(send, read),
        )

    def show_question(self) -> None:
        """Ask before an act that can't be taken back. Meanwhile Esc does not answer the question
        about joining."""
        asked = self._model.asked
        later = None if self._joining is None else self._joining.safe_answer
        if isinstance(later, Button):
            later.set_key(ESCAPE if asked is None else "")
        self.questions.show(asked, (asked.at or asked.what) if asked is not None else "")

    def _question_panel(self, asked: platform_model.PlatformQuestion) -> tuple[NoticePanel, Button]:
        model, texts = self._model, self._texts
        yes = Button(self._theme, texts(f"set.plat.ask.{asked.what}.yes"), kind=ButtonKind.DANGER)
        no = Button(self._theme, texts("set.plat.ask.no"), key=ESCAPE)
        yes.clicked.connect(lambda: self._start(model.agree(), asked.what))
        no.clicked.connect(model.put_question_away)
        name = asked.name or texts("set.plat.the_lost")
        panel = NoticePanel(
            self._theme,
            NoticeKind.WARN,
            happened=texts(f"set.plat.ask.{asked.what}", name=name),
            safe=texts(f"set.plat.ask.{asked.means or asked.what}.means"),
            press="",
            safe_answer=no,
            buttons=(yes,),
        )
        return panel, no


def _joining_lines(asked: JoiningQuestion, texts: Texts) -> Iterator[str]:
    """Say whose account the key opens, how many articles are there and here, and what each answer
    does."""
    yield texts("set.join.account", url=asked.url, key=asked.key)
    stores = "; ".join(map(str, asked.stores))
    yield texts("set.join.stores", stores=stores) if asked.stores else texts("set.join.none")
    there = texts.count("set.join.there", asked.listed)
    ours = texts.count("set.join.ours", asked.to_send)
    same = texts.count("set.join.same", asked.same)
    yield f"{there} {ours} {same}"
    if asked.repriced:
        yield texts.count("set.join.repriced", asked.repriced)
    yield from changes_lines(asked.changes, texts)
    yield texts("set.join.means")
