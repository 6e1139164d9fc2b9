"""A cashier at a till on a real X server, who notes the screen's amounts act by act."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.e2e import audit
from tests.e2e.day_of_a_shop import SCANNED, Act, Kind, Way
from tests.e2e.shop import Program, Shop
from tests.gui.scanner.x11 import XKeyboard

ID_CARD, PIB = "008412357", "100000008"
AMOUNT = re.compile(r"[-−+]?\d{1,3}(?:\.\d{3})*,\d{2}")
NUMBER = re.compile(r"[A-Z0-9]{8}-[A-Z0-9]{8}-\d+")
_PLACES = {
    "F4": 62, "F5": 63, "F6": 64, "F7": 65, "F8": 66, "F9": 67, "F11": 87, "F12": 88, "Esc": 1,
    "Enter": 28, "Alt": 56, "Ctrl": 29, "Down": 108, "Up": 103, "Del": 111, "pad +": 78,
    "pad -": 74, "A": 30, "B": 48, "C": 46, "D": 32, "I": 23, "P": 25, "R": 19, "S": 31,
    "U": 22, "X": 45, ",": 51,
}  # fmt: skip
_SCAN = "scan"
_GAP, _HOLD = 60, 30
"""Milliseconds between the keys of a quick hand, and for which a key is down."""
_DEAD = 450
"""Milliseconds after a scan in which no finger pays, and the first key is not pressed."""
_PATIENCE = 60.0
_AGAIN = 2.0
"""Seconds after which a person presses a key again that the screen still asks for."""
METHODS = {"Готовина": "cash", "Картица": "card", "готовина": "cash", "картица": "card"}


def amounts(words: str) -> list[Decimal]:
    return [
        Decimal(one.replace("−", "-").replace(".", "").replace(",", "."))
        for one in AMOUNT.findall(words)
    ]


@dataclass(frozen=True, slots=True)
class Screen:
    told: dict[str, Any]

    @property
    def top(self) -> str:
        return str(self.told["top"])

    def all(self, kind: str, begins: str = "", *, pressable: bool = False) -> list[str]:
        return [
            words
            for one, words, is_enabled, *_ in self.told["words"]
            if one == kind and words.startswith(begins) and (is_enabled or not pressable)
        ]

    def has(self, kind: str, begins: str = "", *, pressable: bool = False) -> bool:
        return bool(self.all(kind, begins, pressable=pressable))

    def only_words(self, kind: str, begins: str = "") -> str:
        (words,) = self.all(kind, begins)
        return words

    def amount(self, kind: str, begins: str = "") -> Decimal:
        (amount,) = amounts(self.only_words(kind, begins).removeprefix(begins))
        return amount

    def point(self, kind: str, begins: str) -> tuple[int, int]:
        (place,) = [
            (x, y)
            for one, words, _, _, x, y in self.told["words"]
            if one == kind and words.startswith(begins)
        ]
        return place

    @property
    def chosen_way(self) -> str:
        (words,) = [
            words
            for one, words, _, is_chosen, *_ in self.told["words"]
            if one == "WayButton" and is_chosen
        ]
        return str(words)

    @property
    def button(self) -> str:
        """The words of the big button, or "" while it can't be pressed."""
        return next(iter(self.all("BigButton", pressable=True)), "")

    @property
    def works(self) -> bool:
        line = self.only_words("StatusLine")
        return "Сервер ради" in line and "Процесор спреман" in line


@dataclass
class Said:
    """The screen's words about an act. by_method: the money moved; cash: in whole dinars."""

    act: Act
    numbers: list[str] = field(default_factory=list)
    sold: Decimal = Decimal(0)
    back: Decimal = Decimal(0)
    by_method: dict[str, Decimal] = field(default_factory=dict)
    cash: Decimal = Decimal(0)


class Person:
    def __init__(self, shop: Shop, till: Program, keyboard: XKeyboard) -> None:
        self.shop, self.till, self.keyboard = shop, till, keyboard
        self.said: list[Said] = []
        self.kills = 0
        self._pressed = ""
        self._is_away = False
        self._offered = ("", 0.0)
        """The words of the big button when it was pressed, and that moment."""
        self._receipts: dict[int, list[str]] = defaultdict(list)
        self._seen: set[str] = set()
        """Numbers that a screen showed."""
        self._read = ("", Screen({}))

    @property
    def screen(self) -> Screen:
        line = self.till.told[-1][1] if self.till.told else "{}"
        if self._read[0] != line:
            self._read = line, Screen(json.loads(line))
            if pid := self._read[1].told.get("server"):
                self.shop.pids.add(pid)
        return self._read[1]

    def until(self, check: Callable[[Screen], Any], *, seconds: float = _PATIENCE) -> Screen:
        def seen() -> Screen | None:
            screen = self.screen
            return screen if screen.told and check(screen) else None

        try:
            found = self.till.until(seen, seconds=seconds)
        except AssertionError as error:
            told = self.shop.folder / "told.txt"
            told.write_text("\n".join(f"{at:.3f} {line}" for at, line in self.till.told))
            words = [one[:2] for one in self.screen.told.get("words", ()) if one[0] != "PaperView"]
            raise AssertionError(f"{told}: {self.screen.top}: {words}") from error
        assert isinstance(found, Screen)
        return found

    def press(self, name: str, *, gap: int = _GAP) -> None:
        """Press a key, or "Alt+2"; a pause parts it from the same key, and from a scan."""
        gap = max(gap, _DEAD) if self._pressed in (name, _SCAN) else gap
        self._pressed = name
        *held, last = name.split("+") if name.startswith(("Alt+", "Ctrl+")) else [name]
        for one in held:
            self.keyboard.key(_PLACES[one], down=True, gap=gap)
        self.keyboard.tap(place_of(last), gap=gap, hold=_HOLD)
        for one in held:
            self.keyboard.key(_PLACES[one], down=False, gap=_HOLD)
        self.keyboard.wait()

    def begin(self, name: str) -> None:
        self.press(name)

    def type(self, digits: str) -> None:
        """Type a number; a pause parts it from the same key."""
        gap = _DEAD if self._pressed == digits[:1] else _GAP
        for digit in digits:
            self.keyboard.tap(place_of(digit), gap=gap, hold=_HOLD)
            gap = _GAP
        self.keyboard.wait()
        self._pressed = digits[-1:]

    def scan(self, code: str) -> None:
        self.keyboard.scan(code, gap=0, pauses={0: 150})
        self.keyboard.wait()
        self._pressed = _SCAN

    def click(self, place: tuple[int, int]) -> None:
        self.keyboard.click(*place)
        self.keyboard.wait()

    def sit_down(self) -> None:
        self.until(lambda seen: seen.told["ready"] and seen.works)

    def do(self, act: Act) -> None:
        """Do one act from its first key to its end, from the sale and back to it."""
        said = Said(act)
        self._act(act, said)
        self.said.append(said)
        self._receipts[act.thread] += said.numbers
        self._seen.update(said.numbers)
        self.go_home()

    def _act(self, act: Act, said: Said) -> None:
        doers = {
            Kind.SALE: self._sell,
            Kind.ADVANCE: self._advance,
            Kind.PAYMENT: self._pay_further,
            Kind.CLOSING: self._close,
            Kind.REFUND_ADVANCE: self._refund_advance,
            Kind.COPY: self._copy,
            Kind.EXCHANGE: self._exchange,
            Kind.EXCHANGE_BACK: self._exchange,
            Kind.CORRECT_PAYMENT: self._correct,
            Kind.CORRECT_BUYER: self._correct,
        }
        doers.get(act.kind, self._refund)(act, said)

    def _confirm(self, act: Act, key: str, *, gap: int = _GAP) -> None:
        """Press the key that confirms the act; the server may be killed right then."""
        self._offered = self.screen.button, time.monotonic()
        self.press(key, gap=gap)
        if act.kill_after is not None:
            time.sleep(act.kill_after)
            os.kill(self.screen.told["server"], signal.SIGKILL)
            self.kills += 1

    def _processor_goes(self) -> None:
        self.shop.change(unreachable=["status", "invoices", "lookup"])
        self._is_away = True

    def _processor_comes(self) -> None:
        self.shop.change(unreachable=[])
        self._is_away = False
        self.until(lambda seen: seen.works and "Ред празан" in seen.only_words("StatusLine"))

    def go_home(self) -> None:
        while self.screen.top != "sale":
            before = self.screen
            self.press("Esc")
            self.until(lambda seen, before=before: seen.told != before.told)  # type: ignore[misc]

    def _fill(self, goods: tuple[str, ...]) -> Screen:
        for code in goods:
            before = self.screen.only_words("CartTotal")
            if code in SCANNED:
                self.scan(code)
            else:
                self.type(code)
                self.press("Enter")
            self.until(lambda seen, before=before: seen.only_words("CartTotal") != before)  # type: ignore[misc]
        return self.screen

    def _sell(self, act: Act, said: Said) -> None:
        cart = self._fill(act.goods)
        self._pay(act, said, cart)

    def _pay(self, act: Act, said: Said, cart: Screen, *, gap: int = _DEAD) -> None:
        total = amounts(cart.only_words("CartTotal", "Укупно"))[0]
        said.sold = total
        given = ((int(total) + 1) // 500 + 1) * 500
        match act.way:
            case Way.CASH:
                said.by_method = {"cash": total}
                said.cash = cart.amount("ExactButton", "Готовина тачно ")
                self._confirm(act, "pad +", gap=gap)
            case Way.CARD:
                said.by_method = {"card": cart.amount("ExactButton", "Картица тачно ")}
                self._confirm(act, "pad -", gap=gap)
            case Way.GIVEN:
                said.by_method = {"cash": total}
                self.type(str(given))
                self._confirm(act, "pad +", gap=gap)
            case Way.MIXED:
                self._mix(act, said, total)
        last = self._issued(said)
        if act.way is Way.GIVEN:
            assert last.startswith("Кусур "), last
            said.cash = given - amounts(last)[0]

    def _mix(self, act: Act, said: Said, total: Decimal) -> None:
        self.press("F12", gap=_DEAD)
        self.until(lambda seen: seen.told["paying"])
        self.type(str(int(total) // 2))
        self.press("Alt+2")
        seen = self.until(lambda seen: seen.button.startswith("Издај рачун "))
        said.cash = seen.amount("AmountLabel", "Готовина: ")
        card = seen.amount("LineEdit", "Платна картица | ")
        said.by_method = {"cash": said.cash, "card": card}
        self._confirm(act, "Enter")

    def _issued(self, said: Said) -> str:
        """The screen's words about the last receipt, once it is issued, or waits in the queue."""

        def is_over(seen: Screen) -> bool:
            if seen.top != "sale" or not seen.has("LastLarge"):
                return False
            words = seen.only_words("LastLarge")
            number = NUMBER.search(words)
            if number is None:
                return self._is_away and "чека издавање" in words
            return "издат" in words and number.group() not in self._seen

        words = self.until(is_over).only_words("LastLarge")
        said.numbers = NUMBER.findall(words)
        return words

    def _choose_kind(self, number: int, name: str) -> None:
        self.click(tuple(self.screen.told["parts"][0][number]))
        self.until(lambda seen: seen.has("Segment", f"Врста продаје: {name}"))

    def _advance(self, act: Act, said: Said) -> None:
        self._choose_kind(1, "Аванс")
        self._take_part(act, said, self._fill(act.goods))

    def _take_part(self, act: Act, said: Said, cart: Screen) -> None:
        """Sell a third of the cart as an advance."""
        part = str(max(1, int(amounts(cart.only_words("CartTotal", "Укупно"))[0]) // 3))
        self.press("F12", gap=_DEAD)
        self.until(lambda seen: seen.told["paying"])
        self.type(part)
        self.until(lambda seen: seen.button.startswith("Узми као аванс "))
        self.press("Enter")
        seen = self.until(lambda seen: seen.button.startswith("Издај аванс "))
        said.sold = said.cash = seen.amount("BigButton", "Издај аванс ")
        said.by_method = {"cash": said.sold}
        self._confirm(act, "Enter")
        assert "Аванс" in self._issued(said)

    def _url(self, number: str) -> str:
        (entry,) = [one for one in audit.ledger(self.shop) if one.number == number]
        return audit.url_of(entry)

    def _first(self, act: Act) -> str:
        return self._receipts[act.thread][0]

    def _open(self, number: str) -> Screen:
        self.press("F7")
        self.until(lambda seen: seen.top == "receipts")
        self.scan(self._url(number))

        def is_open(seen: Screen) -> bool:  # the newest one is opened before the scanned one, too
            by_scan = seen.has("Label", "✓ отворен скенирањем")
            return by_scan and seen.has("NumberLabel", number) and bool(seen.button)

        seen = self.until(lambda seen: is_open(seen) or seen.has("EmptyState", "Рачун сада не"))
        if not is_open(seen):  # the server is being started again
            self.until(lambda seen: seen.works)
            self.scan(self._url(number))
            seen = self.until(is_open)
        return seen

    def _refund(self, act: Act, said: Said) -> None:
        number = self._first(act)
        self._open(number)
        self.begin("R")
        self._give_back(act, said, number)

    def _refund_advance(self, act: Act, said: Said) -> None:
        self._open_advance(act)
        self.begin("R")
        self._give_back(act, said, self._receipts[act.thread][-1])

    def _give_back(self, act: Act, said: Said, number: str) -> None:
        self.until(
            lambda seen: (
                seen.top == "refund"
                and seen.has("NumberLabel", number)
                and seen.button.startswith(("Даље: документ", "Рефундирај "))
            )
        )
        if act.kind is Kind.REFUND_LINE:
            sold = next(one.goods for one in self._done(act.thread) if one.goods)
            whole = self.screen.only_words("FigurePanel")
            self.scan(next(code for code in sold if code in SCANNED))
            if len(sold) > 1:
                self.until(lambda seen: seen.only_words("FigurePanel") != whole)
        if act.kind is Kind.REFUND_OWN_ERROR:
            self.press("F5")
        elif self.screen.button.startswith("Даље: документ"):
            self.press("Enter")
            self.until(lambda seen: seen.told["focus"].startswith("Број: "))
            self.type(ID_CARD)
        seen = self.until(lambda seen: seen.button.startswith("Рефундирај "))
        said.back = seen.amount("BigButton", "Рефундирај ")
        said.by_method, said.cash = _given_back(seen, said.back)
        self._confirm(act, "Enter")
        seen = self._followed(
            lambda seen: seen.has("DonePanel", "Рефундација је издата"),
            again=("Рефундирај ", "Покушај поново"),
        )
        said.numbers = NUMBER.findall(seen.only_words("DonePanel", "Рефундација је издата"))

    def _done(self, thread: int) -> list[Act]:
        return [one.act for one in self.said if one.act.thread == thread]

    def _followed(self, is_over: Callable[[Screen], bool], *, again: tuple[str, ...]) -> Screen:
        """The screen at the act's end; where nothing was issued, the key is pressed again."""

        def offers(seen: Screen) -> bool:
            refused = any(": није издато" in words for words in seen.all("NoticePanel"))
            return refused or seen.button.startswith(again)

        while True:
            self.until(lambda seen: is_over(seen) or self._has_acted(seen))
            seen = self.until(lambda seen: is_over(seen) or (seen.works and offers(seen)))
            if is_over(seen):
                return seen
            self._offered = seen.button, time.monotonic()
            self.press("Enter")

    def _has_acted(self, seen: Screen) -> bool:
        """Tell whether the big button has other words, or may have the same again by now."""
        words, since = self._offered
        return seen.button != words or time.monotonic() - since > _AGAIN

    def _copy(self, act: Act, said: Said) -> None:
        self._open(self._first(act))
        self.press("Enter")
        self.until(lambda seen: seen.button.startswith("Издај"))
        self._confirm(act, "Enter", gap=_DEAD)  # a changed key rests a while
        seen = self.until(
            lambda seen: any("је издата" in one for one in seen.all("DonePanel", "Копија "))
        )
        short = re.search(r"Копија (\d+) је издата", seen.only_words("DonePanel", "Копија "))
        head = self._first(act).rpartition("-")[0]
        said.numbers = [f"{head}-{short.group(1)}"]

    def _exchange(self, act: Act, said: Said) -> None:
        """Exchange all of a receipt for other goods; cash is given exactly."""
        self._open(self._first(act))
        self.begin("R")
        self.until(lambda seen: seen.top == "refund" and seen.button.startswith("Даље: документ"))
        self.scan(ID_CARD)
        self.until(lambda seen: seen.button.startswith("Рефундирај "))
        self.press("X")
        self.until(lambda seen: seen.has("AddedLine", "Замена: "))
        self._fill(act.goods)
        self.press("F12", gap=_DEAD)
        seen = self.until(lambda seen: seen.told["paying"])
        (netted,) = [one for one in seen.all("Label", "враћено ") if "нова роба" in one]
        back, new = amounts(netted)
        if new > back:
            self.press("Enter")
        self.until(lambda seen: seen.button.startswith("Замени"))
        self._confirm(act, "Enter", gap=_DEAD)
        seen = self._followed(
            lambda seen: seen.has("DonePanel", "Замењено: "),
            again=("Покушај поново", "Издај рачун"),
        )
        parts = [one for one in seen.all("QWidget") if NUMBER.search(one)]
        said.numbers = _numbers(parts)
        (refunded, *_, (sold,)) = [amounts(one) for one in parts]
        said.back, said.sold = -refunded[0], sold
        assert (said.back, said.sold) == (back, new)
        self._take_net(said, seen)

    def _take_net(self, said: Said, seen: Screen) -> None:
        """Note the difference between the two receipts, and the hand's part of it."""
        told, net = seen.only_words("DonePanel", "Замењено: ").lower(), said.sold - said.back
        words, sign, method = next(one for one in _NET if one[0] in told)
        amount = next(iter(amounts(told.partition(words)[2])), Decimal(0))
        assert amount == abs(net if method == "card" else round(net))
        said.cash, said.by_method = sign * amount, {method: net}

    def _correct(self, act: Act, said: Said) -> None:
        self._open(self._first(act))
        self.begin("I")
        self.until(lambda seen: seen.top == "correction" and bool(seen.button))
        if act.kind is Kind.CORRECT_PAYMENT:
            self.press("Alt+2" if act.way is Way.CASH else "Alt+1")
            self.until(lambda seen: seen.has("AmountLabel", "У смени, "))
        else:
            self.press("B")
            self.until(lambda seen: seen.told["focus"].startswith("Број"))
            self.type(PIB)
        seen = self.until(lambda seen: seen.button.startswith("Исправи "))
        said.sold = said.back = seen.amount("BigButton", "Исправи ")
        for words in seen.all("AmountLabel", "У смени, "):
            method, (amount,) = METHODS[words.split()[2]], amounts(words)
            said.by_method[method] = amount
        self._confirm(act, "Enter")
        seen = self._followed(
            lambda seen: seen.has("DonePanel", "Рачун је исправљен"),
            again=("Исправи ", "Издај ", "Покушај поново"),
        )
        parts = self.until(lambda seen: len(_numbers(seen.all("QWidget"))) == 2).all("QWidget")
        said.numbers = _numbers(parts)

    def _open_advance(self, act: Act) -> Screen:
        number = self._receipts[act.thread][-1]
        self.press("F8")
        self.until(lambda seen: seen.top == "advances")
        self.scan(self._url(number))
        short = f"Аванс {number.rpartition('-')[2]} ·"
        return self.until(
            lambda seen: (
                any(short in one for one in seen.all("AdvancePath"))
                and seen.has("BigButton", "Затвори", pressable=True)
            )
        )

    def _pay_further(self, act: Act, said: Said) -> None:
        self._open_advance(act)
        self.press("pad +")
        self.until(lambda seen: seen.has("AdvancePanel"))
        if act.way is Way.CARD:
            self.press("Alt+2")
        self.type("20")
        seen = self.until(lambda seen: seen.button == "Издај аванс 20,00")
        said.sold = seen.amount("BigButton", "Издај аванс ")
        self._take(act, said, said.sold)
        self._confirm(act, "Enter")
        self._told_issued(said, "Уплата на аванс: издато")

    def _close(self, act: Act, said: Said) -> None:
        self._open_advance(act)
        self.press("Enter")
        self.until(lambda seen: seen.has("AdvancePanel"))
        if act.way is Way.CARD:
            self.press("Alt+2")
        seen = self.until(lambda seen: seen.button.startswith("Затвори аванс "))
        due = seen.amount("BigButton", "Затвори аванс ")
        if due:
            self._take(act, said, due)
        if said.cash:
            (words,) = [one for one in seen.all("Label", "примљено ") if amounts(one)]
            said.cash = amounts(words)[0]
        self._confirm(act, "Enter")
        self._told_issued(said, "Затварање аванса: издато")
        number = said.numbers[0].rpartition("-")[2]
        seen = self.until(
            lambda seen: any(f"Рачун {number} ·" in one for one in seen.all("AdvancePath"))
        )
        *_, back, sold = amounts(seen.only_words("AdvancePath"))
        said.sold, said.back = sold, -back

    def _take(self, act: Act, said: Said, amount: Decimal) -> None:
        if act.way is Way.CARD:
            said.by_method = {"card": amount}
        else:
            said.by_method, said.cash = {"cash": amount}, amount

    def _told_issued(self, said: Said, words: str) -> None:
        seen = self._followed(
            lambda seen: seen.has("DonePanel", words), again=("Издај аванс ", "Затвори аванс ")
        )
        said.numbers = NUMBER.findall(seen.only_words("DonePanel", words))


_NET = (("примљено ", 1, "cash"), ("враћа се: картица ", 0, "card"), (". дајте купцу ", -1, "cash"))
"""Words of an exchange's end in small letters, the sign of the cash that moves, and the method."""


def _numbers(words: list[str]) -> list[str]:
    return [number for one in words for number in NUMBER.findall(one)]


def _given_back(seen: Screen, total: Decimal) -> tuple[dict[str, Decimal], Decimal]:
    """The money that goes back by method, and the cash that the hand gives."""
    title, _, words = seen.chosen_way.partition(". ")
    methods = [METHODS[one] for one in title.split(" + ")]
    parts = amounts(words) if len(methods) > 1 else [total]
    figure = seen.only_words("FigurePanel")
    hand = amounts(figure)[0] if figure.startswith("За враћање ") else Decimal(0)
    return {method: -part for method, part in zip(methods, parts, strict=True)}, -hand


def place_of(key: str) -> int:
    """The code of a named key, or of a digit above the letters."""
    return _PLACES[key] if key in _PLACES else 2 + (int(key) - 1) % 10
