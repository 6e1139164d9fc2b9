"""The first start: the choice, then one step after the other. Source: look.md (Screens, 8)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, ESCAPE, TillCommand
from pos_app.cashier.first_start.choice import ChoicePage
from pos_app.cashier.first_start.forms import ArticlesForm, PinForm, ShopForm
from pos_app.cashier.first_start.model import STEPS, FirstStartModel
from pos_app.cashier.settings.cashier_form import CashierForm
from pos_app.cashier.settings.parts import SetupForm, allow_if
from pos_app.cashier.settings.platform_model import PlatformModel
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.settings.printer_page import PrinterForm
from pos_app.cashier.settings.processor_model import ProcessorKind
from pos_app.cashier.settings.processor_page import ProcessorForm
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Say, Texts
from pos_app.cashier.ui.bars import ScreenHead, ShopMark, TopBar
from pos_app.cashier.ui.buttons import Button, SaveButton
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.focus import EnterCap, FocusKeeper
from pos_app.cashier.ui.notice import NoticeText, ToldNotice
from pos_app.cashier.ui.save_bar import FormBar
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window.frame import Busy, Frame, Room, Screen
from pos_app.cashier.window.status import stranger_words
from pos_app.errors import NotDelivered
from pos_app.selling.first_start import FirstStep
from pos_app.selling.server.monitor import ServerLink

TRY_MS = 700
"""Milliseconds from the last key to the trial of what is typed."""
KEEP_MS = 400
"""Milliseconds from the last key until what is typed is saved."""


class FirstStartRoom(Room):
    """Holds what was typed in the steps; it ends with the first start."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = FirstStartModel(frame.services)

    def forget_widgets(self) -> None:
        self.model.forget_listeners()

    @property
    def busy(self) -> Busy | None:
        model = self.model
        if not model.is_busy:
            return None
        return {"read": Busy.READ, "bring_in": Busy.ACT}.get(model.articles.running, Busy.SETUP)


class FirstStartScreen(Screen):
    blocks = True
    _changed = Signal()

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame)
        assert isinstance(room, FirstStartRoom)
        self._room, self.model = room, room.model
        model = self.model
        self._ui = ui = frame.ui
        self._texts, self._tasks = ui.texts, frame.tasks
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(ui.texts("first.name"))
        self.choice = ChoicePage(ui)
        self.forms: dict[FirstStep, SetupForm] = {}
        self._shown_step: FirstStep | None = None
        self._is_shown = False
        self._imported = model.articles.done
        self._waits_for_server = False
        """Whether the focus waits: a step has no field before the server has sent its setup."""
        self._trying = self._timer(TRY_MS, self._try_out)
        self._keeping = self._timer(KEEP_MS, model.keep_typed)
        self._focus = FocusKeeper(self, self.take_focus)
        self._make_parts()
        self._lay_out()
        self._changed.connect(self.show_model, Qt.ConnectionType.QueuedConnection)
        model.listen(self._changed.emit)
        self.show_model()

    def _timer(self, milliseconds: int, act: Callable[[], None]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.setInterval(milliseconds)
        made.timeout.connect(act)
        return made

    # --- for the frame ---------------------------------------------------------------------------

    def tick(self) -> None:
        """Ask others anew for what the step shows."""
        self.model.look_again()
        if (form := self._form()) is not None:
            form.refresh()

    def keeps_scan(self) -> bool:
        return True

    def tell_scan(self, scanned: Say) -> None:
        self._room.told = partial(_scan_notice, scanned)
        self.show_told()

    def show_told(self) -> None:
        told = self._room.told
        self._told.show_notice(None if told is None else told(self._texts))

    def take_focus(self) -> None:
        self._focus.settled()
        form = self._form()
        if form is None:
            self.choice.focus_first()
        else:
            form.focus_first()
            focus = self.window().focusWidget()
            if not form.isAncestorOf(focus) or not focus.isVisibleTo(self):
                self.next.setFocus(Qt.FocusReason.OtherFocusReason)  # there is nothing to type

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.take_focus()

    def press(self, command: TillCommand) -> None:
        if command is TillCommand.BACK:
            self.back()

    def follow_cap(self, button: Button) -> None:
        self.head.button.follow_cap(button)

    def _name_of(self, step: FirstStep | None) -> str:
        return self._texts("first.name" if step is None else f"first.step.{step}")

    @property
    def _before(self) -> FirstStep | None:
        """The step that the way back leads to; None for the choice."""
        model = self.model
        if model.step is FirstStep.ARTICLES and model.articles.plan is not None:
            return model.step
        return None if model.number < 2 else STEPS[model.number - 2]

    def back(self) -> None:
        """Go one step back (Esc); what was typed is kept."""
        articles = self.model.articles
        if (safe_answer := self.head.button.taken_by) is not None:
            safe_answer.click()
        elif self.model.step is FirstStep.ARTICLES and articles.plan is not None:
            if not articles.running:
                articles.put_plan_away()
        else:
            self.model.back()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.back()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focus = self.window().focusWidget()
            if isinstance(focus, QAbstractButton) and not _is_made(focus):
                focus.click()
            elif isinstance(focus, QLineEdit) and self._go_to_next_field(focus):
                return
            elif not event.isAutoRepeat() and self.model.step is not None:
                self._go_on()
        else:
            super().keyPressEvent(event)

    def _go_to_next_field(self, focus: QLineEdit) -> bool:
        """Go to the next field at Enter; return False on the last one, where Enter goes on with the
        step."""
        form = self._form()
        if form is None:
            return False
        every = [one for one in form.findChildren(QLineEdit) if one.isVisible() and one.isEnabled()]
        after = every[every.index(focus) + 1 :] if focus in every else []
        if not after:
            return False
        after[0].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    # --- parts -----------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        texts, theme = self._texts, self._ui.theme
        self._told = ToldNotice(theme)
        self._mark = ShopMark(theme)
        self.head = ScreenHead(theme, key=ESCAPE, title="")
        self.head.add_mark(self._mark)
        self.head.button.set_compact(theme.metrics.tight)
        self.language = Segment(
            theme, [texts(f"language.{one}") for one in LANGUAGES], name=texts("more.language")
        )
        self.language.set_current(LANGUAGES.index(texts.language))
        self.language.chosen.connect(lambda n: self._speak(LANGUAGES[n]))
        self.skip = Button(theme, texts("first.skip"))
        self.next = SaveButton(theme, texts("first.next"), key=ENTER, icon="")
        self.head.back.connect(self.back)
        self.skip.clicked.connect(self.model.skip)
        self.next.clicked.connect(self._go_on)
        self.choice.demo.connect(lambda: self._start(self.model.choose_demo(), "open the demo"))
        self.choice.shop.connect(self.model.choose_shop)
        EnterCap(self, self.next, ENTER, takes=self._takes_enter)

    def _takes_enter(self, widget: QWidget) -> bool:
        return isinstance(widget, QAbstractButton) and not _is_made(widget)

    def _speak(self, language: Language) -> None:
        """Switch to that language for good."""
        self.model.keep_language(language)
        self.frame.set_language(language)

    def _lay_out(self) -> None:
        theme = self._ui.theme
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = TopBar(theme, self.head)
        bar.extra.addWidget(self.language)
        column.addWidget(bar)
        column.addWidget(self._told)
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        self._pages.addWidget(self._scrolled(self.choice))
        column.addWidget(pages, 1)
        self._foot = FormBar(theme, self.skip, self.next)
        self._foot.setContentsMargins(metrics.s3, 0, metrics.s3, metrics.s3)
        column.addWidget(self._foot)

    def _scrolled(self, inside: QWidget) -> QWidget:
        """The step fills the screen, and scrolls where it needs more room."""
        metrics = self._ui.theme.metrics
        padded = QWidget()
        column = QVBoxLayout(padded)
        column.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.addWidget(inside, 1)
        area = Scrolled(self._ui.theme, name=self._texts("first.name"))
        area.show_inside(padded)
        return area

    def _make(self, step: FirstStep) -> SetupForm:
        model, ui = self.model, self._ui
        match step:
            case FirstStep.CASHIER:
                return CashierForm(model.cashier, ui)
            case FirstStep.PIN:
                return PinForm(model.pin, ui)
            case FirstStep.ARTICLES:
                return ArticlesForm(model.articles, ui, self._start)
            case FirstStep.STORE:
                return ShopForm(model.shop, ui)
            case FirstStep.PROCESSOR:
                return ProcessorForm(model.processor, ui, self._start, is_first=True)
            case FirstStep.PRINTER:
                return PrinterForm(model.printer, ui, self._start, saves=True)

    def _form(self) -> SetupForm | None:
        """The form of the present step, made when it is first shown, or None for the choice."""
        step = self.model.step
        if step is None:
            return None
        if step not in self.forms:
            self.forms[step] = made = self._make(step)
            made.setAccessibleName(self._texts(f"first.step.{step}"))
            self._pages.addWidget(self._scrolled(made))
            self.setTabOrder(self.next, self.language)  # after the button that goes on
        return self.forms[step]

    def _start(self, coroutine: Coroutine[object, object, None], name: str) -> None:
        self._tasks.start(coroutine, name=name)

    def _go_on(self) -> None:
        form = self._form()
        if not self.model.why_not and self.next.isEnabled():
            self._start(self.model.go_on(), "go on with the first start")
        elif form is not None and (self.next.is_missing or isinstance(form, CashierForm)):
            form.focus_missing()

    def _try_out(self) -> None:
        if self.model.wants_trial:
            self._start(self.model.try_out(), "try what is typed")

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self.model, self._texts
        if model.is_over:
            self.frame.end_blocking()
            return
        form, step = self._form(), model.step
        if step is None:
            self._pages.setCurrentIndex(0)
            self._show_choice()
        else:
            assert form is not None
            self._pages.setCurrentIndex(list(self.forms).index(step) + 1)
            form.show_model()
        many = texts("first.step", n=model.number, of=len(STEPS)) if step is not None else ""
        asks = step is FirstStep.ARTICLES and model.articles.plan is not None
        self.head.set_title(texts("cat.step.import") if asks else self._name_of(step), many)
        self._mark.setVisible(step is None)
        self.head.button.setVisible(step is not None)
        self.head.button.lead_to(self._name_of(self._before))
        self._foot.setVisible(step is not None and not (asks and not model.articles.running))
        self._show_foot()
        self._begin_timers()
        if step is not self._shown_step or not self._is_shown:
            if self._is_shown:
                self._room.told = None  # it was told at the step before
                self.show_told()
            self._shown_step, self._is_shown = step, True
            self._waits_for_server = model.is_unknown
            self.tick()
            self.take_focus()
        elif self._waits_for_server and not model.is_unknown:
            self._waits_for_server = False
            self.take_focus()
        self._go_on_after_import()

    def _go_on_after_import(self) -> None:
        """Focus the button to go on after an import; the button that chose the file lost the focus
        meanwhile."""
        done = self.model.articles.done
        if done is self._imported or self.model.is_busy:
            return
        self._imported = done
        if done is not None and self.model.step is FirstStep.ARTICLES:
            self._focus.settled()
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_choice(self) -> None:
        model, texts = self.model, self._texts
        self.choice.set_running(bool(model.running))
        if model.failure is not None:
            notice = texts.error(model.failure)
            words = f"{texts('first.nothing_begun')} {notice.press}".strip()
            self.choice.tell(notice.happened, words, is_well=False)
        elif model.running:
            self.choice.tell(texts("first.demo_opens"), texts("first.demo_opens_words"))
        else:
            self.choice.tell(texts("first.title"), texts("first.words"))

    def _show_foot(self) -> None:
        model, texts = self.model, self._texts
        why = "" if model.is_busy else model.why_not
        self.next.show_act(
            texts("first.open" if model.is_last else "first.next"),
            order=texts(f"first.order.{why}") if why else "",
        )
        allow_if(self.next, not model.is_busy, texts("first.busy"))
        self.skip.setVisible(model.can_skip)
        self.skip.setEnabled(not model.is_busy)
        self.head.button.setEnabled(not model.is_busy)
        self._foot.tell(*self._standing())

    def _standing(self) -> tuple[StateKind | None, str]:
        model, texts = self.model, self._texts
        acting = model.acting
        if acting is None:
            return None, ""
        server = model.services.server
        if model.is_unknown and server.link is ServerLink.STRANGER:
            return StateKind.FAILED, " ".join(stranger_words(server, texts))
        error = model.failure or acting.failure
        if model.is_unknown and isinstance(error, NotDelivered | None):
            return StateKind.WAIT, texts("first.server_opens")
        if acting.running and acting is not model.articles:
            return StateKind.WAIT, texts(f"set.running.{acting.running}")
        if error is not None:
            return StateKind.FAILED, texts.error(error).in_one_text
        if fault := self._fault():
            return StateKind.FAILED, fault
        if not model.why_not and (words := self._labels_to_change()):
            return StateKind.DECIDE, words
        return None, self._hint()  # the key says what is missing

    def _labels_to_change(self) -> str:
        many, texts = self.model.labels_to_change, self._texts
        if not many:
            return ""
        word = "in" if self.model.cashier.in_vat else "out"
        counted = texts.count(f"set.cashier.labels.many.{word}", many)
        return f"{counted}. {texts(f'first.labels.{word}')}"

    def _hint(self) -> str:
        model, texts = self.model, self._texts
        if model.acting is model.printer and model.printer.has_printer:
            return texts("first.hint.printer_chosen")
        is_real = model.processor.kind is not ProcessorKind.DEVELOPMENT
        if model.acting is model.processor and is_real:
            return ""
        return texts(f"first.hint.{model.step}")

    def _fault(self) -> str:
        """The reason why what is typed can't be saved, where the form does not say it."""
        acting, texts = self.model.acting, self._texts
        if isinstance(acting, PlatformModel) and acting.fault:
            return texts(f"set.plat.fault.{acting.fault}")
        if isinstance(acting, PrinterModel) and acting.fault not in ("", "address"):
            text_id = f"set.prn.fault.{acting.fault}"
            return texts(text_id if texts.has(text_id) else "set.prn.fault.settings")
        return ""

    def _begin_timers(self) -> None:
        if self.model.wants_trial:
            self._trying.start()
        if self.model.is_unkept:
            self._keeping.start()


def _scan_notice(scanned: Say, texts: Texts) -> NoticeText:
    words = texts("lock.scanned", name=scanned(texts))
    return NoticeText(words, texts("scan.kept"), texts("first.scan_press"))


def _is_made(choice: QAbstractButton) -> bool:
    """Whether this is the chosen one of several choices. Enter on it goes on, as the button
    says."""
    return choice.autoExclusive() and choice.isChecked()


ROOM, SCREEN = FirstStartRoom, FirstStartScreen
