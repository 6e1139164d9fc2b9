"""The people at the till and their rights, as a manager sets them up. Saved values apply at once.
Rights are changed in a draft and saved together; a person is saved alone. Source: till.md ("People
and rights")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from pos_app.cashier.services.till_services import TillServices
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.errors import Invalid, NotAllowed, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.codes import ReadCode, found_by
from pos_app.selling.people.acts import NotedAct, PersonChange, person_text
from pos_app.selling.people.people import (
    HiddenPin,
    Person,
    check_badge,
    check_name,
    check_new_pin,
    first_manager,
    shop_digits,
    signs_in,
)
from pos_app.selling.people.rights import Act, Rights, Role
from pos_app.selling.sale.cashier_setup import NAME, CashierSetup

PERCENTS = (0, 5, 10, 15, 20, 30, 50, 100)
"""The button of a discount goes through these; any other percentage is typed."""


@dataclass(frozen=True, slots=True)
class PersonDraft:
    """person: the edited one, None for a new one. badge: a scanned code, "" for none. keeps_badge:
    the former badge stays."""

    person: Person | None
    name: str = ""
    role: Role = Role.CASHIER
    pin: str = ""
    again: str = ""
    badge: str = ""
    keeps_badge: bool = True


class PeopleModel:
    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.rights = Rights()
        """The rights to be saved."""
        self.before = Rights()
        """The stored rights."""
        self.draft: PersonDraft | None = None
        """The edited person; without one the table is shown."""
        self._put_away: dict[int | None, PersonDraft] = {}
        """What was typed for people who are not edited now, by id; None is a new one."""
        self.faults: dict[str, Invalid] = {}
        self.failure: PosError | None = None
        self.asks_removal = False
        """Whether it is asked if the edited person shall be removed."""
        self.message = ""
        """Id of the words for what was saved last; "" for nothing."""
        self.on_changed: Callable[[], None] = lambda: None
        self.lifted_by: Callable[[], str] = lambda: ""
        """See `ActingModel.lifted_by`."""
        self._listeners: list[Callable[[], None]] = []
        self._is_read = self._is_saving = False

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        self._listeners.clear()

    def announce(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def leave(self) -> None:
        """Forget secrets. A person's typed fields and unsaved cells stay; if no cell is unsaved the
        next visit reads the rights anew."""
        self._is_read, self.message = bool(self.changed), ""
        self.asks_removal = False
        self.draft = None if self.draft is None else _without_secrets(self.draft)
        drafts = ((key, _without_secrets(one)) for key, one in self._put_away.items())
        self._put_away = {key: one for key, one in drafts if one is not None}
        self.faults, self.failure = {}, None

    @property
    def has_unsaved(self) -> bool:
        return self.draft is not None or bool(self._put_away) or bool(self.changed)

    @property
    def has_typed(self) -> bool:
        """Whether something is typed for the edited person."""
        return self.draft is not None and self.draft != _draft_of(self.draft.person)

    def read(self) -> None:
        if not self._is_read:
            self._is_read = True
            self.rights = self.before = self.services.people.rights()

    @property
    def people(self) -> Sequence[Person]:
        """The people who work here. A person who works alone has the name on the receipts."""
        people = self.services.people.people()
        if signs_in(people):
            return people
        return [replace(one, name=self.services.cashier) for one in people]

    # --- rights ----------------------------------------------------------------------------------

    @property
    def changed(self) -> tuple[tuple[Act, Role], ...]:
        return self.rights.changed_from(self.before)

    def turn(self, act: Act, role: Role) -> None:
        """Set the next word of a cell, or the next percentage."""
        if act is Act.DISCOUNT:
            now = self.rights.percent(role)
            self.type_percent(role, next((one for one in PERCENTS if one > now), PERCENTS[0]))
        else:
            self._change(lambda: self.rights.turned(act, role))

    def type_percent(self, role: Role, percent: int) -> None:
        self._change(lambda: self.rights.with_percent(role, percent))

    def recommend(self) -> None:
        self._change(Rights)

    def drop_rights(self) -> None:
        self._change(lambda: self.before)

    def _change(self, make: Callable[[], Rights]) -> None:
        self.failure, self.message = None, ""
        try:
            self.rights = make()
        except Invalid as error:
            self.failure = error
            self.services.tones.play("no")
        self.announce()

    def save_rights(self) -> None:
        """Save all changed cells at once, and note each of them."""
        services, changed = self.services, self.changed
        try:
            with services.acts.together():
                services.people.keep_rights(self.rights)
                for act, role in changed:
                    words = [self._word(one, act, role) for one in (self.before, self.rights)]
                    self._note(NotedAct.RIGHTS, f"{act} {role}", before=words[0], after=words[1])
        except PosError as error:
            self.failure = error
        else:
            self.before, self.failure, self.message = self.rights, None, "set.people.rights_saved"
        self.announce()

    def _note(self, done: NotedAct, subject: str, *, before: str = "", after: str = "") -> None:
        by = self.lifted_by()
        self.services.note(done, subject, before=before, after=after, lifted_by=by)

    @staticmethod
    def _word(rights: Rights, act: Act, role: Role) -> str:
        if act is Act.DISCOUNT:
            return f"{rights.percent(role)}%"
        return rights.leave(act, role).value

    # --- a person --------------------------------------------------------------------------------

    @property
    def is_alone(self) -> bool:
        """Whether one person works here alone, who is asked nothing."""
        return not signs_in(self.services.people.people())

    @property
    def digits(self) -> int:
        """The number of digits that a PIN must have here; 0 if the edited person's PIN decides
        it."""
        people = self.services.people.people()
        edited = self.draft.person if self.draft is not None else None
        if edited is None:
            return shop_digits(people)
        if self.leads(edited):
            return 0
        return shop_digits([one for one in people if one.id != edited.id])

    def leads(self, person: Person) -> bool:
        """Tell whether this person's PIN decides the length of all others."""
        manager = first_manager(self.services.people.people())
        return manager is not None and manager.id == person.id

    @property
    def is_name_given(self) -> bool:
        """Whether the environment sets the name, so that it can't be changed here."""
        kept_in = self.services.cashier_settings
        return self.is_alone and (kept_in is None or NAME in kept_in.given_elsewhere())

    def edit(self, person: Person | None) -> None:
        """Edit a person, None for a new one; a new one that is begun goes on."""
        if person is None and self.draft is not None and self.draft.person is None:
            return
        self._keep_typed()
        kept = self._put_away.pop(None if person is None else person.id, None)
        is_same = kept is not None and kept.person == person
        self.draft, self.asks_removal = kept if is_same else _draft_of(person), False
        self.faults, self.failure, self.message = {}, None, ""
        self.announce()

    def put_away(self) -> None:
        """Return to the table; what was typed for a person is found again."""
        self._keep_typed()
        self.draft, self.faults, self.failure = None, {}, None
        self.announce()

    def _keep_typed(self) -> None:
        draft = self.draft
        if draft is not None and self.has_typed:
            self._put_away[None if draft.person is None else draft.person.id] = draft

    def drop_typed(self) -> None:
        """Discard what was typed for the edited person; a new one is forgotten."""
        person = None if self.draft is None else self.draft.person
        self.draft = None if person is None else _draft_of(person)
        self.faults, self.failure, self.asks_removal = {}, None, False
        self.announce()

    def type(self, **typed_fields: object) -> None:
        """Take new values of name, role, pin, again, badge or keeps_badge."""
        if self.draft is not None:
            made = replace(self.draft, **typed_fields)  # type: ignore[arg-type]
            ends_question = self.asks_removal and made != self.draft  # a filled field changes none
            self.draft, self.failure = made, None
            for field in typed_fields:
                self.faults.pop(field, None)
            if ends_question:
                self.ask_removal(False)

    def scan_badge(self, code: ReadCode) -> bool:
        """Take a code scanned while somebody is edited as the badge; return whether it may be
        one."""
        try:
            self._check_badge(code)
        except Invalid as error:
            self.faults["badge"] = error
        else:
            self.type(badge=code.text, keeps_badge=False)
            self.services.tones.play("item")
        self.announce()
        return "badge" not in self.faults

    def _check_badge(self, code: ReadCode) -> None:
        check_badge(code.text)
        if found := found_by(code, self.services.catalogue):
            name = found[0].article.name
            raise Invalid("badge_is_article", field="badge", name=name)
        if not isinstance(code.meaning, ArticleCode):
            raise Invalid("badge_kind", field="badge")

    @property
    def lacks(self) -> dict[str, Invalid]:
        """The faults of what is typed for the edited person, before it is saved."""
        return {} if self.draft is None else self._faults_of(self.draft)

    async def save_person(self) -> None:
        """Store the edited person whole, or not at all if a field is wrong."""
        draft = self.draft
        if draft is None or self._is_saving:
            return
        self.faults, self.failure = self._faults_of(draft), None
        if not self.faults:
            pin = await self._hidden(draft.pin)
            if self.draft is None:
                return  # the page was left
            try:
                self._store(draft, pin)
            except Invalid as error:
                self.faults[error.field] = error
            except PosError as error:
                self.failure = error
            else:
                self.draft, self.message = None, "set.people.saved"
                self.on_changed()
        if self.faults or self.failure is not None:
            self.services.tones.play("no")
        self.announce()

    def _faults_of(self, draft: PersonDraft) -> dict[str, Invalid]:
        checked = {"name": lambda draft: check_name(draft.name), "pin": self._checked_pin}
        faults = dict[str, Invalid]()
        for field, check in checked.items():
            try:
                check(draft)
            except Invalid as error:
                faults[error.field or field] = error
        return faults

    async def _hidden(self, pin: str) -> HiddenPin | None:
        """Hash a new PIN in a thread of its own, because hashing is slow on purpose."""
        if not pin:
            return None
        self._is_saving = True
        try:
            return await asyncio.to_thread(self.services.people.hide_pin, pin)
        finally:
            self._is_saving = False

    def _checked_pin(self, draft: PersonDraft) -> None:
        """Check that a typed PIN has the shop's length, and that whoever signs in has a PIN or a
        badge."""
        has_one = draft.person is not None and draft.person.has_pin
        if draft.pin or draft.again:
            check_new_pin(draft.pin, draft.again, digits=self.digits)
        elif not has_one and not self._has_badge(draft):
            raise Invalid("pin_or_badge", field="pin")

    @staticmethod
    def _has_badge(draft: PersonDraft) -> bool:
        kept = draft.keeps_badge and draft.person is not None and draft.person.has_badge
        return bool(draft.badge) or kept

    def _store(self, draft: PersonDraft, pin: HiddenPin | None) -> None:
        """Store the person with its row among the acts, or nothing."""
        here, first = self.services.here, None
        with self.services.acts.together():
            if draft.person is None:
                self._check_manager()
                first = self._name_the_first()
                person = self._add(draft, pin)
            else:
                person = self._change_person(draft, draft.person, pin)
        if first is not None:
            here.person = first
        self._follow(person)

    def _add(self, draft: PersonDraft, pin: HiddenPin | None) -> Person:
        name = check_name(draft.name)
        person = self.services.people.add(name, draft.role, pin=pin or "", badge=draft.badge)
        self._note(NotedAct.PERSON, name, after=draft.role.value)
        return person

    def _change_person(self, draft: PersonDraft, was: Person, pin: HiddenPin | None) -> Person:
        people, name, changed = self.services.people, check_name(draft.name), list[PersonChange]()
        person = people.change(was, name=name, role=draft.role)
        if pin is not None:
            person = people.keep_pin(person, pin)
            changed.append(PersonChange.PIN)
        if not draft.keeps_badge and (draft.badge or was.has_badge):
            person = people.keep_badge(person, draft.badge)
            changed.append(PersonChange.BADGE if draft.badge else PersonChange.NO_BADGE)
        self._note(
            NotedAct.PERSON, name, before=person_text(was), after=person_text(person, *changed)
        )
        if self.is_alone:
            self._keep_name(name)
        return person

    def _check_manager(self) -> None:
        """Raise NotAllowed if the manager has neither PIN nor badge: from the second person on
        people sign in, and whoever took this manager's name would be let in."""
        manager = first_manager(self.services.people.people())
        if manager is None or not (manager.has_pin or manager.has_badge):
            name = self.services.cashier if manager is None or self.is_alone else manager.name
            raise NotAllowed("manager_without_pin", name=name)

    def _name_the_first(self) -> Person | None:
        """Give the person who worked here alone the name on the receipts; return None if people
        sign in already."""
        services = self.services
        people = services.people.people()
        manager = first_manager(people)
        if not signs_in(people) and manager is not None:
            return services.people.change(manager, name=services.cashier, role=manager.role)
        return None

    def _keep_name(self, name: str) -> None:
        """Keep the name of a person who works here alone in the settings."""
        services, kept_in = self.services, self.services.cashier_settings
        if kept_in is None or name == services.cashier:
            return
        made = CashierSetup(name, services.in_vat, kept_in.given_elsewhere())
        kept_in.save(made)
        services.cashier_here.saved = made

    def ask_removal(self, asks: bool) -> None:
        self.asks_removal = asks
        self.announce()

    def remove(self) -> None:
        """Remove the edited person; the person's acts stay."""
        draft, services = self.draft, self.services
        if draft is None or draft.person is None:
            return
        self.asks_removal = False
        try:
            with services.acts.together():
                services.people.remove(draft.person, at=services.till.clock.now())
                self._note(NotedAct.PERSON, draft.person.name, before=draft.person.role.value)
                if self.is_alone:
                    self._keep_name(services.people.people()[0].name)
        except PosError as error:
            self.failure = error
            services.tones.play("no")
        else:
            self.draft, self.message = None, "set.people.removed"
            self._follow(None)
            self.on_changed()
        self.announce()

    def _follow(self, person: Person | None) -> None:
        """Renew the present person, or set none if the person was removed or nobody signs in any
        more."""
        here, people = self.services.here, self.services.people.people()
        if not signs_in(people) or (here.person and here.person.id not in {p.id for p in people}):
            here.person = None
        elif person is not None and here.person is not None and here.person.id == person.id:
            here.person = person


def _without_secrets(draft: PersonDraft) -> PersonDraft | None:
    """Return the draft without PIN and badge, None if nothing else was typed."""
    draft = replace(draft, pin="", again="", badge="", keeps_badge=True)
    return None if draft == _draft_of(draft.person) else draft


def _draft_of(person: Person | None) -> PersonDraft:
    name, role = ("", Role.CASHIER) if person is None else (person.name, person.role)
    return PersonDraft(person, name, role)
