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
        "Користи онај који ради; ако га не видиш, поново покрени рачунар.",
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
        "Пређи у њен прозор; ако га нема, поново покрени рачунар.",
        "Go to its window; if there is none, restart the computer.",
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
        "Дај овом кориснику право да тамо пише, или изабери другу фасциклу са --data.",
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
        "Инсталирај ту верзију или новију.",
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
        "Не бриши је. Позови подршку, или врати резервну копију.",
        "Do not delete it. Call support, or restore a backup.",
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
        "Инсталирај програм поново, са његовим библиотекама.",
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
        "Угаси тај програм, или изабери други порт у подешавању server.port.",
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
        "Користи тај сервер, или га прво угаси.",
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
        "Исправи је, врати је из резервне копије, или позови подршку.",
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
        "Исправи га у {path}, или тамо где је програм покренут.",
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
    "error.settings_broken.lan": (
        "Сервер за сада ради само на овом рачунару, не у мрежи",
        "For now the server works on this computer only, not on the LAN",
    ),
    "error.settings_broken.lan.safe": (
        "Ништа није промењено.",
        "Nothing was changed.",
    ),
    "error.settings_broken.lan.do": (
        "Постави server.host на 127.0.0.1 у {path}, или тамо где је програм покренут.",
        "Set server.host to 127.0.0.1 in {path}, or where the program was started from.",
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
        "Изабери другу фасциклу са --data.",
        "Choose another folder with --data.",
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
        "Инсталирај програм поново.",
        "Install the program again.",
    ),
})  # fmt: skip
