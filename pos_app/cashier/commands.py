"""Every command of the till and its keys, declared once.

The shortcuts of the window, the keys of the payment, the pages of F1, the action bar and the menu
of F9 are made from these tables. Source: till.md ("Keys").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from enum import Enum, StrEnum, auto
from types import MappingProxyType

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.clock import Clock
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.text.transliteration import LETTERS
from pos_app.lazy_dataclass import dataclass

KEYPAD = "pad "


class KeyPage(Enum):
    """The parts of the sale's screen that have keys of their own, each with its page of F1."""

    SALE = auto()
    PAYMENT = auto()
    FORM = auto()
    """A page over the payment with fields to fill in."""
    QUESTION = auto()
    NUMBER = auto()
    """A question that a number answers."""
    CHOICE = auto()
    """A question that one of several buttons answers."""
    UNUSUAL = auto()
    """The question whether an unusual amount is right."""


class TillCommand(StrEnum):
    KEYS = "keys"
    SEARCH = "search"
    QUANTITY = "quantity"
    PRICE = "price"
    BUYER = "buyer"
    SUSPEND = "hold"
    SUSPEND_NAMED = "hold_named"
    MORE = "more"
    DRAWER = "drawer"
    PAY = "pay"
    CASH = "cash"
    CARD = "card"
    LINE_UP = "line_up"
    LINE_DOWN = "line_down"
    REMOVE = "remove"
    BACK = "back"
    ENTER = "enter"
    METHOD = "method"
    TYPE = "type"
    """Typing a character of an amount in the payment."""
    RUB_OUT = "rub_out"
    CLEAR = "clear"
    SALE = "sale"
    ADVANCE = "advance"
    PROFORMA = "proforma"
    TRAINING = "training"
    """These four make the open cart another kind of document."""
    RECEIPT = "receipt"
    FLIP_PICKER = "flip_picker"
    FLIP_THEME = "flip_theme"
    SET_UP = "set_up"
    """Leaving the demo to set up a shop of one's own."""
    LOCK = "lock"
    CLOSE = "close"


_S, _P = KeyPage.SALE, KeyPage.PAYMENT
_F, _Q, _N = KeyPage.FORM, KeyPage.QUESTION, KeyPage.NUMBER
_C, _U = KeyPage.CHOICE, KeyPage.UNUSUAL


@dataclass(frozen=True, slots=True)
class Key:
    """sequences: in Qt's spelling, with `KEYPAD` before a key of the numeric pad; there are several
    where keyboards have the key twice. help_texts: the text id of the key's words, by the screen
    whose F1 page lists the key. cap: the text of the key cap, or a text id; "" shows the sequence.
    button: the text id of its word on the action bar."""

    command: TillCommand | None
    sequences: tuple[str, ...]
    help_texts: Mapping[KeyPage, str] = field(default_factory=dict)
    cap: str = ""
    button: str = ""
    repeats: bool = False

    @property
    def cap_text(self) -> str:
        """The text of the key cap, or its text id."""
        return self.cap or self.sequences[0]


KINDS = (TillCommand.SALE, TillCommand.ADVANCE, TillCommand.PROFORMA, TillCommand.TRAINING)
"""The commands of the kinds of documents, in the order of the top of the window."""
KINDS_CAP = f"Ctrl+1…{len(KINDS)}"

KEYS: tuple[Key, ...] = (
    Key(None, (), {_S: "keys.code"}, "keys.typed.code"),
    Key(None, (), {_S: "keys.times"}, "keys.typed.times"),
    Key(None, (), {_S: "keys.letters"}, "keys.typed.letters"),
    Key(TillCommand.TYPE, (), {_P: "pay.keys.amount"}, "pay.keys.digits"),
    Key(TillCommand.METHOD, (), {_P: "pay.keys.methods"}, f"Alt+1…{len(PaymentMethod)}"),
    Key(None, (), {_N: "keys.number"}, "pay.keys.digits"),
    Key(None, (), {_C: "keys.choice"}, "1…9"),
    Key(
        TillCommand.ENTER, ("Return", "Enter"),
        {
            _P: "pay.keys.enter", _F: "pay.done", _Q: "att.keys.enter", _N: "att.keys.enter",
            _C: "att.keys.enter", _U: "sure.mend",
        },
        "Enter",
    ),
    Key(TillCommand.LINE_UP, ("Up",), {_P: "pay.keys.lines"}, "↑ ↓"),
    Key(TillCommand.LINE_DOWN, ("Down",), {_P: "pay.keys.lines"}, "↑ ↓"),
    Key(TillCommand.RUB_OUT, ("Backspace",), {_P: "typing.back"}),
    Key(TillCommand.CLEAR, ("Del",), {_P: "pay.keys.clear"}, "Delete"),
    Key(
        None, (),
        {
            _F: "att.keys.tab", _Q: "att.keys.tab", _N: "att.keys.tab", _C: "att.keys.tab",
            _U: "att.keys.tab",
        },
        "Tab",
    ),
    Key(
        TillCommand.KEYS, ("F1",),
        {
            _S: "keys.f1", _F: "keys.f1", _Q: "keys.f1", _N: "keys.f1", _C: "keys.f1",
            _U: "keys.f1",
        },
    ),
    Key(
        TillCommand.SEARCH, ("F2",), {_S: "keys.f2", _P: "pay.keys.search", _F: "pay.keys.search"}
    ),
    Key(TillCommand.QUANTITY, ("F3",), {_S: "keys.f3"}, button="key.quantity"),
    Key(
        TillCommand.PRICE, ("F4",), {_S: "keys.f4", _P: "pay.discount", _F: "pay.discount"},
        button="key.price",
    ),
    Key(
        TillCommand.BUYER, ("F5",), {_S: "keys.f5", _P: "pay.buyer", _F: "pay.buyer"},
        button="key.buyer",
    ),
    Key(TillCommand.SUSPEND, ("F6",), {_S: "keys.f6"}, button="key.hold"),
    Key(TillCommand.SUSPEND_NAMED, ("Ctrl+F6",), {_S: "keys.ctrl_f6"}),
    Key(TillCommand.MORE, ("F9",), {_S: "keys.f9"}, button="key.more"),
    Key(
        TillCommand.DRAWER, ("F10",),
        {_S: "keys.f10", _P: "keys.f10", _F: "keys.f10"},
        button="key.drawer",
    ),
    Key(TillCommand.LOCK, ("F11",), {_S: "keys.f11", _P: "keys.f11", _F: "keys.f11"}),
    Key(
        TillCommand.PAY, ("F12",),
        {_S: "keys.f12", _P: "pay.keys.done", _F: "pay.keys.done", _U: "sure.yes"},
        button="key.pay",
    ),
    Key(TillCommand.CASH, (f"{KEYPAD}+",), {_S: "keys.plus"}, "keys.pad_plus"),
    Key(TillCommand.CARD, (f"{KEYPAD}-",), {_S: "keys.minus"}, "keys.pad_minus"),
    Key(TillCommand.CASH, ("Ctrl+Return", "Ctrl+Enter"), {_S: "keys.cash"}, "Ctrl+Enter"),
    Key(
        TillCommand.CARD, ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"), {_S: "keys.card"},
        "Ctrl+Shift+Enter",
    ),
    Key(TillCommand.LINE_UP, ("PgUp",), {_S: "keys.up"}, "Page Up", repeats=True),
    Key(TillCommand.LINE_DOWN, ("PgDown",), {_S: "keys.down"}, "Page Down", repeats=True),
    Key(TillCommand.REMOVE, ("Del",), {_S: "keys.delete"}, "Delete"),
    *(
        Key(command, (f"Ctrl+{number}",), {_S: "keys.kinds", _P: "keys.kinds"}, KINDS_CAP)
        for number, command in enumerate(KINDS, start=1)
    ),
    Key(TillCommand.BACK, ("Esc",), dict.fromkeys(KeyPage, "keys.escape")),
)  # fmt: skip
"""The keys in the order of the pages of F1."""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A command in the menu of F9, with the texts `more.NAME` and `more.NAME_words`."""

    name: str
    icon: str


MENU: Mapping[TillCommand, MenuItem] = MappingProxyType(
    {
        TillCommand.SUSPEND_NAMED: MenuItem("hold_named", "pencil"),
        TillCommand.DRAWER: MenuItem("drawer", "vault"),
        TillCommand.RECEIPT: MenuItem("receipt", "history"),
        TillCommand.KEYS: MenuItem("keys", "keyboard"),
        TillCommand.SET_UP: MenuItem("set_up", "store"),
        TillCommand.CLOSE: MenuItem("close", "x"),
    }
)
FOLDING = (TillCommand.QUANTITY, TillCommand.PRICE, TillCommand.BUYER, TillCommand.SUSPEND)
"""The commands that a shop may have on its action bar or leave to the menu, in the menu's order."""

BUTTONS: Mapping[str, Key] = MappingProxyType(
    {key.sequences[0]: key for key in KEYS if key.button and key.command is not TillCommand.PAY}
)
"""The action keys with a button, by their sequence. A key that the settings name and that is
missing here has no button yet."""


def key_of(command: TillCommand, screen: KeyPage = KeyPage.SALE) -> Key:
    """The first key of a command on a screen. StopIteration means a bug: the command has none."""
    return next(key for key in KEYS if key.command is command and screen in key.help_texts)


def cap_of(command: TillCommand, screen: KeyPage = KeyPage.SALE) -> str:
    """The text of the cap of `key_of`, or its text id."""
    return key_of(command, screen).cap_text


def own_cap(command: TillCommand, texts: Texts) -> str:
    """The words of the cap of a command's key on the sale's screen; "" where it has none."""
    key = next((key for key in KEYS if key.command is command and _S in key.help_texts), None)
    if key is None:
        return ""
    return texts(key.cap_text) if texts.has(key.cap_text) else key.cap_text


ENTER = cap_of(TillCommand.ENTER, KeyPage.PAYMENT)
CTRL_ENTER = f"Ctrl+{ENTER}"
ESCAPE = cap_of(TillCommand.BACK)
SAVE, UNDO, IN_PLACE, MOVE = "Ctrl+S", "Ctrl+Z", "Shift+Enter", "Ctrl+← →"
"""Keys of the catalogue."""
EXPORT = "Ctrl+E"
"""The key of the receipts' screen."""


def method_cap(number: int) -> str:
    """The key of the method or act of that number, from 1."""
    return f"Alt+{number}"


def help_page(screen: KeyPage, texts: Texts, *, enter: str = ENTER) -> list[tuple[str, str]]:
    """The F1 page of a screen: each key cap once, with what it does. enter: the key that does there
    what Enter usually does."""
    words_by_cap: dict[str, str] = {}
    for key in KEYS:
        if screen in key.help_texts:
            words_by_cap.setdefault(key.cap_text, key.help_texts[screen])
    shown = {ENTER: enter}
    return help_rows([(shown.get(cap, cap), words) for cap, words in words_by_cap.items()], texts)


def help_rows(rows: Iterable[tuple[str | TillCommand, str]], texts: Texts) -> list[tuple[str, str]]:
    """A page of F1. rows: commands, key caps or text ids of caps, each with the text id of its
    words, which begin with a capital letter there."""
    caps = [(cap_of(of) if isinstance(of, TillCommand) else of, texts(words)) for of, words in rows]
    return [
        (texts(cap) if texts.has(cap) else cap, words[:1].upper() + words[1:])
        for cap, words in caps
    ]


# --- keys of a window ----------------------------------------------------------------------------


def listen_to_keys(
    window: QWidget,
    on_key: Callable[[TillCommand], None],
    *,
    screens: Mapping[str, str],
    on_screen: Callable[[str], None],
) -> None:
    """Call back for each key of the sale's screen, wherever the focus in `window` is; the keys of
    the numeric pad are left out.

    screens: the names of the screens by the keys that open them.
    """
    for key in KEYS:
        if _S not in key.help_texts or key.command is None:
            continue
        for sequence in key.sequences:
            if not sequence.startswith(KEYPAD):
                shortcut = QShortcut(QKeySequence(sequence), window)
                shortcut.setAutoRepeat(key.repeats)
                shortcut.activated.connect(lambda command=key.command: on_key(command))
    for cap, name in screens.items():
        shortcut = QShortcut(window)
        shortcut.setKeys(letter_key(cap))
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(lambda name=name: on_screen(name))


_CYRILLIC = {latin.upper(): cyrillic.upper() for cyrillic, latin in LETTERS.items()}


def letter_key(cap: str) -> list[QKeySequence]:
    """The sequences of a letter with a held key, also on a Cyrillic keyboard: where no layout of
    the machine is Latin, Qt knows no Ctrl+D."""
    *held, letter = cap.split("+")
    twin = "+".join((*held, _CYRILLIC.get(letter, letter)))
    return [QKeySequence(one) for one in dict.fromkeys((cap, twin))]


_BY_HAND = frozenset((QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin))


class HandsWatch(QObject):
    """Knows for how long nobody touched the till or its scanner. Install it on the QWindow for
    mouse and fingers; the scanner's filter, which sees all keys, calls `note` for them."""

    def __init__(self, clock: Clock, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self._since = clock.ticks()

    @property
    def minutes_still(self) -> float:
        return (self._clock.ticks() - self._since) / 60_000

    def note(self) -> None:
        self._since = self._clock.ticks()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _BY_HAND:
            self.note()
        return False


class PadKeys(QObject):
    """Takes + and − of the numeric pad before any widget of a window sees them.

    On X11 Qt finds no shortcut for them, and a field with the focus takes them as text.
    is_wanted: whether they act now; otherwise they are text. Install it on the QWindow.
    """

    def __init__(
        self,
        on_key: Callable[[TillCommand], None],
        *,
        is_wanted: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._on_key = on_key
        self._is_wanted = is_wanted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take a press of + or −; a held key acts once."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        command = _pad_command(event)
        if command is None or not self._is_wanted():
            return False
        if not event.isAutoRepeat():
            self._on_key(command)
        event.accept()
        return True


_SIGNS = {Qt.Key.Key_Plus: f"{KEYPAD}+", Qt.Key.Key_Minus: f"{KEYPAD}-"}
_OF_PAD = {
    key.sequences[0]: key.command
    for key in KEYS
    if key.sequences[:1] and KEYPAD in key.sequences[0]
}


def _pad_command(event: QKeyEvent) -> TillCommand | None:
    if not event.modifiers() & Qt.KeyboardModifier.KeypadModifier:
        return None
    return _OF_PAD.get(_SIGNS.get(Qt.Key(event.key()), ""))
