"""Sales that the server refused: corrected in a cart, sent again as they are, or dropped."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pos_app.cashier.attention.cases.case import (
    Action,
    ActionContext,
    CaseFacts,
    Outcome,
    Step,
    StepState,
    one_action,
    three_parts,
)
from pos_app.cashier.attention.cases.sale_case import SaleCase
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.selling.attention import AttentionKind
from pos_app.selling.sale import UNCONFIRMED, PendingReason, Sale
from pos_app.selling.sale_state import SaleState

CORRECTION = "correction"
"""Reason of a sale that is cancelled to be corrected; its lines wait to be taken back."""
_ITEM = re.compile(r"items\[(\d+)\]\.?(.*)", re.IGNORECASE)
_CODES = frozenset({"1300", "1500", "2100", "2110", "2210", "2230", "2310", "2400"}) | {
    str(code) for code in range(2800, 2810)
}
"""Codes of the processor that have words of their own (fiscal.md 1)."""
_FIELDS = {
    "sku": "sku",
    "unitprice": "price",
    "price": "price",
    "quantity": "quantity",
    "totalamount": "total",
    "name": "name",
    "article": "article",
    "article.name": "name",
    "article.taxratelabel": "label",
    "labels": "label",
    "article.gtin": "gtin",
    "gtin": "gtin",
    "buyerid": "buyer",
    "buyercostcenterid": "cost_centre",
    "payments": "payments",
    "payment": "payments",
    "cashier": "cashier",
    "additionaltext": "text",
    "receiptdelivery": "delivery",
    "referentdocumentnumber": "reference",
    "referentdocumentdt": "reference",
    "postime": "pos_time",
    "advancespecification": "split",
    "discount": "discount",
}
"""Names of texts, by the path of the member in letters of one case."""


class RefusedSale(SaleCase):
    """Refused as it is."""

    kind = AttentionKind.CORRECT_OR_DROP
    icon = ("circle-alert", "danger")
    level = NoticeKind.DANGER

    def why(self, texts: Texts, facts: CaseFacts) -> str:
        return refusal_words(self.reason, texts)

    def notice(self, texts: Texts, facts: CaseFacts) -> NoticeText:
        if self.reason is not None and self.reason.code == UNCONFIRMED:
            return three_parts(UNCONFIRMED, texts)
        happened = f"{texts('att.refused.happened')} {refusal_words(self.reason, texts)}".strip()
        return NoticeText(happened, texts("att.safe.refused"), texts("att.press.refused"))

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        said = Step(
            texts("att.step.said"),
            refusal_words(self.reason, texts),
            StepState.DONE,
            quote=self.reason.text if self.reason else "",
        )
        correct = Action(
            "correct", texts("att.correct"), self._correct, icon="undo-2",
            kind=ButtonKind.FILLED, key_cap="Enter",
        )  # fmt: skip
        again = Action(
            "again", texts("att.again"), self._send_again, icon="refresh-cw",
            spoken=texts("att.again_name"),
        )  # fmt: skip
        mend = Step(
            texts("att.step.correct"), texts("att.correct_words"), StepState.CURRENT,
            rows=((correct, again),),
        )  # fmt: skip
        return said, mend, self.drop_step(texts, "att.step.drop")

    def _correct(self, context: ActionContext, _word: str) -> Outcome:
        """It is cancelled first: its lines are sold again only under the server's word."""
        context.take_back_once_cancelled(self.sale.key)
        context.services.outbox.drop(self.sale.key, reason=CORRECTION)
        return "att.cancelling"

    def _send_again(self, context: ActionContext, _word: str) -> Outcome:
        """Its cause was mended elsewhere."""
        context.services.outbox.try_again(self.sale.key)
        return "att.sent_again"


@dataclass(frozen=True)
class ToTakeBack(SaleCase):
    """Cancelled to be corrected: its lines wait to be put into the cart."""

    kind = "take_back"
    icon = ("undo-2", "warn")

    def steps(self, texts: Texts, facts: CaseFacts) -> tuple[Step, ...]:
        return one_action(texts, "att.step.correct", "att.take_back", "undo-2", self.take_back)

    def take_back(self, context: ActionContext, _word: str = "") -> Outcome:
        """Whoever has the cart marks the sale as seen in the same commit."""
        context.take_back(self.sale)
        return ""


def waits_to_be_taken_back(sale: Sale) -> bool:
    """Whether it was cancelled to be corrected, and its lines are not yet in a cart."""
    cancelled = sale.state is SaleState.CANCELLED and sale.drop_reason == CORRECTION
    return cancelled and not sale.shown


def correction_is_over(sale: Sale) -> bool:
    """Whether a correction came to its end: taken back, or signed after all."""
    return sale.shown or sale.state is SaleState.DONE


# --- in words ------------------------------------------------------------------------------------


def refusal_words(reason: PendingReason | None, texts: Texts) -> str:
    """Which field, and what the processor's code means; the server's sentence is shown apart."""
    if reason is None:
        return ""
    item, field = place_of(reason.field)
    parts = []
    name = texts(f"att.field.{field}") if field else ""
    if item is not None:
        key = "att.refused.item" if name else "att.refused.item_alone"
        parts.append(texts(key, item=item, field=name))
    elif name:
        parts.append(texts("att.refused.field", field=name))
    parts.append(code_words(reason.pfr_code or reason.code[-4:], texts))
    return " ".join(filter(None, parts))


def code_words(code: str, texts: Texts) -> str:
    """What the processor's code means; "" for one that has no words."""
    return texts(f"att.pfr.{code}") if code in _CODES else ""


def place_of(path: str) -> tuple[int | None, str]:
    """ "items[0].sku" is item 1, "sku": the number of a line, and the name of a field or ""."""
    of_item = _ITEM.fullmatch(path)
    if of_item:
        return int(of_item[1]) + 1, _FIELDS.get(of_item[2].lower(), "")
    whole = path.lower()
    return None, _FIELDS.get(whole) or _FIELDS.get(whole.partition(".")[0].partition("[")[0], "")
