"""Three people at one till, and the rights of the table one after the other: the acts of a test of
rights before and after it tries an act."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from pos_app.cashier.reports.words import ReportWords
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.window.frame import APPROVAL, LOCK
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.people.people import PeopleRepository
from pos_app.selling.people.rights import Act, Leave, Rights, Role
from pos_app.selling.reports.own import acts_report
from pos_app.selling.reports.periods import Period
from pos_app.selling.reports.report import ReportChoice, ReportName
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.people_here import quick
from tests.gui.inside import inside
from tests.gui.parts import in_front, is_in_front, is_page_in_front, lines_of, page_in_front
from tests.gui.window.real_till import RealTill
from tests.integration.local_api.wires import until

NAMES = {Role.CASHIER: "Драгана Петровић", Role.LEAD: "Милош Илић", Role.MANAGER: "Ненад Костић"}
PINS = {Role.CASHIER: "1357", Role.LEAD: "2468", Role.MANAGER: "2580"}
BADGES = {Role.CASHIER: "CASH-0001", Role.LEAD: "LEAD-0001", Role.MANAGER: "BOSS-0001"}
ARTICLE = "8609910700134"
LIFTS = {Role.CASHIER: Role.MANAGER, Role.LEAD: Role.MANAGER, Role.MANAGER: Role.LEAD}
"""The role whose PIN permits an act to a person of the first role."""
WRONG = "0000"
RAW = re.compile(r"[a-z]{3}")
KEY, FINGER = "key", "finger"
"""The means of a way: keys or fingers; with fingers, a badge permits the act."""


def hire(services: TillServices) -> None:
    for role, name in NAMES.items():
        services.people.add(name, role, pin=quick(PINS[role]), badge=BADGES[role])


def all_may() -> Rights:
    rights = Rights()
    for act in Act:
        for role in Role:
            if act is Act.DISCOUNT:
                rights = rights.with_percent(role, 100)
            else:
                rights = rights.with_cell(act, role, Leave.MAY)
    return rights


def cell(act: Act, role: Role, leave: Leave) -> Rights:
    """All rights for everybody, except one act of one role. Nobody can lift a discount that nobody
    may give."""
    if act is not Act.DISCOUNT:
        return all_may().with_cell(act, role, leave)
    rights = all_may()
    for one in Role:
        forbids = one is role or leave is Leave.NEVER
        rights = rights.with_percent(one, 5 if forbids and leave is not Leave.MAY else 100)
    return rights


@dataclass(frozen=True)
class Way:
    """One way to an act. begin: prepares it, with every right. try_it: does it by keys or fingers.
    count: how often it has been done. rows: the rows of each time in the table of acts."""

    act: Act
    name: str
    begin: Callable[[Crew], Awaitable[object]]
    try_it: Callable[[Crew], Awaitable[object]]
    count: Callable[[Crew], int]
    rows: tuple[NotedAct, ...] = ()
    is_hidden: bool = False
    """Whether it is not even offered to a person who may never do it."""
    rows_lifted: tuple[NotedAct, ...] = ()
    """Further rows of an act that another person permitted."""
    then: Callable[[Crew], Awaitable[object]] | None = None
    """The act in a screen that was opened, which writes the rows."""
    told: str = "error.not_allowed.act_never"
    """The key of the text for a person who may never do it."""

    @property
    def by(self) -> str:
        return self.name.rpartition(", ")[2]

    def __str__(self) -> str:
        return f"{self.act} {self.name}"


@dataclass
class Crew:
    """A person of one role at a window over a real core."""

    real: RealTill
    role: Role
    sold: Sale | None = None
    foreign: int = 600

    def foreign_number(self) -> int:
        """The number of the next receipt of another system: each is another one."""
        self.foreign += 1
        return self.foreign

    @property
    def frame(self) -> Any:
        return self.real.hands.window.frame

    @property
    def model(self) -> Any:
        return inside(self.real.hands.window).model

    @property
    def people(self) -> PeopleRepository:
        return self.real.services.people

    @property
    def seller_pib(self) -> str:
        """The shop's own tax number, as the server reported it last."""
        status = self.real.services.server.status
        return "" if status is None else status.seller_pib

    def words(self, key: str) -> str:
        return self.real.hands.window.texts(key)

    async def arrive(self) -> None:
        """Sign in by a tap on the name and four digits: five presses for each person."""
        screen = in_front(self.frame, "sign.title")
        name = NAMES[self.role]
        await self.real.tap(next(one for one in screen.who.cards if one.person.name == name))
        await self.real.type(PINS[self.role])
        await self.real.until(lambda: not self.frame.cover_name)

    async def clear(self) -> None:
        """Go back to the sale, with an empty cart."""
        for _ in range(9):
            if self.frame.is_home and self.model.questions.question is None:
                break
            await self.real.press("Esc")
        self.people.keep_rights(all_may())
        self.people.note_try(None, right=True, at=self.real.services.till.clock.now())  # an hour on
        if self.real.services.server.signs_nothing:
            self.real.shop.change(unreachable=[])
            await self.real.until(lambda: not self.real.services.server.signs_nothing)
        while self.model.context.notices:
            self.model.context.dismiss()
        cart = self.model.cart
        if cart.ticket.kind is not DocumentKind.SALE:
            await self.real.by_hand(cart.set_kind, DocumentKind.SALE)
        if cart.ticket.cart.lines:
            await self.real.by_hand(cart.void, "проба")
        inside(self.real.hands.window).work_area.set_paying(False)
        while self.model.context.notices:
            self.model.context.dismiss()
        assert self.frame.is_home, self.frame.top_name

    def rows(self) -> list[ActRow]:
        since, until = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
        return list(self.real.services.acts.acts(since=since, until=until))

    def raw_words(self) -> list[str]:
        """Words in the report of acts that are names of this program and no words of a screen."""
        day = Period(date(2026, 11, 20), date(2026, 11, 20))
        table = acts_report(ReportChoice(ReportName.ACTS, day, day), self.rows()).table
        words = ReportWords(self.frame.ui.texts, {})
        return [
            said
            for line in table.lines
            for column, one in zip(table.columns, line.cells, strict=True)
            if column.name in ("act", "subject", "was", "now")
            if RAW.search(said := words.cell(column, one))
        ]

    def new(self, before: list[ActRow]) -> list[ActRow]:
        """The later rows: an earlier one gets the number of its receipt once that is signed."""
        return self.rows()[len(before) :]

    @property
    def is_asked(self) -> bool:
        """Whether another person is asked for a PIN: over the screen, or in front of it."""
        if self.frame.cover_name == APPROVAL:
            return True
        top = self.frame.top
        if is_in_front(self.frame, "refund.title") and top.model.is_asking:
            return False  # the gate in front of it belongs to the receipt before
        return is_page_in_front(self.frame, "approve.title")

    def gate(self) -> PinGate:
        gate: PinGate = page_in_front(self.frame, "approve.title")
        return gate

    def is_refused(self) -> bool:
        """Whether the gate says why the PIN was wrong."""
        who = self.gate().who
        return who is not None and who.fault.isVisible()

    async def _begun(self, way: Way, leave: Leave) -> tuple[int, list[ActRow]]:
        """Try an act with that word in its cell; how often it was done before, and the rows."""
        await self.clear()
        await way.begin(self)
        self.people.keep_rights(cell(way.act, self.role, leave))
        before, rows = way.count(self), self.rows()
        await way.try_it(self)
        if leave is Leave.ASKS:
            await self.real.until(lambda: self.is_asked)
            assert way.count(self) == before, "done before it was lifted"
            assert self.new(rows) == [], "a row before it was done"
        return before, rows

    async def tried(self, way: Way, leave: Leave) -> None:
        """Try an act with that word in its cell, and compare the result with the word."""
        before, rows = await self._begun(way, leave)
        match leave:
            case Leave.MAY:
                await self.real.until(lambda: way.count(self) == before + 1)
                await self._end(way, rows, lifted_by="")
            case Leave.ASKS:
                await self._ask(way, before, rows)
            case Leave.NEVER:
                if not way.is_hidden:
                    await self.real.until(lambda: self._is_told(way.told))
                assert not self.is_asked, "somebody could lift it"
                assert way.count(self) == before, "it was done"
                assert self.new(rows) == []

    async def _ask(self, way: Way, before: int, rows: list[ActRow]) -> None:
        lifter = LIFTS[self.role]
        codes = [ARTICLE, BADGES[self.role]] if self.frame.cover_name else []
        if way.act is Act.QUEUE:
            codes.remove(ARTICLE)  # a code that was missed stops the payment once more
        for code in codes:
            await self.real.scan(code)
            assert self.is_asked, f"the scan of {code} lifted it"
            assert way.count(self) == before, f"the scan of {code} did it"
        person = next(one for one in self.people.people() if one.role is lifter)
        assert NAMES[self.role] in lines_of(self.gate()), "nobody sees who asks"
        await self.real.type(WRONG)
        await self.real.until(lambda: self.people.wrong_tries(None).count == 1)
        await self.real.until(self.is_refused)
        assert self.is_asked, "a wrong PIN lifted it"
        assert way.count(self) == before, "a wrong PIN did it"
        (wrong,) = self.new(rows)
        assert (wrong.done, wrong.by, wrong.subject) == (NotedAct.PIN_WRONG, NAMES[self.role], "")
        assert self.people.wrong_tries(person).count == 0
        if way.by == FINGER:
            await self.real.scan(BADGES[lifter])
        else:
            await self.real.type(PINS[lifter])
        await self.real.until(lambda: way.count(self) == before + 1)
        await self._end(way, [*rows, wrong], lifted_by=NAMES[lifter])

    async def cancelled(self, way: Way) -> None:
        """Another person is asked, and Esc leads back: nothing is done."""
        before, rows = await self._begun(way, Leave.ASKS)
        await self.real.press("Esc")
        with suppress(TimeoutError):
            await until(lambda: not self.is_asked, within=2)
        if self.is_asked:  # a finger may have opened the keyboard, which Esc closes first
            await self.real.press("Esc")
        await self.real.until(lambda: not self.is_asked)
        assert way.count(self) == before, "a cancelled question did it"
        assert self.new(rows) == []

    async def locked(self, way: Way) -> None:
        """Another person is asked, and F11 locks: nothing is done, neither then nor after the next
        sign-in."""
        before, rows = await self._begun(way, Leave.ASKS)
        await self.real.press("F11")
        assert self.frame.cover_name == LOCK
        await self.arrive()
        assert way.count(self) == before, "the lock did it"
        assert [one.done for one in self.new(rows)] == [NotedAct.LOCKED, NotedAct.SIGNED_IN]

    def _is_told(self, key: str) -> bool:
        """Whether the screen says that the person may not do it here."""
        told = self.words(key)
        notice = self.real.hands.notice()
        said = [*lines_of(self.frame.top), notice, *map(str, self.model.context.notices)]
        return any(told in one or key.rpartition(".")[2] in one for one in said)

    async def _end(self, way: Way, rows: list[ActRow], *, lifted_by: str) -> None:
        """Finish the act, and check that its rows and no others are in the table of acts."""
        lifted = len(way.rows_lifted) if lifted_by else 0
        expected = [*(way.rows_lifted if lifted_by else ()), *way.rows]
        if way.then is not None:
            await way.then(self)
            await self.real.until(lambda: len(self.rows()) >= len(rows) + len(expected))
        new = self.new(rows)
        assert [one.done for one in new] == expected
        for one in new[: lifted or None]:
            assert (one.by, one.lifted_by) == (NAMES[self.role], lifted_by), one
