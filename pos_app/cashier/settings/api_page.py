"""The page of the local API: its values, its addresses and token, the refused callers, and the last
requests of other programs. Source: till.md (Settings)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.settings import api_model, parts
from pos_app.cashier.settings.parts import CopyButton
from pos_app.cashier.settings.values import VALUE_PAGES, ValuePage
from pos_app.cashier.settings.values_page import ValuesPage
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.field import TextArea
from pos_app.cashier.ui.fonts import Meter, breakable
from pos_app.cashier.ui.labels import MOST_LINES, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Divider, clear_layout
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.theme import Theme, ThemedButton
from pos_app.domain.receipt.server_status import LoggedRequest
from pos_app.domain.text.instant import in_belgrade

_TOKEN = "token"
_MOST_SHOWN = 4000
"""The most characters of a body that are shown; the command has the whole body."""


class ApiPage(ValuesPage):
    """reopen: opens the till anew; it is None if the till can't."""

    def __init__(
        self,
        model: api_model.ApiModel,
        ui: UiContext,
        start: parts.Start,
        *,
        reopen: Callable[[], None] | None = None,
    ) -> None:
        self._start = start
        self.questions = parts.QuestionSlots(self._question_panel)
        self._api, self._ui = model, ui
        self.addresses = AddressPanel(model, ui)
        self.token = TokenPanel(model, ui, self.questions, start)
        self.refused = RefusedPanel(model, ui, self.questions)
        self.requests = RequestPanel(model, ui, start)
        self._panels = (self.addresses, self.token, self.refused, self.requests)
        super().__init__(
            model,
            ui,
            start,
            VALUE_PAGES[ValuePage.API],
            page=ValuePage.API,
            reopen=reopen,
            below=self._panels,
        )

    def refresh(self) -> None:
        super().refresh()
        if self._api.is_due:
            self._start(self._api.look(), "ask who asks the local API")

    def show_model(self) -> None:
        super().show_model()
        for panel in self._panels:
            panel.show_model()
        asked = self._api.asked
        self.questions.show(asked, (asked.at or _TOKEN) if asked is not None else "")

    def order(self) -> str:
        return self._ui.texts("set.api.order.token") if self._api.lacks_token else super().order()

    def focus_missing(self) -> None:
        if self._api.lacks_token:
            self.token.make.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().focus_missing()

    def fault_words(self) -> str:
        model, texts = self._api, self._ui.texts
        return texts(f"set.api.fault.{model.fault}") if model.fault else super().fault_words()

    def _question_panel(self, asked: api_model.ApiQuestion) -> tuple[NoticePanel, Button]:
        """Return the panel of the question, and its button that declines."""
        model, texts, theme = self._api, self._ui.texts, self._ui.theme
        is_danger = asked.what in ("token", "away")
        kind = ButtonKind.DANGER if is_danger else ButtonKind.PLAIN
        yes = Button(theme, texts(f"set.api.ask.{asked.what}.yes"), kind=kind)
        no = Button(theme, texts("set.api.ask.no"), key=ESCAPE)
        yes.clicked.connect(lambda: self._start(model.agree(), f"answer: {asked.what}"))
        no.clicked.connect(lambda: model.ask(None))
        panel = NoticePanel(
            theme,
            NoticeKind.WARN,
            happened=texts(f"set.api.ask.{asked.what}", entry=asked.entry),
            safe=texts(f"set.api.ask.{asked.what}.means", entry=asked.entry),
            press="",
            safe_answer=no,
            buttons=(yes,),
            apart=True,
        )
        return panel, no


class AddressPanel(parts.HeadedPanel):
    """The addresses at which other programs reach the server now."""

    def __init__(self, model: api_model.ApiModel, ui: UiContext) -> None:
        super().__init__(ui.theme, ui.texts("set.api.places"))
        self._model, self._texts = model, ui.texts
        self._facts = parts.FactRows(ui.theme)
        self.copy = CopyButton(ui.theme, ui.texts, ui.texts("set.api.copy_address"))
        self.column.addWidget(self._facts)
        self.column.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        facts = [parts.Fact(texts("set.api.place.here"), model.address, is_mono=True)]
        facts += [
            parts.Fact(texts("set.api.place.network"), one, is_mono=True) for one in model.elsewhere
        ]
        if (port := model.port_at_start) is not None:
            words = texts("set.api.place.later", address=f"http://127.0.0.1:{port}")
            facts.append(parts.Fact(texts("set.api.place.later_title"), words, StateKind.WAIT))
        self._facts.show_facts(facts)
        self.copy.set_value(model.address, "")

    @property
    def port_at_start(self) -> int | None:
        return self._model.port_at_start


class TokenPanel(parts.HeadedPanel):
    """Shows whether the token of programs on other machines is set, makes it and removes it."""

    def __init__(
        self,
        model: api_model.ApiModel,
        ui: UiContext,
        questions: parts.QuestionSlots,
        start: parts.Start,
    ) -> None:
        super().__init__(ui.theme, ui.texts("set.api.token"))
        self._model, self._texts, self._start = model, ui.texts, start
        texts, theme = ui.texts, ui.theme
        self._facts = parts.FactRows(theme)
        self.make = Button(theme, texts("set.api.token.make"), icon="key-round")
        self.away = Button(
            theme, texts("set.api.token.away"), icon="trash-2", kind=ButtonKind.DANGER
        )
        self.secret = Label(theme, mono=True, wrap=True)
        self.copy = CopyButton(theme, texts, texts("set.api.token.copy"))
        self.put_away = Button(theme, texts("set.plat.put_away"), icon="check")
        self._new = QWidget()
        self._lay_out(questions)
        self.make.clicked.connect(self._make)
        self.away.clicked.connect(lambda: model.ask(api_model.ApiQuestion("away")))
        self.put_away.clicked.connect(model.put_token_away)

    def _lay_out(self, questions: parts.QuestionSlots) -> None:
        texts, theme = self._texts, self.theme
        words = Label(theme, texts("set.api.token_words"), colour="ink_2", wrap=True)
        self.column.addWidget(words)
        self.column.addWidget(self._facts)
        new = QVBoxLayout(self._new)
        new.setContentsMargins(0, 0, 0, 0)
        new.addWidget(Label(theme, texts("set.api.token.once"), wrap=True))
        new.addWidget(self.secret)
        new.addLayout(_row(theme, self.copy, self.put_away))
        self.column.addWidget(self._new)
        self.column.addLayout(questions.at(_TOKEN))
        self.column.addLayout(_row(theme, self.make, self.away))

    def _make(self) -> None:
        """Make a token; one in use is replaced only after a question."""
        token = self._model.token
        if token is not None and token.is_set:
            self._model.ask(api_model.ApiQuestion("token"))
        else:
            self._start(self._model.make_token(), "make a token")

    def show_model(self) -> None:
        model, texts, token = self._model, self._texts, self._model.token
        is_set = token is not None and token.is_set
        is_elsewhere = token is not None and bool(token.elsewhere)
        if token is None:
            fact = parts.Fact(texts("set.api.token.unknown"), "", StateKind.MARK)
        elif is_elsewhere:
            fact = parts.Fact(texts("set.fact.given"), texts("set.api.token"))
        elif is_set:
            fact = parts.Fact(texts("set.api.token.is_set"), "", StateKind.DONE)
        else:
            fact = parts.Fact(texts("set.api.token.none"), "", StateKind.MARK)
        self._facts.show_facts([fact])
        self.make.set_words(texts("set.api.token.another" if is_set else "set.api.token.make"))
        why = texts("set.fault.given" if is_elsewhere else "set.api.token.unknown")
        parts.allow_if(self.make, token is not None and not is_elsewhere and not model.running, why)
        self.away.setVisible(is_set and not is_elsewhere)
        in_use = model.listens_to_network
        parts.allow_if(self.away, not in_use and not model.running, texts("set.api.token.in_use"))
        was_shown = not self._new.isHidden()
        self._new.setVisible(bool(model.new_token))
        self.secret.setText(model.new_token)
        self.copy.set_value(model.new_token, texts("set.plat.put_away"))
        if model.new_token and not was_shown:
            bring_into_sight(self._new)


class RefusedPanel(parts.HeadedPanel):
    """The refused callers, each with the setting that would let it in."""

    def __init__(
        self, model: api_model.ApiModel, ui: UiContext, questions: parts.QuestionSlots
    ) -> None:
        super().__init__(ui.theme, ui.texts("set.api.refused"))
        self._model, self._texts, self._questions = model, ui.texts, questions
        self.allow: dict[str, Button] = {}
        """Buttons by `CallersAlike.key`."""
        words = Label(ui.theme, ui.texts("set.api.refused_words"), colour="ink_2", wrap=True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(ui.theme.metrics.s2)
        self._shown_state: tuple[object, ...] | None = None
        self.column.addWidget(words)
        self.column.addLayout(self._rows)

    def show_model(self) -> None:
        model = self._model
        callers = model.callers[: api_model.FEW]
        shown = (callers, tuple(model.is_let_in(one.last) for one in callers), model.given)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        self._questions.take_away()
        clear_layout(self._rows)
        self.allow.clear()
        for one in callers:
            self._rows.addWidget(Divider(self.theme))
            self._rows.addWidget(self._row(one))
            self._rows.addLayout(self._questions.at(one.key))
        if not callers:
            self._rows.addWidget(Label(self.theme, self._texts("set.api.refused.none"), wrap=True))

    def _row(self, alike: api_model.CallersAlike) -> QWidget:
        theme, texts, caller = self.theme, self._texts, alike.last
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        layout = QVBoxLayout()
        layout.setSpacing(0)
        reason = refusal_words(texts, caller.reason)
        layout.addWidget(Label(theme, reason, weight=Weight.SEMIBOLD, wrap=True))
        asked = f"{caller.method} {caller.path}"
        layout.addWidget(
            Label(theme, breakable(asked, after="/-"), step=TypeStep.SMALL, mono=True, wrap=True)
        )
        host = texts("set.api.refused.host", host=breakable(caller.host or "–", after="/-"))
        origin = texts("set.api.refused.origin", origin=breakable(caller.origin, after="/-"))
        whom = f"{host} · {origin}" if caller.origin else host
        layout.addWidget(Label(theme, whom, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        times = texts.count("set.api.refused.times", alike.times)
        when = f"{_moment(caller.at)} · {times}"
        layout.addWidget(Label(theme, when, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        row.addLayout(layout, 1)
        if self._model.is_let_in(caller):
            row.addWidget(Label(theme, texts("set.api.refused.allowed"), colour="ink_2"))
        elif caller.entry:
            row.addWidget(self._allow(alike), 0, Qt.AlignmentFlag.AlignTop)
        return whole

    def _allow(self, alike: api_model.CallersAlike) -> Button:
        model, texts = self._model, self._texts
        words = texts("set.api.allow")
        button = Button(self.theme, words, icon="check", name=f"{words}: {alike.last.entry}")
        button.clicked.connect(lambda: model.ask_to_allow(alike))
        can_write = model.has_server and alike.last.setting not in model.given
        parts.allow_if(button, can_write, texts("set.fault.given"))
        self.allow[alike.key] = button
        return button


class RequestPanel(parts.HeadedPanel):
    """The last requests of other programs; an opened one shows its details below its row."""

    def __init__(self, model: api_model.ApiModel, ui: UiContext, start: parts.Start) -> None:
        super().__init__(ui.theme, ui.texts("set.api.requests"))
        self._model, self._texts, self._ui, self._start = model, ui.texts, ui, start
        texts, theme = ui.texts, ui.theme
        self.failed = CheckBox(theme, texts("set.api.failed_alone"))
        self.more = Button(theme, texts("set.api.more"), kind=ButtonKind.QUIET, flush=True)
        self._none = Label(theme, colour="ink_2", wrap=True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self.rows: dict[int, RequestEntry] = {}
        words = Label(theme, texts("set.api.requests_words"), colour="ink_2", wrap=True)
        for part in (words, self.failed, self._none):
            self.column.addWidget(part)
        self.column.addLayout(self._rows)
        self.column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.failed.clicked.connect(lambda _=False: self._filter())
        self.more.clicked.connect(model.show_more)

    def _filter(self) -> None:
        self._model.show_failed_alone(self.failed.isChecked())

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        listed = model.listed
        wanted = listed[: model.shown_count]
        self.failed.setChecked(model.failed_alone)
        self.more.setVisible(len(listed) > len(wanted))
        silent = model.unanswered is not None and not listed
        none = "set.api.silent" if silent else "set.api.requests.none"
        self._none.setText(texts(none))
        self._none.setVisible(not wanted)
        self._show_entries(wanted)
        for number, entry in self.rows.items():
            opened = model.opened
            entry.show_opened(opened if opened is not None and opened.number == number else None)

    def _show_entries(self, wanted: tuple[LoggedRequest, ...]) -> None:
        """Show these requests; entries that are already shown stay, with the focus in them."""
        numbers = {one.number: one for one in wanted}
        for number in [one for one in self.rows if self.rows[one].request != numbers.get(one)]:
            entry = self.rows.pop(number)
            self._rows.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        for index, one in enumerate(wanted):
            if one.number not in self.rows:
                entry = self.rows[one.number] = RequestEntry(one, self._ui, self._model)
                entry.row.clicked.connect(lambda _=False, number=one.number: self._open(number))
                self._rows.insertWidget(index, entry)

    def _open(self, number: int) -> None:
        self._start(self._model.open(number), "open a request")


class RequestEntry(QWidget):
    def __init__(self, request: LoggedRequest, ui: UiContext, model: api_model.ApiModel) -> None:
        super().__init__()
        self.request, self._ui, self._model = request, ui, model
        self.row = RequestRow(ui.theme, ui.texts, request)
        self.whole: RequestDetails | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.row)

    def show_opened(self, opened: LoggedRequest | None) -> None:
        self.row.setChecked(opened is not None)
        if opened is None and self.whole is not None:
            self.whole.hide()
            self.whole.deleteLater()
            self.whole = None
        elif opened is not None and self.whole is None:
            self.whole = RequestDetails(opened, self._ui, self._model.curl)
            self._column.addWidget(self.whole)
            self.whole.show()
            bring_into_sight(self.whole)


class RequestRow(ThemedButton):
    """Shows time, request and answer; a failed request's answer is bold in the colour of
    failures."""

    def __init__(self, theme: Theme, texts: Texts, request: LoggedRequest) -> None:
        self._time = _moment(request.at)
        self._asked = f"{request.method} {request.target}"
        status = str(request.status) if request.status else texts("set.api.no_answer")
        self._answer = f"{status} · {request.took_ms}\u00a0ms"
        self._failed = request.failed
        super().__init__(theme, f"{self._asked}, {status}, {self._time}")
        self.setCheckable(True)

    def nextCheckState(self) -> None:
        """Leave it to the model which request is opened."""

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        lines = len(self._lines()[1]) * metrics.line(TypeStep.SMALL)
        return QSize(4 * metrics.touch, max(metrics.touch, lines + metrics.s2))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _sides(self) -> tuple[int, int]:
        """The widths of time and answer."""
        wide = self.fontMetrics().horizontalAdvance
        return wide("00.00. 00:00:00 "), wide("000 · 00000 ms  ")

    def _lines(self) -> tuple[Meter, list[str]]:
        """The request, which is broken behind a "/" of its address where it is long."""
        mono = self.theme.font(TypeStep.SMALL, Weight.MEDIUM, mono=True)
        meter = self.theme.fonts.text_metrics(mono, TypeStep.SMALL, Weight.MEDIUM)
        room = self.width() - sum(self._sides()) - 2 * self.theme.metrics.s1
        return meter, meter.broken(self._asked, room, lines=MOST_LINES)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        if self.isChecked() or self.isDown():
            painter.fillRect(self.rect(), theme.colour("tint" if self.isChecked() else "line"))
        painting.rule(painter, self.rect(), theme)
        small = theme.font(TypeStep.SMALL, Weight.MEDIUM)
        bold = theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        room = self.rect().adjusted(metrics.s1, 0, -metrics.s1, 0)
        time, answer = self._sides()
        left = QRect(room.left(), 0, time, self.height())
        right = QRect(room.right() - answer, 0, answer, self.height())
        meter, text_lines = self._lines()
        high = metrics.line(TypeStep.SMALL)
        top = (self.height() - len(text_lines) * high) // 2
        between = QRect(left.right(), top, right.left() - left.right(), high)
        painting.put(painter, left, self._time, theme.colour("ink_2"), small, align=painting.LEFT)
        painting.put_lines(painter, between, text_lines, meter, ink=theme.colour("ink"))
        ink = theme.colour("danger" if self._failed else "ink_2")
        painting.put(
            painter, right, self._answer, ink, bold if self._failed else small, align=painting.RIGHT
        )


class RequestDetails(QWidget):
    """The headers and the body of a request, and the button that copies it as a command."""

    def __init__(self, request: LoggedRequest, ui: UiContext, curl: str) -> None:
        super().__init__()
        texts, theme = ui.texts, ui.theme
        column = QVBoxLayout(self)
        metrics = theme.metrics
        column.setContentsMargins(metrics.s3, metrics.s2, 0, metrics.s3)
        column.setSpacing(metrics.s2)
        if request.error:
            column.addWidget(
                Label(theme, texts("set.api.request_failed"), colour="danger", wrap=True)
            )
            column.addWidget(Details(theme, texts("details"), breakable(request.error, after="/-")))
        heads = "\n".join(f"{one.name}: {one.value}" for one in request.headers or ())
        self.heads = _text_of(theme, texts("set.api.headers"), heads, lines=5)
        column.addWidget(Label(theme, texts("set.api.headers"), step=TypeStep.SMALL))
        column.addWidget(self.heads)
        body = request.body or ""
        self.body = _text_of(theme, texts("set.api.body"), body[:_MOST_SHOWN], lines=8)
        if body:
            column.addWidget(Label(theme, texts("set.api.body"), step=TypeStep.SMALL))
            column.addWidget(self.body)
        if request.is_masked:
            words = Label(theme, texts("set.api.masked"), colour="ink_2", wrap=True)
            column.addWidget(words)
        self.copy = CopyButton(theme, texts, texts("set.api.copy_curl"))
        self.copy.set_value(curl, texts("set.api.cut"))
        column.addLayout(_row(theme, self.copy))


def _text_of(theme: Theme, name: str, text: str, *, lines: int) -> TextArea:
    """Return a text area to read; a word that is too long for it wraps anywhere."""
    area = TextArea(theme, name=name)
    area.setReadOnly(True)
    area.setFont(theme.font(TypeStep.SMALL, Weight.MEDIUM, mono=True))
    area.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    area.setPlainText(text)
    needed = min(lines, max(2, text.count("\n") + 1 + len(text) // 80))
    area.setFixedHeight(needed * area.fontMetrics().lineSpacing() + 4 * theme.metrics.s2)
    return area


def _row(theme: Theme, *widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s2)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


def _moment(at: datetime) -> str:
    return in_belgrade(at).strftime("%d.%m. %H:%M:%S")


_REASONS = ("host", "origin", "site", "token", "lan", "install", "api_off")


def refusal_words(texts: Texts, reason: str) -> str:
    known = reason if reason in _REASONS else "form"
    return texts(f"set.api.reason.{known}")
