"""Strokes for the burst detector, and a record of their effects."""

from __future__ import annotations

from dataclasses import dataclass, field

from pos_app.cashier.scanner import burst, decoder
from pos_app.cashier.scanner.strokes import Stroke, StrokeKind

F12 = 88
_KINDS = {
    decoder.ENTER: StrokeKind.END,
    decoder.KEYPAD_ENTER: StrokeKind.END,
    decoder.TAB: StrokeKind.END,
    decoder.LEFT_SHIFT: StrokeKind.SHIFT,
    decoder.LEFT_ALT: StrokeKind.ALT,
    decoder.LEFT_CTRL: StrokeKind.MODIFIER,
}


@dataclass
class Desk:
    """One keyboard stream into one detector. log: "a down", "a up" of a key, ("scan", code)."""

    rules: burst.Rules = field(default_factory=burst.Rules)
    now: int = 1_000
    log: list[object] = field(default_factory=list)
    shift: bool = False

    def __post_init__(self) -> None:
        self.bursts: burst.Bursts[str] = burst.Bursts(self.rules)

    def key(self, place: int, *, down: bool = True, repeat: bool = False) -> None:
        """Move a key of a US keyboard now."""
        plain, shifted = decoder.US.keys.get(place, ("", ""))
        kind = _KINDS.get(place, StrokeKind.CHAR if plain else StrokeKind.OTHER)
        if kind is StrokeKind.SHIFT:
            self.shift = down
        name = plain or str(place)
        self.feed(
            Stroke(
                at=self.now,
                key=place,
                kind=kind,
                event=f"{name} {'down' if down else 'up'}",
                char=shifted if self.shift else plain,
                plain=plain,
                down=down,
                repeat=repeat,
                eager=place in (decoder.KEYPAD_PLUS, decoder.KEYPAD_MINUS),
                pad=place in range(71, 84) and bool(plain),
            )
        )

    def feed(self, stroke: Stroke[str]) -> None:
        verdict = self.bursts.feed(stroke)
        self.note(verdict.steps)
        if verdict.passes:
            self.log.append(stroke.event)

    def silence(self) -> None:
        """Let no key come for longer than the gap."""
        self.now += self.rules.gap_ms + 5
        self.note(self.bursts.silence())

    def rest(self) -> None:
        """Let no key come for longer than the rest of a scan may take."""
        self.silence()
        self.now += burst.PART_MS
        self.note(self.bursts.end())

    def tap(self, place: int, *, hold: int) -> None:
        """Press a key, and release it `hold` ms later."""
        self.key(place)
        self.now += hold
        self.key(place, down=False)

    def scan(self, code: str, *, gap: int = 4, ends: tuple[int, ...] = (decoder.ENTER,)) -> None:
        """Scan a code as keys: each is released before the next, Shift is added where needed."""
        for char in code:
            place, shift = place_of(char)
            if shift:
                self.key(decoder.LEFT_SHIFT)
            self.tap(place, hold=gap // 2)
            if shift:
                self.key(decoder.LEFT_SHIFT, down=False)
            self.now += gap - gap // 2
        for place in ends:
            self.tap(place, hold=gap // 2)
            self.now += gap - gap // 2

    def type(self, text: str, *, gap: int = 120, hold: int = 60) -> None:
        """Type text as a human does: keys `gap` ms apart, each down for `hold` ms."""
        for char in text:
            self.now += gap - hold
            self.tap(place_of(char)[0], hold=hold)

    @property
    def codes(self) -> list[str]:
        return [entry[1] for entry in self.log if isinstance(entry, tuple) and entry[0] == "scan"]

    @property
    def presses(self) -> str:
        """The presses that acted."""
        return "".join(str(entry)[:-5] for entry in self.log if str(entry).endswith(" down"))

    def note(self, steps: tuple[burst.Step[str], ...]) -> None:
        for step in steps:
            if isinstance(step, burst.KeyTooSoon):
                self.log.append("too soon")
            elif isinstance(step, burst.Scan):
                self.log.append(("misread" if step.misread else "scan", step.code))
            else:
                self.log += [stroke.event for stroke in step.strokes]


def place_of(char: str) -> tuple[int, bool]:
    """The key of a US keyboard that types `char`, and whether with Shift."""
    if char in "\r\t":
        return (decoder.ENTER if char == "\r" else decoder.TAB), False
    return next((place, pair[0] != char) for place, pair in decoder.US.keys.items() if char in pair)
