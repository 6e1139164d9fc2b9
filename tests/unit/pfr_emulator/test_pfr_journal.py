"""The journal, line by line, as on real receipts."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from sr_invoice_parser import InvoiceParser

from pos_app.pfr_emulator.options import Options, Taxpayer
from pos_app.pfr_emulator.processor import Processor
from pos_app.pfr_emulator.rates import SANDBOX_RATES

Sale = Callable[..., bytes]
Open = Callable[..., Processor]

BACK = {
    "referentDocumentNumber": "ABCD1234-ABCD1234-7",
    "referentDocumentDT": "2026-01-04T23:30:00Z",
}


def journal_of(processor: Processor, body: bytes) -> list[str]:
    journal: str = json.loads(processor.sign(body))["journal"]
    assert journal.endswith("\r\n")
    assert journal.count("\n") == journal.count("\r\n")
    return journal.removesuffix("\r\n").split("\r\n")


def item(**changes: Any) -> dict[str, Any]:
    line = {"name": "x", "quantity": 1, "unitPrice": 1, "totalAmount": 1, "labels": ["Ђ"]}
    return {**line, **changes}


def test_a_whole_receipt(open_processor: Open, sale: Sale) -> None:
    processor = open_processor(
        taxpayer=Taxpayer("990000019", "ПРОБА ДОО", "1000001-Продавница 1", "Улица 5", "Врачар")
    )
    uid = processor.uid
    body = sale(
        buyerId="10:100000024",
        items=[
            item(name="Кафа /ком", quantity=2, unitPrice=1120.5, totalAmount=2241),
            item(name="Хлеб /кг", quantity=1.56, unitPrice=100, totalAmount=156, labels=["Е"]),
            item(name="Књига", unitPrice=10, totalAmount=10, labels=["Г"]),
        ],
        payment=[{"amount": 2000, "paymentType": 1}, {"amount": 500, "paymentType": 2}],
    )
    assert journal_of(processor, body) == [
        "============ ФИСКАЛНИ РАЧУН ============",
        "990000019",
        "ПРОБА ДОО",
        "1000001-Продавница 1",
        "Улица 5",
        "Врачар",
        "Касир:                              Пера",
        "ИД купца:                   10:100000024",
        "ЕСИР број:                       123/1.0",
        "-------------ПРОМЕТ ПРОДАЈА-------------",
        "Артикли",
        "========================================",
        "Назив   Цена         Кол.         Укупно",
        "Кафа /ком (Ђ)".ljust(40),
        "     1.120,50          2        2.241,00",
        "Хлеб /кг (Е)".ljust(40),
        "       100,00      1,560          156,00",
        "Књига (Г)".ljust(40),
        "        10,00          1           10,00",
        "----------------------------------------",
        "Укупан износ:                   2.407,00",
        "Готовина:                       2.000,00",
        "Платна картица:                   500,00",
        "========================================",
        "Ознака       Име      Стопа        Порез",
        "Ђ           О-ПДВ   20,00%        373,50",
        "Е           П-ПДВ   10,00%         14,18",
        "Г         Без ПДВ    0,00%          0,00",
        "----------------------------------------",
        "Укупан износ пореза:              387,68",
        "========================================",
        "ПФР време:           05.01.2026. 9:07:03",
        f"ПФР број рачуна:     {uid}-{uid}-1",
        "Бројач рачуна:                     1/1ПП",
        "========================================",
        "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========",
    ]


@pytest.mark.parametrize(
    ("kind", "direction", "expected"),
    [
        ("Normal", "Sale", ("-------------ПРОМЕТ ПРОДАЈА-------------", "ПП")),
        ("Normal", "Refund", ("-----------ПРОМЕТ РЕФУНДАЦИЈА-----------", "ПР")),
        ("Advance", "Sale", ("-------------АВАНС ПРОДАЈА--------------", "АП")),
        ("Advance", "Refund", ("-----------АВАНС РЕФУНДАЦИЈА------------", "АР")),
        ("ProForma", "Sale", ("-----------ПРЕДРАЧУН ПРОДАЈА------------", "РП")),
        ("ProForma", "Refund", ("---------ПРЕДРАЧУН РЕФУНДАЦИЈА----------", "РР")),
        ("Training", "Sale", ("-------------ОБУКА ПРОДАЈА--------------", "ОП")),
        ("Training", "Refund", ("-----------ОБУКА РЕФУНДАЦИЈА------------", "ОР")),
        ("Copy", "Sale", ("-------------КОПИЈА ПРОДАЈА-------------", "КП")),
        ("Copy", "Refund", ("-----------КОПИЈА РЕФУНДАЦИЈА-----------", "КР")),
    ],
)
def test_section_and_counter_extension(
    processor: Processor, sale: Sale, kind: str, direction: str, expected: tuple[str, str]
) -> None:
    section, extension = expected
    lines = journal_of(processor, sale(invoiceType=kind, transactionType=direction, **BACK))
    assert section in lines
    assert f"Бројач рачуна:{f'1/1{extension}':>26}" in lines


@pytest.mark.parametrize("kind", ["ProForma", "Copy", "Training"])
def test_what_is_not_fiscal_says_so_three_times(
    processor: Processor, sale: Sale, kind: str
) -> None:
    lines = journal_of(processor, sale(invoiceType=kind, **BACK))
    title = "======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН ======="
    assert lines[0] == lines[-1] == title
    after_payments = lines.index("=" * 40, lines.index("Готовина:" + "241,00".rjust(31)))
    assert lines[after_payments + 1 : after_payments + 4] == [
        "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН",
        "=" * 40,
        "Ознака       Име      Стопа        Порез",
    ]


def test_only_the_lines_of_a_refund_are_negative(processor: Processor, sale: Sale) -> None:
    lines = journal_of(processor, sale(transactionType="Refund", **BACK))
    assert "       120,50          2         -241,00" in lines
    assert "Укупна рефундација:               241,00" in lines
    assert "Готовина:                         241,00" in lines
    assert "Ђ           О-ПДВ   20,00%         40,17" in lines
    assert "Укупан износ пореза:               40,17" in lines
    assert not any(line.startswith("Укупан износ:") for line in lines)


def test_a_copy_of_a_refund_has_room_for_the_buyers_signature(
    processor: Processor, sale: Sale
) -> None:
    lines = journal_of(processor, sale(invoiceType="Copy", transactionType="Refund", **BACK))
    assert lines[-2] == "Потпис купца: " + "_" * 26


def test_every_particular_in_its_order_and_in_belgrade_time(
    processor: Processor, sale: Sale
) -> None:
    body = sale(
        cashier="Пера",
        buyerId="10:100000024",
        buyerCostCenterId="20:7",
        dateAndTimeOfIssue="2026-01-03T07:05:09",
        **BACK,
    )
    assert journal_of(processor, body)[6:13] == [
        "Касир:                              Пера",
        "ИД купца:                   10:100000024",
        "Опционо поље купца:                 20:7",
        "ЕСИР број:                       123/1.0",
        "ЕСИР време:          03.01.2026. 7:05:09",
        "Реф. број:           ABCD1234-ABCD1234-7",
        "Реф. време:          05.01.2026. 0:30:00",
    ]


def test_absent_particulars_leave_no_line(processor: Processor, sale: Sale) -> None:
    lines = journal_of(processor, sale(cashier=None, invoiceNumber=None))
    assert lines[6] == "-------------ПРОМЕТ ПРОДАЈА-------------"


@pytest.mark.parametrize(
    ("cashier", "expected"),
    [
        ("п" * 33, ["Касир: " + "п" * 33]),
        ("п" * 34, ["Касир: " + "п" * 33, "п" + " " * 39]),
        ("п" * 50, ["Касир: " + "п" * 33, "п" * 17 + " " * 23]),
    ],
)
def test_a_long_value_is_cut_hard_behind_its_label(
    processor: Processor, sale: Sale, cashier: str, expected: list[str]
) -> None:
    lines = journal_of(processor, sale(cashier=cashier))
    assert lines[6 : 6 + len(expected) + 1] == [*expected, "ЕСИР број:" + "123/1.0".rjust(30)]


def test_a_long_name_is_cut_hard_at_40(processor: Processor, sale: Sale) -> None:
    name = "Веома дугачак назив артикла који сигурно не стаје у један ред /ком"
    lines = journal_of(processor, sale(items=[item(name=name)]))
    start = lines.index("Назив   Цена         Кол.         Укупно") + 1
    text = f"{name} (Ђ)"
    assert lines[start : start + 2] == [text[:40], text[40:].ljust(40)]
    assert lines[start + 2] == "         1,00          1            1,00"


def test_several_labels_stand_in_one_pair_of_brackets(open_processor: Open, sale: Sale) -> None:
    processor = open_processor(options=Options(rates=SANDBOX_RATES))
    lines = journal_of(processor, sale(items=[item(labels=["P", "Ж"], name="Кеса")]))
    assert "Кеса (P, Ж)".ljust(40) in lines
    assert "P             PBL     0,50          0,50" in lines
    assert "Ж             VAT   19,00%          0,08" in lines
    assert "Укупан износ пореза:                0,58" in lines


@pytest.mark.parametrize(
    ("quantity", "expected"),
    [(1, "1"), (1.0, "1"), (0.5, "0,500"), (1.56, "1,560"), (1500, "1.500"), (0.001, "0,001")],
)
def test_whole_quantities_have_no_decimals_others_three(
    processor: Processor, sale: Sale, quantity: float, expected: str
) -> None:
    lines = journal_of(processor, sale(items=[item(quantity=quantity)]))
    assert "1,00".rjust(13) + expected.rjust(11) + "1,00".rjust(16) in lines


def test_figures_too_wide_for_their_columns_stay_apart(processor: Processor, sale: Sale) -> None:
    line = item(quantity=1234567.125, unitPrice=999_999_999_999.99, totalAmount=1)
    lines = journal_of(processor, sale(items=[line]))
    assert "999.999.999.999,99 1.234.567,125 1,00".rjust(40) in lines


def test_every_means_of_payment_has_its_words(processor: Processor, sale: Sale) -> None:
    payment = [{"amount": 1000 + kind, "paymentType": kind} for kind in range(7)]
    lines = journal_of(processor, sale(payment=payment))
    start = lines.index("Укупан износ:" + "241,00".rjust(27)) + 1
    assert lines[start : start + 7] == [
        "Друго безготовинско плаћање:    1.000,00",
        "Готовина:                       1.001,00",
        "Платна картица:                 1.002,00",
        "Чек:                            1.003,00",
        "Пренос на рачун:                1.004,00",
        "Ваучер:                         1.005,00",
        "Инстант плаћање:                1.006,00",
    ]


def test_line_breaks_in_names_do_not_break_the_layout(processor: Processor, sale: Sale) -> None:
    lines = journal_of(processor, sale(cashier="Пера\r\nЖика", items=[item(name="a\tb\nc")]))
    assert "Касир:" + "Пера  Жика".rjust(34) in lines
    assert "a b c (Ђ)".ljust(40) in lines


def test_a_long_seller_is_wrapped_between_words_and_centred(
    open_processor: Open, sale: Sale
) -> None:
    name = "ДРУШТВО СА ОГРАНИЧЕНОМ ОДГОВОРНОШЋУ ЗА ВЕЖБУ И ПРОБУ"
    processor = open_processor(
        taxpayer=Taxpayer("990000019", name, "1000001-Радња", "Улица 5 ", "Врачар   ")
    )
    processor.change(forms={"journal_header": "centred"})
    assert journal_of(processor, sale())[1:7] == [
        "               990000019                ",
        " ДРУШТВО СА ОГРАНИЧЕНОМ ОДГОВОРНОШЋУ ЗА ",
        "             ВЕЖБУ И ПРОБУ              ",
        "             1000001-Радња              ",
        "                Улица 5                 ",
        "               Врачар                   ",
    ]


def test_the_seller_stands_as_it_is_unless_asked(open_processor: Open, sale: Sale) -> None:
    processor = open_processor(taxpayer=Taxpayer(business_name="Проба " * 9))
    assert journal_of(processor, sale())[1:4] == [
        "990000019",
        "Проба " * 9,
        "1000001-ПРОБНА ПРОДАВНИЦА",
    ]


def test_the_total_of_tax_is_the_sum_of_the_lines_as_rounded(
    processor: Processor, sale: Sale
) -> None:
    items = [
        item(unitPrice=643.95, totalAmount=643.95),
        item(unitPrice=113.36, totalAmount=113.36, labels=["Е"]),
    ]
    answer = json.loads(processor.sign(sale(items=items)))
    assert [tax["amount"] for tax in answer["taxItems"]] == [107.325, 10.3055]
    lines = answer["journal"].split("\r\n")
    assert "Ђ           О-ПДВ   20,00%        107,33" in lines
    assert "Е           П-ПДВ   10,00%         10,31" in lines
    assert "Укупан износ пореза:              117,64" in lines


def test_numbers_and_cost_centres_that_are_cut_are_filled_up_too(
    processor: Processor, sale: Sale
) -> None:
    back = BACK | {"referentDocumentNumber": "ABCD1234-ABCD1234-" + "1" * 20}
    lines = journal_of(
        processor,
        sale(buyerId="10:100000024", buyerCostCenterId="20:" + "7" * 40, invoiceType=2, **back),
    )
    assert "Опционо поље купца: 20:" + "7" * 17 in lines
    assert "7" * 23 + " " * 17 in lines
    assert "Реф. број: ABCD1234-ABCD1234-" + "1" * 11 in lines
    assert "1" * 9 + " " * 31 in lines


@pytest.mark.parametrize("kind", ["Normal", "Copy", "ProForma", "Training", "Advance"])
@pytest.mark.parametrize("direction", ["Sale", "Refund"])
def test_no_line_is_wider_than_40(
    open_processor: Open, sale: Sale, kind: str, direction: str
) -> None:
    processor = open_processor(taxpayer=Taxpayer(address="Улица " * 20))
    processor.change(forms={"journal_header": "centred"})
    long = item(name="н" * 300, quantity=99999999.125, unitPrice=99999999999.99)
    body = sale(
        invoiceType=kind,
        transactionType=direction,
        cashier="п" * 50,
        buyerId="1" * 20,
        buyerCostCenterId="2" * 50,
        invoiceNumber="3" * 60,
        items=[long, item(totalAmount=999_999_999_999.99)],
        **BACK,
    )
    assert {len(line) <= 40 for line in journal_of(processor, body)} == {True}


def test_the_journal_can_be_left_out(processor: Processor, sale: Sale) -> None:
    answer = json.loads(processor.sign(sale(options={"omitTextualRepresentation": "1"})))
    assert answer["journal"] is None
    assert answer["verificationQRCode"] is not None


def test_a_public_parser_reads_the_items(processor: Processor, sale: Sale) -> None:
    body = sale(
        items=[
            item(name="Kafa", quantity=2, unitPrice=120.5, totalAmount=241),
            item(name="Hleb", quantity=1, unitPrice=1234.5, totalAmount=1234.5, labels=["Е"]),
            item(name="Knjiga", quantity=10, unitPrice=1, totalAmount=10, labels=["Г"]),
        ]
    )
    journal = json.loads(processor.sign(body))["journal"]
    items = InvoiceParser(html_text="<html></html>").get_items(journal)
    figures = [(i["name"], i["vat"], i["price"], i["quantity"], i["total_price"]) for i in items]
    assert figures == [
        ("Kafa", 20, 120.5, 2, 241.0),
        ("Hleb", 10, 1234.5, 1, 1234.5),
        ("Knjiga", 0, 1.0, 10, 10.0),
    ]


def test_the_tax_of_a_refund_is_that_of_the_day_it_goes_back_to(
    processor: Processor, sale: Sale
) -> None:
    items = [item(labels=["Е"], totalAmount=108)]
    back = {**BACK, "transactionType": "Refund"}
    old = json.loads(
        processor.sign(sale(items=items, **back | {"referentDocumentDT": "2013-05-01T10:00:00"}))
    )
    new = json.loads(processor.sign(sale(items=items, **back)))
    assert [(tax["rate"], tax["amount"]) for tax in old["taxItems"]] == [(8, 8.0)]
    assert old["taxGroupRevision"] == 1
    assert [(tax["rate"], tax["amount"]) for tax in new["taxItems"]] == [(10, 9.8182)]
    assert Decimal(str(new["totalAmount"])) == Decimal("108.00")
