"""Keeps which articles of `catalogue.db` come from elsewhere than its platform, and a person's
answer about sending them there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.products import effective_product, platform_product
from pos_app.adapters.sqlite.catalogue.rows import DEMO, SELECT_ELSEWHERE, first, many
from pos_app.adapters.sqlite.catalogue.schema import FILE_NAME
from pos_app.adapters.sqlite.catalogue.stores import store_edits
from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_text
from pos_app.domain.article.product import Product
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.catalogue.catalogue import FROM_FILE
from pos_app.selling.synchronisation import joining
from pos_app.selling.synchronisation.same_article import (
    costs_the_same,
    is_same_account,
    match_joined,
)
from pos_app.wire.strict_json import dumps, loads

_ADDED_HERE = """
SELECT DISTINCT product_uuid FROM edit
WHERE kind = 'add' AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""
_SETTING = "platform.join"
"""The name in `meta` of the setting's last value."""
_CHANGES = """
SELECT coalesce(sum(state IN ('waiting', 'sending')), 0),
    coalesce(sum(state IN ('conflict', 'refused')), 0)
FROM edit
WHERE state IN ('conflict', 'refused') OR (state IN ('waiting', 'sending') AND kind <> 'add')
"""
_NOW = """
SELECT asked, answer FROM joining JOIN platform USING (origin)
"""
_SAID = """
INSERT INTO joining (origin, asked, asked_at, answer, by, answered_at) VALUES (?, '', ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET answer = excluded.answer, by = excluded.by,
        answered_at = excluded.answered_at
"""
_ASK = """
INSERT INTO joining (origin, asked, asked_at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET asked = excluded.asked, asked_at = excluded.asked_at,
        answer = '', by = '', answered_at = NULL
"""
_NOBODY_SAID = """
SELECT 1 FROM joining JOIN platform USING (origin)
WHERE origin = ? AND answer = 'send' AND by = '' AND parts = ''
"""
_ALL_ANEW = "UPDATE platform SET etag = '', since = '', parts = '' WHERE origin = ?"


class StoredJoiningNotes:
    """The questions and answers about the platform `origin`. origin_prefix: the beginning of the
    origins of all accounts at its address."""

    def __init__(self, connection: apsw.Connection, *, origin: str, origin_prefix: str) -> None:
        self._connection = connection
        self._origin = origin
        self._origin_prefix = origin_prefix

    @translated_errors(FILE_NAME)
    def now(self) -> joining.Joining:
        sql = "SELECT asked, answer FROM joining WHERE origin = ?"
        return _joining(first(self._connection, sql, (self._origin,)))

    @translated_errors(FILE_NAME)
    def ask(self, question: joining.JoiningQuestion) -> None:
        with transaction(self._connection) as connection:
            asked = dumps(wire.records.to_json(joining.JoiningQuestion, question)).decode()
            connection.execute(_ASK, (self._origin, asked, moment_text(question.at)))

    @translated_errors(FILE_NAME)
    def keep_answer(self, answer: joining.NewAnswer, *, at: datetime) -> None:
        with transaction(self._connection) as connection:
            keep_answer(connection, self._origin, answer.answer, by=answer.by, at=at)

    # --- the setting ---------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def setting_before(self, now: joining.JoiningAnswer | None) -> joining.JoiningAnswer | None:
        """Return the setting's last noted value, or `now` where none was noted."""
        row = first(self._connection, "SELECT value FROM meta WHERE name = ?", (_SETTING,))
        if row is None:
            return now
        return joining.JoiningAnswer(row[0]) if row[0] else None

    @translated_errors(FILE_NAME)
    def note_setting(self, now: joining.JoiningAnswer | None) -> None:
        """Note the setting once it was used: it counts anew when it is changed."""
        row = first(self._connection, "SELECT value FROM meta WHERE name = ?", (_SETTING,))
        setting = now.value if now is not None else ""
        if row is None or row[0] != setting:
            with transaction(self._connection) as connection:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_SETTING, setting))

    @translated_errors(FILE_NAME)
    def note_demo(self) -> None:
        """Note that articles from elsewhere are never sent, so that their changes do not wait."""
        if first(self._connection, "SELECT 1 FROM meta WHERE name = ?", (DEMO,)) is None:
            with transaction(self._connection) as connection:
                connection.execute("INSERT OR IGNORE INTO meta VALUES (?, '1')", (DEMO,))

    # --- what is here --------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def may_be_asked(self) -> bool:
        """Tell whether this till has anything that may not be this account's."""
        return self._has_elsewhere() or first(self._connection, _ADDED_HERE) is not None

    @translated_errors(FILE_NAME)
    def sends_unasked(self) -> bool:
        """Tell whether a platform whose list was never read whole would be sent articles that
        nobody was asked about: those that came from elsewhere since it was answered that there are
        none."""
        is_unasked = first(self._connection, _NOBODY_SAID, (self._origin,)) is not None
        return is_unasked and self._has_elsewhere()

    def _has_elsewhere(self) -> bool:
        return first(self._connection, f"{SELECT_ELSEWHERE} LIMIT 1", (self._origin,)) is not None

    @translated_errors(FILE_NAME)
    def same_account(self, listed: Mapping[str, Product]) -> joining.JoiningAnswer | None:
        """Return the answer about this account under another key of it, or None where the account
        is unknown, or where more would be sent than then. listed: the platform's products by their
        ids."""
        same, elsewhere = self._apart(listed)
        sql = "SELECT origin, answer FROM joining WHERE answer <> ''"
        for origin, text in many(self._connection, sql):
            answer = joining.JoiningAnswer(text)
            if origin in same and not (elsewhere and answer is joining.JoiningAnswer.SEND):
                return answer
        return None

    @translated_errors(FILE_NAME)
    def carry_over(self, answer: joining.JoiningAnswer, *, at: datetime) -> None:
        """Keep the answer under this key too; no more articles join because of it."""
        with transaction(self._connection) as connection:
            _note(connection, self._origin, answer, by="", at=at)

    def _apart(self, listed: Mapping[str, Product]) -> tuple[set[str], list[str]]:
        """Return the origins of this account's other keys and addresses, and the products that are
        not this account's."""
        same = same_accounts(self._connection, listed, origin=self._origin)
        keys = {one for one in same if one.startswith(self._origin_prefix)}
        rows = many(self._connection, SELECT_ELSEWHERE, (self._origin,))
        return same, [
            uuid
            for uuid, other in rows
            if other not in keys and not (other in same and uuid in listed)
        ]

    @translated_errors(FILE_NAME)
    def counted(self, listed: Mapping[str, Product]) -> tuple[int, int, int]:
        """Count the products from elsewhere: those that the platform lacks, those that it has too,
        and those of them that cost something else there. listed: the platform's products by their
        ids."""
        accounts, ours = self._apart(listed)
        rows = many(self._connection, "SELECT uuid, origin FROM product WHERE origin <> ''")
        here = {uuid for uuid, other in rows if other == self._origin or other in accounts}
        ours += [row[0] for row in many(self._connection, _ADDED_HERE)]
        match = match_joined(one for one in listed.values() if one.id not in here)
        lacks = same = repriced = 0
        for uuid in ours:
            product = effective_product(self._connection, uuid)
            if product is None:
                continue
            theirs = match(product)
            lacks, same = lacks + (theirs is None), same + (theirs is not None)
            repriced += theirs is not None and not costs_the_same(product, theirs)
        return lacks, same, repriced

    @translated_errors(FILE_NAME)
    def changes(self, stores: Collection[str] | None = None) -> joining.OpenChanges:
        """Return the open changes of articles. stores: ids of the account's stores, () where it has
        none, or None where they are unknown, so that no store is counted."""
        ((waiting, to_decide),) = many(self._connection, _CHANGES)
        edits = store_edits(self._connection) if stores else ()
        ending = sum(one.ours.id not in (stores or ()) for one in edits)
        return joining.OpenChanges(waiting, to_decide, ending)


def same_accounts(
    connection: apsw.Connection, listed: Mapping[str, Product], *, origin: str
) -> set[str]:
    """Return the other keys and addresses under which this till had the account of the platform
    `origin`. listed: its products by their ids."""
    pairs = defaultdict(list)
    for uuid, other in many(connection, SELECT_ELSEWHERE, (origin,)):
        ours = platform_product(connection, uuid) if uuid in listed else None
        if other != FROM_FILE and ours is not None:
            pairs[other].append((ours, listed[uuid]))
    return {other for other, same_ids in pairs.items() if is_same_account(same_ids)}


def keep_answer(
    connection: apsw.Connection,
    origin: str,
    answer: joining.JoiningAnswer,
    *,
    by: str,
    at: datetime,
) -> None:
    """Keep a person's answer about a platform; answers about other platforms are forgotten, so that
    a return to one of them is asked about anew. It runs within a transaction."""
    _note(connection, origin, answer, by=by, at=at)
    if answer is joining.JoiningAnswer.SEND:  # articles kept apart until now join with a whole list
        connection.execute(_ALL_ANEW, (origin,))


def _note(
    connection: apsw.Connection,
    origin: str,
    answer: joining.JoiningAnswer,
    *,
    by: str,
    at: datetime,
) -> None:
    now = moment_text(at)
    connection.execute(_SAID, (origin, now, answer.value, by, now))
    connection.execute("DELETE FROM joining WHERE origin <> ?", (origin,))


def keep_answer_of_platform(
    connection: apsw.Connection,
    answer: joining.JoiningAnswer,
    asked: joining.JoiningQuestion,
    *,
    by: str,
    at: datetime,
) -> None:
    """Keep the answer about the platform in use. Raises NotAllowed where `asked` is about another
    one. It runs within a transaction."""
    row = first(connection, "SELECT origin FROM platform")
    if row is None or row[0] != f"{asked.url} {asked.key}":
        raise NotAllowed("joining_outdated")
    keep_answer(connection, row[0], answer, by=by, at=at)


def ask_anew(connection: apsw.Connection, *, after_read: bool) -> None:
    """Let the next run ask an open question again, with its own numbers. after_read: also where
    "only read" was answered. It runs within a transaction."""
    again = "answer <> 'send'" if after_read else "answer = ''"
    connection.execute(f"DELETE FROM joining WHERE {again}")


def joining_now(connection: apsw.Connection) -> joining.Joining:
    return _joining(first(connection, _NOW))


def _joining(row: tuple[str, str] | None) -> joining.Joining:
    if row is None:
        return joining.NOTHING_SAID
    return joining.Joining(_question(row[0]), joining.JoiningAnswer(row[1]) if row[1] else None)


def _question(text: str) -> joining.JoiningQuestion | None:
    """Read a question; None for an unreadable one, as of another version: the next run asks
    again."""
    try:
        return wire.records.from_json(joining.JoiningQuestion, loads(text)) if text else None
    except Invalid:
        return None
