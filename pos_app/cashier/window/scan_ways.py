"""The ways of a scan and of a command key: the screen on top may take it, else the sale does. A
screen that fails stops neither."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.services.tasks import guarded, guarded_answer
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.frame import Frame
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode, WhyUnknown
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.codes import ReadCode, found_by


def enter(frame: Frame, code: str, *, rest_of: str) -> None:
    """Enter a scan, or show that it waits, whatever is open. rest_of: the part of the scan that was
    reported as misread before."""
    read = frame.home_room.read_code(code)
    if frame.takes_scans_below is not None and not _leads_on(frame, read, code):
        take = partial(frame.home.take_scan, read, rest_of=rest_of)
        _tell_over_question(frame, take, partial(name_of, read, frame.services.catalogue))
        return
    frame.sell_on()
    if not frame.top.blocks:  # a screen that blocks is there before anything is sold
        if guarded_answer(partial(frame.top.scan, read, code)) or frame.cover_name:
            return
        if frame.is_home or not guarded_answer(frame.top.keeps_scan):
            known = is_known(read, frame.services.catalogue)
            if known:
                frame.go_home()
            if not known or not guarded_answer(partial(frame.home.scan, read, code)):
                frame.home.take_scan(read, rest_of=rest_of)
            if not frame.is_home:
                _tell(frame, partial(name_of, read, frame.services.catalogue))
            return
    frame.home_room.tone("no")
    _tell(frame, partial(name_of, read, frame.services.catalogue))


def report_key_too_soon(frame: Frame) -> None:
    """Say that a key came too soon after a scan, and has to be pressed again."""
    frame.refuse(NotAllowed("soon_after_scan"))


def report_misread(frame: Frame, code: str, why: WhyUnknown, *, rest_of: str) -> None:
    """Report a scan whose rest did not come, or that came while Ctrl, Alt or the like was held;
    nothing is sold, and no screen is left. Where the scan may have been meant for the sale, its
    cart counts it. rest_of: the part that was reported before."""
    if frame.takes_scans_below is not None:
        take = partial(frame.home.take_misread, code, why, rest_of=rest_of)
        _tell_over_question(frame, take, _misread)
        return
    if not frame.top.blocks:
        if guarded_answer(frame.top.misread) or frame.cover_name:
            return
        if frame.is_home or not guarded_answer(frame.top.keeps_scan):
            frame.home.take_misread(code, why, rest_of=rest_of)
            if not frame.is_home:
                _tell(frame, _misread)
            return
    frame.home_room.tone("no")
    _tell(frame, _misread)


def _leads_on(frame: Frame, read: ReadCode, code: str) -> bool:
    """Tell whether a scan is worth putting the question away whether the till is closed: somebody
    sells on, or signs in below it."""
    return is_known(read, frame.services.catalogue) or bool(frame.services.people.badge_of(code))


def _tell_over_question(
    frame: Frame, take: Callable[[], None], scanned: Callable[[Texts], str]
) -> None:
    """Tell a scan over the question whether the till is closed, which stays."""
    if frame.takes_scans_below:
        take()
    else:
        frame.home_room.tone("no")
    _tell(frame, scanned)


def _misread(texts: Texts) -> str:
    return texts("lock.misread")


def is_known(code: ReadCode, catalogue: Catalogue) -> bool:
    """Whether the code is an article's or a receipt's; while that can't be read the sale says
    so."""
    if isinstance(code.meaning, ReceiptCode | ShortReceiptCode):
        return True
    try:
        return bool(found_by(code, catalogue))
    except PosError:
        return True


def _tell(frame: Frame, scanned: Callable[[Texts], str]) -> None:
    guarded(partial(frame.top.tell_scan, scanned))


def name_of(code: ReadCode, catalogue: Catalogue, texts: Texts) -> str:
    """The scanned thing in words. The content of an unknown code or of a receipt's is not shown,
    because it may be a badge or a person's."""
    with suppress(PosError):
        if found := found_by(code, catalogue):
            return found[0].article.name
    is_receipt = isinstance(code.meaning, ReceiptCode | ShortReceiptCode)
    return texts("lock.receipt_code" if is_receipt else "lock.unknown_code")


def press(frame: Frame, command: TillCommand) -> None:
    """Give a command key to the screen on top. A screen that fails at Esc is left."""
    is_done = guarded(partial(frame.top.press, command))
    if not is_done and command is TillCommand.BACK and not frame.cover_name:
        frame.go_home()
