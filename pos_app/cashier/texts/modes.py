"""Words of the modes of the sale, and about numbers: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

MODES: dict[str, tuple[str, str]] = {
    "mode.price.words": (
        "Скенирајте артикал: видећете цену, ништа се не додаје.",
        "Scan an item: its price is shown, nothing is added.",
    ),
    "mode.off.words": (
        "Скенирајте артикал: скида се један комад.",
        "Scan an item: one piece of it is taken off.",
    ),
    "mode.leave": ("Назад на продају", "Back to selling"),
    "price.per": ("РСД за {unit}", "RSD per {unit}"),
    "price.pack": ("РСД за ово паковање", "RSD for this pack"),
    "price.pack_per": ("{price} за {unit}", "{price} per {unit}"),
    "key.card": ("Картица тачно", "Exact card"),
    "key.card_one": ("Картица", "Card"),
    "key.card_two": ("тачно", "exact"),
    "keys.hint": ("тастери", "keys"),
    "reckon.total": ("Укупно", "Total"),
    "ask.amount_off": ("Попуст у РСД", "Discount in RSD"),
    "number.only": ("Овде иде само број", "Only a number goes here"),
    "price.not_added": ("Ништа није додато.", "Nothing was added."),
}
