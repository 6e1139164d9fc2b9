"""An exchange in words: its parts, the sum that the hand moves, and the result."""

from __future__ import annotations

from pos_app.cashier.exchange.model import ExchangeModel
from pos_app.cashier.pair_parts import PartTold
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text
from pos_app.domain.payment import Payments
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState


def methods_words(payments: Payments, texts: Texts) -> str:
    """Amounts by their methods, in one text."""
    parts = (f"{texts(f'pay.method.{one}')} {amount_text(by)}" for one, by in payments.by_method)
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class FigureTold:
    """The largest figure. is_given: the hand moves it now."""

    title: str
    amount: str
    words: str
    is_given: bool


def figure_told(model: ExchangeModel, texts: Texts) -> FigureTold:
    """The sum that the hand gives, or has taken; before both receipts are issued, the sum that it
    will move."""
    money, is_done = model.money, model.stage is PairStage.DONE
    gives = model.hand_gives
    if gives:
        key, amount = "exch.give" if is_done else "exch.will_give", gives
    elif money.taken > Money.ZERO:
        key, amount = "exch.taken", money.taken
    elif money.back.total:
        key, amount = "exch.back_beside", money.back.total
    else:
        key, amount = "exch.nothing", Money.ZERO
    words = []
    if money.back.total:
        words.append(texts("exch.back_by", methods=methods_words(money.back, texts)))
    if money.paid.total:
        words.append(texts("exch.paid_by", methods=methods_words(money.paid, texts)))
    if model.drawer_asked:
        words.append(texts("refund.drawer_opened"))
    if not is_done:
        words.append(texts("exch.once_issued"))
    return FigureTold(texts(key), amount_text(amount), " · ".join(words), is_done)


def parts_told(model: ExchangeModel, texts: Texts) -> tuple[PartTold, ...]:
    """The refund, its copy where there is one, and the new receipt."""
    pair = model.pair
    assert pair is not None
    is_refunded, is_done = pair.refund.state is SaleState.DONE, pair.new.state is SaleState.DONE
    over = model.stage is PairStage.GIVEN_UP
    refund = PartTold(
        texts("exch.part.refund"),
        _issued(pair.refund, texts),
        -pair.refund.total,
        is_done=is_refunded,
        is_now=not is_refunded and not over,
    )
    new = PartTold(
        texts("exch.part.new"),
        _issued(pair.new, texts),
        pair.new.total,
        is_done=is_done,
        is_now=is_refunded and not is_done and not over,
    )
    if not model.has_copy:
        return refund, new
    copy = PartTold(
        texts("exch.part.copy"), texts("exch.part.copy.words"), None, is_done=is_refunded
    )
    return refund, copy, new


def _issued(sale: Sale, texts: Texts) -> str:
    if sale.receipt is not None:
        return texts("exch.issued", number=sale.receipt.fiscal_number)
    return texts("exch.not_issued")


def notice_told(model: ExchangeModel, texts: Texts) -> tuple[NoticeKind, NoticeText] | None:
    """The notice that has to be read first, or None while all is well."""
    if model.trouble is not None:
        return NoticeKind.DANGER, texts.error(model.trouble)
    if model.goes_to_cart:
        return NoticeKind.INFO, _told("to_cart", texts)
    match model.stage:
        case PairStage.NOT_BEGUN:
            key = "refused" if model.is_refused else "not_begun"
        case PairStage.HALF:
            key = "half"
        case PairStage.IN_DOUBT if not model.doubt_is_young:
            key = "doubt"
        case PairStage.DONE:
            key = "done_copy" if model.has_copy else "done"
            return NoticeKind.INFO, _told(key, texts)
        case PairStage.GIVEN_UP:
            return NoticeKind.INFO, _told("given_up", texts)
        case _:
            return None
    pair = model.pair
    assert pair is not None
    reason = pair.next_part.reason
    told = _told(key, texts, credited=amount_text(model.money.credited))
    what = reason.text if reason is not None and model.is_refused else ""
    return NoticeKind.WARN, NoticeText(told.happened, told.safe, f"{told.press} {what}".strip())


def _told(key: str, texts: Texts, **values: str) -> NoticeText:
    return NoticeText(*(texts(f"exch.{key}.{part}", **values) for part in _PARTS))


_PARTS = ("happened", "safe", "press")
