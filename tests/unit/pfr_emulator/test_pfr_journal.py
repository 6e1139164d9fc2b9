"""The journal, line by line, as on real receipts."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from pos_app.pfr_emulator.options import Taxpayer
from pos_app.pfr_emulator.processor import Processor
from tests.unit.pfr_emulator.sales import sale

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


def test_a_whole_receipt(open_processor: Open) -> None:
    taxpayer = Taxpayer("990000019", "ПРОБА ДОО", "1000001-Продавница 1", "Улица 5", "Врачар")
    processor = open_processor(taxpayer=taxpayer)
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
        "============ ФИСКАЛНИ РАЧУН ============", "990000019", "ПРОБА ДОО",
        "1000001-Продавница 1", "Улица 5", "Врачар", "Касир:                              Пера",
        "ИД купца:                   10:100000024", "ЕСИР број:                       123/1.0",
        "-------------ПРОМЕТ ПРОДАЈА-------------", "Артикли",
        "========================================", "Назив   Цена         Кол.         Укупно",
        "Кафа /ком (Ђ)".ljust(40), "     1.120,50          2        2.241,00",
        "Хлеб /кг (Е)".ljust(40), "       100,00      1,560          156,00", "Књига (Г)".ljust(40),
        "        10,00          1           10,00", "----------------------------------------",
        "Укупан износ:                   2.407,00", "Готовина:                       2.000,00",
        "Платна картица:                   500,00", "========================================",
        "Ознака       Име      Стопа        Порез", "Ђ           О-ПДВ   20,00%        373,50",
        "Е           П-ПДВ   10,00%         14,18", "Г         Без ПДВ    0,00%          0,00",
        "----------------------------------------", "Укупан износ пореза:              387,68",
        "========================================", "ПФР време:           05.01.2026. 9:07:03",
        f"ПФР број рачуна:     {uid}-{uid}-1", "Бројач рачуна:                     1/1ПП",
        "========================================", "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========",
    ]  # fmt: skip


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
    processor: Processor, kind: str, direction: str, expected: tuple[str, str]
) -> None:
    section, extension = expected
    lines = journal_of(processor, sale(invoiceType=kind, transactionType=direction, **BACK))
    assert section in lines
    assert f"Бројач рачуна:{f'1/1{extension}':>26}" in lines


def test_only_the_lines_of_a_refund_are_negative(processor: Processor) -> None:
    lines = journal_of(processor, sale(transactionType="Refund", **BACK))
    assert "       120,50          2         -241,00" in lines
    assert "Укупна рефундација:               241,00" in lines
    assert "Готовина:                         241,00" in lines
    assert "Ђ           О-ПДВ   20,00%         40,17" in lines
    assert "Укупан износ пореза:               40,17" in lines
    assert not any(line.startswith("Укупан износ:") for line in lines)


def test_the_tax_of_a_refund_is_that_of_the_day_it_goes_back_to(processor: Processor) -> None:
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
