"""The ways of a scan and of a command key. A screen that fails stops neither.

A scan comes to two questions: the screen on top says whose it is, and the sale enters what is its.

    ScanFilter  →  TillWindow  →  the screen on top: TAKEN         nothing else happens
                                                     KEPT          the screen tells it
                                                     MISSED        and the sale's cart counts it
                                                     FOR_THE_SALE  a known code leads to the sale,
                                                                   which enters it
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.services.tasks import guarded, guarded_answer
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.window.frame import Frame, ScanAnswer
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode, WhyUnknown
from pos_app.errors import NotAllowed, PosError
from pos_app.selling.catalogue.catalogue import Catalogue
from pos_app.selling.catalogue.codes import ReadCode, found_by, read_code


def enter(frame: Frame, code: str, *, rest_of: str) -> None:
    """Enter a scan, or show that it waits, whatever is open. rest_of: the part of the scan that was
    reported as misread before."""
    services = frame.services
    read = read_code(code, services.code_rules(), services.catalogue)
    _pass_on(
        frame,
        partial(_ask_top, frame, read, code),
        partial(_sell, frame, read, rest_of=rest_of),
        partial(frame.home_screen.miss_scan, read, rest_of=rest_of),
        partial(name_of, read, services.catalogue),
    )


def _ask_top(frame: Frame, read: ReadCode, code: str) -> ScanAnswer:
    """Ask the screen on top. A badge that it has no use for is told as one there; at the sale it is
    told in its turn, behind the scans that wait."""
    answer, services = frame.top.scan(read, code), frame.services
    if answer is ScanAnswer.TAKEN or frame.is_home or services.people.badge_of(code) is None:
        return answer
    if is_known(read, services.catalogue):
        return answer
    frame.home.tone("no")
    frame.top.tell_badge()
    return ScanAnswer.TAKEN


def _sell(frame: Frame, code: ReadCode, *, rest_of: str) -> None:
    if not frame.is_home and is_known(code, frame.services.catalogue):
        frame.go_home()
    frame.home_screen.take_scan(code, rest_of=rest_of)


def report_key_too_soon(frame: Frame) -> None:
    """Say that a key came too soon after a scan, and has to be pressed again."""
    frame.refuse(NotAllowed("soon_after_scan"))


def report_misread(frame: Frame, code: str, why: WhyUnknown, *, rest_of: str) -> None:
    """Report a scan whose rest did not come, or that came while Ctrl, Alt or the like was held;
    nothing is sold, and no screen is left. Where the scan may have been meant for the sale, its
    cart counts it. rest_of: the part that was reported before."""
    sell = partial(frame.home_screen.take_misread, code, why, rest_of=rest_of)
    miss = partial(frame.home_screen.miss_scan, None, rest_of=rest_of)
    _pass_on(frame, frame.top.misread, sell, miss, _misread)


def _pass_on(
    frame: Frame,
    ask: Callable[[], ScanAnswer],
    sell: Callable[[], None],
    miss: Callable[[], None],
    scanned: Say,
) -> None:
    """ask: asks the screen on top. sell: gives the scan to the sale. miss: lets the sale count
    it."""
    match guarded_answer(ask) or _after_bug(frame):
        case ScanAnswer.TAKEN:
            return
        case ScanAnswer.FOR_THE_SALE:
            sell()
        case ScanAnswer.MISSED:
            guarded(miss)
        case ScanAnswer.KEPT:
            frame.home.tone("no")
    if not frame.is_home:
        guarded(partial(frame.top.tell_scan, scanned))


def _after_bug(frame: Frame) -> ScanAnswer:
    if frame.cover_name:
        return ScanAnswer.TAKEN
    return guarded_answer(lambda: frame.top.unused_scan) or ScanAnswer.FOR_THE_SALE


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
