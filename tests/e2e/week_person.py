"""The people at a till for a week, and their acts as a person would write them down."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_DOWN, Decimal

from pos_app.pfr_emulator.ledger import LedgerEntry
from pos_app.selling.people.rights import Role
from tests.e2e import audit
from tests.e2e.day_of_a_shop import CORRECTIONS, EXCHANGES, REFUNDS, Act, Kind, Way
from tests.e2e.day_person import NUMBER, Person, Said, Screen, amounts
from tests.e2e.town import Town
from tests.e2e.week_tills import Colleague, Desk

NOTES = (5000, 2000, 1000, 500, 200, 100, 50, 20, 10)
COINS = (20, 10, 5, 2, 1)
_QUICK = 60
"""Milliseconds before the key that pays, after a typed code."""
_SURE = 450
"""Milliseconds before the key that pays, after a scan: no key pays earlier."""
_NOTHING = Decimal(0)
_FREE = {Role.CASHIER: 5, Role.LEAD: 10, Role.MANAGER: 100}
"""The percentage of discount that the recommended table lets a person give unasked."""


def in_whole_dinars(amount: Decimal) -> Decimal:
    """The amount as a hand gives it: up to 50 para are left out (fiscal.md 6.13)."""
    return amount.quantize(Decimal(1), ROUND_HALF_DOWN)


def _is_sale(one: LedgerEntry) -> bool:
    return (one.invoice_type, one.transaction_type) == (0, 0)


@dataclass(frozen=True, slots=True)
class Noted:
    """An act of a person. since, until: Belgrade's time, around the key that confirmed it."""

    by: str
    since: datetime
    until: datetime
    said: Said

    @property
    def is_queued(self) -> bool:
        return not self.said.numbers


@dataclass
class ShiftNotes:
    """waits: acts not signed at its end; earlier: those of the shift before; others: of another
    program."""

    number: int
    opened_by: str
    opened_at: datetime
    cash_float: Decimal
    acts: list[Noted] = field(default_factory=list)
    moves: list[tuple[str, Decimal]] = field(default_factory=list)
    discounts: list[Decimal] = field(default_factory=list)
    dropped: list[Decimal] = field(default_factory=list)
    training: list[str] = field(default_factory=list)
    others: list[tuple[str, Decimal]] = field(default_factory=list)
    waits: list[Noted] = field(default_factory=list)
    earlier: list[Noted] = field(default_factory=list)
    closed_by: str = ""
    closed_at: datetime | None = None
    counted: Decimal = _NOTHING
    slip: Decimal = _NOTHING
    stays: Decimal = _NOTHING
    told: dict[str, Decimal] = field(default_factory=dict)
    """The screen's amounts of expected and counted cash and of the turnover."""

    def of_method(self, method: str) -> Decimal:
        return sum((one.said.by_method.get(method, _NOTHING) for one in self.acts), _NOTHING)

    @property
    def moved(self) -> Decimal:
        signs = {"in": 1, "change": 1, "out": -1, "drop": -1}
        return sum((signs[kind] * amount for kind, amount in self.moves), _NOTHING)

    @property
    def expected(self) -> Decimal:
        hands = sum((hand_of(one.said) for one in self.acts), _NOTHING)
        return self.cash_float + hands + self.moved


def hand_of(said: Said) -> Decimal:
    """The cash that an act brings into the drawer; a correction changes what is in it."""
    if said.act.kind not in CORRECTIONS:
        return said.cash
    cash = said.by_method.get("cash", _NOTHING)
    return in_whole_dinars(abs(cash)).copy_sign(cash) if cash else _NOTHING


class Worker(Person):
    """The people at one till, one after the other."""

    def __init__(self, desk: Desk, lifter: Colleague, town: Town | None = None) -> None:
        assert desk.till is not None
        super().__init__(desk.shop, desk.till, desk.keyboard)
        self.desk, self.lifter, self.town = desk, lifter, town
        self.who: Colleague | None = None
        self.shifts: list[ShiftNotes] = []
        self.acts: list[tuple[str, str, str]] = []
        """The required table of acts, in order: by whom, which act, lifted by whom."""
        self.before: list[str] = []
        """Receipts of another program from before the first shift."""
        self.queued: list[Noted] = []
        """Acts that are confirmed, and not signed yet."""
        self.has_killed = False
        """Whether the server was killed in this shift."""
        self._lifted = ""

    @property
    def name(self) -> str:
        return self.who.name

    @property
    def now(self) -> datetime:
        return self.desk.shop.clock.now

    @property
    def shift(self) -> ShiftNotes:
        return self.shifts[-1]

    @property
    def sold(self) -> int:
        return sum(one.act.kind is Kind.SALE for one in self.said)

    def note_act(self, done: str, *, by: str = "") -> None:
        self.acts.append((by or self.name, done, self._lifted))
        self._lifted = ""

    def arrive(self) -> None:
        """Begin at a till that was started; nobody is signed in."""
        assert self.desk.till is not None
        self.till, self.who = self.desk.till, None
        self._is_away = False
        self.sit_down()

    def _choose(self, colleague: Colleague) -> None:
        def chosen(seen: Screen) -> str:
            return next(
                (
                    words.split(" | ")[0]
                    for kind, words, _, is_chosen, *_ in seen.told["words"]
                    if kind == "PersonCard" and is_chosen
                ),
                "",
            )

        self.until(chosen)
        for _ in range(4):
            before = self.screen
            if chosen(before) == colleague.name:
                return
            self.press("Down")
            self.until(lambda seen, before=before: chosen(seen) != chosen(before))  # type: ignore[misc]
        raise AssertionError(f"{colleague.name} can't be chosen")

    def sign_in(self, colleague: Colleague) -> None:
        """Sign in by the badge, else by name and PIN."""
        self.until(lambda seen: seen.has("SignInScreen"))
        if colleague.badge:
            self.scan(colleague.badge)
        else:
            if len(self.screen.all("PersonCard")) == 1 and not self.screen.has(
                "PersonCard", colleague.name
            ):
                self.press("Down")
                self.until(lambda seen: len(seen.all("PersonCard")) > 1)
            self._choose(colleague)
            self.type(colleague.pin)
        self.until(lambda seen: seen.has("LockButton", colleague.name) and seen.told["focus"])
        self.who = colleague
        self.note_act("signed_in")

    def lock(self) -> None:
        self.press("F11")
        self.until(lambda seen: seen.has("SignInScreen"))
        self.note_act("locked")

    def change(self, colleague: Colleague) -> None:
        self.lock()
        self.sign_in(colleague)

    @property
    def asks(self) -> bool:
        """Tell whether refunds, cash moves and large discounts need a lift from this person."""
        return self.who.role is Role.CASHIER

    def lift(self) -> None:
        """Have the manager lift it with the PIN, which tells whose it is."""
        self.until(lambda seen: seen.has("PersonCard"))
        self.type(self.lifter.pin)
        self.until(lambda seen: not seen.has("PersonCard"))
        self._lifted = self.lifter.name

    def begin(self, name: str) -> None:
        super().begin(name)
        if self.asks:
            self.lift()

    def do(self, act: Act) -> None:
        since = self.now
        super().do(act)
        said = self.said[-1]
        if act.kind is Kind.COPY:
            self.note_act("copy")
        elif act.kind in REFUNDS | CORRECTIONS | EXCHANGES:
            self.note_act("refund")
        self._keep(since, said)

    def _keep(self, since: datetime, said: Said) -> None:
        noted = Noted(self.name, since, self.now, said)
        self.shift.acts.append(noted)
        if noted.is_queued:
            self.queued.append(noted)
            self.note_act("queued")

    def sell(self, code: str, way: Way, thread: int) -> None:
        """The quickest sale: a code of one or two digits, Enter, and the key that pays."""
        said = Said(Act(Kind.SALE, thread, (code,), way))
        before = self.screen.only_words("CartTotal")
        self.type(code)
        self.press("Enter")
        cart = self.until(lambda seen: seen.only_words("CartTotal") != before)
        self._pay_quickly(said, cart, gap=_QUICK)

    def _pay_quickly(self, said: Said, cart: Screen, *, gap: int = _SURE) -> None:
        since = self.now
        self._pay(said.act, said, cart, gap=gap)
        self.until(lambda seen: seen.has("CartTotal", "Укупно 0,00"))
        self._seen.update(said.numbers)
        self.said.append(said)
        self._receipts[said.act.thread] += said.numbers
        self._keep(since, said)

    def sell_cheaper(self, goods: tuple[str, ...], percent: int, thread: int) -> None:
        """Sell with a discount on the last line; one above the free percentage is lifted."""
        cart = self._fill(goods)
        full = amounts(cart.only_words("CartTotal", "Укупно"))[0]
        self.press("F4")
        self.until(lambda seen: seen.told["focus"].startswith("Попуст у %"))
        self.type(str(percent))
        self.press("Enter")
        if percent > _FREE[self.who.role]:
            self.lift()
        cart = self.until(
            lambda seen: (
                seen.has("CartTotal") and amounts(seen.only_words("CartTotal", "Укупно"))[0] < full
            )
        )
        self.note_act("discount")
        said = Said(Act(Kind.SALE, thread, goods))
        self.shift.discounts.append(full - amounts(cart.only_words("CartTotal", "Укупно"))[0])
        self._pay_quickly(said, cart)

    def drop_cart(self, goods: tuple[str, ...]) -> None:
        cart = self._fill(goods)
        total = amounts(cart.only_words("CartTotal", "Укупно"))[0]
        self.press("F9")
        seen = self.until(lambda seen: seen.has("OptionButton", "са разлогом"))
        self.click(seen.point("OptionButton", "са разлогом"))
        self.until(lambda seen: seen.told["focus"] == "Разлог")
        self.type("1")
        self.press("Enter")
        self.until(lambda seen: seen.has("CartTotal", "Укупно 0,00"))
        self.note_act("cart_dropped")
        self.shift.dropped.append(total)

    def train(self, code: str) -> None:
        """Issue a receipt of training; afterwards the till sells again."""
        self._choose_kind(3, "Обука")
        before = self.screen.only_words("CartTotal")
        self.scan(code)
        self.until(lambda seen: seen.only_words("CartTotal") != before)
        self.press("pad +", gap=_SURE)

        def told(seen: Screen) -> list[str]:
            words = " ".join(seen.all("NoticePanel", "Обука "))
            return [one for one in NUMBER.findall(words) if one not in self._seen]

        seen = self.until(lambda seen: told(seen) and seen.has("Segment", "Врста продаје: Продаја"))
        numbers = told(seen)
        self._seen.update(numbers)
        self.shift.training += numbers
        self.note_act("training")

    def other_program_sells(self) -> None:
        """Sell over the platform, on the lane of this till."""
        answer = self.town.post(uuid.uuid4().hex)
        assert answer.is_success, answer.text
        told = answer.json()
        self.shift.others.append((told["invoiceNumber"], Decimal(str(told["totalAmount"]))))

    def processor_goes(self) -> None:
        self._processor_goes()
        self.until(lambda seen: "Процесор спреман" not in seen.only_words("StatusLine"))

    def processor_comes(self) -> None:
        """Waiting sales are signed, in their order, before anything else is sold."""
        self._processor_comes()
        self.read_what_waited()

    def read_what_waited(self) -> None:
        """Note the numbers of the acts that were confirmed while no processor signed."""
        known = self._seen | {*self.before}
        known |= {number for one in self.shifts for number, _ in one.others}
        known |= {number for one in self.shifts for number in one.training}
        sales = [one for one in audit.ledger(self.shop) if _is_sale(one)]
        found = [one.number for one in sales if one.number not in known]
        assert len(found) == len(self.queued), (found, len(self.queued))
        for noted, number in zip(self.queued, found, strict=True):
            noted.said.numbers = [number]
            self._seen.add(number)
            self._receipts[noted.said.act.thread].append(number)
        self.queued.clear()

    def _open_screen(self) -> Screen:
        self.press("Ctrl+D")
        return self.until(lambda seen: seen.top == "shift" and seen.told["focus"])

    def open_shift(self, amount: Decimal | None = None) -> None:
        """Open the shift with a typed float, or with the cash that was left."""
        left = self.shifts[-1].stays if self.shifts else _NOTHING
        self._open_screen()
        self.until(lambda seen: seen.told["focus"].startswith("Готовина у фиоци") and seen.button)
        if amount is not None:
            self.type(str(amount))
        self.press("Enter", gap=_SURE)
        self.until(lambda seen: seen.has("Label", "Отворена "))
        self._begin_notes(left if amount is None else amount)
        self.go_home()

    def _begin_notes(self, amount: Decimal) -> None:
        notes = ShiftNotes(len(self.shifts) + 1, self.name, self.now, amount)
        notes.earlier = list(self.shifts[-1].waits) if self.shifts else []
        self.shifts.append(notes)
        self.note_act("shift_opened")

    def opens_by_itself(self) -> None:
        """The next sale opens the shift with the cash that was left."""
        self._begin_notes(self.shifts[-1].stays if self.shifts else _NOTHING)

    def move_cash(self, kind: str, amount: int) -> None:
        key, done = _MOVES[kind]
        self._open_screen()
        self.until(lambda seen: seen.has("Label", "Отворена "))
        self.press(key)
        self.until(lambda seen: seen.told["focus"] == "Износ")
        self.type(str(amount))
        self.press("Enter")
        if kind in ("in", "out"):
            self.until(lambda seen: seen.told["focus"] == "Разлог")
            for letter in ("R", "A", "D"):
                self.press(letter)
            self.press("Enter")
        if self.asks:
            self.lift()
        self.until(lambda seen: seen.has("Label", "Отворена ") and seen.told["focus"])
        self.note_act(done)
        self.shift.moves.append((kind, Decimal(amount)))
        self.go_home()

    def begin_count(self) -> None:
        self._open_screen()
        if not self.screen.has("Steps", "2."):
            self.until(lambda seen: seen.has("Label", "Отворена "))
            self.press("Enter", gap=_SURE)
            seen = self.until(lambda seen: seen.has("Steps", "1.") or seen.has("Steps", "2."))
            if seen.has("Steps", "1."):  # something is open
                self.press("Enter", gap=_SURE)
        self.until(lambda seen: seen.has("Steps", "2.") and seen.told["focus"])

    def count(self, cash: Decimal, *, kinds: int = 14) -> None:
        """Count the fewest notes and coins that make the amount; `kinds` of them."""
        rest = int(cash)
        for worth, words in _FIELDS[:kinds]:
            self.until(lambda seen, words=words: seen.told["focus"] == words)  # type: ignore[misc]
            pieces, rest = divmod(rest, worth)
            if pieces:
                self.type(str(pieces))
            self.press("Enter")

    def close_shift(self, *, missing: int = 0, kill: Callable[[], None] | None = None) -> None:
        """Count without the missing sum, and close. kill: ends the till within the count."""
        notes = self.shift
        notes.counted, notes.slip = notes.expected - missing, notes.of_method("card")
        notes.waits = list(self.queued)
        self.begin_count()
        if kill is not None:
            self.count(notes.counted, kinds=6)
            assert self.who is not None
            who = self.who
            kill()
            self.arrive()
            self.sign_in(who)
            self.begin_count()
            self._go_on_counting(notes.counted, 6)
        else:
            self.count(notes.counted)
        self.until(lambda seen: seen.told["focus"].startswith("Терминал"))
        self.type(f"{notes.slip:.2f}".replace(".", ","))
        self.press("F12")
        key = "Упишите разлог" if missing else "Закључи"
        seen = self.until(lambda seen: seen.has("Steps", "3.") and seen.has("BigButton", key))
        notes.told = _told(seen, with_turnover=not self.asks)
        self.note_act("counted")
        if missing:
            self.click(seen.point("Button", "Готовина: Кусур"))
        if not self.asks:
            self.until(
                lambda seen: seen.has("Label", "По ознаци") or seen.has("ElidedLabel", "По ознаци")
            )
        notes.stays = min(notes.cash_float, notes.counted)
        self.press("F12", gap=_SURE)
        self.until(lambda seen: seen.has("Steps", "4."))
        notes.closed_by, notes.closed_at = self.name, self.now
        self.note_act("shift_closed")
        self.press("Enter", gap=_SURE)
        self.until(lambda seen: seen.top == "sale")

    def _go_on_counting(self, cash: Decimal, done: int) -> None:
        """The typed numbers are still there, and the caret is in the first empty field."""
        pieces, rest = dict[str, str](), int(cash)
        for worth, words in _FIELDS:
            many, rest = divmod(rest, worth)
            pieces[words] = str(many) if many else ""
        seen = self.until(lambda seen: seen.told["focus"] in pieces)
        for _, words in _FIELDS[:done]:
            assert (
                seen.only_words("LineEdit", words).removeprefix(words).strip(" |") == pieces[words]
            )
        walk = list(pieces)
        for number in range(walk.index(seen.told["focus"]), len(walk)):
            words = walk[number]
            self.until(lambda seen, words=words: seen.told["focus"] == words)  # type: ignore[misc]
            if number >= done and pieces[words]:
                self.type(pieces[words])
            self.press("Enter")


_MOVES = {
    "in": ("U", "cash_in"),
    "out": ("I", "cash_out"),
    "drop": ("S", "cash_out"),
    "change": ("C", "cash_in"),
}


def _fields() -> list[tuple[int, str]]:
    notes = [(worth, f"Новчанице од {worth:,}".replace(",", ".")) for worth in NOTES]
    coins = [(worth, f"Кованице од {worth}") for worth in COINS]
    return [(worth, f"{words}, комада") for worth, words in notes + coins]


_FIELDS = _fields()
"""Worth and words of each field that Enter leads through."""


def _told(seen: Screen, *, with_turnover: bool) -> dict[str, Decimal]:
    """The difference's page: the row of cash, and the turnover where the person may see it."""
    assert seen.has("AmountLabel", "Промет смене ") == with_turnover
    words = [(kind, text) for kind, text, *_ in seen.told["words"]]
    at = words.index(("ElidedLabel", "Готовина"))
    figures = [amounts(text) for _, text in words[at + 1 : at + 4]]
    told = {
        "expected": figures[0][0],
        "counted": figures[1][0],
        "difference": figures[2][0] if figures[2] else _NOTHING,
    }
    if with_turnover:
        told["turnover"] = seen.amount("AmountLabel", "Промет смене ")
    return told
