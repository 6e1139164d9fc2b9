"""A correction in words: the receipt, the corrected values, the parts, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pos_app.cashier.acts.act_steps import SURE
from pos_app.cashier.acts.pair_in_front import is_refusal
from pos_app.cashier.acts.pair_parts import PartContent, done_numbers
from pos_app.cashier.correction.model import CorrectionModel, What
from pos_app.cashier.texts.lookup import NoticeWords, Texts
from pos_app.cashier.ui.done import DoneContent
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.cashier.words.cart_texts import fault_words
from pos_app.cashier.words.done_words import given_by_hand
from pos_app.cashier.words.moments import clock_text
from pos_app.cashier.words.receipt_words import short_number
from pos_app.cashier.words.refused_words import refused_words
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.errors import NoSuchReceipt, Refused, RemoteError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.correction import CorrectionFault
from pos_app.selling.receipts.frozen_pair import PairStage
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState

NONE = "–"


def methods_words(methods: Sequence[PaymentMethod], texts: Texts) -> str:
    return " + ".join(texts(f"pay.method.{method}") for method in methods) or NONE


def paid_words(overview: ReceiptOverview, texts: Texts) -> str:
    return methods_words([one.method for one in overview.payments if one.amount], texts)


def new_paid_words(model: CorrectionModel, texts: Texts) -> str:
    if model.pair is not None:
        by = model.pair.new.money_taken.on_receipt.by_method
        return methods_words([method for method, _ in by], texts)
    if model.what is What.BUYER:
        return paid_words(model.overview, texts) if model.overview is not None else ""
    if model.method is not None:
        return texts(f"pay.method.{model.method}")
    draft = model.draft()
    paid = draft.tendered.by_method if draft is not None else ()
    return methods_words([method for method, _ in paid], texts) if paid else ""


def corrected_buyer(overview: ReceiptOverview, texts: Texts) -> str:
    """The buyer of the receipt, whole, because the new one is compared with it."""
    return buyer_words(overview.buyer or "", texts, is_whole=True) or texts("corr.no_buyer")


def draft_words(draft: BuyerDraft, texts: Texts) -> str:
    number = draft.value.strip()
    wire = f"{draft.code}:{number}" if number else ""
    return buyer_words(wire, texts, is_whole=True) or texts("corr.no_buyer")


def about_words(overview: ReceiptOverview, texts: Texts) -> str:
    items = texts.count("att.items", len(overview.lines))
    buyer = buyer_words(overview.buyer or "", texts) or texts("corr.without_buyer")
    return f"{buyer}, {items}"


def signed_text(amount: Money) -> str:
    text = amount_text(amount)
    return f"+{text}" if amount > Money.ZERO else text


def moved_words(model: CorrectionModel, texts: Texts) -> str:
    moved = model.moved()
    if not moved:
        return texts("corr.nothing_moves")
    parts = (f"{texts(f'pay.method.{one}').lower()} {signed_text(by)}" for one, by in moved.items())
    return texts("corr.in_shift", parts=", ".join(parts))


# --- the parts -----------------------------------------------------------------------------------


def part_contents(model: CorrectionModel, texts: Texts) -> tuple[PartContent, ...]:
    """The two parts of the job, or three where a copy of the refund stays in the shop."""
    overview, stage = model.overview, model.stage
    assert overview is not None
    is_refunded = stage in (PairStage.HALF, PairStage.ISSUING, PairStage.DONE)
    pair = model.pair
    is_over = stage is PairStage.GIVEN_UP
    is_refunded = is_refunded or (pair is not None and pair.refund.receipt is not None)
    number = short_number(overview.number)
    seller = texts("corr.to_own_pib", pib=model.seller_pib or NONE)
    first = PartContent(
        texts("corr.part.refund", number=number),
        _issued(pair.refund, texts, seller) if pair is not None and is_refunded else seller,
        -overview.total,
        is_done=is_refunded,
        is_now=pair is not None and not is_refunded and not is_over,
    )
    paid = new_paid_words(model, texts)
    words = texts("corr.same_lines", paid=paid) if paid else texts("corr.same_lines_alone")
    is_done = stage is PairStage.DONE
    waits = texts("corr.issue_anyway") if is_refunded and not is_done else ""
    last = PartContent(
        texts("corr.part.new"),
        _issued(pair.new, texts, paid) if pair is not None and is_done else words,
        overview.total,
        is_done=is_done,
        is_now=is_refunded and not is_done and not is_over,
        quiet="" if is_over else waits,
    )
    copy = PartContent(texts("corr.part.copy"), texts("corr.copy_stays"), None, is_done=is_refunded)
    contents = (first, copy, last) if model.wants_copy else (first, last)
    if not is_over:
        return contents
    given_up = texts("corr.part.given_up")
    return tuple(one if one.is_done else replace(one, quiet=given_up) for one in contents)


def progress_words(contents: Sequence[PartContent], model: CorrectionModel, texts: Texts) -> str:
    """Say how many parts are done; of a job that was given up nothing, unless some of it was."""
    done, is_over = sum(one.is_done for one in contents), model.stage is PairStage.GIVEN_UP
    if is_over and not done:
        return ""
    rest = texts("corr.rest_given_up") if is_over else ""
    return ", ".join(filter(None, (texts("corr.done_of", done=done, of=len(contents)), rest)))


def _issued(sale: Sale, texts: Texts, more: str) -> str:
    receipt = sale.receipt
    if receipt is None:
        return more
    if receipt.signed_at is None:
        return f"{receipt.fiscal_number} · {more}"
    time = clock_text(receipt.signed_at)
    return texts("corr.issued_at", time=time, number=receipt.fiscal_number, more=more)


# --- what is to be told ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CorrectionNotice:
    """A notice at the top. in_columns: its three answers stand side by side."""

    kind: NoticeKind
    words: NoticeWords
    in_columns: bool = False


def notice_content(model: CorrectionModel, texts: Texts) -> CorrectionNotice | None:
    if model.trouble is not None:
        return _of_trouble(model, texts)
    if model.fault is not None:
        return CorrectionNotice(NoticeKind.WARN, _of_fault(model, texts))
    if model.refusal:
        return CorrectionNotice(NoticeKind.WARN, _notice_text("refused", texts), in_columns=True)
    stage, pair = model.stage, model.pair
    if pair is None or stage is None:
        return None
    match stage:
        case PairStage.HALF:
            text_id = "refused_new" if is_refusal(pair.new) else "half"
        case PairStage.NOT_BEGUN:
            text_id = "not_begun"
        case PairStage.IN_DOUBT if not model.doubt_is_young:
            text_id = "doubt"
        case PairStage.GIVEN_UP:
            is_refunded = pair.refund.state is SaleState.DONE
            text_id = "given_up_half" if is_refunded else "given_up"
        case _:
            return None
    kind = NoticeKind.INFO if stage is PairStage.GIVEN_UP else NoticeKind.WARN
    words = _notice_text(text_id, texts)
    if text_id == "refused_new":
        why = refused_words(pair.new.reason, texts) or texts("corr.refused_new.why")
        words = replace(words, press=f"{words.press} {why}")
    return CorrectionNotice(kind, words, in_columns=True)


def done_content(model: CorrectionModel, texts: Texts) -> DoneContent:
    """The receipt is corrected. No money moves, so that the hand gives nothing."""
    assert model.pair is not None
    figure, amount = given_by_hand(Money.ZERO, texts)
    title, words = texts("corr.done.happened"), texts("corr.done.press")
    return DoneContent(title, done_numbers(model.pair, texts), figure, amount, words)


def _notice_text(text_id: str, texts: Texts) -> NoticeWords:
    return NoticeWords(*(texts(f"corr.{text_id}.{part}") for part in ("happened", "safe", "press")))


def _of_trouble(model: CorrectionModel, texts: Texts) -> CorrectionNotice:
    error = model.trouble
    safe = texts("corr.safe")
    if isinstance(error, NoSuchReceipt):
        return CorrectionNotice(
            NoticeKind.WARN, NoticeWords(texts("corr.not_here"), safe, texts.error(error).press)
        )
    if isinstance(error, RemoteError) and not isinstance(error, Refused):
        words = NoticeWords(texts("corr.away"), safe, texts("corr.away.do"))
        return CorrectionNotice(NoticeKind.INFO, words)
    assert error is not None
    notice = texts.error(error)
    return CorrectionNotice(NoticeKind.DANGER, replace(notice, safe=notice.safe or safe))


def _of_fault(model: CorrectionModel, texts: Texts) -> NoticeWords:
    fault, overview = model.fault, model.overview
    assert overview is not None
    safe = texts("corr.safe")
    if fault is CorrectionFault.PARTLY_REFUNDED:
        left = amount_text(Money.total(line.left_total for line in overview.lines))
        words = texts("corr.fault.partly_refunded", left=left)
        return NoticeWords(words, safe, texts("corr.fault.partly_refunded.do"))
    if isinstance(fault, CorrectionFault):
        return NoticeWords(texts(f"corr.fault.{fault}"), safe, "")
    return NoticeWords(texts(f"receipts.why_not.{fault}"), safe, "")


def missing_words(model: CorrectionModel, texts: Texts) -> str:
    """Name what is still wrong after Enter, if no field and no key says it; else ""."""
    if not model.misses or model.what is What.PAYMENT or model.buyer_fault() is not None:
        return ""
    return texts("corr.missing.same_buyer")


def order_words(model: CorrectionModel, texts: Texts) -> str:
    """Say what to do before the correction can be issued; "" for nothing. A doubt of the buyer's
    number is asked by Enter."""
    if model.what is What.BUYER:
        return _order_of_buyer(model, texts)
    if model.draft() is not None:
        return ""
    if model.several is None:
        return texts("corr.order.method" if model.method is None else "corr.order.other_method")
    if any(model.amount_fault(method) for method in model.several):
        return texts("corr.order.amounts")
    lacks = model.missing_amount
    if lacks > Money.ZERO:
        return texts("corr.order.more", amount=amount_text(lacks))
    if lacks < Money.ZERO:
        return texts("corr.order.less", amount=amount_text(-lacks))
    return texts("corr.order.other_method")


def _order_of_buyer(model: CorrectionModel, texts: Texts) -> str:
    if model.is_doubted:
        return texts(SURE)
    if (firm := model.marked) is not None:
        return texts("pay.buyer.take", name=firm.name or firm.id.value)
    if model.draft() is not None:
        return ""
    fault = model.buyer_fault()
    if fault is None:
        return texts("corr.order.other_buyer")
    return "" if fault == model.buyer.unconfirmed_warning() else texts("corr.order.buyer")


def number_words(model: CorrectionModel, texts: Texts) -> str:
    is_begun = not model.buyer.value or model.buyer.is_name or model.marked is not None
    fault = None if is_begun else model.buyer.fault()
    if model.misses:
        fault = model.buyer_fault()
    return fault_words(fault, texts)
