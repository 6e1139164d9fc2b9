"""Reading a signed journal: items by tax label, and the payments."""

from __future__ import annotations

from pos_app.documents.receipt_journal import printed_payments, printed_totals
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod

JOURNAL = """\
============ ФИСКАЛНИ РАЧУН ============
Касир:                            Готовина
-------------ПРОМЕТ РЕФУНДАЦИЈА---------
Артикли
========================================
Назив   Цена         Кол.         Укупно
Хлеб (бели) 500 g/ком (Е)
        58,99          2         -117,98
Кафа млевена Златна, пржена и паковања 2
00 g/ком (Ђ)
     1.279,99          1       -1.279,99
Млеко/l (Е)
       100,00          1         -100,00
----------------------------------------
Укупна рефундација:             1.497,97
Готовина:                         100,00
Платна картица:                 1.397,97
========================================
"""


def test_items_are_summed_by_label_and_payments_by_method() -> None:
    assert printed_totals(JOURNAL) == {"Е": Money("217.98"), "Ђ": Money("1279.99")}
    assert printed_payments(JOURNAL) == {
        PaymentMethod.CASH: Money(100),
        PaymentMethod.CARD: Money("1397.97"),
    }


def test_of_another_text_nothing_is_read() -> None:
    assert printed_totals("") == {}
    assert printed_payments("Хвала на куповини") == {}
