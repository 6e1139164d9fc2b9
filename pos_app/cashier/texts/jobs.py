"""Words about what was not printed or sent: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

_STEP = "Ваш одговор се бележи"

TEXTS: dict[str, tuple[str, str]] = {
    # --- rows and titles -------------------------------------------------------------------------
    "att.row.delivery_failed": ("Штампа није успела", "Printing failed"),
    "att.row.delivery_failed.mail": ("Е-пошта није послата", "The e-mail was not sent"),
    "att.row.perhaps_delivered": ("Можда је одштампано", "Perhaps printed"),
    "att.row.perhaps_delivered.mail": ("Е-пошта је можда послата", "The e-mail was perhaps sent"),
    "att.row.delivery_waits": ("Штампа чека", "Printing is waiting"),
    "att.row.delivery_waits.mail": ("Е-пошта чека", "The e-mail is waiting"),
    # --- the same of a receipt, and where a row is narrow -----------------------------------------
    "att.row.delivery_failed.of": ("Рачун {number} није одштампан", "Receipt {number} not printed"),
    "att.row.delivery_failed.short": ("{number} није одштампан", "{number} not printed"),
    "att.row.delivery_failed.of.mail": ("Рачун {number} није послат", "Receipt {number} not sent"),
    "att.row.delivery_failed.short.mail": ("{number} није послат", "{number} not sent"),
    "att.row.perhaps_delivered.of": (
        "Рачун {number} можда није одштампан",
        "Receipt {number} perhaps not printed",
    ),
    "att.row.perhaps_delivered.short": ("{number}: да ли је одштампан?", "{number}: did it print?"),
    "att.row.perhaps_delivered.of.mail": (
        "Рачун {number} можда није послат",
        "Receipt {number} perhaps not sent",
    ),
    "att.row.perhaps_delivered.short.mail": (
        "{number}: да ли је послат?",
        "{number}: was it sent?",
    ),
    "att.row.delivery_waits.of": (
        "Рачун {number} чека штампу",
        "Receipt {number} is waiting to print",
    ),
    "att.row.delivery_waits.short": ("{number} чека штампу", "{number} is waiting to print"),
    "att.row.delivery_waits.of.mail": (
        "Рачун {number} чека слање",
        "Receipt {number} is waiting to be sent",
    ),
    "att.row.delivery_waits.short.mail": ("{number} чека слање", "{number} is waiting to be sent"),
    "att.row.more_undelivered": (
        (
            "Још {n} рачун није стигао до купца|Још {n} рачуна нису стигла до купца|Још {n} рачуна "
            "није стигло до купца"
        ),
        "{n} more receipt not handed over|{n} more receipts not handed over",
    ),
    "att.why.more_undelivered": ("чека папир или е-пошту", "paper or e-mail is missing"),
    "att.ask.more_undelivered": (
        "Остали рачуни који нису стигли до купца",
        "Other receipts that were not handed over",
    ),
    "att.ask.delivery_failed": ("Одштампати поново?", "Print it again?"),
    "att.ask.delivery_failed.mail": ("Послати поново?", "Send it again?"),
    "att.ask.perhaps_delivered": ("Да ли је одштампано?", "Was it printed?"),
    "att.ask.perhaps_delivered.mail": ("Да ли је послато?", "Was it sent?"),
    "att.ask.delivery_waits": ("Још није одштампано", "Not printed yet"),
    "att.ask.delivery_waits.mail": ("Још није послато", "Not sent yet"),
    "att.ask.delivery_repeated": ("Штампа се поново", "Being printed again"),
    "att.ask.delivery_repeated.mail": ("Шаље се поново", "Being sent again"),
    # --- what is being repeated ------------------------------------------------------------------
    "att.row.delivery_repeated": ("Штампа се поново", "Being printed again"),
    "att.row.delivery_repeated.mail": ("Е-пошта се шаље поново", "The e-mail is being sent again"),
    "att.row.delivery_repeated.of": (
        "Рачун {number} се штампа поново",
        "Receipt {number} is being printed again",
    ),
    "att.row.delivery_repeated.short": ("{number} се штампа", "{number} is being printed"),
    "att.row.delivery_repeated.of.mail": (
        "Рачун {number} се шаље поново",
        "Receipt {number} is being sent again",
    ),
    "att.row.delivery_repeated.short.mail": ("{number} се шаље", "{number} is being sent"),
    "att.why.delivery_repeated": ("у току је", "under way"),
    "att.happened.delivery_repeated": (
        "{what} се штампа поново.",
        "{what} is being printed again.",
    ),
    "att.happened.delivery_repeated.mail": (
        "{what} се поново шаље е-поштом.",
        "{what} is being sent by e-mail again.",
    ),
    "att.press.delivery_repeated": (
        "Ништа. Ако опет не успе, ред остаје овде.",
        "Nothing. If it fails again, its row stays here.",
    ),
    "att.job.came_out": ("{what} је одштампан.", "{what} is printed."),
    "att.job.came_out.mail": ("{what} је послат.", "{what} is sent."),
    # --- the notice ------------------------------------------------------------------------------
    "att.job.of_receipt": ("Рачун {number}", "Receipt {number}"),
    "att.job.of_till": ("Лист касе", "A sheet of the till"),
    "att.happened.delivery_failed": (
        "{what} није одштампан: {trouble}.",
        "{what} was not printed: {trouble}.",
    ),
    "att.happened.delivery_failed.mail": (
        "{what} није послат е-поштом: {trouble}.",
        "{what} was not sent by e-mail: {trouble}.",
    ),
    "att.happened.perhaps_delivered": (
        "{what}: не зна се да ли је одштампан ({trouble}).",
        "{what}: it is not known whether it was printed ({trouble}).",
    ),
    "att.happened.perhaps_delivered.mail": (
        "{what}: не зна се да ли је послат е-поштом ({trouble}).",
        "{what}: it is not known whether it was sent by e-mail ({trouble}).",
    ),
    "att.happened.delivery_waits": (
        "{what} још није одштампан: {trouble}.",
        "{what} is not printed yet: {trouble}.",
    ),
    "att.happened.delivery_waits.mail": (
        "{what} још није послат е-поштом: {trouble}.",
        "{what} is not sent by e-mail yet: {trouble}.",
    ),
    "att.happened.more_undelivered": (
        (
            "Још {n} рачун није стигао до купца; овде је само број.|Још {n} рачуна нису стигла до "
            "купца; овде је само број.|Још {n} рачуна није стигло до купца; овде је само број."
        ),
        (
            "{n} more receipt was not handed over; only the number is shown here.|{n} more "
            "receipts were not handed over; only their number is shown here."
        ),
    ),
    "att.safe.more_undelivered": (
        "Јесте. Ништа се не издаје поново; понавља се само папир или порука.",
        "Yes. Nothing is issued again; only its paper or e-mail is repeated.",
    ),
    "att.safe.job": (
        "Јесте. Ништа се не издаје поново; понавља се само штампа.",
        "Yes. Nothing is issued again; only the printing is repeated.",
    ),
    "att.safe.job.mail": (
        "Јесте. Ништа се не издаје поново; понавља се само порука.",
        "Yes. Nothing is issued again; only the e-mail is repeated.",
    ),
    "att.press.delivery_failed": (
        "Отклоните узрок, па поновите; или потврдите да није потребно.",
        "Fix the cause and repeat it; or say that it is not needed.",
    ),
    "att.press.perhaps_delivered": (
        "Погледајте. Ако је све ту, потврдите; ако није, поновите.",
        "Look. If it is complete, say so; if it is not, repeat it.",
    ),
    "att.press.delivery_waits": (
        "Отклоните узрок; каса наставља сама. Можете и одмах да поновите.",
        "Fix the cause; it goes on by itself. You can also repeat it at once.",
    ),
    "att.press.more_undelivered": (
        "Решите редове изнад; остали се онда шаљу сами или долазе на њихово место.",
        "Answer the rows above; the others then go out by themselves or take their place.",
    ),
    # --- the answer ------------------------------------------------------------------------------
    "att.step.job": ("Изаберите", "Choose"),
    "att.job.look": (
        f"Други примерак је дозвољен само ако првог нема. {_STEP}",
        "A second print is allowed only where there is no first. Your answer is recorded",
    ),
    "att.job.mend": (_STEP, "Your answer is recorded"),
    "att.job.again.paper": ("Одштампај поново", "Print again"),
    "att.job.again.mail": ("Пошаљи поново", "Send again"),
    "att.job.there.paper": ("Папир је ту", "The paper is here"),
    "att.job.there.mail": ("Порука је стигла", "The e-mail arrived"),
    "att.job.not_needed": ("Није потребно", "Not needed"),
    "att.job.pdf_instead": ("PDF уместо папира", "PDF instead of paper"),
    "att.job.as_pdf": ("PDF", "PDF"),
    "att.job.pdf": ("Отвори као PDF", "Open as PDF"),
    "att.job.pdf_opened": ("PDF се отвара.", "The PDF is being opened."),
    "att.job.pdf_no_program": (
        "PDF није могао да се отвори. Датотека је овде: {file}",
        "The PDF could not be opened. The file is here: {file}",
    ),
    "att.job.pdf_no_program.paper": (
        "Рачун и даље чека штампу.",
        "The receipt still waits for its printer.",
    ),
    "att.job.pdf_instead_opened": (
        "PDF је отворен; рачун се више не штампа.",
        "The PDF is open; the receipt is no longer printed.",
    ),
    "att.job.asked_again": ("Штампа се поново.", "It is being printed again."),
    "att.job.asked_again.mail": ("Шаље се поново.", "It is being sent again."),
    # --- what stood in the way: handover_ports.Trouble -------------------------------------------
    "att.trouble.away": ("уређај се не јавља", "the device does not answer"),
    "att.trouble.away.paper": ("штампач се не јавља", "the printer does not answer"),
    "att.trouble.away.mail": ("пошта се не јавља", "the mail server does not answer"),
    "att.trouble.busy": ("заузет је", "it is busy"),
    "att.trouble.no_right": (
        "програму није дозвољен приступ уређају",
        "the program may not use the device",
    ),
    "att.trouble.cut_off": ("веза је прекинута", "the connection broke"),
    "att.trouble.stuck": ("заглавио се", "it got stuck"),
    "att.trouble.not_set_up": ("уређај није подешен", "no device is set up"),
    "att.trouble.too_old": ("чекало је дуже од једног дана", "it waited for more than a day"),
    "att.trouble.interrupted": ("сервер је угашен пре краја", "the server was stopped meanwhile"),
    "att.trouble.offline": (
        "штампач је искључен или није повезан",
        "the printer is switched off or not connected",
    ),
    "att.trouble.paper_out": ("нема папира", "no paper"),
    "att.trouble.cover_open": ("поклопац је отворен", "the cover is open"),
    "att.trouble.cutter": ("секач папира је заглављен", "the paper cutter is stuck"),
    "att.trouble.printer_error": ("грешка штампача", "a printer error"),
    "att.trouble.no_queue": (
        "тај штампач више није на рачунару",
        "that printer is no longer on the computer",
    ),
    "att.trouble.queue_stopped": (
        "рачунар је зауставио штампање",
        "the computer has stopped printing",
    ),
    "att.trouble.queue_refuses": (
        "рачунар не прима ништа за тај штампач",
        "the computer takes nothing for that printer",
    ),
    "att.trouble.job_cancelled": ("неко је отказао штампу", "somebody cancelled the print"),
    "att.trouble.job_failed": ("штампа је прекинута", "the print broke off"),
    "att.trouble.not_finished": ("није завршено на време", "it did not finish in time"),
    "att.trouble.document": (
        "не може да се припреми за штампу",
        "it can't be made ready for printing",
    ),
    "att.trouble.no_encryption": (
        "веза са поштом није заштићена",
        "the e-mail connection is not protected",
    ),
    "att.trouble.certificate": ("пошти не може да се верује", "the e-mail server can't be trusted"),
    "att.trouble.login": ("пријава на пошту није успела", "signing in to the e-mail failed"),
    "att.trouble.sender": ("пошта не прима адресу продавнице", "the shop's address was refused"),
    "att.trouble.recipient": ("адреса купца није исправна", "the customer's address was refused"),
    "att.trouble.refused": ("пошта је одбила поруку", "the e-mail was refused"),
    "att.trouble.other": ("непознат узрок", "an unknown cause"),
}
