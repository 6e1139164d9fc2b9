"""What a case of Attention is: its words, its steps and its actions, as data without widgets.

A further kind of case is a module in this package: a subclass of `Case`, and a `Source` that finds
such cases, which is registered in `cases.SOURCES`. Sources: till.md ("Attention", Promise 3).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from pos_app.cashier.commands import ENTER
from pos_app.cashier.services import TillServices
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.instant import day_of, in_belgrade
from pos_app.domain.money import Money
from pos_app.domain.server_status import ReceiptInDoubt
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.drawer_openings import DrawerShut
from pos_app.selling.server.monitor import ServerView


class Group(StrEnum):
    """Who must act; the order of the list."""

    NEEDS_YOU = "needs_you"
    GOES_ON = "goes_on"
    FOR_KNOWING = "for_knowing"
    """Nobody need act."""


# --- what can be done ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileToOpen:
    """A file for the system's viewer. on_opened: what follows once a program has taken it.

    not_opened: key of words that come first where none did, "" for none.
    """

    path: Path
    on_opened: Callable[[], Coroutine[object, object, str]] | None
    not_opened: str


@dataclass(frozen=True, slots=True)
class ActionContext:
    """What an action works with.

    ask_doubts: read anew what the server knows of its doubts; no answer is no word about them.
    take_back: make the lines of a cancelled sale the open cart; take_back_later: as soon as the
    sale of that key is cancelled, while Attention is open. open_goods: the sale of the goods of an
    advance that a refund closes becomes the open cart. end_drawer: it is open, or need not be.
    open_pair: the screen that goes on with it.
    """

    services: TillServices
    ask_doubts: Callable[[], Coroutine[object, object, None]]
    take_back: Callable[[Sale], None]
    take_back_later: Callable[[str], None]
    open_goods: Callable[[Sale], None]
    open_drawer: Callable[[], None]
    open_catalogue: Callable[[], None]
    open_card_pin: Callable[[], None]
    open_store: Callable[[], None]
    open_platform: Callable[[], None]
    end_drawer: Callable[[], None]
    open_file: Callable[[FileToOpen], None]
    open_pair: Callable[[FrozenPair], None]


ActionResult = str | Coroutine[object, object, str]
"""Key of the words that say what was done, "" for none; a coroutine where the server is asked."""

Run = Callable[[ActionContext, str], ActionResult]
"""What a button does; it is given the text of the entry that it takes."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """What is asked before an action, in place of its step's words and buttons."""

    words: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Action:
    """A button and what it does. run raises NotAllowed, MachineError, Invalid, RemoteError.

    name: stable. takes: name of the entry whose text is given to `run`. confirm: asked first.
    running: its words while it runs. busy: why it can't be pressed while any action runs, "" where
    it can. error_at: name of the entry where a failure is shown, "" for the foot of the case.
    """

    name: str
    words: str
    run: Run = field(compare=False)
    icon: str = ""
    kind: ButtonKind = ButtonKind.PLAIN
    key_cap: str = ""
    spoken: str = ""
    takes: str = ""
    running: str = ""
    busy: str = ""
    error_at: str = ""
    confirm: Confirm | None = None
    right: Act | None = None
    """The right that it takes, and that is lifted; its row says so."""
    about: str = ""
    """What the row of the act is about; "" for its words."""

    @property
    def is_main(self) -> bool:
        """Whether Enter means it."""
        return self.key_cap == ENTER


# --- the steps that resolve a case ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryField:
    """A field to type in. name: stable. missing: what is wrong with fewer letters than needed."""

    name: str
    label: str
    hint: str = ""
    is_address: bool = False
    is_narrow: bool = False
    letters: int = 0
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Ready-made words for an entry, by key."""

    entry: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """Quiet words beside a button."""

    words: str


StepPart = EntryField | Suggestions | Remark | Action


class StepState(StrEnum):
    OPEN = "open"
    CURRENT = "current"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Step:
    """One numbered step. quote: what the server or the processor wrote, as it stands.

    rows: parts side by side, row by row. beside: a button at the right of title and words.
    """

    title: str
    words: str = ""
    state: StepState = StepState.OPEN
    quote: str = ""
    rows: tuple[tuple[StepPart, ...], ...] = ()
    beside: Action | None = None


@dataclass(frozen=True, slots=True)
class ListLine:
    """One line of a case that is a list."""

    title: str
    words: str
    amount: str


# --- a case --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What the words of a case depend on beside its own facts. now: UTC. in_whole_dinars: whether
    the hand moves cash so. signs_in: whether people sign in, so that who decides is known."""

    server: ServerView
    now: datetime
    in_whole_dinars: bool = True
    signs_in: bool = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that waits, is in doubt or was solved.

    id: key of the sale, else id of the receipt, or a name of ours; it stays while the case is
    shown. since: UTC. many: how many things it stands for, where it is not one.
    """

    kind: ClassVar[str]
    """Names its texts."""
    group: ClassVar[Group] = Group.NEEDS_YOU
    icon: ClassVar[tuple[str, Token]] = ("triangle-alert", "warn")
    level: ClassVar[NoticeKind] = NoticeKind.WARN
    safe: ClassVar[str] = ""
    """Names the second part of its notice, where that is not its own."""
    press: ClassVar[str] = ""
    """The same of the third part."""
    rings: ClassVar[bool] = True
    """Whether it is counted by the bell."""
    is_under_way: ClassVar[bool] = False
    """Whether it is being done at this moment."""
    asks_doubts: ClassVar[bool] = False
    """Whether the server is asked what it found out."""

    id: str
    since: datetime
    total: Money | None = None
    many: int = 0

    @property
    def cart_id(self) -> int | None:
        """Of the cart whose lines can be shown."""
        return None

    @property
    def picture(self) -> tuple[str, Token]:
        """Icon and colour, where they differ within the kind."""
        return self.icon

    @property
    def foot(self) -> str:
        """Key of what is said below it: whether selling goes on."""
        return "att.go_on_quiet"

    # --- in the list ---

    def title(self, texts: Texts) -> str:
        """The bold line."""
        return self.text_of(texts, f"att.row.{self.kind}")

    def short_title(self, texts: Texts) -> str:
        """The same where that is too long; "" where there is nothing shorter."""
        return ""

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        """The quiet words behind the time."""
        return texts(f"att.why.{self.kind}")

    def quick_actions(self, texts: Texts) -> tuple[Action, ...]:
        """Actions in the list itself."""
        return ()

    # --- at the right ---

    def heading(self, texts: Texts) -> str:
        return texts(f"att.ask.{self.kind}")

    def about(self, texts: Texts, facts: CaseFacts, *, lines: int) -> str:
        """The line under the heading. lines: how many items were sold."""
        return when(self.since, texts, now=facts.now)

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        """What happened, is the sale safe, what to press."""
        safe, press = self.safe or self.kind, self.press or self.kind
        happened = self.happened(texts, facts)
        return NoticeText(happened, texts(f"att.safe.{safe}"), texts(f"att.press.{press}"))

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        """The first part of the notice."""
        return self.text_of(texts, f"att.happened.{self.kind}")

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        """How it is resolved; none where nothing can be done, and nothing need be."""
        return ()

    def listed(self, texts: Texts) -> tuple[ListLine, ...]:
        """A list in place of steps."""
        return ()

    def on_scan(self, texts: Texts) -> Action | None:
        """What a receipt's QR code answers."""
        return None

    def text_of(self, texts: Texts, key: str, **values: object) -> str:
        """A text, in the plural where it stands for more things than one."""
        return texts.count(key, self.many, **values) if self.many else texts(key, **values)


# --- where cases come from -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """What all sources are given when things are read anew. now: UTC.

    thorough: also what costs more. doubts: as the server told last. drawer: why it did not open.
    """

    now: datetime
    thorough: bool
    doubts: Sequence[ReceiptInDoubt]
    drawer: DrawerShut | None


Tell = Callable[[Callable[[Texts], str]], None]
"""Takes what is to be said, once it is known in which language."""


class Source:
    """Finds the cases of one family. What was answered here it remembers until the server's own
    word follows."""

    def __init__(self, services: TillServices) -> None:
        self.services = services

    def cases(self, reading: Reading) -> Iterable[Case]:
        """Those that are open now. Raises MachineError."""
        return ()

    def solved(self, reading: Reading) -> Iterable[Case]:
        """Those that were solved today, the newest first. Raises MachineError."""
        return ()

    async def ask(self, tell: Tell) -> None:
        """Ask the server what its status does not tell. Raises RemoteError."""


# --- shared by several kinds ---------------------------------------------------------------------

MANAGER = "manager"
"""Name of the entry for a manager's name."""
_MANAGERS = ("word", "owner")
_MANAGER_LETTERS = 3


def manager_rows(texts: Texts, facts: CaseFacts) -> tuple[tuple[StepPart, ...], ...]:
    """Which manager it is: a name, typed or one of those ready-made; nothing is asked where people
    sign in."""
    if facts.signs_in:
        return ()
    name = texts("att.manager")
    entry = EntryField(
        MANAGER,
        name,
        name,
        is_narrow=True,
        letters=_MANAGER_LETTERS,
        missing=texts("att.manager_needed"),
    )
    words = tuple((key, texts(f"att.manager.{key}")) for key in _MANAGERS)
    return ((entry, Suggestions(MANAGER, words)),)


def manager_step(
    texts: Texts,
    facts: CaseFacts,
    keys: tuple[str, str, str],
    run: Run,
) -> tuple[Step, ...]:
    """One step that a manager ends, with a name. keys: of title, note and button."""
    title, note, button = keys
    seen = Action(
        "seen", texts(button), run, icon="check", kind=ButtonKind.FILLED, key_cap=ENTER,
        takes=MANAGER, right=Act.DECIDE,
    )  # fmt: skip
    rows = (*manager_rows(texts, facts), (seen,))
    return (Step(texts(title), texts(note), StepState.CURRENT, rows=rows),)


def one_action(
    texts: Texts, title: str, button: str, icon: str, run: Run,
    *, words: str = "",
) -> tuple[Step, ...]:  # fmt: skip
    """One step with one button. title, button: keys."""
    end = Action("end", texts(button), run, icon=icon, kind=ButtonKind.FILLED, key_cap=ENTER)
    return (Step(texts(title), words, StepState.CURRENT, rows=((end,),)),)


def when(moment: datetime, texts: Texts, *, now: datetime) -> str:
    """Today by the clock, earlier by day and clock, in Belgrade."""
    local = in_belgrade(moment)
    time = local.strftime("%H:%M")
    if day_of(moment) == day_of(now):
        return texts("att.at_today", time=time)
    return texts("att.at_day", day=local.strftime("%d.%m."), time=time)


def asked_at(case: Case, texts: Texts, facts: CaseFacts) -> str:
    """When another program asked for a receipt, and the id of it."""
    moment = when(case.since, texts, now=facts.now)
    return f"{texts('att.asked_at', when=moment)} · {case.id}"


def sentence(text: str) -> str:
    """With its full stop, unless it ends in a path: that is to be typed as it stands."""
    ends = not text or text[-1] in ".!?…" or set(text.rsplit(maxsplit=1)[-1]) & set("/\\")
    return text if ends else f"{text}."
