"""Every plan that can be made is read as it was written; a row that can't be read stands alone."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pos_app.adapters.sqlite.journal_planned import planned_from_json, planned_to_json
from pos_app.domain.discount import Percent
from pos_app.domain.esir_part import AdvanceFigures, EsirPart, LoweredLine, ReceiptReference
from pos_app.domain.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.money import LARGEST_AMOUNT, LARGEST_QUANTITY, Money, Quantity
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.domain.tax import TaxLabel
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from tests.integration.journal.test_journal import NOW


def whole_or_not(largest: Decimal, places: int) -> st.SearchStrategy[Decimal]:
    """Numbers of at most so many decimals; half of them are whole, as people like them."""
    unit = Decimal(1).scaleb(-places)
    whole = st.integers(0, int(largest)).map(Decimal)
    return whole | st.integers(0, int(largest / unit)).map(lambda count: count * unit)


texts = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20)
some_text = texts | st.none()
money = whole_or_not(LARGEST_AMOUNT / 10_000, 2).map(Money)
quantities = whole_or_not(LARGEST_QUANTITY, 3).filter(bool).map(Quantity)
percents = whole_or_not(Decimal(100), 4).filter(bool).map(Percent)
moments = st.integers(0, 2**48).map(lambda micro: NOW - timedelta(microseconds=micro))
places = st.integers(0, 499) | st.none()
lines = st.lists(
    st.builds(
        FiscalLine,
        name=texts,
        label=st.sampled_from(TaxLabel),
        quantity=quantities,
        unit_price=money,
        total=money,
        gtin=st.from_regex(r"[0-9]{8,14}", fullmatch=True) | st.none(),
        sku=st.integers(1, 10**15) | st.none(),
        origin=places,
    ),
    min_size=1,
    max_size=3,
).map(tuple)
documents = st.builds(
    FiscalDocument,
    invoice_type=st.sampled_from(InvoiceType),
    transaction_type=st.sampled_from(TransactionType),
    lines=lines,
    payments=st.lists(st.tuples(st.sampled_from(PaymentMethod), money), max_size=3).map(tuple),
    cashier=texts,
    esir_number=some_text,
    buyer=some_text,
    cost_centre=some_text,
    referent_number=some_text,
    referent_time=moments | st.none(),
    pos_time=moments | st.none(),
)
added = st.builds(
    EsirPart,
    lowered=st.lists(
        st.builds(LoweredLine, texts, money, money, percents | st.none()), max_size=3
    ).map(tuple),
    additional_text=texts,
    advance=st.builds(AdvanceFigures, money, money, money) | st.none(),
    last_advance=st.builds(ReceiptReference, texts, moments) | st.none(),
)
plans = st.builds(
    PlannedReceipt,
    document=documents,
    esir=added,
    delivery=st.builds(ReceiptDelivery, st.booleans(), st.booleans(), some_text, st.booleans()),
    order=st.builds(AdvanceOrder, lines, st.booleans()) | st.none(),
    follows=places,
)


@given(planned=plans)
def test_a_plan_is_read_as_it_was_written(planned: PlannedReceipt) -> None:
    assert planned_from_json(planned_to_json(planned)) == planned
