"""A thermal printer for tests: it reads a job byte by byte and tells what came out of its slot.

It knows the commands of Epson's reference that a receipt needs, and shares no code with what
writes them. A byte that is no command, or a number that a printer would refuse, is an error: real
printers print it as a strange letter, or do something nobody asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from PIL import Image

ESC, GS = 0x1B, 0x1D
DOTS_PER_FEED = 34
"""A line of 1/6 inch at 203 dots an inch."""


class Misprint(AssertionError):
    """The printer met what it can't read."""


@dataclass
class Printer:
    """width: dots of its head. rows: what it printed, a tuple of dots each (True is black)."""

    width: int
    rows: list[list[bool]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    tallest_strip: int = 0

    def feed_job(self, job: bytes) -> Printer:
        at = 0
        while at < len(job):
            at = self._command(job, at)
        return self

    @property
    def picture(self) -> Image.Image:
        """The paper, grey: black 0, white 255."""
        dots = bytes(0 if black else 255 for row in self.rows for black in row)
        return Image.frombytes("L", (self.width, len(self.rows)), dots)

    def _command(self, job: bytes, at: int) -> int:
        head = job[at : at + 2]
        if head == bytes((ESC, 0x40)):
            self.events.append("reset")
            return at + 2
        if head == bytes((ESC, 0x70)):
            pin, on, off = job[at + 2 : at + 5]
            if pin not in {0, 1} or not on < off:
                raise Misprint(f"a pulse {pin} {on} {off}")
            self.events.append(f"drawer pin {5 if pin else 2}, {2 * on} ms")
            return at + 5
        if head == bytes((ESC, 0x64)):
            blank = [False] * self.width
            self.rows.extend([blank] * (job[at + 2] * DOTS_PER_FEED))
            self.events.append("feed")
            return at + 3
        if head == bytes((GS, 0x56)):
            knife = {65: "cut fully", 66: "cut partly"}.get(job[at + 2])
            if knife is None:
                raise Misprint(f"a cut {job[at + 2]}")
            self.events.append(knife)
            return at + 4
        if job[at : at + 4] == bytes((GS, 0x76, 0x30, 0)):
            return self._strip(job, at + 4)
        raise Misprint(f"no command at byte {at}: {job[at : at + 8].hex(' ')}")

    def _strip(self, job: bytes, at: int) -> int:
        per_row = job[at] + 256 * job[at + 1]
        count = job[at + 2] + 256 * job[at + 3]
        at += 4
        if per_row * 8 != self.width or not count:
            raise Misprint(f"a strip of {per_row * 8} × {count} dots on {self.width}")
        if len(job) < at + per_row * count:
            raise Misprint("a strip that ends too early")
        for row in range(count):
            line = job[at + row * per_row : at + (row + 1) * per_row]
            self.rows.append([bool(byte >> bit & 1) for byte in line for bit in range(7, -1, -1)])
        self.tallest_strip = max(self.tallest_strip, count)
        if self.events[-1:] != ["dots"]:
            self.events.append("dots")
        return at + per_row * count
