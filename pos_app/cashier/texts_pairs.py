"""Words about a pair of receipts that is half done: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # --- what sorts of receipts there are --------------------------------------------------------
    "att.kind.normal.sale": ("Промет-Продаја", "normal sale"),
    "att.kind.normal.refund": ("Промет-Рефундација", "normal refund"),
    "att.kind.advance.sale": ("Аванс-Продаја", "advance sale"),
    "att.kind.advance.refund": ("Аванс-Рефундација", "advance refund"),
    "att.kind.copy.refund": ("Копија-Рефундација", "copy of a refund"),
    # --- rows and titles -------------------------------------------------------------------------
    "att.row.half_done": ("Операција није довршена", "An operation is half done"),
    "att.row.half_done.close": ("Недовршено затварање", "Closing half done"),
    "att.row.half_done.refund": ("Недовршен повраћај", "Refund half done"),
    "att.row.pair_undone": ("Операција је поништена", "An operation was undone"),
    "att.row.pair_undone.close": ("Поништено затварање", "Closing undone"),
    "att.row.pair_undone.refund": ("Поништен повраћај", "Refund undone"),
    "att.row.pair_finished": ("Операција је довршена", "An operation was finished"),
    "att.row.pair_finished.close": ("Довршено затварање", "Closing finished"),
    "att.row.pair_finished.refund": ("Довршен повраћај", "Refund finished"),
    "att.why.decided": ("одлука: {by}", "decided by: {by}"),
    "att.happened.pair_undone": (
        "Рачун {number} је поништен, и све је као пре операције.",
        "Receipt {number} was undone, and all is as before the operation.",
    ),
    "att.happened.pair_finished": (
        "Рачун {number} и онај који следи су потписани.",
        "Receipt {number} and what follows it are signed.",
    ),
    "att.happened.pair_undone.bare": (
        "Операција је поништена.",
        "The operation was undone.",
    ),
    "att.happened.pair_finished.bare": (
        "Операција је довршена.",
        "The operation was finished.",
    ),
    "att.happened.decided": ("Одлука: {by}, {when}.", "Decided by: {by}, {when}."),
    "att.why.half_done": ("потписан је рачун {number}", "receipt {number} is signed"),
    "att.why.half_done_unknown": (
        "сервер још није јавио шта је потписано",
        "not yet told by server",
    ),
    "att.why.half_done_unread": (
        "дневник се не чита",
        "journal can't be read",
    ),
    "att.ask.half_done": ("Како довршити ову операцију?", "How is this operation to end?"),
    # --- the notice ------------------------------------------------------------------------------
    "att.happened.half_done": (
        (
            "Потписана је {signed} {number} на {total}. Ону која следи, {refused} на {other}, "
            "процесор је одбио."
        ),
        (
            "Signed: {signed} {number} of {total}. What follows it, {refused} of {other}, was "
            "refused by the processor."
        ),
    ),
    "att.happened.half_reversed": (
        (
            "Потписана је {signed} {number} на {total}. Оно што је поништава, {refused} на "
            "{other}, процесор је одбио."
        ),
        (
            "Signed: {signed} {number} of {total}. What was to undo it, {refused} of {other}, was "
            "refused by the processor."
        ),
    ),
    "att.happened.half_done_unknown": (
        "Један од два рачуна исте операције је потписан, а други је процесор одбио.",
        "One of the two receipts of an operation is signed; the processor refused the other.",
    ),
    "att.safe.half_done": (
        "Јесте. Ништа се не потписује два пута. Тај рачун чека док се ово не реши.",
        "Yes. Nothing is signed twice. That receipt waits until this is decided.",
    ),
    "att.press.half_done": (
        "Управник бира: послати поново, поништити потписано, или исправити захтев.",
        "A manager chooses: send it again, undo what is signed, or correct the request.",
    ),
    "att.press.half_done_unknown": (
        "Сачекајте тренутак: каса пита сервер шта је потписано.",
        "Wait a moment: the till asks the server what is signed.",
    ),
    "att.press.half_done_unread": (
        "Позовите подршку: део дневника сервера не може да се чита, па нема шта да се бира.",
        "Call support: a part of the server's journal can't be read, so there is no choice here.",
    ),
    # --- the answer ------------------------------------------------------------------------------
    "att.step.pair_said": ("Шта је рекао процесор", "What the processor said"),
    "att.step.pair": ("Управник бира како се завршава", "A manager chooses how it ends"),
    "att.pair.choices": (
        (
            "Поново: шаље се исти рачун, ако је узрок отклоњен. Поништавање: издаје се {kind} на "
            "{total} која се позива на {number}; {after}"
        ),
        (
            "Again: the same receipt is sent, if the cause was mended. Undoing: a receipt is "
            "signed ({kind} of {total}) that refers to {number}; {after}"
        ),
    ),
    "att.pair.after.advance": (
        "аванс је потом отворен као пре",
        "the advance is then open as before",
    ),
    "att.pair.after.normal": (
        "новац остаје у каси, а рачун се и даље може рефундирати",
        "the money stays in the drawer, and the receipt can still be refunded",
    ),
    "att.pair.again": ("Пошаљи поново", "Send again"),
    "att.pair.reverse": ("Поништи потписано", "Undo what is signed"),
    "att.pair.sure": (
        "Биће потписана {kind} на {total} са ПИБ-ом продавца. То се не може вратити.",
        "This will be signed, with the shop's own PIB: {kind} of {total}. It can't be taken back.",
    ),
    "att.pair.sign": ("Да, потпиши", "Yes, sign it"),
    "att.pair.leave": ("Одустани", "Leave it"),
    "att.pair.running": ("Чека се процесор…", "Waiting for the processor…"),
    "att.step.pair_correct": ("Ако захтев треба исправити", "If the request is to be corrected"),
    "att.pair.correct_words": (
        (
            "Исправку шаље програм који је рачун тражио: други купац, плаћање или ставке, док се "
            "слаже са потписаним. Упутство је у документацији за интеграторе; број захтева је горе"
        ),
        (
            "The program that asked for it sends the correction: another buyer, payment or items, "
            "as far as they fit what is signed. The page for integrators says how; its id is above"
        ),
    ),
    "att.pair.correct_words.copy": (
        (
            "Исправку шаље програм који је рачун тражио: само достава, текст на рачуну или касир, "
            "јер копија каже оно што и потписано. Упутство је у документацији за интеграторе; број "
            "захтева је горе"
        ),
        (
            "The program that asked for it sends the correction: only delivery, text on the "
            "receipt or cashier, because a copy tells what is signed. The page for integrators "
            "says how; its id is above"
        ),
    ),
    "att.pair.finished": ("Потписана су оба рачуна.", "Both receipts are signed."),
    "att.pair.undone": (
        "Поништено је: све је као пре операције.",
        "It is undone: all is as before the operation.",
    ),
    "att.pair.refused": (
        "Процесор је поново одбио. Ништа ново није потписано.",
        "The processor refused again. Nothing more was signed.",
    ),
    "att.pair.under_way": (
        "Забележено. Сервер сам наставља кад процесор буде доступан.",
        "Noted. The server goes on by itself as soon as the processor answers.",
    ),
}
