"""The words of what keeps a program from starting, by code and kind: (Serbian Cyrillic, English).

The same form as in texts/errors.py. Each has all three parts: whoever reads them stands before a
till that does not open.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

START: Mapping[str, tuple[str, str]] = MappingProxyType({
    "error.already_running": (
        "Исти програм већ ради са овим подацима",
        "The same program already works on these data",
    ),
    "error.already_running.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.already_running.do": (
        "Користите онај који ради; ако га не видите, поново покрените рачунар.",
        "Use the one that runs; if you can't see it, restart the computer.",
    ),
    "error.already_running.till": (
        "Каса је већ отворена",
        "The till is already open",
    ),
    "error.already_running.till.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.already_running.till.do": (
        "Пређите у њен прозор; ако га нема, поново покрените рачунар.",
        "Go to its window; if there is none, restart the computer.",
    ),
    "error.already_running.silent_till": (
        "Каса је већ отворена, али се не јавља",
        "The till is already open, but does not answer",
    ),
    "error.already_running.silent_till.safe": (
        "Потврђене продаје су сачуване.",
        "Confirmed sales are kept.",
    ),
    "error.already_running.silent_till.do": (
        "Сачекајте минут па је отворите поново; ако остане тако, поново покрените рачунар.",
        "Wait a minute and open it again; if it stays so, restart the computer.",
    ),
    "error.already_running.server": (
        "Сервер са овим подацима већ ради, а не јавља се",
        "A server already works on these data, and does not answer",
    ),
    "error.already_running.server.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.already_running.server.do": (
        "Сачекајте минут; ако остане тако, поново покрените рачунар.",
        "Wait a minute; if it stays so, restart the computer.",
    ),
    "error.already_running.newer": (
        "Ради сервер новије верзије програма: {version}",
        "A server of a newer version of the program is running: {version}",
    ),
    "error.already_running.newer.safe": ("Ништа није промењено.", "Nothing was changed."),
    "error.already_running.newer.do": (
        "Отворите касу те верзије, или поново покрените рачунар.",
        "Open the till of that version, or restart the computer.",
    ),
    "error.already_running.server_by_hand": (
        "Са подацима демоа већ ради сервер који сте сами покренули: {address}",
        "A server that you started yourself already works on the demo's data: {address}",
    ),
    "error.already_running.server_by_hand.safe": (
        "Он ради и даље; ништа није промењено.",
        "It goes on; nothing was changed.",
    ),
    "error.already_running.server_by_hand.do": (
        "Затворите прозор у ком тај сервер ради, па поново отворите демо.",
        "Close the window in which that server runs, then open the demo again.",
    ),
    "error.data_folder_not_writable": (
        "Каса не може да уписује своје податке",
        "The till can't write its data",
    ),
    "error.data_folder_not_writable.safe": (
        "Што је раније потврђено, остало је сачувано.",
        "What was confirmed before is kept.",
    ),
    "error.data_folder_not_writable.do": (
        "Позовите подршку и прочитајте: нема права уписа, {path}",
        "Call support and read out: no right to write, {path}",
    ),
    "error.data_folder_not_writable.file": (
        "Подаци касе нису на свом месту",
        "The till's data are not in their place",
    ),
    "error.data_folder_not_writable.file.safe": (
        "Што је раније потврђено, остало је сачувано.",
        "What was confirmed before is kept.",
    ),
    "error.data_folder_not_writable.file.do": (
        "Позовите подршку и прочитајте: {path}",
        "Call support and read out: {path}",
    ),
    "error.database_too_new": (
        "Податке је уписала новија верзија програма",
        "The data were written by a newer version of the program",
    ),
    "error.database_too_new.safe": ("Подаци нису промењени.", "The data were not changed."),
    "error.database_too_new.do": (
        (
            "Инсталирајте ту верзију или новију; ако не знате како, позовите подршку и прочитајте: "
            "{path}"
        ),
        (
            "Install that version or a newer one; if you don't know how, call support and read "
            "out: {path}"
        ),
    ),
    "error.database_damaged": (
        "Подаци су оштећени или нису од ове касе",
        "The data are damaged or not of this till",
    ),
    "error.database_damaged.safe": ("Подаци нису промењени.", "The data were not changed."),
    "error.database_damaged.do": (
        "Ништа не бришите. Позовите подршку и прочитајте: {path}",
        "Delete nothing. Call support and read out: {path}",
    ),
    "error.database_damaged.unreleased": (
        "Ови подаци нису на свом месту, или их је направило пробно издање програма",
        "These data are not in their place, or a trial build of the program made them",
    ),
    "error.database_damaged.unreleased.safe": (
        "Подаци нису промењени.",
        "The data were not changed.",
    ),
    "error.database_damaged.unreleased.do": (
        "Ништа не бришите. Позовите подршку и прочитајте: {path}",
        "Delete nothing. Call support and read out: {path}",
    ),
    "error.database_damaged.unreleased_ledger": (
        "Податке процесора за вежбу је направило пробно издање програма",
        "The practice processor's data were made by a trial build of the program",
    ),
    "error.database_damaged.unreleased_ledger.safe": (
        "Подаци нису промењени.",
        "The data were not changed.",
    ),
    "error.database_damaged.unreleased_ledger.do": (
        "Позовите подршку да склони старе податке; направиће се нови: {path}",
        "Call support to move the old data away; new ones are made: {path}",
    ),
    "error.unsafe_sqlite": (
        "Програм на овом рачунару није исправно инсталиран и може да изгуби податке",
        "The program is not installed right on this computer and can lose data",
    ),
    "error.unsafe_sqlite.safe": (
        "Ништа није отворено ни промењено.",
        "Nothing was opened or changed.",
    ),
    "error.unsafe_sqlite.do": (
        "Инсталирајте програм поново, или позовите подршку.",
        "Install the program again, or call support.",
    ),
    "error.port_taken": (
        "Други програм на овом рачунару омета сервер",
        "Another program on this computer is in the server's way",
    ),
    "error.port_taken.safe": (
        "Ништа није покренуто ни промењено.",
        "Nothing was started or changed.",
    ),
    "error.port_taken.do": (
        "Поново покрените рачунар; ако тако остане, позовите подршку и прочитајте: заузето {port}",
        "Restart the computer; if it stays so, call support and read out: {port} taken",
    ),
    "error.port_taken.ourselves": (
        "Сервер овог програма већ ради на овом рачунару",
        "A server of this program already works on this computer",
    ),
    "error.port_taken.ourselves.safe": (
        "Ништа није покренуто ни промењено.",
        "Nothing was started or changed.",
    ),
    "error.port_taken.ourselves.do": (
        "Користите тај сервер, или га прво угасите: {port}",
        "Use that server, or stop it first: {port}",
    ),
    "error.settings_broken": ("Каса није исправно подешена", "The till is not set up right"),
    "error.settings_broken.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.do": (
        "Позовите подршку и прочитајте: {path}",
        "Call support and read out: {path}",
    ),
    "error.settings_broken.value": ("Каса није исправно подешена", "The till is not set up right"),
    "error.settings_broken.value.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.value.do": (
        "Позовите подршку и прочитајте: {name}, {path}",
        "Call support and read out: {name}, {path}",
    ),
    "error.settings_broken.encoding": (
        "Каса није исправно подешена: погрешна слова",
        "The till is not set up right: wrong letters",
    ),
    "error.settings_broken.encoding.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.encoding.do": (
        "Позовите подршку и прочитајте: слова, ред {line}, {path}",
        "Call support and read out: letters, line {line}, {path}",
    ),
    "error.settings_broken.toml": (
        "Каса није исправно подешена: грешка у писању",
        "The till is not set up right: a slip in writing",
    ),
    "error.settings_broken.toml.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.toml.do": (
        "Позовите подршку и прочитајте: ред {line}, {path}",
        "Call support and read out: line {line}, {path}",
    ),
    "error.settings_broken.unknown": (
        "Каса није исправно подешена: непознат назив",
        "The till is not set up right: unknown name",
    ),
    "error.settings_broken.unknown.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.unknown.do": (
        "Позовите подршку и прочитајте: непознато {name}, {path}",
        "Call support and read out: unknown {name}, {path}",
    ),
    "error.settings_broken.near": (
        "Каса није исправно подешена: непознат назив",
        "The till is not set up right: unknown name",
    ),
    "error.settings_broken.near.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.near.do": (
        "Позовите подршку и прочитајте: {name}, а можда треба {near}, {path}",
        "Call support and read out: {name}, perhaps {near}, {path}",
    ),
    "error.settings_broken.host": (
        "Сервер није исправно подешен: адреса",
        "The server is not set up right: its address",
    ),
    "error.settings_broken.host.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.host.do": (
        "Позовите подршку и прочитајте: адреса сервера, {path}",
        "Call support and read out: server's address, {path}",
    ),
    "error.settings_broken.lan": (
        "Сервер није исправно подешен: кључ за мрежу",
        "The server is not set up right: its network key",
    ),
    "error.settings_broken.lan.safe": (
        "Ништа није покренуто.",
        "Nothing was started.",
    ),
    "error.settings_broken.lan.do": (
        "Позовите подршку и прочитајте: кључ за мрежу, {path}",
        "Call support and read out: network key, {path}",
    ),
    "error.settings_broken.other_shop": (
        "Ови подаци су од друге врсте продавнице",
        "These data are of another kind of shop",
    ),
    "error.settings_broken.other_shop.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.other_shop.do": (
        "Позовите подршку и прочитајте: {path}",
        "Call support and read out: {path}",
    ),
    "error.server_ended": (
        "Сервер се угасио пре него што је прорадио",
        "The server ended before it worked",
    ),
    "error.server_ended.safe": (
        "Што је раније потврђено, остало је сачувано.",
        "What was confirmed before is kept.",
    ),
    "error.server_ended.do": (
        "Позовите подршку и прочитајте: {path}",
        "Call support and read out: {path}",
    ),
    "error.settings_broken.processor_number": (
        "За прави фискални процесор недостаје број одобрења ЕСИР-а",
        "A real fiscal processor needs the approval number of this ESIR",
    ),
    "error.settings_broken.processor_number.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.processor_number.do": (
        "Позовите подршку да га упише.",
        "Call support to enter it.",
    ),
    "error.settings_broken.processor_address": (
        "Недостаје адреса фискалног процесора",
        "The address of the fiscal processor is missing",
    ),
    "error.settings_broken.processor_address.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.processor_address.do": (
        "Позовите подршку да је упише.",
        "Call support to enter it.",
    ),
    "error.settings_broken.address": (
        "Сервер није исправно подешен: адреса",
        "The server is not set up right: its address",
    ),
    "error.settings_broken.address.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.address.do": (
        "Позовите подршку и прочитајте: {host}:{port}",
        "Call support and read out: {host}:{port}",
    ),
    "error.machine_error": (
        "Инсталација програма није потпуна",
        "The installation of the program is not complete",
    ),
    "error.machine_error.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.machine_error.do": (
        "Инсталирајте програм поново.",
        "Install the program again.",
    ),
})  # fmt: skip
