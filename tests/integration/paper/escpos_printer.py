"""A thermal printer for tests: it reads a job byte by byte and shows what it printed.

It knows the commands of Epson's reference that a receipt needs, and shares no code with the program
that writes them. A byte that is no command, or a number that a printer would refuse, is an error:
real printers print it as a strange letter, or do something nobody asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from PIL import Image

ESC, GS = 0x1B, 0x1D
DOTS_PER_FEED = 34
"""The dots of a line of 1/6 inch, at 203 dots an inch."""
_INK = bytes.maketrans(b"\0\1", b"\xff\0")
"""The grey values of a dot without ink and of one with ink."""


class Misprint(AssertionError):
    pass


@dataclass
class Printer:
    """width: the dots of its head. rows: the printed rows, a tuple of dots each (True is black).

    The next bytes finish what a torn job began, as in a real printer; until a reset the printer
    forgives a command that makes no sense. commands: the commands carried out, with their bytes.
    """

    width: int
    rows: list[tuple[bool, ...]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    tallest_strip: int = 0
    is_torn: bool = False
    commands: list[bytes] = field(default_factory=list)
    _waiting: bytes = b""

    def feed_job(self, job: bytes) -> Printer:
        self.feed_torn(job)
        if self._waiting:
            raise Misprint(f"it ends within a command: {self._waiting[:8].hex(' ')}")
        return self

    def feed_torn(self, job: bytes) -> None:
        stream, at = self._waiting + job, 0
        while at < len(stream) and (end := self._command(stream, at)) is not None:
            if stream[at]:
                self.commands.append(stream[at:end])
            at = end
        self._waiting = stream[at:]

    @property
    def picture(self) -> Image.Image:
        dots = b"".join(map(bytes, self.rows)).translate(_INK)
        return Image.frombytes("L", (self.width, len(self.rows)), dots)

    def _command(self, job: bytes, at: int) -> int | None:
        """Carry out the command that begins there; return its end, None while a part is missing."""
        if not job[at]:
            rest = job[at:].lstrip(b"\0")
            return len(job) - len(rest)
        size = self._size(job, at)
        if size is None or len(job) < at + size:
            return None
        self._carry_out(job[at : at + size])
        return at + size

    def _size(self, job: bytes, at: int) -> int | None:
        head = job[at : at + 2]
        if len(head) < 2:
            return None
        if head == bytes((GS, 0x56)):
            return 4 if job[at + 2 : at + 3] >= b"A" else 3
        if head != bytes((GS, 0x76)):
            return {bytes((ESC, 0x70)): 5, bytes((ESC, 0x64)): 3}.get(head, 2)
        if len(job) < at + 8:
            return 8
        return 8 + _two(job, at + 4) * _two(job, at + 6)

    def _carry_out(self, command: bytes) -> None:
        match command[0], command[1]:
            case (0x1B, 0x40):
                self.is_torn = False
                self.events.append("reset")
            case (0x1B, 0x70):
                self._pulse(*command[2:])
            case (0x1B, 0x64):
                blank = (False,) * self.width
                self.rows.extend([blank] * (command[2] * DOTS_PER_FEED))
                self.events.append("feed")
            case (0x1D, 0x56):
                self._cut(command[2])
            case (0x1D, 0x76) if command[2:4] == b"0\0":
                self._strip(command)
            case _:
                self._misprint(f"no command: {command[:8].hex(' ')}")

    def _pulse(self, pin: int, on: int, off: int) -> None:
        if pin not in {0, 1} or not on < off:
            self._misprint(f"a pulse {pin} {on} {off}")
            return
        self.events.append(f"drawer pin {5 if pin else 2}, {2 * on} ms")

    def _cut(self, kind: int) -> None:
        knife = {65: "cut fully", 66: "cut partly"}.get(kind)
        if knife is None:
            self._misprint(f"a cut {kind}")
            return
        self.events.append(knife)

    def _strip(self, command: bytes) -> None:
        per_row, count = _two(command, 4), _two(command, 6)
        if per_row * 8 != self.width or not count:
            self._misprint(f"a strip of {per_row * 8} × {count} dots on {self.width}")
            return
        for row in range(count):
            self.rows.append(_dots(command[8 + row * per_row : 8 + (row + 1) * per_row]))
        self.tallest_strip = max(self.tallest_strip, count)
        if self.events[-1:] != ["dots"]:
            self.events.append("dots")

    def _misprint(self, words: str) -> None:
        if not self.is_torn:
            raise Misprint(words)


_BITS = [tuple(bool(byte >> bit & 1) for bit in range(7, -1, -1)) for byte in range(256)]


@lru_cache(4096)
def _dots(line: bytes) -> tuple[bool, ...]:
    """Return a row of dots. The cache helps as the same few rows come thousands of times."""
    return tuple(chain.from_iterable(_BITS[byte] for byte in line))


def _two(job: bytes, at: int) -> int:
    return job[at] + 256 * job[at + 1]
