"""A screen over the sale with a head: the way back, its title, the key that locks the till, the
clock, the banners, and the list of keys (F1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE, TillCommand, cap_of, help_rows
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.ui.bars import ScreenHead, TopBar, short_name
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.focus import FocusKeeper
from pos_app.cashier.ui.notice import Banners, BannerText, NoticeText, ToldNotice
from pos_app.cashier.ui.panel import KeysScreen
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import HOME, Frame, Room, ScanAnswer, Screen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.window.screens import RECEIPTS, scanned_place
from pos_app.cashier.words.moments import clock_text
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode
from pos_app.errors import NotAllowed
from pos_app.selling.catalogue.codes import ReadCode

MOST_TOUCHES = 8
"""The most that the key with a person's name takes of the bar, in touch sizes."""


class LockButton(Button):
    """The button that locks the till, with the name of the person who works here. It is hidden
    where nobody could unlock the till. In a narrow window it is only the icon, and a name that is
    very long in large type keeps its first word and initials."""

    def __init__(self, theme: Theme, texts: Texts, lock: Callable[[], object]) -> None:
        super().__init__(theme, "", icon="lock", key=cap_of(TillCommand.LOCK))
        self._texts = texts
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(lock)
        self.hide()

    def show_cashier(self, services: TillServices) -> None:
        self.set_words(services.cashier)
        metrics = self.theme.metrics
        self.set_compact(metrics.narrow)
        self.setAccessibleName(self._texts("lock.key", cashier=services.cashier))
        is_long = self.sizeHint().width() > MOST_TOUCHES * metrics.touch
        if is_long:
            self.set_words(short_name(services.cashier))
        if not metrics.narrow:
            self.setToolTip(services.cashier if is_long else "")
        if self.parentWidget() is not None:
            self.setVisible(services.locks)


class HeadedScreen(Screen):
    """Subclasses put their content into `column`, below the head; `show_place` chooses what is
    shown there. title: the id of its text. help_keys: its page of F1, as `help_rows` takes it.

    The way back in the head is the only one: pages inside have none of their own."""

    title: ClassVar[str]
    help_keys: ClassVar[tuple[tuple[str | TillCommand, str], ...]]

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame)
        self._room = room
        texts, theme = frame.ui.texts, frame.ui.theme
        title = texts(self.title)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self.setAccessibleName(title)
        self.head = ScreenHead(theme, key=ESCAPE, title=title)
        self.head.button.lead_to(self.name_of(HOME))
        self.bar = TopBar(theme, self.head)
        self.lock = LockButton(theme, texts, lambda: frame.run(TillCommand.LOCK))
        self.bar.extra.addWidget(self.lock)
        self.lock.show_cashier(frame.services)
        self.banners = Banners(theme, behind=texts("banner.behind"))
        self.keys = KeysScreen(theme, help_rows(self.help_keys, texts), title=texts("ask.keys"))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.banners)
        self.told = ToldNotice(theme)
        self.column.addWidget(self.told)
        self.focus = FocusKeeper(self, self.take_focus)
        self._before_keys: QWidget | None = None
        """The widget that had the focus when the list of keys opened."""
        self.head.back.connect(self.back)

    # --- what each of them says itself -----------------------------------------------------------

    def show_place(self) -> None:
        """Show the list of keys, or the screen's present page."""
        raise NotImplementedError

    def step_back(self) -> bool:
        """Go one step back inside the screen without losing typed text. Where there is no step it
        returns False, and Esc leads to the sale."""
        return False

    def step_title(self) -> str:
        """Return the title of what stands over the screen's own page, from where `step_back` leads
        to that page; "" for nothing."""
        return self.frame.ui.texts("search.title") if self.is_searched else ""

    @property
    def is_searched(self) -> bool:
        """Whether a search is typed, which Esc ends."""
        return False

    def way_out(self) -> str:
        """Return the words of the place to which the screen is left."""
        return self.name_of(HOME)

    def way_back(self) -> str:
        """Return the words of the place that Esc leads to from what is shown."""
        return self.head.own_title if self.step_title() else self.way_out()

    def standing(self) -> str:
        return self.head.title

    def name_of(self, screen: str) -> str:
        """Return the words by which a way back names a screen; "" for the sale."""
        texts = self.frame.ui.texts
        return texts("back.sale") if screen in ("", HOME) else texts(f"more.{screen}")

    def focus_place(self) -> None:
        raise NotImplementedError

    def tell_in_place(self, words: str) -> bool:
        """Show why an act was refused in a better place than the top, or take it away there ("");
        returns False where the screen has no such place now. The words are the room's: a screen
        that keeps them in a widget alone would lose them with its theme, language or width."""
        return False

    # --- for the frame ---------------------------------------------------------------------------

    def come_on_top(self) -> None:
        self.show_way_back()  # its place may have changed it

    def tick(self) -> None:
        """Update the clock; a subclass may ask others for news."""
        now = self.frame.services.till.clock.now()
        self.bar.set_clock(clock_text(now))
        self.show_way_back()

    def show_way_back(self) -> None:
        """Say beside Esc where it leads; called wherever that may have changed."""
        title = self.step_title()
        if self.shows_keys:
            self.head.button.lead_to(title or self.head.own_title)
            self.head.show_over(self.frame.ui.texts("ask.keys"))
        else:
            self.head.button.lead_to(self.way_back())
            self.head.show_over(title, with_words=self.is_searched)

    def follow_cap(self, button: Button) -> None:
        """Show Esc on the way back only while no button inside, such as that of a notice, has
        it."""
        self.head.button.follow_cap(button)

    def show_banner(self, banner: BannerText) -> None:
        self.banners.show_kind(banner)

    def show_in_front(self, in_front: bool) -> None:
        self.banners.show_in_front(in_front)

    @property
    def holds_typed(self) -> bool:
        """Whether something is typed that nobody saved yet; a subclass knows of its model, too."""
        if self._gates:
            return False  # digits of a PIN are typed again
        edits = [one for kind in (QLineEdit, QPlainTextEdit) for one in self.findChildren(kind)]
        return any(_is_typed(one) for one in edits if one.isVisible() and one.isEnabled())

    def keeps_scan(self) -> bool:
        return self.holds_typed

    def tell_scan(self, scanned: Say) -> None:
        self._tell(partial(_scan_notice, scanned))

    def tell_badge(self) -> None:
        self._tell(_badge_notice)

    def tell(self, say: Say) -> None:
        self._tell(partial(_refusal_notice, say))

    def end_refusal(self) -> None:
        if self.refusal:
            self._tell(None)

    @property
    def refusal(self) -> str:
        """Why an act was refused, until another one begins; else ""."""
        told = self._told
        return told.happened if told is not None and told.is_refusal else ""

    @property
    def _told(self) -> NoticeText | None:
        return None if self._room.told is None else self._room.told(self.frame.ui.texts)

    def _tell(self, notice: Callable[[Texts], NoticeText] | None) -> None:
        self._room.told = notice
        self.show_told()

    def show_told(self) -> None:
        is_in_place = self.tell_in_place(self.refusal) and bool(self.refusal)
        notice, read = None if is_in_place else self._told, None
        if notice is not None:
            read = Button(self.theme, self.frame.ui.texts("ok"), key=ESCAPE)
            read.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a press leaves the caret where it is
            read.clicked.connect(lambda: self._tell(None))
        self.told.show_notice(notice, read)

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Lift the gate in front of the screen by a badge; a receipt's code opens that receipt on
        any screen, unless something is typed here."""
        if any(one.takes_badge(text) for one in self._gates):
            return ScanAnswer.TAKEN
        meant = code.meaning
        if not isinstance(meant, ReceiptCode | ShortReceiptCode) or self.holds_typed:
            return self.unused_scan
        self.frame.open(RECEIPTS, scanned_place(meant))
        return ScanAnswer.TAKEN

    def misread(self) -> ScanAnswer:
        """At a gate it may be a part of a badge, whose signs nobody sees."""
        return ScanAnswer.MISSED if self._gates else self.unused_scan

    @property
    def _gates(self) -> list[PinGate]:
        return [one for one in self.findChildren(PinGate) if one.isVisible()]

    def take_focus(self) -> None:
        self.focus.settled()
        if self.shows_keys:
            self.head.button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_place()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.take_focus()

    def press(self, command: TillCommand) -> None:
        match command:
            case TillCommand.BACK:
                self.back()
            case TillCommand.KEYS:
                self.toggle_keys()
            case TillCommand.DRAWER:
                self.frame.run(command)

    # --- keys ------------------------------------------------------------------------------------

    @property
    def shows_keys(self) -> bool:
        return self._room.shows_keys

    def toggle_keys(self) -> None:
        """Open the list of keys, or close it and let the focus be where it was before."""
        if not self.shows_keys:
            self._before_keys = QApplication.focusWidget()
        self._room.shows_keys = not self.shows_keys
        self.show_place()
        self.show_way_back()
        self.take_focus()
        if not self.shows_keys:
            self.focus.give_back(self._before_keys)

    def back(self) -> None:
        """Go one step back (Esc); what was typed is kept."""
        if not self.told.isHidden():
            self._tell(None)
        elif self.shows_keys:
            self.toggle_keys()
        elif self.step_back():
            self.show_way_back()
        else:
            self.leave()

    def leave(self) -> None:
        self.frame.go_home()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.back()
        else:
            super().keyPressEvent(event)


class GatedScreen(HeadedScreen):
    """A headed screen that somebody may have to unlock first."""

    gate: PinGate | None = None

    def show_body(self, body: QWidget, gate: Callable[[], PinGate] | None) -> None:
        """gate: makes the gate in front of the body; None while the screen is not locked."""
        if gate is not None and self.gate is None:
            self.gate = gate()
            self.column.addWidget(self.gate, 1)
        elif gate is None and self.gate is not None:
            self.gate.hide()
            self.gate.deleteLater()
            self.gate = None
        self.keys.setVisible(self.shows_keys)
        body.setVisible(not self.shows_keys and self.gate is None)
        if self.gate is not None:
            self.gate.setVisible(not self.shows_keys)


def _is_typed(edit: QWidget) -> bool:
    """Whether somebody typed into a field that searches nothing."""
    if isinstance(edit, QPlainTextEdit):
        return edit.document().isModified()
    is_search = isinstance(edit.parentWidget(), SearchField)
    return isinstance(edit, QLineEdit) and edit.isModified() and not is_search


def _badge_notice(texts: Texts) -> NoticeText:
    words = texts.error(NotAllowed("badge_read"))
    return NoticeText(words.happened, words.safe, words.press)


def _refusal_notice(say: Say, texts: Texts) -> NoticeText:
    return NoticeText(say(texts), is_refusal=True)


def _scan_notice(scanned: Say, texts: Texts) -> NoticeText:
    return NoticeText(
        texts("lock.scanned", name=scanned(texts)), texts("scan.kept"), texts("scan.kept_press")
    )
