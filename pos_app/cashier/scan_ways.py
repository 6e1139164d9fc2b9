"""The ways of a scan and of a command key: the screen on top may take it, else the sale does. A
screen that fails stops neither."""

from __future__ import annotations

from functools import partial

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.frame import Frame
from pos_app.cashier.tasks import guarded, guarded_answer
from pos_app.domain.barcodes import WhyUnknown


def enter(frame: Frame, code: str, *, rest_of: str) -> None:
    """Enter a scan, or show that it waits, whatever is open. rest_of: the part of the scan that was
    reported as misread before."""
    frame.sell_on()
    if frame.top.blocks:
        frame.home_room.tone("no")  # there is nothing to sell yet
        return
    read = frame.home_room.read_code(code)
    if guarded_answer(partial(frame.top.scan, read, code)) or frame.cover_name:
        return
    frame.go_home()
    if not guarded_answer(partial(frame.home.scan, read, code)):
        frame.home.take_scan(read, rest_of=rest_of)


def report_misread(frame: Frame, code: str, why: WhyUnknown, *, rest_of: str) -> None:
    """Report a scan whose rest did not come, or that came while Ctrl, Alt or the like was held;
    nothing is sold. rest_of: the part that was reported before."""
    frame.sell_on()
    if frame.top.blocks:
        frame.home_room.tone("no")
        return
    if guarded_answer(frame.top.misread) or frame.cover_name:
        return
    frame.go_home()
    frame.home.take_misread(code, why, rest_of=rest_of)


def press(frame: Frame, command: TillCommand) -> None:
    """Give a command key to the screen on top. A screen that fails at Esc is left."""
    is_done = guarded(partial(frame.top.press, command))
    if not is_done and command is TillCommand.BACK and not frame.cover_name:
        frame.go_home()
