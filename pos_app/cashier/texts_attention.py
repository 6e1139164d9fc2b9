"""Words of the screen Attention: key -> (Serbian Cyrillic, English). Taught to `Words` by it."""

from __future__ import annotations

from pos_app.cashier import (
    texts_completing,
    texts_jobs,
    texts_more,
    texts_pairs,
    texts_restored,
    texts_steps,
    texts_trouble,
)

TEXTS: dict[str, tuple[str, str]] = {
    # --- the screen ------------------------------------------------------------------------------
    "att.title": ("Пажња", "Attention"),
    "att.back": ("Продаја", "Sale"),
    "att.items": ("{n} ставка|{n} ставке|{n} ставки", "{n} item|{n} items"),
    "att.all_well": ("све је у реду", "all is well"),
    "att.group.needs_you": ("Тражи одлуку", "Needs a decision"),
    "att.group.goes_on": ("Чека и наставља само", "Waits and goes on by itself"),
    "att.group.for_knowing": ("За знање", "For your information"),
    "att.list": ("Шта чека", "What waits"),
    "att.empty": ("Све је у реду", "All is well"),
    "att.empty_words": (
        "Ништа не чека и ниједан рачун није у сумњи.",
        "Nothing waits and no receipt is in doubt.",
    ),
    "att.solved_today": ("Данас решено {n}", "Solved today {n}"),
    "att.show_solved": ("Прикажи решено", "Show solved"),
    "att.show_open": ("Прикажи отворено", "Show open"),
    "att.solved": ("Решено данас", "Solved today"),
    "att.nothing_solved": ("Данас ништа није тражило помоћ.", "Nothing needed help today."),
    "att.show_lines": ("Прикажи ставке", "Show items"),
    "att.show_steps": ("Назад на кораке", "Back to the steps"),
    "att.lines": ("Ставке продаје", "Items of the sale"),
    "att.go_on": (
        "Нове продаје можете да куцате. Чекају овде и излазе редом чим се сумња реши.",
        "You can go on selling. New sales wait here and go out in order once this is solved.",
    ),
    "att.go_on_quiet": (
        "Нове продаје можете да куцате; ништа се не губи.",
        "You can go on selling; nothing is lost.",
    ),
    "att.heads.happened": ("Шта се догодило", "What happened"),
    "att.heads.safe": ("Да ли је продаја сачувана", "Is the sale safe"),
    "att.heads.press": ("Шта сада", "What now"),
    "att.at_today": ("данас у {time}", "today at {time}"),
    "att.at_day": ("{day} у {time}", "{day} at {time}"),
    "att.sale_at": ("Продаја {when}", "Sale {when}"),
    "att.asked_at": ("Захтев {when}", "Asked {when}"),
    "att.amount": ("Износ", "Amount"),
    "att.unknown_total": ("износ није познат", "amount not known"),
    "att.bug": (
        "Десила се грешка у програму. Забележена је; продаја је сачувана.",
        "The program made a mistake. It is in the log; the sale is safe.",
    ),
    # --- rows ------------------------------------------------------------------------------------
    "att.row.decide": ("Не зна се да ли је рачун издат", "Unknown whether it was issued"),
    "att.row.looked_up": ("Тражи се рачун", "The receipt is looked for"),
    "att.row.foreign_doubt": (
        "Рачун другог програма у сумњи",
        "A receipt of another program in doubt",
    ),
    "att.row.correct_or_drop": ("Сервер је одбио продају", "The server refused the sale"),
    "att.row.help_processor": ("Процесор тражи помоћ", "The processor needs help"),
    "att.row.refund": ("Одбачена, а рачун је издат", "Dropped, yet issued"),
    "att.row.unreadable": ("Издат, али нечитљив", "Issued, but unreadable"),
    "att.row.take_back": ("Спремна за исправку", "Ready to be corrected"),
    "att.row.sent": ("Продаја се шаље", "The sale is being sent"),
    "att.row.waits_for_server": ("Продаја чека сервер", "The sale waits for the server"),
    "att.row.waits_for_processor": ("Продаја чека процесор", "The sale waits for the processor"),
    "att.row.waits_behind": ("Продаја чека ред", "The sale waits for its turn"),
    "att.row.cancelled_soon": ("Продаја се поништава", "The sale is being cancelled"),
    "att.row.solved.done": ("Рачун {number}", "Receipt {number}"),
    "att.row.solved.cancelled": ("Поништена продаја", "Cancelled sale"),
    "att.why.waits_behind": ("иза раније продаје", "behind an earlier sale"),
    "att.why.waits_for_server": ("сервер се не јавља", "the server does not answer"),
    "att.why.stranger": ("на адреси је други програм", "another program is at its address"),
    "att.why.waits_for_processor": ("шаље се чим процесор проради", "sent once it works again"),
    "att.why.lane": ("иза рачуна у сумњи", "behind the receipt in doubt"),
    "att.why.sent": ("на реду је", "its turn has come"),
    "att.why.cancelled_soon": ("чека се реч сервера", "the server's word is awaited"),
    "att.why.drop_not_compared": (
        "чека се одговор процесора или управник",
        "the processor's answer or a manager is awaited",
    ),
    "att.why.looked_up": ("каса и сервер га траже сами", "till and server look for it"),
    "att.why.refund": ("купац је без рачуна", "the customer has no receipt"),
    "att.why.unreadable": ("папир се овде не може направити", "its paper can't be made here"),
    "att.why.take_back": ("стари захтев је поништен", "the old request is cancelled"),
    "att.why.cancelled": ("ништа није издато", "nothing was issued"),
    # --- titles ----------------------------------------------------------------------------------
    "att.ask.decide": ("Да ли је овај рачун издат?", "Was this receipt issued?"),
    "att.ask.looked_up": ("Да ли је овај рачун издат?", "Was this receipt issued?"),
    "att.ask.foreign_doubt": ("Да ли је овај рачун издат?", "Was this receipt issued?"),
    "att.ask.correct_or_drop": ("Исправити или одбацити?", "Correct it or drop it?"),
    "att.ask.help_processor": ("Шта тражи процесор?", "What does the processor need?"),
    "att.ask.refund": ("Рачун је ипак издат", "The receipt was issued after all"),
    "att.ask.unreadable": (
        "Рачун је издат, али се не може прочитати",
        "The receipt is issued, but can't be read",
    ),
    "att.ask.take_back": ("Вратити ставке у корпу?", "Take the items back into the cart?"),
    "att.ask.sent": ("Продаја се шаље", "The sale is being sent"),
    "att.ask.waits_for_server": ("Продаја чека сервер", "The sale waits for the server"),
    "att.ask.waits_for_processor": ("Продаја чека процесор", "The sale waits for the processor"),
    "att.ask.waits_behind": ("Продаја чека ред", "The sale waits for its turn"),
    "att.ask.cancelled_soon": ("Продаја се поништава", "The sale is being cancelled"),
    "att.ask.solved": ("Решено", "Solved"),
    # --- what happened ---------------------------------------------------------------------------
    "att.happened.decide": (
        "Веза са процесором је прекинута пре него што је стигао одговор.",
        "The link to the processor broke before its answer arrived.",
    ),
    "att.happened.interrupted": (
        "Каса је угашена док се рачун слао, па одговор није стигао.",
        "The till ended while the receipt was sent, so no answer arrived.",
    ),
    "att.happened.unconfirmed": (
        "Диск или каса су стали баш при потврди. Продаја је ипак сачувана, а рачун није послат.",
        "Disk or till stopped just as it was confirmed. The sale was kept, but not sent.",
    ),
    "att.happened.looked_up": (
        "Одговор процесора није стигао. Сервер пита да ли је рачун издат.",
        "The processor's answer did not arrive. The server is asking whether it was issued.",
    ),
    "att.happened.foreign_doubt": (
        "Други програм је тражио рачун, а одговор процесора није стигао.",
        "Another program asked for a receipt and the processor's answer did not arrive.",
    ),
    "att.happened.refund": (
        "Продаја је одбачена, али је рачун {number} већ био издат.",
        "The sale was dropped, but receipt {number} had been issued already.",
    ),
    "att.happened.unreadable": (
        "Рачун {number} је издат, али сервер не може да прочита оно што је о њему сачувао.",
        "Receipt {number} is issued, but the server can't read what it kept of it.",
    ),
    "att.happened.take_back": (
        "Стари захтев је поништен: за њега ништа није издато и неће бити.",
        "The old request is cancelled: nothing was and nothing will be issued for it.",
    ),
    "att.happened.sent": (
        "Продаја је на реду и предаје се серверу.",
        "Its turn has come and it is handed to the server.",
    ),
    "att.happened.waits_for_server": (
        "Сервер за издавање рачуна се не јавља.",
        "The server that issues receipts does not answer.",
    ),
    "att.happened.stranger": (
        "На адреси сервера се јавља други програм.",
        "Another program answers at the server's address.",
    ),
    "att.happened.waits_for_processor": (
        "Процесор сада не издаје рачуне.",
        "The processor issues no receipts at the moment.",
    ),
    "att.happened.lane": (
        "Један ранији рачун је у сумњи и заузима процесор.",
        "An earlier receipt is in doubt and keeps the processor.",
    ),
    "att.happened.waits_behind": (
        "Ранија продаја иде прва.",
        "An earlier sale goes first.",
    ),
    "att.happened.cancelled_soon": (
        "Продаја је одбачена и чека се реч сервера да ништа није издато.",
        "The sale was dropped; the server's word that nothing was issued is awaited.",
    ),
    "att.happened.drop_not_compared": (
        (
            "Продаја је одбачена, а дневник рачуна још није упоређен с процесором. Поништиће се"
            " чим процесор да одговор, односно чим управник види упозорење."
        ),
        (
            "The sale was dropped, but the journal was not compared with the processor yet."
            " It is cancelled once the processor answers, or a manager has seen the alarm."
        ),
    ),
    "att.happened.solved.done": (
        "Издат је рачун {number} {when}.",
        "Receipt {number} was issued {when}.",
    ),
    "att.happened.solved.cancelled": (
        "Продаја је поништена {when}; ништа није издато.",
        "The sale was cancelled {when}; nothing was issued.",
    ),
    "att.help.pin": ("Процесор тражи ПИН картице.", "The processor asks for the card's PIN."),
    "att.help.card": ("Картица није у читачу.", "The card is not in the reader."),
    "att.help.limit": (
        "Картица је пуна непослатих рачуна: чека се очитавање.",
        "The card is full of unsent receipts: an audit is awaited.",
    ),
    "att.help.not_configured": (
        "Процесор још није подешен.",
        "The processor is not configured yet.",
    ),
    "att.help.other": ("Процесор не издаје рачуне.", "The processor issues no receipts."),
    "att.help_do.pin": (
        "Унесите ПИН на процесору; каса наставља сама.",
        "Enter the PIN at the processor; the till goes on by itself.",
    ),
    "att.help_do.card": (
        "Вратите картицу у читач; каса наставља сама.",
        "Put the card back; the till goes on by itself.",
    ),
    "att.help_do.limit": (
        "Повежите процесор на интернет да се очита; каса наставља сама.",
        "Connect the processor to the internet; the till goes on by itself.",
    ),
    "att.help_do.not_configured": (
        "Подесите процесор у подешавањима.",
        "Set the processor up in the settings.",
    ),
    "att.help_do.other": (
        "Погледајте поруку процесора: {code}",
        "Look at the processor's message: {code}",
    ),
    # --- is it safe ------------------------------------------------------------------------------
    "att.safe.doubt": (
        "Јесте. Сачувана је у каси и неће бити послата два пута.",
        "Yes. It is kept at the till and will not be sent twice.",
    ),
    "att.safe.foreign": (
        "Захтев је сачуван на серверу и неће бити послат два пута.",
        "The request is kept by the server and will not be sent twice.",
    ),
    "att.safe.unconfirmed": (
        "Јесте. Сачувана је у каси; рачун сигурно није издат.",
        "Yes. It is kept at the till; surely no receipt was issued.",
    ),
    "att.safe.refused": (
        "Јесте. Сачувана је у каси; рачун сигурно није издат.",
        "Yes. It is kept at the till; surely no receipt was issued.",
    ),
    "att.safe.waiting": (
        "Јесте. Сачувана је и излази сама, редом.",
        "Yes. It is kept and goes out by itself, in order.",
    ),
    "att.safe.refund": (
        "Рачун важи код Пореске управе док се не рефундира.",
        "The receipt stands until it is refunded.",
    ),
    "att.safe.unreadable": (
        "Јесте. Рачун важи код Пореске управе; не куцајте продају поново.",
        "Yes. The receipt is valid; do not ring the sale up again.",
    ),
    "att.safe.take_back": (
        "Јесте. Ставке су сачуване у каси.",
        "Yes. Its items are kept at the till.",
    ),
    "att.safe.solved": ("Јесте.", "Yes."),
    # --- what now --------------------------------------------------------------------------------
    "att.press.doubt": (
        "Скенирајте QR код са папира процесора, или следите кораке.",
        "Scan the QR code on the processor's paper, or follow the steps.",
    ),
    "att.press.looked_up": (
        "Сачекајте. Ако журите, следите кораке.",
        "Wait. If you are in a hurry, follow the steps.",
    ),
    "att.press.unconfirmed": (
        "Ако је купац платио и однео робу, пошаљите је поново. Ако није, одбаците је уз разлог.",
        "If the customer paid and took the goods, send it again. If not, drop it with a reason.",
    ),
    "att.press.refused": (
        "Исправите продају, или је одбаците уз разлог.",
        "Correct the sale, or drop it with a reason.",
    ),
    "att.press.waiting": (
        "Ништа. Наставите да продајете.",
        "Nothing. Go on selling.",
    ),
    "att.press.refund": (
        "Дајте купцу рачун, или га рефундирајте у Рачунима.",
        "Hand the receipt over, or refund it under Receipts.",
    ),
    "att.press.refund_unreadable": (
        "Јавите подршци: рефундира се кад се дневник сервера поправи.",
        "Tell support: it can be refunded once the server's journal is mended.",
    ),
    "att.press.unreadable": (
        "Купцу без папира препишите број рачуна. Јавите подршци: дневник сервера је оштећен.",
        "Copy the number for a customer without paper. Tell support: the journal is damaged.",
    ),
    "att.press.take_back": (
        "Вратите ставке у корпу, исправите и наплатите поново.",
        "Take the items back, correct them and take the payment again.",
    ),
    "att.press.solved": ("Ништа.", "Nothing."),
}

_ALL = (
    TEXTS
    | texts_steps.TEXTS
    | dict(texts_trouble.TEXTS)
    | texts_completing.TEXTS
    | texts_jobs.TEXTS
    | texts_more.TEXTS
    | texts_pairs.TEXTS
    | texts_restored.TEXTS
)
SERBIAN = {key: serbian for key, (serbian, _) in _ALL.items()}
ENGLISH = {key: english for key, (_, english) in _ALL.items()}
