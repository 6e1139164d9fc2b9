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
    "att.row.half_done": ("Операција није довршена", "Operation not finished"),
    "att.row.half_done.close": ("Недовршено затварање", "Closing not finished"),
    "att.row.half_done.refund": ("Недовршена рефундација", "Refund not finished"),
    "att.row.pair_undone": ("Операција је поништена", "Operation undone"),
    "att.row.pair_undone.close": ("Поништено затварање", "Closing undone"),
    "att.row.pair_undone.refund": ("Поништена рефундација", "Refund undone"),
    "att.row.pair_finished": ("Операција је довршена", "Operation finished"),
    "att.row.pair_finished.close": ("Довршено затварање", "Closing finished"),
    "att.row.pair_finished.refund": ("Довршена рефундација", "Refund finished"),
    "att.why.decided": ("одлука: {by}", "decided by: {by}"),
    "att.happened.pair_undone": (
        "Рачун {number} је поништен, и све је као пре операције.",
        "Receipt {number} was undone, and all is as it was before.",
    ),
    "att.happened.pair_finished": (
        "Рачун {number} и онај који следи су издати.",
        "Receipt {number} and the one that follows it are issued.",
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
    "att.why.half_done": ("издат је рачун {number}", "receipt {number} is issued"),
    "att.why.half_done_unknown": (
        "сервер још није јавио шта је издато",
        "the server has not told yet",
    ),
    "att.why.half_done_unread": ("рачун не може да се прочита", "the receipt can't be read"),
    "att.ask.half_done": ("Како завршити ову операцију?", "How should this end?"),
    # --- the notice ------------------------------------------------------------------------------
    "att.happened.half_done": (
        (
            "Издата је {signed} {number} на {total}. Ону која следи, {refused} на {other}, "
            "процесор је одбио."
        ),
        (
            "Issued: {signed} {number} of {total}. What follows it, {refused} of {other}, was "
            "refused by the processor."
        ),
    ),
    "att.happened.half_reversed": (
        (
            "Издата је {signed} {number} на {total}. Оно што је поништава, {refused} на {other}, "
            "процесор је одбио."
        ),
        (
            "Issued: {signed} {number} of {total}. What was to undo it, {refused} of {other}, was "
            "refused by the processor."
        ),
    ),
    "att.happened.half_done_unknown": (
        "Један од два повезана рачуна је издат, а други је процесор одбио.",
        "One of two receipts that belong together is issued; the processor refused the other.",
    ),
    "att.safe.half_done": (
        "Јесте. Ништа се не издаје два пута. Тај рачун чека док се ово не реши.",
        "Yes. Nothing is issued twice. That receipt waits until this is decided.",
    ),
    "att.press.half_done": (
        "Управник бира: послати поново, поништити издато, или исправити захтев.",
        "A manager chooses: send it again, undo what is issued, or correct the request.",
    ),
    "att.press.half_done_unknown": (
        "Сачекајте тренутак: каса пита сервер шта је издато.",
        "Wait a moment: the till is asking the server what is issued.",
    ),
    "att.press.half_done_unread": (
        "Позовите подршку: део рачуна на серверу не може да се прочита, па овде нема избора.",
        (
            "Call support: a part of the receipts on the server can't be read, so there is no "
            "choice here."
        ),
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
            "Again: the same receipt is sent, if the cause was fixed. Undoing: a receipt is issued "
            "({kind} of {total}) that refers to {number}; {after}"
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
    "att.pair.reverse": ("Поништи издато", "Undo what is issued"),
    "att.pair.sure": (
        "Биће издата {kind} на {total} са ПИБ-ом продавца. То се не може вратити.",
        "This will be issued, with the shop's own PIB: {kind} of {total}. It can't be taken back.",
    ),
    "att.pair.sign": ("Да, издај", "Yes, issue it"),
    "att.pair.leave": ("Одустани", "Leave it"),
    "att.pair.running": ("Чека се процесор…", "Waiting for the processor…"),
    "att.step.pair_correct": ("Ако захтев треба исправити", "If the request is to be corrected"),
    "att.pair.correct_words": (
        (
            "Исправку шаље програм који је рачун тражио: други купац, плаћање или ставке, док се "
            "слаже са издатим. Позовите подршку тог програма и прочитајте број захтева који је горе"
        ),
        (
            "The program that asked for it sends the correction: another buyer, payment or items, "
            "as far as they fit what is issued. Call that program's support and read out the "
            "request number above"
        ),
    ),
    "att.pair.correct_words.copy": (
        (
            "Исправку шаље програм који је рачун тражио: само начин предаје, текст на рачуну или "
            "касир, јер је копија иста као оно што је издато. Позовите подршку тог програма и "
            "прочитајте број захтева који је горе"
        ),
        (
            "The program that asked for it sends the correction: only the way it is handed over, "
            "text on the receipt or cashier, because a copy tells what is issued. Call that "
            "program's support and read out the request number above"
        ),
    ),
    "att.pair.finished": ("Издата су оба рачуна.", "Both receipts are issued."),
    "att.pair.undone": (
        "Поништено је: све је као пре операције.",
        "It is undone: all is as it was before.",
    ),
    "att.pair.refused": (
        "Процесор је поново одбио. Ништа ново није издато.",
        "The processor refused again. Nothing more was issued.",
    ),
    "att.pair.under_way": (
        "Забележено. Сервер сам наставља кад процесор буде доступан.",
        "Recorded. The server goes on by itself as soon as the processor answers.",
    ),
}
