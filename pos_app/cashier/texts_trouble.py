"""Words of what Attention tells beside sales: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SERVER: Mapping[str, tuple[str, str]] = MappingProxyType({
    # --- why, in a few words: on the bottom line too ---------------------------------------------
    "server.why": ("не може да се покрене", "can't be started"),
    "server.why.already_running": ("подаци су заузети", "its data are in use"),
    "server.why.data_folder_not_writable": ("не може да пише податке", "can't write its data"),
    "server.why.database_too_new": ("база је новије верзије", "its database is newer"),
    "server.why.database_damaged": ("база је оштећена", "its database is damaged"),
    "server.why.disk_full": ("диск је пун", "the disk is full"),
    "server.why.port_taken": ("порт је заузет", "its port is taken"),
    "server.why.foreign": ("јавља се други програм", "another program answers"),
    "server.why.other_install": ("јавља се друга каса", "another till's server answers"),
    "server.why.other_environment": ("јавља се друга продавница", "another shop's server answers"),
    "server.why.other_version": ("друге је верзије", "it is of another version"),
    "server.why.settings_broken": ("подешавање није исправно", "a setting is wrong"),
})  # fmt: skip
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType({
    # --- the server ------------------------------------------------------------------------------
    "att.row.server_fails": ("Сервер не ради", "The server does not work"),
    "att.ask.server_fails": ("Зашто сервер не ради?", "Why does the server not work?"),
    "att.safe.server": (
        "Потврђене продаје су сачуване у каси и издају се чим сервер проради.",
        "Confirmed sales are kept at the till and are issued once the server works.",
    ),
    "att.stranger.foreign": (
        "На адреси сервера се јавља други програм.",
        "Another program answers at the server's address.",
    ),
    "att.stranger.foreign.do": (
        "Угасите тај програм, или поново покрените рачунар.",
        "End that program, or restart the computer.",
    ),
    "att.stranger.other_install": (
        "На адреси сервера се јавља сервер друге касе.",
        "Another till's server answers at the server's address.",
    ),
    "att.stranger.other_install.do": (
        "Угасите ту касу, или овој дајте други порт у подешавању server.port.",
        "End that till, or give this one another port in the setting server.port.",
    ),
    "att.stranger.other_environment": (
        "На адреси сервера се јавља сервер друге врсте продавнице.",
        "A server of another kind of shop answers at the server's address.",
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
    "att.step.server": ("Када отклоните узрок", "Once the cause is mended"),
    "att.step.server_words": (
        "Каса и сама покушава поново, на пола минута",
        "The till tries again by itself, every half a minute",
    ),
    "att.start_server": ("Покрени сервер", "Start the server"),
    "att.starting": ("Сервер се покреће.", "The server is being started."),
})  # fmt: skip
