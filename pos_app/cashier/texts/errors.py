"""The words of expected errors, by code and kind: (Serbian Cyrillic, English).

`error.not_allowed.hold` stands for NotAllowed with kind="hold"; `.safe` and `.do` are the second
and third part of its notice. An error without words here is told in its own English.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ERRORS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "error.not_allowed.hold": (
        "Фискални процесор није доступан",
        "The fiscal processor is not available",
    ),
    "error.not_allowed.hold.safe": (
        "Корпа је сачувана; ништа није издато.",
        "The cart is kept; nothing was issued.",
    ),
    "error.not_allowed.hold.do": (
        "Оставите корпу (F6) и наставите кад процесор проради.",
        "Hold the cart (F6) and go on when the processor works.",
    ),
    "error.not_allowed.advance": (
        "Аванс се издаје само док фискални процесор ради",
        "An advance is issued only while the fiscal processor works",
    ),
    "error.not_allowed.advance.safe": (
        "Корпа је сачувана; ништа није издато.",
        "The cart is kept; nothing was issued.",
    ),
    "error.not_allowed.advance.do": (
        "Оставите корпу (F6) и наставите кад процесор проради.",
        "Hold the cart (F6) and go on when the processor works.",
    ),
    "error.not_allowed.not_enough": (
        "Треба {owed}, а примљено је {received}",
        "{owed} is to be paid, {received} was received",
    ),
    "error.not_allowed.not_enough.safe": (
        "Ништа није издато; корпа није промењена.",
        "Nothing was issued; the cart is unchanged.",
    ),
    "error.not_allowed.not_enough.do": (
        "Укуцајте колико је примљено па +, или остатак наплатите друкчије (F12).",
        "Type what was received, then +; or take the rest in another way (F12).",
    ),
    "error.not_allowed.nothing_to_pay": (
        "Укупно је 0,00: ништа се не плаћа",
        "The total is 0.00: nothing is paid",
    ),
    "error.not_allowed.nothing_to_pay.safe": (
        "Ништа није издато; корпа није промењена.",
        "Nothing was issued; the cart is unchanged.",
    ),
    "error.not_allowed.nothing_to_pay.do": (
        "Погледајте цене и попусте; ако је тачно, издајте рачун у наплати (F12).",
        "Look at prices and discounts; if it is right, issue it in the payment (F12).",
    ),
    "error.not_allowed.payment_begun": (
        "Већ је плаћено {given}, и то не готовином",
        "{given} is paid already, and not in cash",
    ),
    "error.not_allowed.payment_begun.safe": (
        "Ништа није издато; корпа и плаћено су сачувани.",
        "Nothing was issued; the cart and what was paid are kept.",
    ),
    "error.not_allowed.payment_begun.do": (
        "Наставите наплату (F12), или тамо уклоните то плаћање.",
        "Go on with the payment (F12), or remove that payment there.",
    ),
    "error.not_allowed.unfinished_buyer": (
        "Подаци о купцу нису исправни",
        "The buyer's details are not right",
    ),
    "error.not_allowed.unfinished_buyer.safe": (
        "Ништа није издато; корпа није промењена.",
        "Nothing was issued; the cart is unchanged.",
    ),
    "error.not_allowed.unfinished_buyer.do": (
        "Исправите или уклоните купца (F5).",
        "Correct or remove the buyer (F5).",
    ),
    "error.not_allowed.doubted_buyer": (
        "Број купца личи на грешку у куцању и није потврђен",
        "The buyer's number looks mistyped and was not confirmed",
    ),
    "error.not_allowed.doubted_buyer.safe": (
        "Ништа није издато; корпа није промењена.",
        "Nothing was issued; the cart is unchanged.",
    ),
    "error.not_allowed.doubted_buyer.do": (
        "Проверите га (F5): потврдите га, исправите или уклоните.",
        "Check it (F5): confirm, correct or remove it.",
    ),
    "error.not_allowed.unfinished_delivery": (
        "Није исправно како купац добија рачун",
        "How the buyer gets the receipt is not right",
    ),
    "error.not_allowed.unfinished_delivery.do": (
        "Исправите то у наплати (F12).",
        "Correct it in the payment (F12).",
    ),
    "error.not_allowed.unfinished_advance": (
        "Аванс није исправан",
        "The advance is not right",
    ),
    "error.not_allowed.unfinished_advance.do": (
        "Исправите га у наплати (F12).",
        "Correct it in the payment (F12).",
    ),
    "error.not_allowed.unfinished_text": (
        "Текст на рачуну је предугачак",
        "The text on the receipt is too long",
    ),
    "error.not_allowed.unfinished_text.do": (
        "Скратите га у наплати (F12).",
        "Shorten it in the payment (F12).",
    ),
    "error.not_allowed.unfinished_lines": (
        "Корпоративна картица се плаћа само ваучером",
        "A corporate card is paid by voucher alone",
    ),
    "error.not_allowed.unfinished_lines.do": ("Наплатите тастером F12.", "Take the payment (F12)."),
    "error.not_allowed.not_for_sale": (
        "Овај артикал се не може продати: нема цену ни врсту",
        "This item can't be sold: it has no price and no variant",
    ),
    "error.not_allowed.not_for_sale.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_allowed.not_for_sale.do": (
        "Управник га допуњава у каталогу.",
        "A manager completes it in the catalogue.",
    ),
    "error.not_allowed.manager_only": (
        "Обуку покреће управник",
        "Training is started by a manager",
    ),
    "error.not_allowed.manager_only.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_allowed.manager_decides": (
        "О овоме одлучује само управник",
        "Only a manager decides this",
    ),
    "error.not_allowed.manager_decides.safe": (
        "Продаја је сачувана.",
        "The sale is kept.",
    ),
    "error.not_allowed.manager_decides.do": ("Позовите управника.", "Call the manager."),
    "error.not_allowed.question": (
        "Прво одговорите на питање",
        "Answer the question first",
    ),
    "error.not_allowed.question.do": (
        "Или се вратите са Esc.",
        "Or go back with Esc.",
    ),
    "error.not_allowed.nothing_to_drop": (
        "Корпа је празна",
        "The cart is empty",
    ),
    "error.not_allowed.most_lines": (
        "У корпу стаје највише {most} ставки",
        "A cart takes at most {most} items",
    ),
    "error.not_allowed.nothing_to_hold": (
        "Корпа је празна, нема шта да се остави",
        "The cart is empty, there is nothing to hold",
    ),
    "error.not_allowed.training_apart": (
        "Обука и права продаја се не мешају",
        "Training and real sales are kept apart",
    ),
    "error.not_allowed.not_held": (
        "Ова корпа више није остављена",
        "This cart is not held any more",
    ),
    "error.not_allowed.not_cancelled": (
        "Само поништена продаја може да се понови",
        "Only a cancelled sale can be sold again",
    ),
    "error.not_allowed.taken_back": (
        "Ставке ове продаје су већ враћене",
        "The items of this sale were taken back already",
    ),
    "error.not_allowed.taken_back.do": (
        "Погледајте у корпи или међу остављеним корпама",
        "Look in the cart or among the held ones",
    ),
    "error.not_allowed.removed_line": ("Ова ставка је уклоњена", "This item was removed"),
    "error.not_allowed.removed_line.do": ("Прво је вратите.", "Restore it first."),
    "error.not_allowed.no_drawer": (
        "Фиока није подешена",
        "No cash drawer is set up",
    ),
    "error.not_allowed.no_drawer.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_allowed.no_drawer.do": (
        "Отворите је кључем, и позовите подршку да је подеси.",
        "Open it with its key, and call support to set it up.",
    ),
    "error.not_allowed": (
        "То сада није могуће",
        "This is not possible now",
    ),
    "error.not_allowed.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.not_found": (
        "Тога више нема",
        "It is no longer there",
    ),
    "error.not_found.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.invalid": ("Унос није исправан", "This entry is not right"),
    "error.invalid.safe": ("Корпа није промењена.", "The cart is unchanged."),
    "error.invalid.number": (
        "То није број",
        "This is not a number",
    ),
    "error.invalid.not_positive": (
        "Количина мора бити већа од нуле",
        "The quantity must be above zero",
    ),
    "error.invalid.decimals": (
        "Превише децимала",
        "Too many decimals",
    ),
    "error.invalid.too_large": (
        "Број је превелик",
        "The number is too large",
    ),
    "error.invalid.range": (
        "Попуст мора бити између 0 и 100 %",
        "The discount must be between 0 and 100 %",
    ),
    "error.invalid.above_line": (
        "Попуст мора бити већи од нуле, а највише колико ставка кошта",
        "The discount must be above zero and at most what the item costs",
    ),
    "error.invalid.negative": ("Цена не може бити мања од нуле", "The price can't be below zero"),
    "error.invalid.empty": (
        "Корпа је празна",
        "The cart is empty",
    ),
    "error.invalid.below_total": (
        "Плаћање не покрива износ",
        "The payment does not cover the amount",
    ),
    "error.database_damaged.now": (
        "Подаци сада не могу да се прочитају ни упишу",
        "The data can't be read or written now",
    ),
    "error.database_damaged.now.safe": (
        "Што је раније потврђено, сачувано је.",
        "What was confirmed before is safe.",
    ),
    "error.database_damaged.now.do": (
        "Поново покрените рачунар; ако тако остане, позовите подршку.",
        "Restart the computer; if it stays so, call support.",
    ),
    "error.database_busy": (
        "Податке сада користи други програм",
        "The data are in use by another program",
    ),
    "error.database_busy.safe": (
        "Ништа није промењено; што је раније потврђено, сачувано је.",
        "Nothing was changed; what was confirmed before is safe.",
    ),
    "error.database_busy.do": (
        "Покушајте поново. Ако тако остане, затворите програме који копирају датотеке.",
        "Try again. If it stays so, close programs that copy files.",
    ),
    "error.disk_failed": (
        "Диск не ради исправно",
        "The disk does not work properly",
    ),
    "error.disk_failed.safe": (
        "Што је раније потврђено, сачувано је; ово није сачувано.",
        "What was confirmed before is safe; this was not stored.",
    ),
    "error.disk_failed.do": (
        "Покушајте поново. Ако тако остане, поново покрените рачунар и позовите подршку.",
        "Try again. If it stays so, restart the computer and call support.",
    ),
    "error.disk_failed.uncertain": (
        "Диск је отказао док је ово чувано",
        "The disk failed while this was being stored",
    ),
    "error.disk_failed.uncertain.safe": (
        "Што је раније потврђено, сачувано је. Да ли је и ово, види се после поновног покретања.",
        "What was confirmed before is safe. Whether this is too shows after a restart.",
    ),
    "error.disk_failed.uncertain.do": (
        "Не продајте исто поново. Поново покрените рачунар и погледајте да ли је продаја ту.",
        "Do not sell the same again. Restart the computer and look whether the sale is there.",
    ),
    "error.disk_full": (
        "Нема места на диску",
        "The disk is full",
    ),
    "error.disk_full.safe": (
        "Потврђене продаје су сачуване; ова још није потврђена.",
        "Confirmed sales are kept; this one is not confirmed yet.",
    ),
    "error.disk_full.do": (
        "Ослободите место на диску, па покушајте поново.",
        "Make room on the disk and try again.",
    ),
})  # fmt: skip
