"""Words of the screen Attention: key -> (Serbian Cyrillic, English). Taught to `Texts` by it."""

from __future__ import annotations

from pos_app.cashier.texts import (
    completing,
    jobs,
    more,
    pairs,
    restored,
    steps,
    trouble,
)

TEXTS: dict[str, tuple[str, str]] = {
    # --- the screen ------------------------------------------------------------------------------
    "att.title": ("Пажња", "Attention"),
    "att.back": ("Продаја", "Sale"),
    "att.items": ("{n} ставка|{n} ставке|{n} ставки", "{n} item|{n} items"),
    "att.all_well": ("све је у реду", "all is well"),
    "att.under_way": ("још се ради", "still under way"),
    "att.keys.rows": ("Други ред", "Another row"),
    "att.keys.enter": ("Истакнуто дугме", "The highlighted button"),
    "att.keys.tab": ("Следеће дугме или поље", "The next button or field"),
    "att.row.drawer_shut": ("Фиока се није отворила", "The drawer did not open"),
    "att.row.drawer_unknown": ("Фиока се можда није отворила", "Perhaps the drawer did not open"),
    "att.why.drawer_shut": ("уз продају за готовину", "with a sale for cash"),
    "att.why.drawer_unknown": ("уз продају за готовину", "with a sale for cash"),
    "att.ask.drawer_shut": ("Фиока се није отворила", "The drawer did not open"),
    "att.ask.drawer_unknown": ("Да ли је фиока отворена?", "Is the drawer open?"),
    "att.drawer.seen": ("Фиока је отворена", "The drawer is open"),
    "att.drawer.note": (
        "Ако је отворите кључем, потврдите овде.",
        "If you open it with its key, say so here.",
    ),
    "att.group.needs_you": ("Тражи одлуку", "Needs a decision"),
    "att.group.goes_on": ("Чека и наставља само", "Waiting, goes on by itself"),
    "att.group.for_knowing": ("За знање", "For your information"),
    "att.list": ("На чекању", "Waiting"),
    "att.empty": ("Све је у реду", "All is well"),
    "att.empty_words": (
        "Ништа не чека и ниједан рачун није у сумњи.",
        "Nothing is waiting and no receipt is in doubt.",
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
        "Нове продаје можете да куцате. Чекају овде и издају се редом чим се ово реши.",
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
        "Догодила се грешка у програму. Забележена је; продаја је сачувана.",
        "The program has made an error. It was recorded; the sale is safe.",
    ),
    # --- rows ------------------------------------------------------------------------------------
    "att.row.decide": ("Не зна се да ли је рачун издат", "Not known whether it was issued"),
    "att.row.looked_up": ("Тражи се рачун", "Looking for the receipt"),
    "att.row.foreign_doubt": (
        "Рачун другог програма у сумњи",
        "Receipt of another program in doubt",
    ),
    "att.row.correct_or_drop": ("Сервер је одбио продају", "The server refused the sale"),
    "att.row.help_processor": ("Процесор тражи помоћ", "The processor needs help"),
    "att.row.refund": ("Продаја одбачена, а рачун издат", "Sale dropped, yet issued"),
    "att.row.unreadable": ("Издат, али нечитљив", "Issued, but unreadable"),
    "att.row.take_back": ("Спремна за исправку", "Ready to be corrected"),
    "att.row.sent": ("Продаја се шаље", "The sale is being sent"),
    "att.row.waits_for_server": ("Продаја чека сервер", "The sale waits for the server"),
    "att.row.waits_for_processor": ("Продаја чека процесор", "The sale waits for the processor"),
    "att.row.waits_behind": ("Продаја чека на ред", "The sale waits for its turn"),
    "att.row.cancelled_soon": ("Продаја се поништава", "The sale is being cancelled"),
    "att.row.solved.done": ("Рачун {number}", "Receipt {number}"),
    "att.row.solved.cancelled": ("Поништена продаја", "Cancelled sale"),
    "att.why.waits_behind": ("иза раније продаје", "behind an earlier sale"),
    "att.why.waits_for_server": ("сервер се не јавља", "the server does not answer"),
    "att.why.stranger": ("јавља се други програм", "another program answers"),
    "att.why.waits_for_processor": ("шаље се чим процесор проради", "sent once it works again"),
    "att.why.lane": ("иза рачуна у сумњи", "behind the receipt in doubt"),
    "att.why.sent": ("на реду је", "its turn has come"),
    "att.why.cancelled_soon": ("чека се потврда сервера", "waiting for the server to confirm"),
    "att.why.drop_not_compared": (
        "чека се одговор процесора или управник",
        "waiting for the processor or a manager",
    ),
    "att.why.looked_up": ("каса и сервер га траже сами", "till and server are looking for it"),
    "att.why.refund": ("купац је без рачуна", "the customer has no receipt"),
    "att.why.unreadable": ("овде не може да се одштампа", "it can't be printed here"),
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
    "att.ask.waits_behind": ("Продаја чека на ред", "The sale waits for its turn"),
    "att.ask.cancelled_soon": ("Продаја се поништава", "The sale is being cancelled"),
    "att.ask.solved": ("Решено", "Solved"),
    # --- what happened ---------------------------------------------------------------------------
    "att.happened.decide": (
        "Веза са процесором је прекинута пре него што је стигао одговор.",
        "The connection to the processor broke before its answer arrived.",
    ),
    "att.happened.interrupted": (
        "Каса је угашена док се рачун слао, па одговор није стигао.",
        "The till was switched off while the receipt was being sent, so no answer arrived.",
    ),
    "att.happened.unconfirmed": (
        "Диск или каса су стали у тренутку потврде. Продаја је ипак сачувана, а рачун није послат.",
        "The disk or the till stopped just as it was confirmed. The sale was kept, but not sent.",
    ),
    "att.happened.looked_up": (
        "Одговор процесора није стигао. Сервер проверава да ли је рачун издат.",
        "The processor's answer did not arrive. The server is checking whether it was issued.",
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
        "Рачун {number} је издат, али сервер не може да га прочита.",
        "Receipt {number} is issued, but the server can't read it.",
    ),
    "att.happened.take_back": (
        "Стари захтев је поништен: за њега ништа није издато и неће бити.",
        "The old request is cancelled: nothing was and nothing will be issued for it.",
    ),
    "att.happened.sent": (
        "Продаја је дошла на ред и шаље се серверу.",
        "Its turn has come and it is being sent to the server.",
    ),
    "att.happened.waits_for_server": (
        "Сервер за издавање рачуна се не јавља.",
        "The server that issues receipts does not answer.",
    ),
    "att.happened.stranger": (
        "Уместо сервера се јавља други програм.",
        "Another program answers in place of the server.",
    ),
    "att.happened.waits_for_processor": (
        "Фискални процесор сада не издаје рачуне.",
        "The fiscal processor issues no receipts at the moment.",
    ),
    "att.happened.lane": (
        "Један ранији рачун је у сумњи и заузима процесор.",
        "An earlier receipt is in doubt and keeps the processor busy.",
    ),
    "att.happened.waits_behind": (
        "Ранија продаја иде прва.",
        "An earlier sale goes first.",
    ),
    "att.happened.cancelled_soon": (
        "Продаја је одбачена и чека се потврда сервера да ништа није издато.",
        "The sale was dropped; the server is yet to confirm that nothing was issued.",
    ),
    "att.happened.drop_not_compared": (
        (
            "Продаја је одбачена, а рачуни још нису упоређени са процесором. Поништиће се чим "
            "стигне одговор процесора или управник потврди упозорење."
        ),
        (
            "The sale was dropped, but the receipts were not compared with the processor yet. It "
            "is cancelled once the processor answers, or a manager confirms the alert."
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
        "Картица је пуна непослатих рачуна: потребно је очитавање.",
        "The card is full of unsent receipts: it needs an audit.",
    ),
    "att.help.not_configured": (
        "Фискални процесор још није подешен.",
        "The fiscal processor is not set up yet.",
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
        "Позовите подршку да подеси процесор.",
        "Call support to set the processor up.",
    ),
    "att.help_do.other": (
        "Ако тако остане, позовите подршку и прочитајте: {code}",
        "If it stays so, call support and read out: {code}",
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
        "Yes. It is kept at the till; no receipt was issued, that is certain.",
    ),
    "att.safe.refused": (
        "Јесте. Сачувана је у каси; рачун сигурно није издат.",
        "Yes. It is kept at the till; no receipt was issued, that is certain.",
    ),
    "att.safe.waiting": (
        "Јесте. Сачувана је и шаље се сама, редом.",
        "Yes. It is kept and goes out by itself, in order.",
    ),
    "att.safe.refund": (
        "Рачун важи код Пореске управе док се не рефундира.",
        "The receipt is valid until it is refunded.",
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
        "Скенирајте QR код са папира процесора, или пратите кораке.",
        "Scan the QR code on the processor's paper, or follow the steps.",
    ),
    "att.press.looked_up": (
        "Сачекајте. Ако журите, пратите кораке.",
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
        "Позовите подршку: рефундација је могућа кад сервер опет буде могао да прочита рачун.",
        "Call support: it can be refunded once the server can read the receipt again.",
    ),
    "att.press.unreadable": (
        (
            "Купцу без папира препишите број рачуна. Позовите подршку: сачувани рачуни на серверу "
            "су оштећени."
        ),
        (
            "Copy the number for a customer without paper. Call support: the receipts kept on the "
            "server are damaged."
        ),
    ),
    "att.press.take_back": (
        "Вратите ставке у корпу, исправите и наплатите поново.",
        "Take the items back, correct them and take the payment again.",
    ),
    "att.press.solved": ("Ништа.", "Nothing."),
}

_ALL = (
    TEXTS
    | steps.TEXTS
    | dict(trouble.TEXTS)
    | completing.TEXTS
    | jobs.TEXTS
    | more.TEXTS
    | pairs.TEXTS
    | restored.TEXTS
)
SERBIAN = {key: serbian for key, (serbian, _) in _ALL.items()}
ENGLISH = {key: english for key, (_, english) in _ALL.items()}
