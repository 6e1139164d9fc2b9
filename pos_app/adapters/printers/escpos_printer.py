"""A thermal printer behind any transport: its questions, its jobs, and their proof.

Before a job the printer is asked for its state (DLE EOT) and whether it answers in order (GS r).
After the last byte GS r is the proof: its answer comes only when all bytes before it were
processed. A printer that answers nothing is still used; then the proof is that it took every byte.

After a job that did not end well, and at the start of the program, the printer is first put in
step: within an interrupted strip it would take GS r for dots, and never answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from pos_app import log
from pos_app.adapters.printers import escpos
from pos_app.adapters.printers.transport import PrinterChannel, Stopped, Transport
from pos_app.fiscalization import device_ports

_CHUNK = 4096
_PROOF_BYTES_PER_SECOND = 4096
"""Every printer prints a raster faster than this."""

_log = log.get(__name__)


class EscposPrinter:
    """Implements ThermalPrinter.

    answer_seconds: the limit for an answer; late_seconds: that for one of a printer that answered
    the last time; look_seconds: between two looks while it prints; proof_seconds: the limit for the
    end of a small job, a long one gets more.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        answer_seconds: float = 0.5,
        late_seconds: float = 3.0,
        look_seconds: float = 0.3,
        proof_seconds: float = 10.0,
    ) -> None:
        self._transport = transport
        self._answer_seconds = answer_seconds
        self._late_seconds = late_seconds
        self._look_seconds = look_seconds
        self._proof_seconds = proof_seconds
        self._lock = asyncio.Lock()
        self._in_step = False
        self._has_answered = False

    async def status(self) -> device_ports.PrinterStatus:
        """Return the printer's present status; AWAY if it can't be reached."""
        async with self._lock:
            return await self._look()

    async def print(self, job: bytes) -> device_ports.HandOver:
        async with self._lock:
            return _noted("print", await self._send_job(job))

    async def open_drawer(self, pulse: bytes) -> device_ports.HandOver:
        """Pulse the drawer. An offline printer gets no pulse, which it would obey later."""
        async with self._lock:
            return _noted("open_drawer", await self._send_job(pulse))

    # --- one job ----------------------------------------------------------------------------

    async def _send_job(self, job: bytes) -> device_ports.HandOver:
        try:
            channel = await self._transport.open()
        except Stopped as stop:
            return device_ports.Failed(stop.trouble, stop.words)
        outcome: device_ports.HandOver
        try:
            outcome = await self._over(self._talk(channel), job)
        finally:
            await channel.close()
        self._in_step = isinstance(outcome, device_ports.Delivered)
        if isinstance(outcome, device_ports.Unproven) and outcome.trouble in {
            device_ports.DeviceTrouble.STUCK,
            device_ports.DeviceTrouble.CUT_OFF,
        }:
            return await self._with_its_reason(outcome)
        return outcome

    async def _over(self, talk: _Talk, job: bytes) -> device_ports.HandOver:
        try:
            before = await self._before(talk)
            if before.troubles:
                return device_ports.Failed(
                    before.troubles[0], "The printer says that it can't print."
                )
            answers_in_order = before.tells and await talk.answers_in_order()
        except Stopped as stop:
            return device_ports.Failed(stop.trouble, stop.words)
        self._in_step = False
        if (broken := await _write(talk.channel, job)) is not None:
            return broken
        try:
            await talk.channel.flush()
            if answers_in_order:
                return await self._proof(talk, len(job))
        except Stopped as stop:
            return device_ports.Unproven(stop.trouble, stop.words)
        return device_ports.Delivered(device_ports.HandoverProof.TAKEN, paper_low=before.paper_low)

    async def _before(self, talk: _Talk) -> device_ports.PrinterStatus:
        """Return the printer's status. The printer is put in step only if it can go on; otherwise
        the commands would fill its memory."""
        status = await self._status(talk)
        if self._in_step or status.troubles:
            return status
        await talk.channel.write(escpos.IN_STEP)
        return status if status.tells else await self._status(talk)

    def _talk(self, channel: PrinterChannel) -> _Talk:
        return _Talk(channel, self._late_seconds if self._has_answered else self._answer_seconds)

    async def _status(self, talk: _Talk) -> device_ports.PrinterStatus:
        status = await talk.status()
        self._has_answered = status.tells
        return status

    async def _proof(self, talk: _Talk, size: int) -> device_ports.HandOver:
        """Wait until the printer has processed everything, and watch for troubles.

        A trouble counts when it is seen twice: a raster may contain the bytes of a question by
        chance, and the answer to these would be taken for the answer to ours.
        """
        await talk.channel.write(escpos.IN_ORDER)
        loop = asyncio.get_running_loop()
        end = loop.time() + self._proof_seconds + size / _PROOF_BYTES_PER_SECOND
        seen: tuple[device_ports.DeviceTrouble, ...] = ()
        while loop.time() < end:
            if await talk.in_order(self._look_seconds):
                return device_ports.Delivered(
                    device_ports.HandoverProof.CARRIED_OUT, paper_low=await _is_paper_low(talk)
                )
            now_seen = (await talk.status()).troubles
            for trouble in now_seen:
                if trouble in seen and not talk.is_answered:
                    return device_ports.Unproven(trouble, "The printer stopped before the end.")
            seen = now_seen
        return device_ports.Unproven(
            device_ports.DeviceTrouble.STUCK, "The printer does not tell that it printed."
        )

    # --- why it stopped ---------------------------------------------------------------------

    async def _with_its_reason(self, outcome: device_ports.Unproven) -> device_ports.Unproven:
        troubles = (await self._look()).troubles
        if troubles and troubles[0] is not device_ports.DeviceTrouble.AWAY:
            return device_ports.Unproven(troubles[0], outcome.words)
        return outcome

    async def _look(self) -> device_ports.PrinterStatus:
        try:
            channel = await self._transport.open()
        except Stopped as stop:
            return device_ports.PrinterStatus(
                tells=False, troubles=(stop.trouble,), words=stop.words
            )
        try:
            return await self._status(self._talk(channel))
        except Stopped as stop:
            return device_ports.PrinterStatus(
                tells=False, troubles=(stop.trouble,), words=stop.words
            )
        finally:
            await channel.close()


class _Talk:
    def __init__(self, channel: PrinterChannel, answer_seconds: float) -> None:
        self.channel = channel
        self._answer_seconds = answer_seconds
        self._inbox = escpos.Inbox()

    @property
    def is_answered(self) -> bool:
        return self._inbox.in_order > 0

    async def status(self) -> device_ports.PrinterStatus:
        """Ask for everything. A printer silent at the first question is asked no other."""
        answers: dict[int, int] = {}
        for n in (escpos.STATE, escpos.WHY_OFFLINE, escpos.ERROR, escpos.PAPER):
            self._inbox.at_once.clear()
            await self.channel.write(escpos.question(n))
            if not await self._until(lambda: bool(self._inbox.at_once), self._answer_seconds):
                break
            answers[n] = self._inbox.at_once.pop(0)
        return escpos.status(answers)

    async def answers_in_order(self) -> bool:
        """Tell whether the idle printer answers GS r, so that it can prove the end of a job."""
        await self.channel.write(escpos.IN_ORDER)
        return await self.in_order(self._answer_seconds)

    async def in_order(self, seconds: float) -> bool:
        """Take one answer in order, if it comes within that time."""
        if not await self._until(lambda: self.is_answered, seconds):
            return False
        self._inbox.in_order -= 1
        return True

    async def _until(self, came: Callable[[], bool], seconds: float) -> bool:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not came():
            if (rest := end - loop.time()) <= 0:
                return False
            self._inbox.take(await self.channel.read(rest))
        return True


async def _write(
    channel: PrinterChannel, job: bytes
) -> device_ports.Failed | device_ports.Unproven | None:
    """Hand the job over; it returns None when the channel took all of it."""
    for start in range(0, len(job), _CHUNK):
        try:
            await channel.write(job[start : start + _CHUNK])
        except Stopped as stop:
            if start or stop.taken:
                return device_ports.Unproven(stop.trouble, stop.words)
            return device_ports.Failed(stop.trouble, stop.words)
    return None


async def _is_paper_low(talk: _Talk) -> bool:
    """Tell whether paper is low; nothing here changes the outcome of the job."""
    with suppress(Stopped):
        status = await talk.status()
        return status.paper_low or device_ports.DeviceTrouble.PAPER_OUT in status.troubles
    return False


def _noted(act: str, outcome: device_ports.HandOver) -> device_ports.HandOver:
    fields = {"act": act} | device_ports.outcome_fields(outcome)
    if isinstance(outcome, device_ports.Delivered):
        _log.info("thermal printer", extra={"fields": fields | {"proof": outcome.proof.value}})
    else:
        _log.warning("thermal printer", extra={"fields": fields})
    return outcome
