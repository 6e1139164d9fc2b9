"""Words about sales that are only counted in Attention: key -> (Serbian Cyrillic, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "att.row.more_to_decide": (
        "Још {n} продаја тражи одлуку|Још {n} продаје траже одлуку|Још {n} продаја тражи одлуку",
        "{n} more sale needs a decision|{n} more sales need a decision",
    ),
    "att.row.more_waiting": (
        "Још {n} продаја чека|Још {n} продаје чекају|Још {n} продаја чека",
        "{n} more sale is waiting|{n} more sales are waiting",
    ),
    "att.why.more_to_decide": ("иза оних изнад", "behind those above"),
    "att.why.more_waiting": ("иза оних изнад", "behind those above"),
    "att.ask.more_to_decide": ("Остале продаје у сумњи", "The other sales in doubt"),
    "att.ask.more_waiting": ("Остале продаје које чекају", "The other sales that are waiting"),
    "att.happened.more_to_decide": (
        (
            "Још {n} продаја тражи одлуку; овде је само њихов број.|Још {n} продаје траже одлуку; "
            "овде је само њихов број.|Још {n} продаја тражи одлуку; овде је само њихов број."
        ),
        (
            "{n} more sale needs a decision; only the number is shown here.|{n} more sales need a "
            "decision; only their number is shown here."
        ),
    ),
    "att.happened.more_waiting": (
        (
            "Још {n} продаја чека иза оних изнад; овде је само њихов број.|Још {n} продаје чекају "
            "иза оних изнад; овде је само њихов број.|Још {n} продаја чека иза оних изнад; овде је "
            "само њихов број."
        ),
        (
            "{n} more sale is waiting behind those above; only the number is shown here.|{n} more "
            "sales are waiting behind those above; only their number is shown here."
        ),
    ),
    "att.press.more_to_decide": (
        "Решите редове изнад; остали долазе на њихово место.",
        "Answer the rows above; the others take their place.",
    ),
    "att.press.more_waiting": (
        "Не треба ништа: шаљу се саме, редом.",
        "Nothing to do: they go out by themselves, in order.",
    ),
}
