"""The receipt printer of a shop: what it was sent, and the papers that lie beside it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import zxingcpp

from pos_app.adapters.printers.transport import Stopped
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.domain.receipt.states import JobMethod
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.pfr_emulator.ledger import read_entries
from tests.fakes.escpos_device import EscposDevice
from tests.integration.paper.escpos_printer import Printer
from tests.shop.ledger import Fault

DOTS = 576
"""Of the head of a printer for rolls of 80 mm."""
_BEGINS, _CUTS = b"\x1b@", b"\x1dV"


@dataclass
class Papers:
    """The printer and its papers. breaks_at_end: the connection breaks when the next paper has come
    out. asked: how often a person had a receipt's paper printed again. ended: the receipts whose
    paper a person said is there, or not wanted."""

    device: EscposDevice = field(default_factory=EscposDevice)
    is_open: bool = True
    breaks_at_end: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    ended: set[str] = field(default_factory=set)
    _read: dict[bytes, str] = field(default_factory=dict)

    def mend(self, *, is_restarted: bool = True) -> None:
        """A person puts paper in and shuts the cover. is_restarted: the printer is switched off and
        on, too; else it prints what it has taken already."""
        device = self.device
        device.paper, device.cut_after, device.blink_after = None, None, None
        device.cover_open = device.offline = self.breaks_at_end = False
        if is_restarted:
            device.switch_off_and_on()
        device.receive(b"")
        self.is_open = True

    def whole(self) -> Counter[str]:
        """Count the papers that came out whole, by the address in their code: "" for those without
        a code, as a Z, an X or a trial page."""
        found, begun = Counter[str](), list[bytes]()
        for command in self.device.printed:
            if command == _BEGINS:
                begun.clear()
            begun.append(command)
            if command[:2] == _CUTS:
                found[self._address(b"".join(begun))] += 1
                begun.clear()
        return found

    def _address(self, job: bytes) -> str:
        if job not in self._read:
            code = zxingcpp.read_barcode(Printer(DOTS).feed_job(job).picture)
            self._read[job] = code.text if code is not None else ""
        return self._read[job]

    def genuine(self, ledger: Path) -> Counter[str]:
        """Count the receipts' papers as `whole` does, each of a receipt that was signed."""
        printed = self.whole()
        del printed[""]
        if strange := printed.keys() - set(addresses_of(ledger).values()):
            raise Fault(f"papers of no receipt came out: {strange}")
        read = [address for address in self._read.values() if address]
        if len(set(read)) < len(read):
            raise Fault("a receipt came out as two different papers")
        return printed

    def judge(self, wanted: set[str], not_done: list[DeliveryJob], ledger: Path) -> None:
        """Compare what came out with what was signed, nothing being under way. wanted: the numbers
        of the receipts that were to be printed. not_done: the jobs of which a person is told."""
        entries, printed = addresses_of(ledger), self.genuine(ledger)
        told = {one.number for one in not_done if one.method is JobMethod.THERMAL}
        for number, address in entries.items():
            many = printed[address]
            if many > 1 + self.asked[number]:
                raise Fault(f"{number} came out {many} times, asked again {self.asked[number]}")
            if many and number not in wanted:
                raise Fault(f"{number} came out, and nobody wanted its paper")
            if not many and number in wanted - told - self.ended:
                raise Fault(f"{number} never came out, and nobody is told")


def addresses_of(ledger: Path) -> dict[str, str]:
    return {
        one.number: str(json.loads(one.answer)["verificationUrl"]) for one in read_entries(ledger)
    }


@dataclass
class Line:
    """A server's way to the printer; it is cut when the server is killed."""

    papers: Papers
    is_cut: bool = False

    async def open(self) -> Channel:
        if self.is_cut or not self.papers.is_open:
            raise Stopped(DeviceTrouble.AWAY, "nobody listens")
        return Channel(self)


@dataclass
class Channel:
    """Bytes to the printer and its answers, which are there at once."""

    line: Line
    answers: bytes = b""

    @cached_property
    def device(self) -> EscposDevice:
        return self.line.papers.device

    async def write(self, chunk: bytes) -> None:
        if self.line.is_cut or not self.line.papers.is_open:
            raise Stopped(DeviceTrouble.CUT_OFF, "the printer is gone", taken=True)
        limit = self.device.cut_after
        if limit is not None and len(self.device.taken) + len(chunk) > limit:
            self.device.receive(chunk[: max(0, limit - len(self.device.taken))])
            self.device.cut_after = None
            raise Stopped(DeviceTrouble.CUT_OFF, "the connection broke", taken=True)
        room = self.device.room if self.device.stands_still else len(chunk)
        before = len(self.device.printed)
        self.answers += self.device.receive(chunk[:room])
        has_cut = any(one[:2] == _CUTS for one in self.device.printed[before:])
        if has_cut and self.line.papers.breaks_at_end:
            self.line.papers.breaks_at_end = False
            raise Stopped(DeviceTrouble.CUT_OFF, "the connection broke", taken=True)
        if room < len(chunk):
            raise Stopped(DeviceTrouble.STUCK, "the printer takes nothing more", taken=room > 0)

    async def read(self, seconds: float) -> bytes:
        if not self.answers:
            await asyncio.sleep(seconds)
        told, self.answers = self.answers, b""
        return told

    async def flush(self) -> None: ...

    async def close(self) -> None: ...
