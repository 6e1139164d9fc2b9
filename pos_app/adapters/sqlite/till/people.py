"""People, their rights and acts, in `till.db`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial

import apsw

from pos_app.adapters.pin_hash import badge_hash, is_badge, is_pin, pin_hash
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.adapters.sqlite.till.rows import Row
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.domain.text.transliteration import latin
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.people.acts import ActRow, AtTheTill, NotedAct
from pos_app.selling.people.people import HiddenPin, Person, PinCheck
from pos_app.selling.people.rights import Act, Leave, Rights, Role
from pos_app.selling.people.wrong_pins import WrongTries

_PERSON = """
SELECT id, name, role, pin IS NOT NULL, coalesce(pin_length, 0), badge IS NOT NULL FROM people
WHERE removed_at IS NULL
"""
_FIRST_MANAGER = _PERSON + "AND role = 'manager' ORDER BY id LIMIT 1"
_NEW_MANAGER = "Управник"
"""The name of a new manager where none is asked, until the till gives it that of the receipts."""
_PERCENT = "percent"
_CALLED_OTHERWISE = """
UPDATE carts SET cashier = ? WHERE cashier = ? AND state IN ('open', 'held')
"""
_LAST_OF_THE_LOCK = """
SELECT done, at FROM acts WHERE done IN ('locked', 'signed_in') ORDER BY id DESC LIMIT 1
"""
_ACTS = """
SELECT at, by_name, done, subject, before, after, lifted_by, sale_key,
    coalesce(sales.fiscal_number, '')
FROM acts LEFT JOIN sales ON sales.key = sale_key WHERE at >= ? AND at < ? ORDER BY acts.id
"""
_WRITE = """
INSERT INTO acts (at, by_name, done, subject, before, after, lifted_by, sale_key)
VALUES (coalesce(?, strftime('%Y-%m-%dT%H:%M:%f000+00:00', 'now')), ?, ?, ?, ?, ?, ?, ?)
"""


class PeopleTable:
    """The port PeopleRepository on `till.db`. acts: notes wrong PINs."""

    def __init__(self, connection: apsw.Connection, acts: ActTable) -> None:
        self._connection = connection
        self._acts = acts

    @translated_errors(FILE_NAME)
    def people(self) -> Sequence[Person]:
        return [_person(row) for row in self._connection.execute(_PERSON + "ORDER BY id")]

    def hide_pin(self, pin: str) -> HiddenPin:
        return HiddenPin(pin_hash(pin), len(pin))

    def add(self, name: str, role: Role, *, pin: str | HiddenPin = "", badge: str = "") -> Person:
        self._refuse_badge(badge, 0)
        kept = self._columns_of(pin)
        with durable_change(self._connection):
            self._refuse_second(name, 0)
            self._connection.execute(
                "INSERT INTO people (name, role, pin, pin_length, badge) VALUES (?, ?, ?, ?, ?)",
                (name, role.value, *kept, badge_hash(badge) if badge else None),
            )
            return self._read(self._connection.last_insert_rowid())

    def change(self, person: Person, *, name: str, role: Role) -> Person:
        with durable_change(self._connection):
            self._refuse_second(name, person.id)
            if role is not Role.MANAGER:
                self._refuse_last_manager(person)
            before = self._read(person.id).name
            self._connection.execute(
                "UPDATE people SET name = ?, role = ? WHERE id = ?", (name, role.value, person.id)
            )
            if name != before:
                self._connection.execute(_CALLED_OTHERWISE, (name, before))
            return self._read(person.id)

    def remove(self, person: Person, *, at: datetime) -> None:
        with durable_change(self._connection):
            self._refuse_last_manager(person)
            self._connection.execute(
                "UPDATE people SET removed_at = ?, pin = NULL, badge = NULL WHERE id = ?",
                (moment_text(at), person.id),
            )

    def keep_pin(self, person: Person, pin: str | HiddenPin) -> Person:
        kept, length = self._columns_of(pin)
        with durable_change(self._connection):
            self._connection.execute(
                "UPDATE people SET pin = ?, pin_length = ?, wrong = 0, wrong_at = NULL"
                " WHERE id = ?",
                (kept, length, person.id),
            )
            return self._read(person.id)

    def keep_badge(self, person: Person, code: str) -> Person:
        self._refuse_badge(code, person.id)
        with durable_change(self._connection):
            self._connection.execute(
                "UPDATE people SET badge = ? WHERE id = ?",
                (badge_hash(code) if code else None, person.id),
            )
            return self._read(person.id)

    @translated_errors(FILE_NAME)
    def badge_of(self, code: str) -> Person | None:
        rows: list[Row] = self._connection.execute(
            "SELECT id, badge FROM people WHERE badge IS NOT NULL AND removed_at IS NULL"
        ).fetchall()
        found = next((number for number, kept in rows if is_badge(code, kept)), None)
        return None if found is None else self._read(found)

    @translated_errors(FILE_NAME)
    def pin_check(self, person: Person) -> PinCheck:
        kept = self._connection.execute("SELECT pin FROM people WHERE id = ?", (person.id,)).get
        return (lambda _: False) if kept is None else partial(is_pin, kept=kept)

    @translated_errors(FILE_NAME)
    def wrong_tries(self, person: Person | None) -> WrongTries:
        row = self._connection.execute(*_of(person, "SELECT wrong, wrong_at FROM {}")).fetchone()
        if row is None:
            return WrongTries()
        return WrongTries(row[0], moment_of(row[1]) if row[1] else None)

    def note_try(self, person: Person | None, *, right: bool, at: datetime) -> None:
        if right and not self.wrong_tries(person).count:
            return
        sql = "UPDATE {} SET wrong = iif(?, 0, wrong + 1), wrong_at = ?"
        values = (right, None if right else moment_text(at))
        with durable_change(self._connection):
            if person is None:
                self._connection.execute("INSERT OR IGNORE INTO unknown_pins (one) VALUES (1)")
            self._connection.execute(*_of(person, sql, *values))
            if not right:
                name = "" if person is None else person.name
                self._acts.note(NotedAct.PIN_WRONG, by=name, at=moment_text(at), subject=name)

    @translated_errors(FILE_NAME)
    def rights(self) -> Rights:
        cells: dict[tuple[Act, Role], Leave] = {}
        percents: dict[Role, int] = {}
        for act, role, cell in self._connection.execute("SELECT act, role, cell FROM rights"):
            if act == _PERCENT:
                percents[Role(role)] = int(cell)
            else:
                cells[Act(act), Role(role)] = Leave(cell)
        return Rights(cells, percents)

    def keep_rights(self, rights: Rights) -> None:
        rows = [(act.value, role.value, one.value) for (act, role), one in rights.cells.items()]
        rows += [(_PERCENT, role.value, str(one)) for role, one in rights.percents.items()]
        with durable_change(self._connection):
            self._connection.execute("DELETE FROM rights")
            self._connection.executemany("INSERT INTO rights VALUES (?, ?, ?)", rows)

    def first_manager(self) -> Person | None:
        """Return the person whose PIN protects a manager's functions where nobody signs in."""
        row = self._connection.execute(_FIRST_MANAGER).fetchone()
        return None if row is None else _person(row)

    def _columns_of(self, pin: str | HiddenPin) -> tuple[str | None, int | None]:
        if not pin:
            return None, None
        hidden = self.hide_pin(pin) if isinstance(pin, str) else pin
        return hidden.kept, hidden.length

    def _read(self, number: int) -> Person:
        row = self._connection.execute(_PERSON + "AND id = ?", (number,)).fetchone()
        if row is None:
            raise NotAllowed("person_gone")
        return _person(row)

    def _refuse_badge(self, code: str, number: int) -> None:
        owner = self.badge_of(code) if code else None
        if owner is not None and owner.id != number:
            raise Invalid("badge_of_other", field="badge", name=owner.name)

    def _refuse_second(self, name: str, number: int) -> None:
        others = self._connection.execute("SELECT name FROM names WHERE person_id <> ?", (number,))
        taken = next((other for (other,) in others if _is_one_name(other, name)), None)
        if taken is not None:
            raise Invalid("name_taken", field="name", name=taken)

    def _refuse_last_manager(self, person: Person) -> None:
        others = "SELECT 1 FROM people WHERE role = 'manager' AND removed_at IS NULL AND id <> ?"
        if person.role is Role.MANAGER and not self._connection.execute(others, (person.id,)).get:
            raise NotAllowed("last_manager")


class ManagerTable:
    """The port PinRepository on `till.db`: the PIN of the first manager."""

    def __init__(self, people: PeopleTable) -> None:
        self._people = people

    @translated_errors(FILE_NAME)
    def is_set(self) -> bool:
        manager = self._people.first_manager()
        return manager is not None and manager.has_pin

    def hide_pin(self, pin: str) -> HiddenPin:
        return self._people.hide_pin(pin)

    def save_pin(self, pin: str | HiddenPin) -> None:
        manager = self._people.first_manager() or self._people.add(_NEW_MANAGER, Role.MANAGER)
        self._people.keep_pin(manager, pin)

    def forget(self) -> None:
        if (manager := self._people.first_manager()) is not None:
            self._people.keep_pin(manager, "")

    @translated_errors(FILE_NAME)
    def pin_check(self) -> PinCheck:
        manager = self._people.first_manager()
        return (lambda _: False) if manager is None else self._people.pin_check(manager)

    @translated_errors(FILE_NAME)
    def wrong_tries(self) -> WrongTries:
        manager = self._people.first_manager()
        return WrongTries() if manager is None else self._people.wrong_tries(manager)

    def note_try(self, *, right: bool, at: datetime) -> None:
        if (manager := self._people.first_manager()) is not None:
            self._people.note_try(manager, right=right, at=at)


class ActTable:
    """The port ActLog on `till.db`. here: the person at the till, and the one who allows an act."""

    def __init__(self, connection: apsw.Connection, here: AtTheTill) -> None:
        self._connection = connection
        self._here = here

    def write(
        self,
        done: NotedAct,
        *,
        by: str,
        at: datetime,
        subject: str = "",
        before: str = "",
        after: str = "",
        sale_key: str = "",
    ) -> None:
        with durable_change(self._connection):
            self.note(
                done,
                by=by,
                at=moment_text(at),
                subject=subject,
                before=before,
                after=after,
                sale_key=sale_key,
            )

    def together(self) -> AbstractContextManager[None]:
        return durable_change(self._connection)

    def note(
        self,
        done: NotedAct,
        *,
        by: str,
        at: str | None = None,
        subject: str = "",
        before: str = "",
        after: str = "",
        sale_key: str = "",
        lifted_by: str = "",
    ) -> None:
        """Note an act in the transaction under way. by: the person who did it, if nobody is signed
        in. at: the stored form of the time, or None for now. lifted_by: the person who allowed it
        earlier."""
        person = None if self._here.is_locked else self._here.person
        who = by if person is None else person.name
        lifted_by = self._here.lifted_by or lifted_by
        row = (at, who, done.value, subject, before, after, lifted_by, sale_key)
        self._connection.execute(_WRITE, row)

    @translated_errors(FILE_NAME)
    def left_locked(self) -> datetime | None:
        row = self._connection.execute(_LAST_OF_THE_LOCK).fetchone()
        is_locked = row is not None and row[0] == NotedAct.LOCKED
        return moment_of(row[1]) if row is not None and is_locked else None

    @translated_errors(FILE_NAME)
    def acts(self, *, since: datetime, until: datetime) -> Sequence[ActRow]:
        rows: list[Row] = self._connection.execute(
            _ACTS, (moment_text(since), moment_text(until))
        ).fetchall()
        return [ActRow(moment_of(at), by, NotedAct(done), *rest) for at, by, done, *rest in rows]


def _of(person: Person | None, sql: str, *values: object) -> tuple[str, tuple[object, ...]]:
    """A statement about the tries of a person, or about those of nobody."""
    if person is None:
        return sql.format("unknown_pins"), values
    return f"{sql.format('people')} WHERE id = ?", (*values, person.id)


def _is_one_name(first: str, second: str) -> bool:
    """Compare names in one script and without case: "Ана" is "ANA"."""
    return latin(first).casefold() == latin(second).casefold()


def _person(row: Row) -> Person:
    number, name, role, has_pin, length, has_badge = row
    return Person(number, name, Role(role), bool(has_pin), length, bool(has_badge))
