"""An exchange in words: its parts, the sum that the hand moves, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from pos_app.cashier.acts.pair_parts import PartContent, done_numbers
from pos_app.cashier.exchange.model import ExchangeModel
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.done import DoneContent
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.done_words import by_methods, done_facts, given_by_hand, goes_back_words
from pos_app.cashier.words.refused_words import refused_words
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState


@dataclass(frozen=True, slots=True)
class ExchangeFigure:
    """The largest figure: what the hand will move."""

    title: str
    amount: str
    words: str


def figure_content(model: ExchangeModel, texts: Texts) -> ExchangeFigure:
    """The sum that the hand has taken, or will move once both receipts are issued."""
    money = model.money
    if gives := money.hand_gives:
        text_id, amount = "figure.give", gives
    elif money.taken > Money.ZERO:
        text_id, amount = "exch.taken", money.taken
    elif money.back.total:
        text_id, amount = "exch.back_beside", money.back.total
    else:
        text_id, amount = "exch.nothing", Money.ZERO
    words = [*_moved_words(model, texts), texts("exch.once_issued")]
    return ExchangeFigure(texts(text_id), amount_text(amount), " · ".join(words))


def _moved_words(model: ExchangeModel, texts: Texts) -> Iterator[str]:
    money = model.money
    if money.back.total:
        yield texts("exch.back_by", methods=by_methods(money.back, texts))
    yield from _paid_words(model, texts)


def _paid_words(model: ExchangeModel, texts: Texts) -> Iterator[str]:
    paid = model.money.paid
    if paid.total:
        yield texts("exch.paid_by", methods=by_methods(paid, texts))


def done_content(model: ExchangeModel, texts: Texts) -> DoneContent:
    """Both receipts are issued: the change, the rest of the credit, or nothing to give."""
    pair = model.pair
    assert pair is not None
    money = model.money
    tendered = max(money.taken, Money.ZERO) + money.change
    facts = [texts("exch.done.taken", amount=amount_text(tendered))] if tendered else []
    name = "pay.change" if money.change else "done.give"
    figure, amount = given_by_hand(money.hand_gives, texts, name=name)
    facts += _paid_words(model, texts)
    if model.drawer_asked:
        facts.append(texts("refund.drawer_opened"))
    orders = [texts("exch.done.both"), *([texts("exch.done.copy")] if model.has_copy else [])]
    lines = (goes_back_words(money.back, texts), " ".join(orders), done_facts(facts))
    words = "\n".join(filter(None, lines))
    numbers = done_numbers(pair, texts)
    return DoneContent(texts("exch.done"), numbers, figure, amount, words)


def part_contents(model: ExchangeModel, texts: Texts) -> tuple[PartContent, ...]:
    pair = model.pair
    assert pair is not None
    is_refunded, is_done = pair.refund.state is SaleState.DONE, pair.new.state is SaleState.DONE
    over = model.stage is PairStage.GIVEN_UP
    refund = PartContent(
        texts("exch.part.refund"),
        _issued(pair.refund, texts),
        -pair.refund.total,
        is_done=is_refunded,
        is_now=not is_refunded and not over,
    )
    new = PartContent(
        texts("exch.part.new"),
        _issued(pair.new, texts),
        pair.new.total,
        is_done=is_done,
        is_now=is_refunded and not is_done and not over,
    )
    if not model.has_copy:
        return refund, new
    copy = PartContent(
        texts("exch.part.copy"), texts("exch.part.copy.words"), None, is_done=is_refunded
    )
    return refund, copy, new


def _issued(sale: Sale, texts: Texts) -> str:
    if sale.receipt is not None:
        return texts("exch.issued", number=sale.receipt.fiscal_number)
    return texts("exch.in_doubt" if sale.state is SaleState.DOUBT else "exch.not_issued")


def notice_content(model: ExchangeModel, texts: Texts) -> tuple[NoticeKind, NoticeWords] | None:
    if model.trouble is not None:
        return NoticeKind.DANGER, texts.error(model.trouble)
    if model.goes_to_cart:
        return NoticeKind.INFO, _notice_text("to_cart", texts)
    match model.stage:
        case PairStage.NOT_BEGUN:
            text_id = "refused" if model.is_refused else "not_begun"
        case PairStage.HALF:
            text_id = "half"
        case PairStage.IN_DOUBT if not model.doubt_is_young:
            text_id = "doubt"
        case PairStage.GIVEN_UP:
            return NoticeKind.INFO, _notice_text("given_up", texts)
        case _:
            return None
    pair = model.pair
    assert pair is not None
    reason = pair.next_part.reason
    notice = _notice_text(text_id, texts, credited=amount_text(model.money.credited))
    is_refusal = model.is_refused or model.stage is PairStage.HALF
    what = refused_words(reason, texts) if is_refusal else ""
    return NoticeKind.WARN, NoticeWords(
        notice.happened, notice.safe, f"{notice.press} {what}".strip()
    )


def _notice_text(text_id: str, texts: Texts, **values: str) -> NoticeWords:
    return NoticeWords(*(texts(f"exch.{text_id}.{part}", **values) for part in _PARTS))


_PARTS = ("happened", "safe", "press")
