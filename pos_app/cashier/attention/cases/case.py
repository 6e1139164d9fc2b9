"""A case of Attention is data without widgets: its words, its steps and its actions.

A further kind of case is a module in this package: a subclass of `Case`, and a `Source` that finds
such cases, which is registered in `cases.SOURCES`. Sources: till.md ("Attention", Promise 3).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from pos_app.cashier.commands import ENTER
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import NoticeWords, Say, Texts, sentence
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.drawer_openings import DrawerShut
from pos_app.selling.server.monitor import ServerView


class CaseGroup(StrEnum):
    """The groups of the list in their order, by who must act."""

    NEEDS_YOU = "needs_you"
    GOES_ON = "goes_on"
    FOR_KNOWING = "for_knowing"


# --- what can be done ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileToOpen:
    """A file for the system's viewer. on_opened is called once a program has taken the file.

    If no program takes the file, a message names it; not_opened is the id of a text that is put
    before that message, or "".
    """

    path: Path
    on_opened: Callable[[], Coroutine[object, object, str]] | None
    not_opened: str


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The parts that an action works with.

    ask_doubts asks the server anew about its doubts; without an answer nothing changes.
    take_back makes the lines of a cancelled sale the open cart; take_back_later does so as soon as
    the sale of that key is cancelled, while Attention is open.
    open_goods opens a cart for the goods of an advance that a refund closes.
    end_drawer ends the drawer's case: the drawer was opened, or need not be.
    open_pair opens the screen that continues the pair.
    """

    services: TillServices
    ask_doubts: Callable[[], Coroutine[object, object, None]]
    take_back: Callable[[Sale], None]
    take_back_later: Callable[[str], None]
    open_goods: Callable[[Sale], None]
    open_drawer: Callable[[], None]
    open_catalogue: Callable[[], None]
    open_names: Callable[[], None]
    open_labels: Callable[[], None]
    open_card_pin: Callable[[], None]
    open_store: Callable[[], None]
    open_platform: Callable[[], None]
    end_drawer: Callable[[], None]
    open_file: Callable[[FileToOpen], None]
    open_pair: Callable[[FrozenPair], None]


ActionResult = str | Coroutine[object, object, str]
"""The id of the text that says what was done, or ""; a coroutine where the server is asked."""

Run = Callable[[ActionContext, str], ActionResult]
"""The function of a button; it is given the text of the entry that the action takes."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """A question before an action; it replaces its step's words and buttons. about: whatever it is
    about beside its words; once that is another, it is asked anew."""

    words: str
    yes: str
    no: str
    about: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A button and its act. run raises NotAllowed, MachineError, Invalid, RemoteError.

    name: it never changes. takes: the name of the entry whose text is given to `run`.
    confirm: the question that is asked first. running: the words shown while it runs.
    busy: why it can't be pressed while any action runs, or "" where it can.
    error_at: the name of the entry where a failure is shown, or "" for the foot of the case.
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
    """The right that the action needs. A manager can lift it; the log of acts then names the
    manager."""
    first_right: Act | None = None
    """A right that is asked for before, and holds as well."""
    about: str = ""
    """The subject of the act's row; "" stands for the button's words."""
    is_private: bool = False
    """Whether the entry's text is a buyer's, which stands in no act's row."""

    @property
    def is_main(self) -> bool:
        return self.key_cap == ENTER


# --- the steps that resolve a case ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryField:
    """A field to type in. name never changes. text: what it holds at first. missing is shown for
    fewer letters than needed."""

    name: str
    label: str
    hint: str = ""
    text: str = ""
    is_address: bool = False
    is_narrow: bool = False
    letters: int = 0
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Ready-made words for an entry, each with its id."""

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
    """One numbered step. quote is the text of the server or the processor, unchanged; a button
    opens it.

    rows: parts that stand side by side, row by row. beside: a button at the right of title and
    words.
    """

    title: str
    words: str = ""
    state: StepState = StepState.OPEN
    quote: str = ""
    rows: tuple[tuple[StepPart, ...], ...] = ()
    beside: Action | None = None


@dataclass(frozen=True, slots=True)
class ListLine:
    title: str
    words: str
    amount: str


# --- a case --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """Facts on which a case's words depend, beside the case's own. now: UTC. in_whole_dinars:
    whether cash is moved in whole dinars. signs_in: whether people sign in, so that it is known who
    decides."""

    server: ServerView
    now: datetime
    in_whole_dinars: bool = True
    signs_in: bool = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that waits, is in doubt or was solved.

    id: the sale's key, else the receipt's id or a name of ours; it stays while the case is shown.
    since: UTC. many: the number of things that the case stands for, where it is not one.
    """

    kind: ClassVar[str]
    """Part of the ids of its texts."""
    group: ClassVar[CaseGroup] = CaseGroup.NEEDS_YOU
    icon: ClassVar[tuple[str, Token]] = ("triangle-alert", "warn")
    level: ClassVar[NoticeKind] = NoticeKind.WARN
    safe: ClassVar[str] = ""
    """Part of the id of the notice's second text, where it is not the kind."""
    press: ClassVar[str] = ""
    """Part of the id of the notice's third text, where it is not the kind."""
    rings: ClassVar[bool] = True
    is_under_way: ClassVar[bool] = False
    sums_up: ClassVar[bool] = False
    """Whether it stands for cases that have rows of their own, so that nobody counts it."""
    asks_doubts: ClassVar[bool] = False
    """Whether Attention asks the server for news of its doubts because of this case."""
    continues: ClassVar[frozenset[str]] = frozenset()
    """Ids of cases that this one goes on from: it is shown where one of them was shown."""

    id: str
    since: datetime
    total: Money | None = None
    many: int = 0

    @property
    def number(self) -> str:
        """The number of the receipt that the case is about; "" where there is none."""
        return ""

    @property
    def request_id(self) -> str:
        """The server's id of the request that a decision is about; "" where there is none."""
        return ""

    @property
    def sale_key(self) -> str:
        """The key of this till's sale that the case is about; "" where there is none."""
        return ""

    @property
    def cart_id(self) -> int | None:
        return None

    @property
    def picture(self) -> tuple[str, Token]:
        """The icon and its colour, where they differ within the kind."""
        return self.icon

    @property
    def foot(self) -> str:
        """The id of the text below the case, which says whether selling goes on."""
        return "att.go_on_quiet"

    # --- in the list ---

    def title(self, texts: Texts) -> str:
        """The bold text of the row."""
        return self.text_of(texts, f"att.row.{self.kind}")

    def short_title(self, texts: Texts) -> str:
        """A shorter title for narrow rows; "" where there is none."""
        return ""

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return texts(f"att.why.{self.kind}")

    # --- at the right ---

    def heading(self, texts: Texts) -> str:
        return texts(f"att.ask.{self.kind}")

    def about(self, texts: Texts, facts: CaseFacts, *, lines: int) -> str:
        """The text under the heading. lines: how many items were sold."""
        return when(self.since, texts, now=facts.now)

    def technical(self, texts: Texts) -> str:
        """A line for support alone, which a button under the heading opens; "" for none. That of
        the notice stands there otherwise."""
        return ""

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeWords:
        """The notice: what happened, whether the sale is safe, what to press."""
        safe, press = self.safe or self.kind, self.press or self.kind
        happened = self.happened(texts, facts)
        return NoticeWords(happened, texts(f"att.safe.{safe}"), texts(f"att.press.{press}"))

    def happened(self, texts: Texts, facts: CaseFacts) -> str:
        return self.text_of(texts, f"att.happened.{self.kind}")

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        """The steps that resolve the case; none if nothing can or need be done."""
        return ()

    def listed(self, texts: Texts) -> tuple[ListLine, ...]:
        """The rows of a list that is shown instead of steps."""
        return ()

    def on_scan(self, texts: Texts) -> Action | None:
        """The action that a scanned QR code of a receipt runs."""
        return None

    def text_of(self, texts: Texts, text_id: str, **values: object) -> str:
        """A text; its plural where the case stands for several things."""
        return texts.count(text_id, self.many, **values) if self.many else texts(text_id, **values)


class ForKnowing(Case):
    """A case that informs: nobody need act, so it rings no bell."""

    group = CaseGroup.FOR_KNOWING
    icon: ClassVar[tuple[str, Token]] = ("info", "ink_2")
    level = NoticeKind.INFO
    rings = False


def step_parts(attention_case: Case, texts: Texts, facts: CaseFacts) -> Iterator[StepPart]:
    """All parts of a case that can be pressed or filled in, in an order that no language
    changes."""
    for step in attention_case.steps(texts, facts):
        for row in step.rows:
            yield from row
        if step.beside is not None:
            yield step.beside
    if (scanned := attention_case.on_scan(texts)) is not None:
        yield scanned


# --- where cases come from -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reading:
    """The facts that all sources are given when cases are read anew. now: UTC.

    thorough: costly things are read too. doubts: the server's last list. drawer: why it did not
    open.
    """

    now: datetime
    thorough: bool
    doubts: Sequence[ReceiptInDoubt]
    drawer: DrawerShut | None


Tell = Callable[[Say, StateKind], None]
"""Takes a function that makes a message once its language is known, and the message's sign."""


class Source:
    """Finds the cases of one family. It remembers what was answered here until the server's status
    says so too."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self._noticed: dict[str, datetime] = {}

    def noticed(self, case_id: str, now: datetime) -> datetime:
        """When this case was found first; its time, where nobody tells since when it is so."""
        return self._noticed.setdefault(case_id, now)

    def note_sale(self, sale: Sale) -> None:
        """Take a sale that went on; the cases are read later."""

    def cases(self, reading: Reading) -> Iterable[Case]:
        """The cases that are open now. Raises MachineError."""
        return ()

    def solved(self, reading: Reading) -> Iterable[Case]:
        """The cases solved today, the newest first. Raises MachineError."""
        return ()

    async def ask(self, tell: Tell) -> None:
        """Ask for what the server's status does not contain. Raises RemoteError."""


# --- shared by several kinds ---------------------------------------------------------------------

MANAGER = "manager"
_MANAGERS = ("word", "owner")
_MANAGER_LETTERS = 3


def manager_rows(texts: Texts, facts: CaseFacts) -> tuple[tuple[StepPart, ...], ...]:
    """The rows that ask for a manager's name, typed or ready-made; there are none where people sign
    in."""
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
    words = tuple((text_id, texts(f"att.manager.{text_id}")) for text_id in _MANAGERS)
    return ((entry, Suggestions(MANAGER, words)),)


def manager_step(
    texts: Texts, facts: CaseFacts, text_ids: tuple[str, str, str], run: Run
) -> tuple[Step, ...]:
    """One step that a manager ends with a name. text_ids: the text ids of title, note and
    button.
    """
    title, note, button = text_ids
    seen = Action(
        "seen",
        texts(button),
        run,
        icon="check",
        kind=ButtonKind.FILLED,
        key_cap=ENTER,
        takes=MANAGER,
        confirm=sure_of(texts, texts(button)) if facts.signs_in else None,
        right=Act.DECIDE,
    )
    rows = (*manager_rows(texts, facts), (seen,))
    return (Step(texts(title), texts(note), StepState.CURRENT, rows=rows),)


def sure_of(texts: Texts, yes: str) -> Confirm:
    """The question before a decision that stands first, where no name is typed before it."""
    return Confirm(texts("att.sure"), yes, texts("att.no"))


def one_action(
    texts: Texts,
    title: str,
    button: str,
    icon: str,
    run: Run,
    *,
    words: str = "",
    confirm: Confirm | None = None,
) -> tuple[Step, ...]:
    """One step with one button. title and button are text ids."""
    end = Action(
        "end", texts(button), run, icon=icon, kind=ButtonKind.FILLED, key_cap=ENTER, confirm=confirm
    )
    return (Step(texts(title), words, StepState.CURRENT, rows=((end,),)),)


def when(moment: datetime, texts: Texts, *, now: datetime) -> str:
    """The time in Belgrade: today the clock, earlier the day and the clock; in another year the day
    has its year."""
    local = in_belgrade(moment)
    time = local.strftime("%H:%M")
    if day_of(moment) == day_of(now):
        return texts("att.at_today", time=time)
    form = "%d.%m." if local.year == in_belgrade(now).year else "%d.%m.%Y."
    return texts("att.at_day", day=local.strftime(form), time=time)


def words_of(notice: NoticeWords, *, safe: str) -> NoticeWords:
    """An error's words as whole sentences, with this second part."""
    return replace(
        notice, happened=sentence(notice.happened), safe=safe, press=sentence(notice.press)
    )


def asked_at(attention_case: Case, texts: Texts, facts: CaseFacts) -> str:
    """The time when another program asked for a receipt."""
    return texts("att.asked_at", when=when(attention_case.since, texts, now=facts.now))


def asked_id(attention_case: Case, texts: Texts) -> str:
    """The number of another program's request, for that program's support."""
    return texts("att.asked_id", number=attention_case.id)
