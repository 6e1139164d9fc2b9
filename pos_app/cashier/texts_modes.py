"""Words of the modes of the sale, and about numbers: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

MODES: dict[str, tuple[str, str]] = {
    "mode.price.words": (
        "Следећи артикал само показује цену, ништа се не додаје.",
        "The next article only shows its price; nothing is added.",
    ),
    "mode.off.words": (
        "Са рачуна се скида један комад следећег артикла.",
        "One piece of the next article comes off the receipt.",
    ),
    "mode.leave": ("Назад на продају", "Back to selling"),
    "price.per": ("РСД за {unit}", "RSD per {unit}"),
    "price.pack": ("РСД за ово паковање", "RSD for this pack"),
    "price.pack_per": ("{price} за {unit}", "{price} per {unit}"),
    "key.card": ("Картица тачно", "Exact card"),
    "key.card_one": ("Картица", "Card"),
    "key.card_two": ("тачно", "exact"),
    "reckon.total": ("Укупно", "Total"),
    "ask.amount_off": ("Попуст у РСД", "Discount in RSD"),
    "number.only": ("Овде иде само број", "Only a number goes here"),
    "price.not_added": ("Ништа није додато.", "Nothing was added."),
}
