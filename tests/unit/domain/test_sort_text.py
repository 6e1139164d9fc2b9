"""Names in the order of the Serbian alphabets."""

from __future__ import annotations

import random

from pos_app.domain.text.sort_text import sort_key

IN_ORDER = (
    "7 Days кроасан",
    "Авокадо", "Ајвар", "ананас", "Бадем", "Вода", "Грожђе", "Дуван", "Ђумбир", "Ескајмо", "Жваке",
    "Зејтин", "Инћун", "Јабука", "Кекс", "Лук", "Љубичица", "Млеко", "Нар", "Њоке", "Орах",
    "Плазма", "„Плазма“ кекс", "Рум", "Сир", "Сир млади", "Со", "Торта", "Ћуфте", "Уље", "Филм",
    "Хлеб", "Цимет", "Чај", "Џем", "Шећер",
    "Ajvar", "Banana", "Cimet", "CRÈME", "Čaj", "Ćevap", "Dunja", "Džem", "Đumbir",
    "Luk", "Ljubičica", "Nož", "njoke", "Orah", "Sir", "Šećer", "Wafel", "Zejtin", "Žvake",
)  # fmt: skip


def test_both_alphabets_are_in_their_own_order_whatever_the_case() -> None:
    mixed = list(IN_ORDER)
    random.Random(7).shuffle(mixed)
    assert sorted(mixed, key=sort_key) == list(IN_ORDER)
    assert sort_key("ЂУМБИР") == sort_key("ђумбир")
    assert sort_key("LJUTO") == sort_key("Ljuto") == sort_key("ljuto")
    for odd in ("", "…", "日本"):
        assert sort_key(odd), "it sorts somewhere"
