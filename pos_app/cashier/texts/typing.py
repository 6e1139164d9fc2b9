"""Words of the on-screen keyboard: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

TYPING: dict[str, tuple[str, str]] = {
    "typing.name": ("Тастатура на екрану", "On-screen keyboard"),
    "typing.key": ("Тастатура", "Keyboard"),
    "typing.shift.off": ("Велико слово", "Capital letter"),
    "typing.shift.once": ("Велико слово, изабрано", "Capital letter, chosen"),
    "typing.shift.locked": ("Велика слова, закључана", "Capital letters, locked"),
    "typing.back": ("Обриши знак", "Backspace"),
    "typing.signs": ("Знаци", "Signs"),
    "typing.letters": ("Слова", "Letters"),
    "typing.script.cyrillic": ("Ћирилица", "Cyrillic"),
    "typing.script.latin": ("Латиница", "Latin"),
    "typing.space": ("Размак", "Space"),
    "typing.enter": ("Потврди унос", "Enter"),
    "typing.hide": ("Склони тастатуру", "Hide the keyboard"),
    "more.sell_again": ("поново: назад на продају", "again: back to selling"),
}
