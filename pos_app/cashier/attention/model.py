"""The cases of Attention, as they were read last, without widgets and words. Sources: till.md
("Attention", Promise 3), exactly-once.md (steps 10 and 12), look.md (Screens, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pos_app.cashier.attention.cases import SOURCES
from pos_app.cashier.attention.cases.case import Case, CaseGroup, Reading, Tell
from pos_app.cashier.attention.cases.till import Storage
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Say
from pos_app.cashier.ui.state import StateKind
from pos_app.domain.receipt.cart import CartLine
from pos_app.domain.receipt.server_status import ReceiptInDoubt
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import Sale
from pos_app.selling.server.drawer_openings import DrawerShut

_ORDER = tuple(CaseGroup)
_READS = "attention"
_LINES = "lines of a case"


@dataclass(frozen=True, slots=True)
class CaseNews:
    """A message at the foot of a case, in the words of whatever language the window has. kind: its
    sign there; what FAILED has a notice of its own. file: a file that no program opened; its path
    can be copied. attention_case: the case whose action was refused; the message ends with it."""

    say: Say
    kind: StateKind = StateKind.MARK
    file: Path | None = None
    attention_case: Case | None = None

    @property
    def is_trouble(self) -> bool:
        return self.kind is StateKind.FAILED


NO_NEWS = CaseNews(lambda _: "")


class AttentionModel:
    def __init__(self, services: TillServices) -> None:
        self._services = services
        self._sources = tuple(make(services) for make in SOURCES)
        self._doubts: tuple[ReceiptInDoubt, ...] = ()
        self.drawer: DrawerShut | None = None
        self.cases: tuple[Case, ...] = ()
        self.solved: tuple[Case, ...] = ()
        self.current_id = ""
        self.acted_id = ""
        """The case that an action was begun for last."""
        self.came_by_itself = False
        """Whether the current case is shown because the one before it went, and nobody acted on
        that. Nothing acts on it before it is chosen."""
        self.typed_texts: dict[str, str] = {}
        """The text typed for the current case, by the names of its entries."""
        self.news: CaseNews | None = None
        self.shows_lines = False
        """Whether the items of the current case's sale are shown instead of its steps."""
        self.shows_solved = False

    # --- reading ---------------------------------------------------------------------------------

    def note_sale(self, sale: Sale) -> None:
        """Take a sale that went on; a later reading may not come past it any more."""
        for source in self._sources:
            source.note_sale(sale)

    def load(self, *, thorough: bool = True) -> None:
        """Read the cases anew. thorough: for the screen, also what was solved today, which takes
        longer; else they are only counted, and the case that is shown stays. If the sales can't be
        read, that fault is the case."""
        faults, now = self._services.faults, self._services.till.clock.now()
        reading, before = Reading(now, thorough, self._doubts, self.drawer), self.cases
        solved = self.solved
        try:
            self._load(reading)
        except MachineError as error:
            faults.report(Where.TILL, error, by=_READS, at=now)
            self.cases, self.solved = tuple(Storage(self._services).cases(reading)), ()
        else:
            faults.clear(Where.TILL, by=_READS)
        self._end_refusal()
        if thorough:
            self._keep_current(before, solved)

    def _load(self, reading: Reading) -> None:
        found = [case for source in self._sources for case in source.cases(reading)]
        found.sort(key=lambda entry: _ORDER.index(entry.group))
        solved = [
            case for source in self._sources if reading.thorough for case in source.solved(reading)
        ]
        self.cases = tuple(found)
        if reading.thorough:
            # One row alone tells of a pair that was decided, so that its money moves once.
            decided = {one.sale_key for one in solved if one.id != one.sale_key}
            self.solved = tuple(one for one in solved if one.id not in decided)

    async def ask_server(self, tell: Tell) -> None:
        """Ask for what the server's status does not contain. Raises RemoteError."""
        if any(case.asks_doubts for case in self.cases):
            await self.ask_doubts()
        for source in self._sources:
            await source.ask(tell)

    async def ask_doubts(self) -> None:
        """Ask for what the server found out about its doubts. Raises RemoteError."""
        self._doubts = tuple(await self._services.server_decisions.doubts())

    # --- what is read off it ---------------------------------------------------------------------

    def count(self) -> int:
        return sum(case.many or 1 for case in self.cases if case.rings and not case.sums_up)

    @property
    def decisions(self) -> int:
        needing = (case for case in self.cases if case.group is CaseGroup.NEEDS_YOU)
        return sum(case.many or 1 for case in needing if not case.sums_up)

    @property
    def is_under_way(self) -> bool:
        """Whether something is being done now that the bell does not count."""
        return any(case.is_under_way for case in self.cases)

    def lines(self, attention_case: Case) -> Sequence[CartLine]:
        """The sold items; there are none for what another program asked for, or where the cart
        can't be read."""
        if attention_case.cart_id is None:
            return ()
        carts, cart_id = self._services.till.carts, attention_case.cart_id
        none: Sequence[CartLine] = ()
        at = self._services.till.clock.now()
        return self._services.faults.read_or(
            Where.TILL, none, lambda: carts.cart_of(cart_id).cart.active, by=_LINES, at=at
        )

    # --- the case that is shown ------------------------------------------------------------------

    @property
    def current(self) -> Case | None:
        everything = (*self.cases, *self.solved)
        return next((case for case in everything if case.id == self.current_id), None)

    def choose(self, case_id: str) -> None:
        self.news, self.came_by_itself = None, False
        self._show(case_id)

    def id_of(self, wanted: str) -> str:
        """The id of the case with that id, or about the sale of that key; "" where it is over and
        today's solved ones lack it too. A half-done pair has the id of its refused receipt."""
        everything = (*self.cases, *self.solved)
        return next((one.id for one in everything if wanted in (one.id, one.sale_key)), "")

    def announce(self, news: CaseNews) -> None:
        self.news = news
        self._end_refusal()

    def type(self, entry: str, text: str) -> None:
        self.typed_texts[entry] = text

    def show_lines(self, visible: bool) -> None:
        self.shows_lines = visible

    def toggle_solved(self) -> None:
        """Show the first case solved today, or the waiting ones again."""
        self.shows_solved = not self.shows_solved
        cases = self.solved if self.shows_solved else self.cases
        self.choose(cases[0].id if cases else "")

    def _show(self, case_id: str) -> None:
        if case_id != self.current_id:
            self.current_id, self.typed_texts, self.shows_lines = case_id, {}, False

    def leave(self) -> None:
        self.shows_solved = False
        self.choose("")

    def stands(self, attention_case: Case) -> bool:
        """Whether the case is still asked as it was then."""
        everything = (*self.cases, *self.solved)
        return any(
            (one.id, one.kind) == (attention_case.id, attention_case.kind) for one in everything
        )

    def _end_refusal(self) -> None:
        """Forget a refusal whose case has ended."""
        if self.news and self.news.attention_case and not self.stands(self.news.attention_case):
            self.news = None

    def _keep_current(self, before: Sequence[Case], solved: Sequence[Case]) -> None:
        """Go on with what follows a case that ended or is about the same sale, else at its place,
        or with the last one there. before, solved: the cases of the reading before."""
        if self.current is not None:
            return
        gone = next((one for one in (*before, *solved) if one.id == self.current_id), None)
        key = gone.sale_key if gone is not None else ""
        for one in self.cases:
            if self.current_id in one.continues or (key and one.sale_key == key):
                self._show(one.id)
                return
        self.came_by_itself = self.current_id not in ("", self.acted_id)
        ids = [one.id for one in before]
        place = ids.index(self.current_id) if self.current_id in ids else 0
        group = before[place].group if self.current_id in ids else None
        open_ids = [one.id for one in self.cases if _is_shown(one) or one.group is group]
        later = [one for one in open_ids if one not in ids[:place]]
        self._show(next(iter(later or open_ids[-1:]), ""))


def _is_shown(attention_case: Case) -> bool:
    """Whether a case is shown where nobody has chosen one: what is only for knowing is not."""
    return attention_case.rings or attention_case.group is not CaseGroup.FOR_KNOWING
