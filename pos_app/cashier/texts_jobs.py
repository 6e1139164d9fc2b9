"""Words about what was not printed or sent: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

_STEP = "Ваш одговор се бележи"

TEXTS: dict[str, tuple[str, str]] = {
    # --- rows and titles -------------------------------------------------------------------------
    "att.row.delivery_failed": ("Штампа није успела", "Printing failed"),
    "att.row.delivery_failed.mail": ("Е-пошта није послата", "The mail was not sent"),
    "att.row.perhaps_delivered": ("Можда је одштампано", "Perhaps printed"),
    "att.row.perhaps_delivered.mail": ("Е-пошта је можда послата", "The mail was perhaps sent"),
    "att.row.delivery_waits": ("Штампа чека", "Printing waits"),
    "att.row.delivery_waits.mail": ("Е-пошта чека", "The mail waits"),
    # --- the same of a receipt, and where a row is narrow -----------------------------------------
    "att.row.delivery_failed.of": ("Рачун {number} није одштампан", "Receipt {number} not printed"),
    "att.row.delivery_failed.short": ("{number} није одштампан", "{number} not printed"),
    "att.row.delivery_failed.of.mail": ("Рачун {number} није послат", "Receipt {number} not sent"),
    "att.row.delivery_failed.short.mail": ("{number} није послат", "{number} not sent"),
    "att.row.perhaps_delivered.of": (
        "Рачун {number} можда није одштампан",
        "Receipt {number} perhaps not printed",
    ),
    "att.row.perhaps_delivered.short": ("{number}: да ли је изашао?", "{number}: did it print?"),
    "att.row.perhaps_delivered.of.mail": (
        "Рачун {number} можда није послат",
        "Receipt {number} perhaps not sent",
    ),
    "att.row.perhaps_delivered.short.mail": (
        "{number}: да ли је послат?",
        "{number}: was it sent?",
    ),
    "att.row.delivery_waits.of": ("Рачун {number} чека штампу", "Receipt {number} waits to print"),
    "att.row.delivery_waits.short": ("{number} чека штампу", "{number} waits to print"),
    "att.row.delivery_waits.of.mail": (
        "Рачун {number} чека слање",
        "Receipt {number} waits to be sent",
    ),
    "att.row.delivery_waits.short.mail": ("{number} чека слање", "{number} waits to be sent"),
    "att.row.more_undelivered": (
        "Још {n} папир или порука|Још {n} папира или поруке|Још {n} папира или порука",
        "{n} more paper or mail|{n} more papers or mails",
    ),
    "att.why.more_undelivered": ("није изашло", "did not come out"),
    "att.ask.more_undelivered": ("Остало што није изашло", "What else did not come out"),
    "att.ask.delivery_failed": ("Одштампати или послати поново?", "Print or send it again?"),
    "att.ask.perhaps_delivered": ("Да ли је изашло?", "Did it come out?"),
    "att.ask.delivery_waits": ("Штампа или слање чека", "Printing or sending waits"),
    # --- the notice ------------------------------------------------------------------------------
    "att.job.of_receipt": ("Рачун {number}", "Receipt {number}"),
    "att.job.of_till": ("Папир касе", "A paper of the till"),
    "att.happened.delivery_failed": (
        "{what} није одштампан ни послат: {trouble}.",
        "{what} was not printed or sent: {trouble}.",
    ),
    "att.happened.perhaps_delivered": (
        "{what}: не зна се да ли је изашао ({trouble}).",
        "{what}: nobody knows whether it came out ({trouble}).",
    ),
    "att.happened.delivery_waits": (
        "{what} још није одштампан ни послат: {trouble}.",
        "{what} is not printed or sent yet: {trouble}.",
    ),
    "att.happened.more_undelivered": (
        (
            "Још {n} папир или порука није изашла; овде је само број."
            "|Још {n} папира или поруке нису изашли; овде је само број."
            "|Још {n} папира или порука није изашло; овде је само број."
        ),
        (
            "{n} more paper or mail did not come out; here stands only their number."
            "|{n} more papers or mails did not come out; here stands only their number."
        ),
    ),
    "att.safe.job": (
        "Јесте. Што је издато, издато је једном; понавља се само папир или порука.",
        "Yes. What was issued was issued once; only its paper or mail is repeated.",
    ),
    "att.press.delivery_failed": (
        "Отклоните узрок, па поновите; или потврдите да није потребно.",
        "Mend the cause and repeat it; or say that it is not needed.",
    ),
    "att.press.perhaps_delivered": (
        "Погледајте. Ако је цело, потврдите; ако није, поновите.",
        "Look. If it is whole, say so; if it is not, repeat it.",
    ),
    "att.press.delivery_waits": (
        "Отклоните узрок; каса наставља сама. Можете и одмах да поновите.",
        "Mend the cause; it goes on by itself. You can repeat it at once, too.",
    ),
    "att.press.more_undelivered": (
        "Решите редове изнад; остали онда излазе сами или долазе на њихово место.",
        "Answer the rows above; the others then come out by themselves or take their place.",
    ),
    # --- the answer ------------------------------------------------------------------------------
    "att.step.job": ("Изаберите", "Choose"),
    "att.job.look": (
        f"Други примерак је дозвољен само ако првог нема. {_STEP}",
        "A second print is allowed only where there is no first. Your answer is logged",
    ),
    "att.job.mend": (_STEP, "Your answer is logged"),
    "att.job.again.paper": ("Одштампај поново", "Print again"),
    "att.job.again.mail": ("Пошаљи поново", "Send again"),
    "att.job.there.paper": ("Папир је ту", "The paper is here"),
    "att.job.there.mail": ("Порука је стигла", "The mail arrived"),
    "att.job.not_needed": ("Није потребно", "Not needed"),
    "att.job.pdf_instead": ("PDF уместо папира", "PDF instead of paper"),
    "att.job.as_pdf": ("PDF", "PDF"),
    "att.job.pdf": ("Отвори као PDF", "Open as PDF"),
    "att.job.pdf_opened": ("PDF се отвара.", "The PDF is being opened."),
    "att.job.pdf_no_program": (
        "PDF није могао да се отвори. Датотека је овде: {file}",
        "The PDF could not be opened. The file is here: {file}",
    ),
    "att.job.asked_again": ("Понавља се.", "It is repeated."),
    # --- what stood in the way: handover_ports.Trouble -------------------------------------------
    "att.trouble.away": ("уређај се не јавља", "the device does not answer"),
    "att.trouble.away.paper": ("штампач се не јавља", "the printer does not answer"),
    "att.trouble.away.mail": ("сервер поште се не јавља", "the mail server does not answer"),
    "att.trouble.busy": ("заузет је", "it is busy"),
    "att.trouble.no_right": ("програм нема право на уређај", "no right to use the device"),
    "att.trouble.cut_off": ("веза је прекинута", "the connection broke"),
    "att.trouble.stuck": ("стао је", "it got stuck"),
    "att.trouble.not_set_up": ("уређај није подешен", "no device is set up"),
    "att.trouble.too_old": ("чекало је дуже од једног дана", "it waited for more than a day"),
    "att.trouble.interrupted": ("сервер је угашен усред посла", "the server was stopped meanwhile"),
    "att.trouble.offline": ("штампач је искључен из рада", "the printer is offline"),
    "att.trouble.paper_out": ("нема папира", "no paper"),
    "att.trouble.cover_open": ("поклопац је отворен", "the cover is open"),
    "att.trouble.cutter": ("нож је заглављен", "the knife is stuck"),
    "att.trouble.printer_error": ("грешка штампача", "an error of the printer"),
    "att.trouble.no_queue": ("ред за штампу не постоји", "there is no such print queue"),
    "att.trouble.queue_stopped": ("ред за штампу је заустављен", "the print queue is stopped"),
    "att.trouble.queue_refuses": ("ред за штампу не прима", "the print queue takes nothing"),
    "att.trouble.job_cancelled": ("неко је отказао штампу", "somebody cancelled the print"),
    "att.trouble.job_failed": ("штампа је прекинута", "the print broke off"),
    "att.trouble.not_finished": ("није завршено на време", "it did not end in time"),
    "att.trouble.document": ("папир не може да се нацрта", "the paper can't be drawn"),
    "att.trouble.no_encryption": ("сервер поште не шифрује", "the mail server does not encrypt"),
    "att.trouble.certificate": (
        "сертификату сервера поште се не верује",
        "the mail server's certificate is not trusted",
    ),
    "att.trouble.login": ("пријава на пошту није прошла", "the login at the mail server failed"),
    "att.trouble.sender": ("сервер поште не прима пошиљаоца", "the sender was refused"),
    "att.trouble.recipient": ("адреса купца не ваља", "the customer's address was refused"),
    "att.trouble.refused": ("сервер поште је одбио поруку", "the mail server refused it"),
    "att.trouble.other": ("непознат узрок", "an unknown cause"),
}
