"""Words of what the till asks its server for beside sales: key -> (Serbian Cyrillic, English).

Each act has `.runs` for while it takes long, and a text for each of the three ways to fail, with
`.safe` and `.do`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ACTS: Mapping[str, tuple[str, str]] = MappingProxyType({
    # --- a question that was left by Esc ----------------------------------------------------------
    "ask.typed_before": (
        "Ово је откуцано раније и још није унето.",
        "This was typed before and is not entered yet.",
    ),
    # --- the last receipt -------------------------------------------------------------------------
    "more.receipt": ("Последњи рачун", "Last receipt"),
    "more.receipt_words": ("прикажи PDF", "show the PDF"),
    "notice.more": (
        "Још {n} обавештење|Још {n} обавештења|Још {n} обавештења",
        "{n} more notice|{n} more notices",
    ),
    "notice.more_codes": (
        "Још {n} код није додат|Још {n} кода нису додата|Још {n} кодова није додато",
        "{n} more code was not added|{n} more codes were not added",
    ),
    "notice.voided": ("Сторнирано: {name}", "Voided: {name}"),
    "notice.voided.left": ("У корпи остаје {left} {unit}.", "{left} {unit} left in the cart."),
    "notice.voided.none": ("Више није у корпи.", "It is no longer in the cart."),
    "notice.dropped": ("Од продаје се одустало", "The sale was dropped"),
    "notice.dropped.safe": (
        "{total} РСД није наплаћено. Корпа је празна.",
        "{total} RSD was not charged. The cart is empty.",
    ),
    "notice.missed": (
        "{n} код није додат|{n} кода нису додата|{n} кодова није додато",
        "{n} code was not added|{n} codes were not added",
    ),
    "notice.missed.safe": ("Ништа није наплаћено.", "Nothing was paid."),
    "notice.missed.do": (
        "Додајте тај артикал, или притисните поново за наплату без њега.",
        "Add that item, or press again to take payment without it.",
    ),
    "notice.set_aside": (
        (
            "Враћена је старија резервна копија: остављена је {n} корпа|Враћена је старија "
            "резервна копија: остављене су {n} корпе|Враћена је старија резервна копија: остављено "
            "је {n} корпи"
        ),
        (
            "An older backup was restored: {n} cart is held|An older backup was restored: {n} "
            "carts are held"
        ),
    ),
    "notice.set_aside.safe": (
        "Остављено је можда већ наплаћено. Све је сачувано, а овде почиње нова корпа.",
        "What is held may have been paid already. All is kept; a new cart begins here.",
    ),
    "notice.set_aside.do": (
        "Пре узимања назад (F6) погледајте одштампане рачуне.",
        "Look at the printed receipts before you recall anything (F6).",
    ),
    "notice.show_carts": ("Прикажи корпе", "Show the carts"),
    "notice.show_receipt": ("Прикажи рачун", "Show the receipt"),
    "receipt.runs": ("Рачун се припрема за приказ…", "The receipt is being prepared…"),
    "receipt.runs.safe": (
        "Продаја иде даље; рачун се отвара сам.",
        "Selling goes on; the receipt opens by itself.",
    ),
    "receipt.kept": ("Рачун није могао да се отвори", "The receipt could not be opened"),
    "receipt.kept.safe": ("Сачуван је у датотеци {file}", "It is kept in the file {file}"),
    "notice.copy_path": ("Копирај путању", "Copy the path"),
    "notice.path_copied": ("Копирано", "Copied"),
    "receipt.refused": ("Сервер није дао рачун за приказ", "The server gave no receipt to show"),
    "receipt.refused.safe": (
        "Рачун је издат и сачуван.",
        "The receipt is issued and kept.",
    ),
    "receipt.refused.do": (
        "Покушајте касније; ако се понови, позовите подршку.",
        "Try again later; if it happens again, call support.",
    ),
    "receipt.not_delivered": (
        "Рачун сада не може да се прикаже: сервер није доступан",
        "The receipt can't be shown now: the server is not available",
    ),
    "receipt.not_delivered.safe": (
        "Рачун је издат и сачуван.",
        "The receipt is issued and kept.",
    ),
    "receipt.not_delivered.do": (
        "Покушајте поново кад сервер проради.",
        "Try again once the server works.",
    ),
    "receipt.outcome_unknown": (
        "Сервер није послао рачун за приказ",
        "The server did not send the receipt to show",
    ),
    "receipt.outcome_unknown.safe": (
        "Рачун је издат и сачуван; ништа није послато други пут.",
        "The receipt is issued and kept; nothing was sent twice.",
    ),
    "receipt.outcome_unknown.do": ("Покушајте поново.", "Try again."),
    "receipt.unreadable": (
        "Рачун је издат, али сервер не може да га прочита",
        "The receipt is issued, but the server can't read it",
    ),
    "receipt.unreadable.safe": (
        "Важи под својим бројем; не издајте га поново.",
        "It is valid under its number; do not issue it again.",
    ),
    "receipt.unreadable.do": (
        "Позовите подршку: сачувани рачуни на серверу су оштећени.",
        "Call support: the receipts kept on the server are damaged.",
    ),
    # --- a key whose screen is not there yet -----------------------------------------------------
    "notice.not_yet": (
        "Тастер {key} се у овој верзији не користи",
        "The key {key} is not used in this version",
    ),
    # --- the drawer ------------------------------------------------------------------------------
    "key.drawer": ("Фиока", "Drawer"),
    "keys.f10": ("Отвори фиоку", "Open the drawer"),
    "more.drawer": ("Отвори фиоку", "Open the drawer"),
    "more.drawer_words": ("без продаје", "without a sale"),
    "drawer.runs": ("Фиока се отвара…", "The drawer is being opened…"),
    "drawer.runs.safe": (
        "Продаја иде даље; ово се завршава само.",
        "Selling can go on; this ends by itself.",
    ),
    "drawer.refused": ("Фиока се није отворила", "The drawer did not open"),
    "drawer.refused.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "drawer.refused.do": (
        "Проверите штампач и кабл фиоке, или је отворите кључем.",
        "Check the printer and the drawer's cable, or open it with its key.",
    ),
    "drawer.not_delivered": (
        "Фиока се није отворила: сервер није доступан",
        "The drawer did not open: the server is not available",
    ),
    "drawer.not_delivered.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "drawer.not_delivered.do": (
        "Отворите је кључем, или покушајте поново кад сервер проради.",
        "Open it with its key, or try again once the server works.",
    ),
    "drawer.outcome_unknown": (
        "Не зна се да ли се фиока отворила",
        "It is not known whether the drawer opened",
    ),
    "drawer.outcome_unknown.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "drawer.outcome_unknown.do": (
        "Погледајте је; ако је затворена, притисните F10 поново.",
        "Look at it; if it is shut, press F10 again.",
    ),
})  # fmt: skip
