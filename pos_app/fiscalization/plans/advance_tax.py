"""The tax in a signed advance is printed below its closing. An unknown tax is refused, and never
taken as 0: an answer may leave its tax out, and a receipt that a person confirmed by its paper has
none.

Source: fiscal.md 2 and 6.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pos_app.documents.receipt_journal import PrintedTax, printed_taxes
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel, TaxRates, rates_at, tax_within
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.text.instant import day_of
from pos_app.fiscalization.refusals import NotSigned, WrongReceipt

GivenRates = Sequence[TaxRates] | None
"""The processor's rates, or None while they are unknown."""


def taxes_of(
    receipt: SignedReceipt, document: FiscalDocument, rates: GivenRates
) -> Mapping[str, Decimal]:
    """The tax of an advance or its refund by label, 4 decimals.

    If the answer has as many taxes as there are labels (also in the spelling of a test
    environment), these are the taxes. Otherwise the tax of each label is the answer's, or follows
    from the rate that the journal prints, or from the rate at the time whose rates the receipt has.

    | amounts     | taxItems               | journal    | rates then | tax                    |
    | Ђ 120       | Ђ 20.0000              | –          | –          | Ђ 20.0000              |
    | Ђ 120       | Ж 19.1597              | –          | Ђ 19       | Ж 19.1597              |
    | Ђ 60 Е 60   | –                      | –          | Ђ 20, Е 10 | Ђ 10.0000 Е 5.4545     |
    | Ђ 60 Е 60   | Ђ 10.0000              | –          | Ђ 20, Е 10 | Ђ 10.0000 Е 5.4545     |
    | Е 113.36    | –                      | Е 10 10.31 | –          | Е 10.3055              |
    | Е 113.36    | –                      | Е 10 10.31 | Е 12       | Е 10.3055              |
    | Е 113.36    | –                      | Е 10 9.99  | –          | Е 9.99                 |
    | А 50        | –                      | –          | А 0        | А 0.0000               |
    | Ђ 120       | –                      | –          | Е 10       | refused: no rate of Ђ  |
    | Ђ 120       | –                      | –          | –          | refused: no rate of Ђ  |

    Raises WrongReceipt if a tax is unknown, NotSigned (wait) before the rates are known.
    """
    taxes: dict[str, Decimal] = {item.label: item.amount for item in receipt.tax_items or ()}
    amounts = document.by_label
    if len(taxes) == len(amounts):
        return taxes
    printed = printed_taxes(receipt.journal or "")
    found: dict[str, Decimal] = {}
    for label, gross in amounts.items():
        if label in taxes:
            found[label] = taxes[label]
        elif label in printed:
            found[label] = _printed(gross, printed[label])
        else:
            found[label] = tax_within(gross, _rate(label, receipt, document, rates))
    return found


def _printed(gross: Money, printed: PrintedTax) -> Decimal:
    """The printed tax, with four decimals where its rate yields the printed amount."""
    tax = tax_within(gross, printed.percent)
    return tax if Money.rounded(tax).amount == printed.amount else printed.amount


def _rate(
    label: TaxLabel, receipt: SignedReceipt, document: FiscalDocument, rates: GivenRates
) -> Decimal:
    number = receipt.invoice_number
    if rates is None:
        raise NotSigned("rates_unknown", answer_class=AnswerClass.WAIT, number=number)
    moment = document.taxed_as_of or receipt.sdc_time
    group = rates_at(rates, moment)
    if group is None or label not in group.percent:
        raise WrongReceipt("tax_unknown", number=number, label=label, day=day_of(moment))
    return group.percent[label]
