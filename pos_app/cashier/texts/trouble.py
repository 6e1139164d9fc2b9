"""Words of what Attention tells beside sales: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SERVER: Mapping[str, tuple[str, str]] = MappingProxyType({
    # --- why, in a few words: on the bottom line too ---------------------------------------------
    "status.storage": ("Подаци касе", "Till's data"),
    "status.catalogue": ("Каталог", "Catalogue"),
    "status.storage.disk_full": ("диск је пун", "the disk is full"),
    "status.storage.database_busy": ("заузима други програм", "used by another program"),
    "status.storage.database_damaged": ("читање не успева", "can't be read"),
    "status.storage.disk_failed": ("диск не ради исправно", "the disk fails"),
    "status.storage.other": ("приступ не успева", "not available"),
    "status.disk": ("Диск", "Disk"),
    "status.disk.nearly_full": ("скоро је пун", "is nearly full"),
    "works.no_storage": (
        "Ништа не може да се дода ни потврди; додирните овде",
        "Nothing can be added or confirmed; tap here",
    ),
    "works.no_catalogue": (
        "Артикли сада не могу да се прочитају; корпа може да се наплати",
        "Items can't be read; the cart can be paid",
    ),
    "picker.unread": ("Артикли сада не могу да се прочитају", "Items can't be read now"),
    "picker.unread_words": (
        "Оно што је у корпи може да се наплати. Каса стално покушава поново.",
        "What is in the cart can be paid. The till keeps trying.",
    ),
    "server.why": ("не може да се покрене", "can't be started"),
    "server.why.already_running": ("подаци су заузети", "its data are in use"),
    "server.why.data_folder_not_writable": ("не може да пише податке", "can't write its data"),
    "server.why.database_too_new": ("подаци су новије верзије", "its data are newer"),
    "server.why.database_damaged": ("подаци су оштећени", "its data are damaged"),
    "server.why.database_busy": ("подаци су заузети", "its data are in use"),
    "server.why.disk_full": ("диск је пун", "the disk is full"),
    "server.why.disk_failed": ("диск не ради исправно", "the disk fails"),
    "server.why.port_taken": ("омета га други програм", "another program is in its way"),
    "server.why.foreign": ("јавља се други програм", "another program answers"),
    "server.why.other_install": ("јавља се друга каса", "another till's server answers"),
    "server.why.other_environment": ("јавља се друга продавница", "another shop's server answers"),
    "server.why.other_version": ("друге је верзије", "it is of another version"),
    "server.why.settings_broken": ("није исправно подешен", "it is not set up right"),
})  # fmt: skip
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType({
    # --- this till's own files -------------------------------------------------------------------
    "att.row.storage_fails": ("Каса не може да уписује", "The till can't write"),
    "att.ask.storage_fails": ("Зашто каса не може да уписује?", "Why can't the till write?"),
    "att.safe.storage.till": (
        "Потврђене продаје су сачуване; нова не може да се потврди.",
        "Confirmed sales are kept; no new one can be confirmed.",
    ),
    "att.row.catalogue_fails": ("Каталог не може да се прочита", "The catalogue can't be read"),
    "att.ask.catalogue_fails": (
        "Зашто каталог не може да се прочита?",
        "Why can't the catalogue be read?",
    ),
    "att.safe.storage.catalogue": (
        "Оно што је у корпи може да се наплати; нови артикли не могу да се додају.",
        "What is in the cart can be paid; no item can be added.",
    ),
    "att.go_on_storage": (
        "Ово нестаје само, чим каса поново чита и уписује.",
        "This goes by itself once the till reads and writes again.",
    ),
    # --- the server's disk -----------------------------------------------------------------------
    "att.row.free_disk": ("Диск је скоро пун", "The disk is nearly full"),
    "att.ask.free_disk": ("Зашто се рачун не издаје?", "Why is the receipt not issued?"),
    "att.why.free_disk": ("ослободите простор на диску", "free some room on the disk"),
    "att.happened.free_disk": (
        "Диск је скоро пун, а рачун се издаје тек кад сигурно може да се сачува.",
        "The disk is nearly full, and a receipt is issued only where it can surely be kept.",
    ),
    "att.safe.free_disk": (
        "Јесте. Сачувана је у каси и издаје се редом, чим на диску буде места.",
        "Yes. It is kept at the till and is issued in turn once the disk has room.",
    ),
    "att.press.free_disk": (
        "Ослободите простор на диску, бар 64 MB; каса наставља сама.",
        "Free some room on the disk, at least 64 MB; the till goes on by itself.",
    ),
    # --- the server ------------------------------------------------------------------------------
    "att.row.server_fails": ("Сервер не ради", "The server does not work"),
    "att.ask.server_fails": ("Зашто сервер не ради?", "Why does the server not work?"),
    "att.safe.server": (
        "Потврђене продаје су сачуване у каси и издају се чим сервер проради.",
        "Confirmed sales are kept at the till and are issued once the server works.",
    ),
    "att.stranger.foreign": (
        "Уместо сервера се јавља други програм.",
        "Another program answers in place of the server.",
    ),
    "att.stranger.foreign.do": (
        "Угасите тај програм, или поново покрените рачунар.",
        "End that program, or restart the computer.",
    ),
    "att.stranger.other_install": (
        "Уместо сервера се јавља сервер друге касе.",
        "Another till's server answers in place of the server.",
    ),
    "att.stranger.other_install.do": (
        "Угасите ту касу, или позовите подршку да их раздвоји.",
        "Close that till, or call support to keep them apart.",
    ),
    "att.stranger.other_environment": (
        "Уместо сервера се јавља сервер друге врсте продавнице.",
        "A server of another kind of shop answers in place of the server.",
    ),
    "att.stranger.other_environment.do": (
        "Угасите тај програм, или поново покрените рачунар.",
        "End that program, or restart the computer.",
    ),
    "att.stranger.other_version": (
        "Ради сервер друге верзије програма.",
        "A server of another version is running.",
    ),
    "att.stranger.other_version.do": (
        "Поново покрените рачунар; ако се понови, инсталирајте најновију верзију.",
        "Restart the computer; if it happens again, install the newest version.",
    ),
    "att.step.server": ("Када отклоните узрок", "Once the cause is fixed"),
    "att.step.server_words": (
        "Каса и сама покушава поново, сваких пола минута",
        "The till tries again by itself, every half a minute",
    ),
    "att.start_server": ("Покрени сервер", "Start the server"),
    "att.starting": ("Сервер се покреће.", "The server is being started."),
    # --- alarms ----------------------------------------------------------------------------------
    "att.row.late_receipt": ("Рачун је накнадно издат", "A receipt was issued late"),
    "att.ask.late_receipt": ("Рачун је накнадно издат", "A receipt was issued late"),
    "att.happened.late_receipt": (
        (
            "Рачун {number} на {total} издат је {when}, а пре тога је утврђено да не постоји. "
            "Његова продаја је у међувремену решена друкчије."
        ),
        (
            "Receipt {number} of {total} was issued {when}, after it had been proven not to exist. "
            "Its sale was settled in another way meanwhile."
        ),
    ),
    "att.safe.late_receipt": (
        "Јесте. Али за исту продају можда важе два рачуна.",
        "Yes. But two receipts may be valid for the same sale.",
    ),
    "att.press.late_receipt": (
        "Рачун {number} треба рефундирати: запишите број и износ. Купац плаћа само једном.",
        ("Receipt {number} is to be refunded: write down its number and amount. "
        "The customer pays only once."),
    ),
    "att.row.foreign_traffic": ("Неко други издаје рачуне", "Somebody else issues receipts"),
    "att.ask.foreign_traffic": (
        "Ко још користи овај безбедносни елемент?",
        "Who else uses this secure element?",
    ),
    "att.why.foreign_traffic": ("бројач са {before} на {now}", "counter from {before} to {now}"),
    "att.happened.foreign_traffic": (
        ("Мимо овог сервера издат је {n} рачун; бројач је са {before} дошао на {now}."
        "|Мимо овог сервера издата су {n} рачуна; бројач је са {before} дошао на {now}."
        "|Мимо овог сервера издато је {n} рачуна; бројач је са {before} дошао на {now}."),
        ("{n} receipt was not issued through this server; the counter went from {before} to {now}."
        "|{n} receipts were not issued through this server; the counter went from {before} to"
        " {now}."),
    ),
    "att.safe.foreign_traffic": (
        "Јесте. Продаје ове касе су све ту и нису издате два пута.",
        "Yes. All sales of this till are there and none was issued twice.",
    ),
    "att.press.foreign_traffic": (
        "Проверите да ли други програм сме да користи исту картицу. Ако не сме, угасите га.",
        "Find out whether another program may use the same card. If it may not, end it.",
    ),
    "att.row.answer_differs": ("Одговор процесора се разликује", "The processor's answer differs"),
    "att.ask.answer_differs": (
        "Рачун је издат, али се одговор процесора разликује",
        "The receipt is issued, but the processor's answer differs",
    ),
    "att.happened.answer_differs": (
        (
            "Одговор процесора на {n} рачун разликује се у: {what}. Рачун је издат: {number}.|Код "
            "{n} рачуна одговор процесора се разликује у: {what}. Рачуни су издати, последњи је "
            "{number}.|Код {n} рачуна одговор процесора се разликује у: {what}. Рачуни су издати, "
            "последњи је {number}."
        ),
        (
            "The processor's answer to {n} receipt differs in: {what}. It is issued: {number}.|The "
            "processor's answers to {n} receipts differ in: {what}. The receipts are issued, the "
            "last is {number}."
        ),
    ),
    "att.safe.answer_differs": (
        "Јесте. Број, износ, врста и време су исти: рачун је издат једном.",
        "Yes. Number, amount, type and time are the same: the receipt was issued once.",
    ),
    "att.press.answer_differs": (
        "Упоредите рачун са продајом и јавите сервису процесора шта се разликује.",
        "Compare the receipt with its sale, and tell the processor's service what differs.",
    ),
    "att.step.seen": ("Управник потврђује да је видео", "A manager confirms to have seen it"),
    "att.seen_note": (
        "Уписује се ко је потврдио; порука се више не приказује",
        "Who confirmed it is recorded; this is not shown any more",
    ),
    "att.alarm_seen": ("Виђено", "Seen"),
    "att.seen_kept": ("Забележено.", "Recorded."),
    # --- callers that the server refused ---------------------------------------------------------
    "att.row.refused_caller": ("Одбијен је програм", "A program was refused"),
    "att.ask.refused_caller": ("Кога је сервер одбио?", "Whom did the server refuse?"),
    "att.caller.nameless": ("није рекао ко је", "it did not say who it is"),
    "att.caller.origin": (
        "Веб-страница {who} је тражила нешто од сервера и одбијена је.",
        "The web page {who} asked the server for something and was refused.",
    ),
    "att.caller.origin.do": (
        "Ако јој верујете, позовите подршку да дозволи {who}. Иначе не треба ништа.",
        "If you trust it, call support to allow {who}. Otherwise nothing.",
    ),
    "att.caller.site": (
        "Једна веб-страница је тражила нешто од сервера и одбијена је.",
        "A web page asked the server for something and was refused.",
    ),
    "att.caller.site.do": (
        "Ако јој верујете, позовите подршку да је дозволи. Иначе не треба ништа.",
        "If you trust it, call support to allow it. Otherwise nothing.",
    ),
    "att.caller.host": (
        "Програм је тражио сервер под именом {who}, које није дозвољено.",
        "A program asked for the server by the name {who}, which is not allowed.",
    ),
    "att.caller.host.do": (
        "Ако му верујете, позовите подршку да дозволи {who}. Иначе не треба ништа.",
        "If you trust it, call support to allow {who}. Otherwise nothing.",
    ),
    "att.caller.api_off": (
        "Други програм је тражио рачун, а издавање за друге програме је искључено.",
        "Another program asked for a receipt, but issuing for other programs is switched off.",
    ),
    "att.caller.api_off.do": (
        "Ако треба да ради, позовите подршку да га укључи. Иначе не треба ништа.",
        "If it is to work, call support to switch it on. Otherwise nothing.",
    ),
    "att.caller.other": (
        "Програм је одбијен: {message}.",
        "A program was refused: {message}.",
    ),
    "att.caller.times": (
        "Данас {n} пут.|Данас {n} пута.|Данас {n} пута.",
        "Once today.|{n} times today.",
    ),
    "att.caller.safe": (
        "Јесте. Одбијен захтев ништа не мења.",
        "Yes. A request that is refused changes nothing.",
    ),
    "att.caller.do": ("Ништа. Каса ради.", "Nothing. The till works."),
})  # fmt: skip
