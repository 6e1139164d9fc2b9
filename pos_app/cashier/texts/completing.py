"""Words about articles to be completed: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "att.row.to_complete": (
        "{n} артикал за допуну|{n} артикла за допуну|{n} артикала за допуну",
        "{n} item to be completed|{n} items to be completed",
    ),
    "att.why.to_complete": ("продато по слободној цени", "sold at an open price"),
    "att.ask.to_complete": ("Артикли за допуну", "Items to be completed"),
    "att.happened.to_complete": (
        (
            "Продат је {n} код ког нема у каталогу|Продата су {n} кода којих нема у "
            "каталогу|Продато је {n} кодова којих нема у каталогу"
        ),
        (
            "{n} code that is not in the catalogue was sold|{n} codes that are not in the "
            "catalogue were sold"
        ),
    ),
    "att.safe.to_complete": (
        "Рачуни су исправни, са ценом и ознаком које је касир унео.",
        "The receipts are right, with the price and tax label that the cashier entered.",
    ),
    "att.press.to_complete": (
        "Додајте артикле у каталог; њихов код тада сам нестаје са списка.",
        "Add the items to the catalogue; their code then leaves this list by itself.",
    ),
    "att.complete.label": ("ознака {label}", "label {label}"),
    "att.complete.lines": (
        "{n} продаја|{n} продаје|{n} продаја",
        "{n} sale|{n} sales",
    ),
}
