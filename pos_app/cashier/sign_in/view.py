"""The screen while nobody works at the till: who signs in, and the cart, which stays as it was.

A scanned article is shown, counted and not entered; the badge of a person signs in. Source: till.md
("Lock, sign-in").
"""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER, TillCommand, cap_of
from pos_app.cashier.gate.who_and_pin import WhoAndPin
from pos_app.cashier.sale.cart_list import CartList, IdentifiedRow
from pos_app.cashier.sale.cart_parts import CartTotal
from pos_app.cashier.sign_in.model import SignInModel
from pos_app.cashier.texts.lookup import Say
from pos_app.cashier.ui import notice
from pos_app.cashier.ui.bars import ShopHead, TopBar
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Divider, Ground, Panel, clear_layout
from pos_app.cashier.ui.rows import CartWords
from pos_app.cashier.window.frame import (
    LOCK,
    Change,
    Frame,
    LockedBy,
    Room,
    ScanAnswer,
    Screen,
    ShopChange,
)
from pos_app.cashier.words.cart_texts import cart_row
from pos_app.cashier.words.moments import clock_text
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import MachineError, PosError
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.people import HiddenPin, Person
from pos_app.selling.people.wrong_pins import pin_waits


class SignInRoom(Room):
    """Tries one PIN at a time. Signals: `changed()`; `refused(str)`; `outdated(Person)`, the
    person's PIN was right, but is not as long as the others."""

    changed = Signal()
    refused = Signal(str)
    outdated = Signal(object)
    _proved = Signal(object, object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = SignInModel(frame.services)
        # The queued signal lets the coroutine end first: a coroutine never enters a view.
        self._proved.connect(self.sign_in, Qt.ConnectionType.QueuedConnection)

    def forget_widgets(self) -> None:
        self.disconnect_widgets(self.changed, self.refused, self.outdated)

    def give(self, person: Person, pin: str) -> None:
        self.model.chosen = person
        self.frame.tasks.start(self._try(person, pin), name="try the PIN", on_failure=self._refuse)

    def keep_pin(self, person: Person, pin: str) -> None:
        """Keep a PIN that the person chose, if the person may choose one here; that signs in,
        too."""
        if self.model.may_choose_pin(person):
            self.frame.tasks.start(
                self._choose(person, pin), name="keep the PIN", on_failure=self._refuse
            )

    def show_badge(self, code: str) -> bool:
        """Take a scanned badge; return False if the code is no badge. The badge signs in, or
        chooses the person whose PIN is asked for. While somebody else's cart is asked about, the
        badge signs in when it is scanned again."""
        services, model = self.frame.services, self.model
        person = services.people.badge_of(code)
        if person is None:
            return False
        needs_pin = services.settings.people.badge_needs_pin and person.has_pin
        was, model.chosen = model.badge_shown, person
        asks = model.may_take_over and model.is_of_another(self.frame.home.ticket())
        if not needs_pin and (was == person or not asks):
            self.sign_in(person)
            return True
        if model.locked_by is not None and model.locked_by != person:
            model.ask_anybody()
        model.chosen, model.badge_shown = person, None if needs_pin else person
        self.changed.emit()
        return True

    def sign_in(self, person: Person, pin: HiddenPin | None = None) -> None:
        """Let the person work here from now on, with the cart as chosen. Do nothing if somebody
        else signed in while the PIN was tried. pin: the PIN that the person chose."""
        model, frame = self.model, self.frame
        if not frame.is_covered_by(LOCK):
            return
        before = frame.services.here.person
        is_other = model.is_of_another(frame.home.ticket())
        holds = is_other and (model.holds or not model.may_take_over)
        try:
            if holds:
                frame.home_screen.finish_cart()
            with model.entering(person, pin):
                show = frame.home.hand_over(holds)
        except PosError as error:
            self._refuse(error)
            return
        show()
        frame.leave_to(before)
        frame.uncover(LOCK)
        frame.announce(Change(ShopChange.CASHIER))

    async def _try(self, person: Person, pin: str) -> None:
        await self.model.try_pin(person, pin)
        if self.model.has_length(pin):
            self._proved.emit(person, None)
        else:
            self.outdated.emit(person)

    async def _choose(self, person: Person, pin: str) -> None:
        self._proved.emit(person, await self.model.hide_pin(pin))

    def _refuse(self, error: PosError) -> None:
        notice = self.frame.ui.texts.error(error)
        words = notice.happened
        self.frame.home.note_fault(error)
        if isinstance(error, MachineError):
            words = " ".join(part for part in (notice.happened, notice.press) if part)
        self.frame.home.tone("no")
        self.refused.emit(words)


class SignInScreen(Screen):
    """Shows the cart at the left, and at the right who signs in. Places: `LockedBy`."""

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame)
        assert isinstance(room, SignInRoom)
        self.room, self.model = room, room.model
        texts, theme, metrics = frame.ui.texts, self.theme, self.theme.metrics
        self._texts = texts
        self.setAccessibleName(texts("sign.title"))
        head = ShopHead(theme)
        head.set_shop(frame.home.shop_name(), "")
        self.bar = TopBar(theme, head)
        self.bar.extra.addWidget(Label(theme, frame.services.settings.till.name, colour="ink_2"))
        self.banners = notice.Banners(theme, behind=texts("banner.behind"))
        self._left_side = Ground(theme, colour="surface")
        self._cart = _column(self._left_side, spacing=0)
        right = QWidget()
        self._side = _column(right, spacing=metrics.s3)
        self._side.setContentsMargins(metrics.s3, metrics.s4, metrics.s3, metrics.s3)
        body = QHBoxLayout()
        body.setSpacing(0)
        for part, share in ((self._left_side, 37), (Divider(theme, upright=True), 0), (right, 63)):
            body.addWidget(part, share)
        whole = _column(self, spacing=0)
        whole.addWidget(self.bar)
        whole.addWidget(self.banners)
        whole.addLayout(body, 1)
        model = self.model
        if (model.chosen, model.locked_by, model.scanned) == (None, None, None):
            model.begin(None)
        self.take: Button | None = None
        self.suspend: Button | None = None
        self._build()
        room.changed.connect(self.show_model)
        room.refused.connect(self._refuse)
        # The queued signal lets the coroutine end first: a coroutine never enters a view.
        room.outdated.connect(self._ask_new_pin, Qt.ConnectionType.QueuedConnection)

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, LockedBy):
            self.model.begin(screen_place.person, since=screen_place.since)
            if screen_place.since is None:
                self.model.note(NotedAct.LOCKED)
            self.show_model()

    def take_focus(self) -> None:
        self.who.focus_first()

    def press(self, command: TillCommand) -> None:
        """Ignore the keys of the sale except the one that decides about the cart."""
        if command is TillCommand.SUSPEND and self._asks_cart:
            self._choose_suspend(not self.model.holds)
        elif command not in (TillCommand.BACK, TillCommand.LINE_UP, TillCommand.LINE_DOWN):
            self.frame.home.tone("no")

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Sign in by a badge; any other code may be of goods."""
        return ScanAnswer.TAKEN if self.room.show_badge(text) else ScanAnswer.MISSED

    def misread(self) -> ScanAnswer:
        return ScanAnswer.MISSED

    def tell_scan(self, scanned: Say) -> None:
        self.model.scanned = scanned
        self.show_model()

    def tick(self) -> None:
        now = in_belgrade(self.frame.services.till.clock.now())
        self.bar.set_clock(now.strftime("%H:%M"))
        person = self.who.person
        if person is not None and (seconds := self.model.waits(person)):
            self.who.refuse(self._texts.error(pin_waits(timedelta(seconds=seconds))).happened)

    def show_banner(self, banner: notice.BannerText) -> None:
        self.banners.show_kind(banner)

    def show_in_front(self, in_front: bool) -> None:
        self.banners.show_in_front(in_front)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.somebody is not None:
            self._ask_anybody()
        else:
            self.who.keyPressEvent(event)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        """Show everything anew, with the caret in the PIN."""
        self._build()
        self.take_focus()

    @property
    def _is_locked(self) -> bool:
        return self.model.locked_by is not None

    @property
    def _hides_cart(self) -> bool:
        return self._is_locked or self.model.hides_cart

    @property
    def _asks_cart(self) -> bool:
        is_other = self.model.is_of_another(self.frame.home.ticket())
        return is_other and self.model.may_take_over and not self._is_locked

    def _build(self) -> None:
        clear_layout(self._side)
        self._show_side()
        self._show_cart()
        self.tick()

    def _show_cart(self) -> None:
        """Show the cart that stays; its lines are hidden where the till is locked."""
        clear_layout(self._cart)
        ticket, texts, theme = self.frame.home.ticket(), self._texts, self.theme
        lines = ticket.cart.active
        if lines:
            kept, edge = QVBoxLayout(), theme.metrics.s3
            air = 0 if theme.metrics.tight else edge
            kept.setContentsMargins(edge, air, edge, air)
            kept.addWidget(self._kept_words(ticket.cashier))
            self._cart.addLayout(kept)
        if lines and not self._hides_cart:
            words = CartWords(remove=texts("cart.remove"), restore=texts("cart.restore"))
            shown = CartList(theme, name=texts("cart.name"), words=words, parent=self._left_side)
            shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            shown.rows.take(
                [IdentifiedRow(one.id, cart_row(one, texts, is_current=False)) for one in lines]
            )
            self._cart.addWidget(shown, 1)
        else:
            hidden, edge = QVBoxLayout(), theme.metrics.s3
            hidden.setContentsMargins(edge, 0, edge, 0)
            hidden.addStretch(1)
            if lines:
                hidden.addWidget(Icon(theme, "eye-off", size=32), 0, Qt.AlignmentFlag.AlignHCenter)
            text = texts.count("lock.hidden", len(lines)) if lines else texts("lock.no_cart")
            told = Label(theme, text, colour="ink_2", wrap=True)
            told.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            hidden.addWidget(told)
            hidden.addStretch(1)
            self._cart.addLayout(hidden, 1)
        total = CartTotal(theme)
        total.set_total(
            [(texts("cart.items"), str(len(lines)))],
            label=texts("cart.total"),
            currency=texts("cart.currency"),
            total=amount_text(ticket.cart.total),
        )
        self._cart.addWidget(total)

    def _kept_words(self, cashier: str) -> QWidget:
        texts = self._texts
        received = self.frame.home.begun_payment()
        if self._hides_cart:
            happened, safe = texts("lock.kept"), texts("lock.kept_words")
        else:
            happened = texts("sign.kept_of", name=cashier)
            safe = texts("sign.kept_words")
        if received is not None:
            known = texts("sign.received", amount=amount_text(received))
            safe = known if received else texts("sign.begun")
        return notice.NoticePanel(
            self.theme, notice.NoticeKind.INFO, happened=happened, safe=safe, press="", icon="pause"
        )

    def _show_side(self) -> None:
        texts, theme, model = self._texts, self.theme, self.model
        people = model.people if not self._is_locked else [model.locked_by]
        words = [(one, self._words_of(one)) for one in people if one is not None]
        self.who = WhoAndPin(theme, texts, words, chosen=model.chosen, digits=model.digits)
        self.who.above.addLayout(self._heading())
        if model.scanned is not None and self._is_low:
            self.who.above.addWidget(self._scanned_words(model.scanned, heads=None))
        elif model.scanned is not None:
            heads = texts("att.heads.happened"), texts("lock.heads.added"), texts("att.heads.press")
            self._side.addWidget(self._scanned_words(model.scanned, heads))
        self.who.given.connect(self.room.give)
        self.who.pin_chosen.connect(self.room.keep_pin)
        self.who.chose.connect(self._chose)
        self.somebody = None
        if self._is_locked and len(model.people) > 1:
            self.somebody = Button(
                theme, texts("lock.somebody"), icon="users", key="↓", spread=True
            )
            self.somebody.clicked.connect(self._ask_anybody)
            self.who.below.addWidget(self.somebody)
        if any(one.has_badge for one in model.people):
            self.who.below.addWidget(self._badge_words())
        self._side.addWidget(self.who, 1)
        self.enter = BigButton(theme, "", key=ENTER, icon="lock" if self._is_locked else "user")
        self.enter.clicked.connect(self.who.enter)
        self.who.field.changed.connect(self._show_enter)
        self._side.addWidget(self.enter)
        self._show_choice()

    @property
    def _is_low(self) -> bool:
        """Whether a notice would leave too little room for the digits."""
        metrics = self.theme.metrics
        return self.height() < 9 * metrics.touch + 16 * metrics.line(TypeStep.BASE)

    def _heading(self) -> QHBoxLayout:
        texts, theme, model = self._texts, self.theme, self.model
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s3)
        words = QVBoxLayout()
        words.setSpacing(0)
        if model.locked_by is not None:
            row.addWidget(Icon(theme, "lock", size=32))
            since = clock_text(model.since) if model.since else ""
            title = texts("lock.title")
            name = model.locked_by.name if self.frame.services.signs_in else ""
            below = texts("lock.since", name=name, time=since) if name else since
            step = TypeStep.TITLE if self._is_low else TypeStep.AMOUNT
            words.addWidget(Label(theme, title, step=step, weight=Weight.BOLD, wrap=True))
            words.addWidget(Label(theme, below, colour="ink_2", wrap=True))
        else:
            title = texts("sign.who")
            words.addWidget(Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD))
        row.addLayout(words, 1)
        return row

    def _words_of(self, person: Person) -> str:
        texts = self._texts
        role = texts(f"role.{person.role}")
        if self.model.locked_by == person:
            return texts("lock.role_locked", role=role)
        ticket = self.frame.home.ticket()
        left = not ticket.cart.is_empty and ticket.cashier == person.name
        return texts("sign.role_left", role=role) if left else role

    def _badge_words(self) -> QWidget:
        texts, theme, metrics = self._texts, self.theme, self.theme.metrics
        panel = Panel(theme)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, "id-card", size=24))
        words = QVBoxLayout()
        words.setSpacing(0)
        needs_pin = self.frame.services.settings.people.badge_needs_pin
        below = texts("sign.badge_with_pin" if needs_pin else "sign.badge_words")
        words.addWidget(Label(theme, texts("sign.badge"), weight=Weight.SEMIBOLD, wrap=True))
        words.addWidget(Label(theme, below, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        row.addLayout(words, 1)
        return panel

    def _scanned_words(self, scanned: Say, heads: tuple[str, str, str] | None) -> QWidget:
        texts = self._texts
        return notice.NoticePanel(
            self.theme,
            notice.NoticeKind.WARN,
            happened=texts("lock.scanned", name=scanned(texts)),
            safe=texts("lock.not_added"),
            press=texts("lock.scan_again"),
            heads=heads,
        )

    def _show_enter(self) -> None:
        """Show what Enter does, or that a PIN has to be typed before."""
        texts, person = self._texts, self.who.person
        order = "" if person is None else self.who.order
        if order and self.model.badge_shown == person:
            order = texts("sign.scan_badge")
        word = texts("lock.open" if self._is_locked else "sign.in")
        self.enter.show_act(word, order=order, rests=False)

    def _show_choice(self) -> None:
        """Show the choice about the cart of another person, and what Enter does."""
        clear_layout(self.who.choice)
        texts, theme, model = self._texts, self.theme, self.model
        ticket, person = self.frame.home.ticket(), self.who.person
        below = ""
        if person is not None and model.is_of_another(ticket) and not self._is_locked:
            holds = model.holds or not model.may_take_over
            below = texts("sign.holds" if holds else "sign.takes", name=person.name)
            if model.badge_shown == person:
                below += f" · {texts('sign.badge_again')}"
            if model.may_take_over:
                self._add_choices(ticket.cashier, len(ticket.cart.active))
        elif not ticket.cart.is_empty:
            below = texts("lock.goes_on")
        self._show_enter()
        self.enter.setAccessibleDescription(below)
        if below:
            self.who.choice.addWidget(
                Label(theme, below, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            )

    def _add_choices(self, cashier: str, lines: int) -> None:
        texts, theme = self._texts, self.theme
        text = texts.count("sign.cart_of", lines, name=cashier)
        self.who.choice.addWidget(
            Label(theme, text, step=TypeStep.SMALL, weight=Weight.SEMIBOLD, wrap=True)
        )
        take = self.take = Button(theme, texts("sign.take_over"), icon="hand-coins")
        key = cap_of(TillCommand.SUSPEND)
        suspend = self.suspend = Button(theme, texts("sign.hold"), icon="pause", key=key)
        direction = QBoxLayout.Direction
        is_wide = self.width() >= 60 * theme.metrics.line(TypeStep.BASE)
        row = QBoxLayout(direction.LeftToRight if is_wide else direction.TopToBottom)
        row.setSpacing(theme.metrics.s2)
        for button, suspends in ((take, False), (suspend, True)):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            chosen = self.model.holds is suspends
            button.set_kind(ButtonKind.CHOSEN if chosen else ButtonKind.PLAIN)
            button.clicked.connect(
                lambda _=False, suspends=suspends: self._choose_suspend(suspends)
            )
            row.addWidget(button, 1)
        self.who.choice.addLayout(row)

    # --- acts ------------------------------------------------------------------------------------

    def _chose(self, person: Person) -> None:
        self.model.chosen, self.model.outdated, self.model.badge_shown = person, None, None
        self._show_choice()

    def _choose_suspend(self, suspends: bool) -> None:
        self.model.holds = suspends
        self._show_choice()
        self.take_focus()

    def _ask_anybody(self) -> None:
        self.model.ask_anybody()
        self.show_model()

    def _refuse(self, words: str) -> None:
        self.who.refuse(words)

    def _ask_new_pin(self, person: Person) -> None:
        """Ask for a new PIN, unless somebody else was chosen meanwhile."""
        if self.who.person == person:
            self.model.outdated = person
            self.who.ask_new_pin()


def _column(widget: QWidget, *, spacing: int) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(QMargins())
    column.setSpacing(spacing)
    return column


ROOM, SCREEN = SignInRoom, SignInScreen
