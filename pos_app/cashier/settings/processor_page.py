"""The page of the fiscal processor, and its form.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from pos_app.cashier.settings.parts import (
    Cards,
    Fact,
    FactRows,
    HeadedPanel,
    SetupForm,
    SetupPage,
    Sides,
    Start,
    Titled,
    TitledRow,
    allow_if,
    given_facts,
    show_in,
)
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind, ProcessorModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox, RadioCard
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.status import as_sentence, connection_words
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.setup.certificate import CertificateFacts, ends_soon
from pos_app.domain.setup.processor_setup import ProcessorTrial
from pos_app.domain.setup.safe_connection import Place, clear_text_place
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.server import answers
from pos_app.settings import FILE_NAME
from pos_app.settings.shapes import QUIET_SECONDS, SHORTEST_QUIET_SECONDS

CLOCK_TOLERANCE_MS = 60_000
EXAMPLE = "http://127.0.0.1:8888"
"""The usual address of a L-PFR; an empty field shows it."""
_K = ProcessorKind
_SHOWN: dict[Entry, frozenset[ProcessorKind]] = {
    Entry.URL: frozenset((_K.LPFR, _K.VPFR)),
    Entry.ESIR: frozenset((_K.LPFR, _K.VPFR)),
    Entry.PFX: frozenset((_K.VPFR,)),
    Entry.PASSWORD: frozenset((_K.VPFR,)),
    Entry.PAC: frozenset((_K.VPFR,)),
    Entry.CA: frozenset((_K.VPFR,)),
}
"""The kinds of processor for which a field is shown."""


class ProcessorForm(SetupForm):
    def __init__(
        self, model: ProcessorModel, ui: UiContext, start: Start, *, is_first: bool = False
    ) -> None:
        """is_first: nothing was issued yet, so that a change affects no earlier receipt."""
        super().__init__()
        self._model, self._is_first = model, is_first
        self._texts, self._theme = ui.texts, ui.theme
        self._start = start
        texts, theme = ui.texts, ui.theme
        self.cards = {
            kind: RadioCard(theme, texts(f"set.pfr.title.{kind}"), texts(f"set.pfr.about.{kind}"))
            for kind in ProcessorKind
        }
        self.fields = {entry: self._field(entry) for entry in Entry}
        self.choose = {
            entry: Button(
                theme, texts("set.pfr.choose"), icon="folder", name=texts(f"set.pfr.choose.{entry}")
            )
            for entry in (Entry.PFX, Entry.CA)
        }
        self.forget_ca = Button(theme, icon="x", name=texts("set.pfr.forget_ca"))
        self.try_button = Button(theme, texts("set.pfr.try"), icon="refresh-cw")
        self.alone = CheckBox(theme, texts("set.pfr.alone"))
        self.entry_panel = HeadedPanel(theme, "")
        self.facts_panel = HeadedPanel(theme, "")
        self.facts = FactRows(theme)
        self._about = Label(theme, texts("set.pfr.development_words"), colour="ink_2", wrap=True)
        self._fault = Label(theme, colour="danger", wrap=True)
        self._meaning = NoticePanel(
            theme,
            NoticeKind.INFO,
            happened=texts("set.pfr.change"),
            safe=texts("set.pfr.change_safe"),
            press="",
        )
        self._blocks: dict[Entry, Titled] = {}
        self._lay_out()
        self.setTabOrder(self.alone, self.try_button)  # the button tries the values typed before it
        self._connect()
        self.show_model()

    def refresh(self) -> None:
        model = self._model
        if model.is_outdated and not model.running:
            self._start(model.load(), "ask how the processor is set up")

    def focus_first(self) -> None:
        self.cards[self._model.kind].setFocus(Qt.FocusReason.OtherFocusReason)

    # --- parts -----------------------------------------------------------------------------------

    def _field(self, entry: Entry) -> Field:
        hint = f"set.pfr.hint.{entry}"
        is_file = entry in (Entry.PFX, Entry.CA)
        made = Field(
            self._theme,
            name=self._texts(f"set.pfr.{entry}"),
            mono=entry is Entry.URL,
            placeholder=self._texts(hint) if self._texts.has(hint) else "",
            icon="file-key" if is_file else "",
            takes=InputKind.NOTHING if is_file else InputKind.ADDRESS,
        )
        made.setObjectName(entry)
        if is_file:
            made.edit.setReadOnly(True)
        else:
            made.changed.connect(partial(self._type, entry))
        if entry in (Entry.PASSWORD, Entry.PAC):
            made.edit.setEchoMode(QLineEdit.EchoMode.Password)
        return made

    def _lay_out(self) -> None:
        metrics = self._theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        column.addWidget(Cards(self._theme, tuple(self.cards.values())))
        self._lay_out_typed()
        self.facts_panel.column.addWidget(self.facts)
        self.facts_panel.column.addStretch(1)
        sides = Sides(self._theme, self.entry_panel, self.facts_panel, least_heights=46)
        column.addWidget(sides, 1)

    def _lay_out_typed(self) -> None:
        texts, theme = self._texts, self._theme
        column = self.entry_panel.column
        self.entry_panel.head.addWidget(self.try_button)
        column.addWidget(self._about)
        widgets: dict[Entry, tuple[QWidget, ...]] = {
            Entry.PFX: (self.fields[Entry.PFX], self.choose[Entry.PFX]),
            Entry.CA: (self.fields[Entry.CA], self.forget_ca, self.choose[Entry.CA]),
        }
        for entry in Entry:
            parts = widgets.get(entry, (self.fields[entry],))
            self._blocks[entry] = Titled(theme, texts(f"set.pfr.{entry}"), *parts)
        column.addWidget(self._blocks[Entry.PFX])
        self._secrets = TitledRow(theme, self._blocks[Entry.PASSWORD], self._blocks[Entry.PAC])
        column.addWidget(self._secrets)
        column.addWidget(self._blocks[Entry.URL])
        column.addWidget(self._blocks[Entry.CA])
        column.addWidget(self._blocks[Entry.ESIR])
        column.addWidget(self.alone)
        column.addWidget(self._meaning)  # below the fields, because it comes with what is typed
        column.addWidget(self._fault)
        column.addStretch(1)

    def _connect(self) -> None:
        model = self._model
        for kind, card in self.cards.items():
            card.clicked.connect(lambda _=False, kind=kind: model.choose_kind(kind))
        for entry, button in self.choose.items():
            button.clicked.connect(lambda _=False, entry=entry: self._choose_file(entry))
        self.forget_ca.clicked.connect(model.forget_ca)
        self.try_button.clicked.connect(lambda: self._start(model.try_out(), "try the processor"))
        self.alone.clicked.connect(model.set_used_here_alone)

    def _type(self, entry: Entry, text: str) -> None:
        if text != self._text_of(entry):
            self._model.type(entry, text)

    def _choose_file(self, entry: Entry) -> None:
        chooser = file_chooser(self, self._texts, f"set.pfr.choose.{entry}")
        kinds = "PFX (*.pfx *.p12)" if entry is Entry.PFX else "PEM, DER (*.pem *.crt *.cer *.der)"
        chooser.setNameFilters([kinds, "* (*)"])
        chooser.fileSelected.connect(lambda name: self.take_file(entry, Path(name)))
        chooser.open()

    def take_file(self, entry: Entry, path: Path) -> None:
        self._start(self._model.take_file(entry, path), "read a chosen file")

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        known = model.setup is not None
        for kind, card in self.cards.items():
            card.setChecked(kind is model.kind)
            if known:
                card.allow()
                card.setAccessibleDescription(texts(f"set.pfr.about.{kind}"))
            else:
                card.refuse(texts("set.pfr.unknown"))
        for entry, block in self._blocks.items():
            no_file = entry is Entry.PASSWORD and model.pfx is None
            block.setVisible(model.kind in _SHOWN[entry] and not no_file)
            self._show_field(entry)
        self._secrets.setVisible(model.kind in _SHOWN[Entry.PAC])
        self.forget_ca.setVisible(bool(self.fields[Entry.CA].text()))
        self._about.setVisible(model.kind is ProcessorKind.DEVELOPMENT)
        self.alone.setVisible(model.kind is not ProcessorKind.DEVELOPMENT)
        self.alone.setChecked(model.used_here_alone)
        self.entry_panel.set_title(texts(f"set.pfr.title.{model.kind}"))
        self._meaning.setVisible(known and model.changes_processor and not self._is_first)
        is_in_trial = model.trial is not None and model.trial.fault == model.fault
        words = (
            _fault_words(model.fault, model.trial, texts) if not is_in_trial and model.fault else ""
        )
        self._fault.setText(words)
        self._fault.setVisible(bool(words))
        self.facts_panel.set_title(texts("set.pfr.tried" if model.trial else "set.pfr.now"))
        self.facts.show_facts(self._facts())
        self.try_button.setEnabled(known)
        self.try_button.setVisible(model.kind is not ProcessorKind.DEVELOPMENT)

    def _show_field(self, entry: Entry) -> None:
        field, model = self.fields[entry], self._model
        show_in(field, self._text_of(entry))
        fault = model.faults.get(entry, "")
        field.set_error(_fault_words(fault, model.trial, self._texts) if fault else "")
        if entry is Entry.URL:
            is_vpfr = model.kind is ProcessorKind.VPFR
            usual = self._certificate_url() or self._texts("set.pfr.hint.vpfr_url")
            field.set_placeholder(usual if is_vpfr else EXAMPLE)
        if entry is Entry.PAC:
            has_one = model.setup is not None and model.setup.has_pac
            field.set_placeholder(self._texts("set.kept") if has_one else "")

    def _text_of(self, entry: Entry) -> str:
        model, setup = self._model, self._model.setup
        match entry:
            case Entry.URL:
                return model.url
            case Entry.PASSWORD:
                return model.password
            case Entry.PAC:
                return model.pac
            case Entry.ESIR:
                return model.esir_ib
            case Entry.PFX:
                if model.pfx is not None:
                    return model.pfx.name
                stored = setup is not None and setup.certificate is not None
                return self._texts("set.pfr.stored") if stored else ""
            case Entry.CA:
                if model.ca is not None:
                    return model.ca.name
                stored = setup is not None and setup.has_ca and not model.forgets_ca
                return self._texts("set.pfr.stored") if stored else ""

    def _certificate_url(self) -> str:
        model = self._model
        certificate_facts = model.trial.certificate if model.trial is not None else None
        if certificate_facts is None and model.pfx is None and model.setup is not None:
            certificate_facts = model.setup.certificate
        return certificate_facts.url if certificate_facts is not None else ""

    def _facts(self) -> list[Fact]:
        model = self._model
        training = training_facts(model.training, self._texts) if model.training else []
        if model.trial is not None:
            return training + trial_facts(model.trial, self._texts, self._now())
        return training + self._facts_now()

    def _facts_now(self) -> list[Fact]:
        model = self._model
        setup = model.setup
        if setup is None:
            return []
        texts, made = self._texts, []
        made.append(Fact(texts("set.fact.kind"), texts(f"processor.{setup.kind}")))
        if (status := setup.status) is not None:
            ready = status.state is ProcessorState.READY
            words = texts("set.fact.ready") if ready else texts(f"status.processor.{status.state}")
            state = StateKind.DONE if ready else StateKind.DECIDE
            made.append(Fact(texts("set.fact.state"), words, state))
            if status.uid:
                made.append(Fact(texts("set.fact.element"), status.uid, is_mono=True))
            if status.url:
                made.append(
                    Fact(texts("set.fact.url"), breakable(status.url, after="/."), is_mono=True)
                )
        server = self._model.services.server.status
        if server is not None and server.rates:
            labels = " ".join(server.rates[-1].percent)
            made.append(Fact(texts("set.fact.labels"), labels))
        place = clear_text_place(setup.url)
        if setup.kind == ProcessorKind.LPFR and place not in (None, Place.MACHINE):
            text_id = "elsewhere" if place is Place.ELSEWHERE else "network"
            words = texts(f"set.fact.clear_text.{text_id}")
            state = StateKind.FAILED if place is Place.ELSEWHERE else StateKind.MARK
            made.append(Fact(texts("set.fact.clear_text"), words, state))
        if setup.certificate_fault:
            text_id = f"set.fault.{setup.certificate_fault_kind}"
            words = texts(text_id) if texts.has(text_id) else setup.certificate_fault
            made.append(Fact(texts("set.fact.certificate"), words, StateKind.FAILED))
        if setup.certificate is not None and ProcessorKind.VPFR in (setup.kind, model.kind):
            made += certificate_facts(setup.certificate, texts, self._now())
        made.extend(given_facts(texts, setup.given_elsewhere))
        return made

    def _now(self) -> datetime:
        return self._model.services.till.clock.now()


def training_facts(answer: answers.IssueAnswer, texts: Texts) -> list[Fact]:
    label = texts("set.training.fact")
    match answer:
        case answers.Issued(_, receipt):
            time = moment_text(receipt.sdc_time)
            return [
                Fact(label, texts("set.training.issued", time=time), StateKind.DONE),
                Fact(
                    texts("set.training.number"),
                    breakable(receipt.invoice_number, after="-"),
                    is_mono=True,
                ),
            ]
        case answers.IssuedUnreadable(_, number):
            return [Fact(label, number, StateKind.DECIDE, is_mono=True)]
        case answers.Undelivered() | answers.RefusedByServer():
            code = f"att.pfr.{answer.reason.pfr_code or answer.reason.code[-4:]}"
            why = texts(code) if texts.has(code) else texts("set.training.see_state")
            return [Fact(label, texts("set.training.refused", why=why), StateKind.FAILED)]
        case answers.Unclear():
            return [Fact(label, texts("set.training.unclear"), StateKind.DECIDE)]


def trial_facts(trial: ProcessorTrial, texts: Texts, now: datetime) -> list[Fact]:
    done, decide = StateKind.DONE, StateKind.DECIDE
    made: list[Fact] = []
    answered = trial.elapsed_ms is not None
    if answered:
        took = texts("set.fact.ms", n=texts.number(trial.elapsed_ms or 0))
        made.append(Fact(texts("set.fact.line"), took, done))
    if trial.fault:
        kind = decide if trial.fault == "not_ready" else StateKind.FAILED
        made.append(Fact(texts("set.fact.result"), _fault_words(trial.fault, trial, texts), kind))
    elif not answered:
        made.append(Fact(texts("set.fact.result"), texts("set.fact.by_itself"), done))
    if trial.uid:
        other = trial.known_uid is not None
        words = texts("set.fact.other_element", uid=trial.uid, known=trial.known_uid)
        made.append(
            Fact(
                texts("set.fact.element"),
                words if other else trial.uid,
                decide if other else done,
                is_mono=not other,
            )
        )
    if trial.tin:
        made.append(Fact(texts("set.fact.tin"), trial.tin, done, is_mono=True))
    if answered:
        words = texts("set.fact.pin_wanted" if trial.pin_required else "set.fact.pin_not_wanted")
        made.append(Fact(texts("set.fact.pin"), words, decide if trial.pin_required else done))
    made += _labels(trial, texts)
    if (ahead := trial.clock_ahead_ms) is not None:
        seconds = f"{abs(ahead) / 1000:.1f}".replace(".", ",")
        kind = done if abs(ahead) <= CLOCK_TOLERANCE_MS else decide
        made.append(Fact(texts("set.fact.clock"), texts("set.fact.differs", n=seconds), kind))
    if trial.certificate is not None:
        parts = {fact.value for fact in made}
        of_file = certificate_facts(trial.certificate, texts, now)
        made += [fact for fact in of_file if fact.value not in parts]
    return made


def _labels(trial: ProcessorTrial, texts: Texts) -> list[Fact]:
    if not trial.labels:
        return []
    words = " ".join(trial.labels)
    if trial.rates_from is not None:
        day = in_belgrade(trial.rates_from).strftime("%d.%m.%Y.")
        words = texts("set.fact.labels_from", labels=words, day=day)
    made = [Fact(texts("set.fact.labels"), words, StateKind.DONE)]
    if trial.missing_labels:
        missing = " ".join(trial.missing_labels)
        made.append(Fact(texts("set.fact.missing"), missing, StateKind.DECIDE))
    return made


def certificate_facts(
    certificate_facts: CertificateFacts, texts: Texts, now: datetime
) -> list[Fact]:
    """Return whose certificate it is and its last day; also its first day, if that is in the
    future."""
    left = certificate_facts.days_left(now)
    day = in_belgrade(certificate_facts.expires).strftime("%d.%m.%Y.")
    expired = now >= certificate_facts.expires
    words = (
        texts("set.fact.expired", day=day)
        if expired
        else texts.count("set.fact.expires_in", left, day=day)
    )
    soon = StateKind.DECIDE if ends_soon(certificate_facts.expires, now) else StateKind.DONE
    shop = ", ".join(part for part in (certificate_facts.shop, certificate_facts.location) if part)
    plain = [
        Fact(texts("set.fact.uid"), certificate_facts.uid, is_mono=True),
        Fact(texts("set.fact.tin"), certificate_facts.tin, is_mono=True),
        Fact(texts("set.fact.organisation"), certificate_facts.organisation),
        Fact(texts("set.fact.shop"), shop),
        Fact(
            texts("set.fact.vpfr_url"), breakable(certificate_facts.url, after="/."), is_mono=True
        ),
    ]
    term = [Fact(texts("set.fact.expires"), words, StateKind.FAILED if expired else soon)]
    if now < certificate_facts.valid_from:
        day = in_belgrade(certificate_facts.valid_from).strftime("%d.%m.%Y.")
        words = texts("set.fact.not_yet", day=day)
        term.insert(0, Fact(texts("set.fact.begins"), words, StateKind.FAILED))
    return [*term, *(fact for fact in plain if fact.value)]


def _fault_words(fault: str, trial: ProcessorTrial | None, texts: Texts) -> str:
    """Return words for a fault; a newer server's unknown fault stays in English."""
    code = trial.code if trial is not None and trial.fault == fault else ""
    if words := connection_words(code, texts) or connection_words(fault, texts):
        return as_sentence(words)
    if fault == "not_ready" and trial is not None:
        return texts("set.fault.not_ready", code=trial.code)
    if fault == "url":
        return texts("set.fault.url", example=EXAMPLE)
    if fault == "quiet":
        least = f"{SHORTEST_QUIET_SECONDS:g}"
        return texts("set.fault.quiet", name=QUIET_SECONDS, least=least, file=FILE_NAME)
    text_id = f"set.fault.{fault}"
    if texts.has(text_id):
        return texts(text_id)
    return trial.message if trial is not None and trial.message else fault


class ProcessorPage(SetupPage):
    """ask_card_pin: opens the panel for the card's PIN."""

    def __init__(
        self, model: ProcessorModel, ui: UiContext, start: Start, ask_card_pin: Callable[[], None]
    ) -> None:
        form = ProcessorForm(model, ui, start)
        super().__init__(model, ui, start, form, name=ui.texts("set.page.processor"))
        self._model = model
        self.card_button = Button(ui.theme, ui.texts("set.card.enter"), icon="key-round")
        self.card_button.clicked.connect(ask_card_pin)
        self.training_button = Button(ui.theme, ui.texts("set.training"), icon="file-text")
        self.training_button.clicked.connect(
            lambda: start(model.issue_training(), "issue a training receipt")
        )
        self.acts.add_act(self.training_button)
        self.acts.add_act(self.card_button)
        self.show_model()

    def show_model(self) -> None:
        super().show_model()
        model = self._model
        is_saved = not model.has_changes  # the buttons act on the saved processor
        in_use = model.setup.kind if model.setup is not None else ""
        self.training_button.setVisible(is_saved)
        allow_if(self.training_button, bool(in_use), self._words("set.pfr.unknown"))
        self.card_button.setVisible(is_saved and in_use == ProcessorKind.LPFR)
        self.card_button.setEnabled(not model.running)
