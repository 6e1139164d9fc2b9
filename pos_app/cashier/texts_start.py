"""The words of what keeps a program from starting, by code and kind: (Serbian Cyrillic, English).

The same form as in texts_errors.py. Each has all three parts: whoever reads them stands before a
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
    "error.already_running.newer.safe": (
        "Остао је какав је био.",
        "It was left as it is.",
    ),
    "error.already_running.newer.do": (
        "Отворите касу те верзије, или поново покрените рачунар.",
        "Open the till of that version, or restart the computer.",
    ),
    "error.already_running.server_by_hand": (
        "На фасцикли демоа већ ради сервер који сте покренули: {address}",
        "A server that you started already works on the demo's folder: {address}",
    ),
    "error.already_running.server_by_hand.safe": (
        "Он ради и даље; ништа није промењено.",
        "It goes on; nothing was changed.",
    ),
    "error.already_running.server_by_hand.do": (
        "Угасите га (Ctrl+C тамо где ради) па поново отворите демо, или отворите други са --data.",
        "Stop it (Ctrl+C where it runs) and open the demo again, or open another demo with --data.",
    ),
    "error.data_folder_not_writable": (
        "У фасциклу са подацима не може да се пише: {path}",
        "The data folder can't be written to: {path}",
    ),
    "error.data_folder_not_writable.safe": (
        "Што је раније потврђено, остало је сачувано.",
        "What was confirmed before is kept.",
    ),
    "error.data_folder_not_writable.do": (
        "Дајте овом кориснику право да тамо пише, или изаберите другу фасциклу са --data.",
        "Give this user the right to write there, or choose another folder with --data.",
    ),
    "error.data_folder_not_writable.file": (
        "Ово је датотека, а треба фасцикла са подацима: {path}",
        "This is a file where the data folder is wanted: {path}",
    ),
    "error.data_folder_not_writable.file.safe": (
        "Што је раније потврђено, остало је сачувано.",
        "What was confirmed before is kept.",
    ),
    "error.data_folder_not_writable.file.do": (
        "Наведите фасциклу са --data; ако је нема, биће направљена.",
        "Name a folder with --data; one that is not there yet is made.",
    ),
    "error.database_too_new": (
        "Базу је писала новија верзија програма: {path}",
        "The database was written by a newer version of the program: {path}",
    ),
    "error.database_too_new.safe": (
        "База је остала каква је била.",
        "The database was left as it is.",
    ),
    "error.database_too_new.do": (
        "Инсталирајте ту верзију или новију.",
        "Install that version or a newer one.",
    ),
    "error.database_damaged": (
        "База је оштећена или није од ове касе: {path}",
        "The database is damaged or not of this till: {path}",
    ),
    "error.database_damaged.safe": (
        "Датотека је остала каква је била.",
        "The file was left as it is.",
    ),
    "error.database_damaged.do": (
        "Не бришите је. Позовите подршку, или вратите резервну копију.",
        "Do not delete it. Call support, or restore a backup.",
    ),
    "error.database_damaged.unreleased": (
        "Ова датотека није на свом месту, или ју је направило пробно издање програма: {path}",
        "This file is not in its place, or an unreleased build of the program made it: {path}",
    ),
    "error.database_damaged.unreleased.safe": (
        "Датотека је остала каква је била.",
        "The file was left as it is.",
    ),
    "error.database_damaged.unreleased.do": (
        "Ништа не бришите. Позовите подршку, или вратите само ту датотеку из резервне копије.",
        "Delete nothing. Call support, or restore that one file from a backup.",
    ),
    "error.database_damaged.unreleased_ledger": (
        "Књигу вежбовног процесора је направило пробно издање програма: {path}",
        "The practice processor's ledger was made by an unreleased build: {path}",
    ),
    "error.database_damaged.unreleased_ledger.safe": (
        "Датотека је остала каква је била.",
        "The file was left as it is.",
    ),
    "error.database_damaged.unreleased_ledger.do": (
        "Склоните фасциклу процесора; направиће се нова.",
        "Move the processor's folder away; a new one is made.",
    ),
    "error.unsafe_sqlite": (
        "Библиотека SQLite на овом рачунару може да изгуби податке",
        "The SQLite library of this computer can lose data",
    ),
    "error.unsafe_sqlite.safe": (
        "Ништа није отворено ни промењено.",
        "Nothing was opened or changed.",
    ),
    "error.unsafe_sqlite.do": (
        "Инсталирајте програм поново, са његовим библиотекама.",
        "Install the program again, with its own libraries.",
    ),
    "error.port_taken": (
        "Порт {port} користи други програм",
        "The port {port} is used by another program",
    ),
    "error.port_taken.safe": (
        "Ништа није покренуто ни промењено.",
        "Nothing was started or changed.",
    ),
    "error.port_taken.do": (
        "Угасите тај програм, или изаберите други порт у подешавању server.port.",
        "End that program, or choose another port in the setting server.port.",
    ),
    "error.port_taken.ourselves": (
        "На порту {port} већ ради сервер овог програма",
        "A server of this program already works on port {port}",
    ),
    "error.port_taken.ourselves.safe": (
        "Ништа није покренуто ни промењено.",
        "Nothing was started or changed.",
    ),
    "error.port_taken.ourselves.do": (
        "Користите тај сервер, или га прво угасите.",
        "Use that server, or stop it first.",
    ),
    "error.settings_broken": (
        "Ова датотека не може да се користи: {path}",
        "This file can't be used: {path}",
    ),
    "error.settings_broken.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.do": (
        "Исправите је, вратите је из резервне копије, или позовите подршку.",
        "Mend it, restore it from a backup, or call support.",
    ),
    "error.settings_broken.value": (
        "Подешавање {name} има вредност која није дозвољена",
        "The setting {name} has a value that is not allowed",
    ),
    "error.settings_broken.value.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.value.do": (
        "Исправите га у {path}, или тамо где је програм покренут.",
        "Mend it in {path}, or where the program was started from.",
    ),
    "error.settings_broken.encoding": (
        "Подешавања нису сачувана као UTF-8, ред {line}: {path}",
        "The settings are not saved as UTF-8, line {line}: {path}",
    ),
    "error.settings_broken.encoding.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.encoding.do": (
        "Отворите датотеку, проверите слова и сачувајте је као UTF-8.",
        "Open the file, look at its letters and save it as UTF-8.",
    ),
    "error.settings_broken.toml": (
        "Подешавања имају грешку у реду {line}: {path}",
        "The settings have a fault in line {line}: {path}",
    ),
    "error.settings_broken.toml.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.toml.do": (
        "Исправите тај ред, или склоните датотеку да важе почетна подешавања.",
        "Mend that line, or move the file away to start with the defaults.",
    ),
    "error.settings_broken.unknown": (
        "Подешавање {name} не постоји",
        "There is no setting {name}",
    ),
    "error.settings_broken.unknown.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.unknown.do": (
        "Исправите назив у {path}, или тамо где је програм покренут.",
        "Correct the name in {path}, or where the program was started from.",
    ),
    "error.settings_broken.near": (
        "Подешавање {name} не постоји. Да ли је то {near}?",
        "There is no setting {name}. Is it {near}?",
    ),
    "error.settings_broken.near.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.near.do": (
        "Исправите назив у {path}, или тамо где је програм покренут.",
        "Correct the name in {path}, or where the program was started from.",
    ),
    "error.settings_broken.host": (
        "Сервер не може да слуша на адреси у подешавању server.host",
        "The server can't listen on the address in the setting server.host",
    ),
    "error.settings_broken.host.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.host.do": (
        "Поставите га на 127.0.0.1, а за мрежу на 0.0.0.0, у {path} или где је програм покренут.",
        "Set it to 127.0.0.1, for the LAN to 0.0.0.0, in {path} or where the program was started.",
    ),
    "error.settings_broken.lan": (
        "Серверу у мрежи треба заједнички кључ lan_token, дуг бар 32 знака",
        "A server on the LAN needs a shared lan_token of at least 32 characters",
    ),
    "error.settings_broken.lan.safe": (
        "Ништа није покренуто.",
        "Nothing was started.",
    ),
    "error.settings_broken.lan.do": (
        "Упишите га у {path}, или поставите server.host на 127.0.0.1.",
        "Write it into {path}, or set server.host to 127.0.0.1.",
    ),
    "error.settings_broken.other_shop": (
        "Ови подаци су од друге врсте продавнице: {path}",
        "These data are of another kind of shop: {path}",
    ),
    "error.settings_broken.other_shop.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.other_shop.do": (
        "Изаберите другу фасциклу са --data.",
        "Choose another folder with --data.",
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
        "Позовите подршку и припремите датотеку {path}",
        "Call support and have this file at hand: {path}",
    ),
    "error.settings_broken.processor_number": (
        "За прави процесор недостаје број одобрења ЕСИР-а",
        "A real processor needs the approval number of this ESIR",
    ),
    "error.settings_broken.processor_number.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.processor_number.do": (
        "Упишите га у подешавање esir.ib.",
        "Write it into the setting esir.ib.",
    ),
    "error.settings_broken.processor_address": (
        "Недостаје адреса процесора",
        "The processor's address is missing",
    ),
    "error.settings_broken.processor_address.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.processor_address.do": (
        "Упишите је у подешавање processor.url.",
        "Write it into the setting processor.url.",
    ),
    "error.settings_broken.address": (
        "На адреси {host}:{port} сервер не може да слуша",
        "The server can't listen on {host}:{port}",
    ),
    "error.settings_broken.address.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.address.do": (
        "Изаберите слободан порт изнад 1023 у подешавању server.port.",
        "Choose a free port above 1023 in the setting server.port.",
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
