"""Words about sales that are only counted in Attention: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "att.row.more_to_decide": (
        "Још {n} продаја тражи одлуку|Још {n} продаје траже одлуку|Још {n} продаја тражи одлуку",
        "{n} more sale needs a decision|{n} more sales need a decision",
    ),
    "att.row.more_waiting": (
        "Још {n} продаја чека|Још {n} продаје чекају|Још {n} продаја чека",
        "{n} more sale waits|{n} more sales wait",
    ),
    "att.why.more_to_decide": ("иза оних изнад", "behind those above"),
    "att.why.more_waiting": ("иза оних изнад", "behind those above"),
    "att.ask.more_to_decide": ("Остале продаје у сумњи", "The other sales in doubt"),
    "att.ask.more_waiting": ("Остале продаје које чекају", "The other sales that wait"),
    "att.happened.more_to_decide": (
        (
            "Још {n} продаја тражи одлуку; овде је само њихов број."
            "|Још {n} продаје траже одлуку; овде је само њихов број."
            "|Још {n} продаја тражи одлуку; овде је само њихов број."
        ),
        (
            "{n} more sale needs a decision; here stands only their number."
            "|{n} more sales need a decision; here stands only their number."
        ),
    ),
    "att.happened.more_waiting": (
        (
            "Још {n} продаја чека иза оних изнад; овде је само њихов број."
            "|Још {n} продаје чекају иза оних изнад; овде је само њихов број."
            "|Још {n} продаја чека иза оних изнад; овде је само њихов број."
        ),
        (
            "{n} more sale waits behind those above; here stands only their number."
            "|{n} more sales wait behind those above; here stands only their number."
        ),
    ),
    "att.press.more_to_decide": (
        "Решите редове изнад; остали долазе на њихово место.",
        "Answer the rows above; the others take their place.",
    ),
    "att.press.more_waiting": (
        "Не треба ништа: излазе саме, редом.",
        "Nothing need be done: they go out by themselves, in order.",
    ),
}
