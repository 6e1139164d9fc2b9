"""The seller, and whether the shop is in the system of VAT, as a manager sets them up; the first
start asks for the same. Saved values apply at once, without a restart of till or server. Source:
till.md (Settings, First start)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from pos_app import log
from pos_app.cashier.services import relabelling
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import GivenModel
from pos_app.domain.money.tax import TaxLabel, doubtful_labels
from pos_app.domain.receipt.request import cashier_fault
from pos_app.errors import MachineError, NotAllowed, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale import cashier_setup

_log = log.get(__name__)

_ANSWERS = {True: "yes", False: "no", None: ""}


@dataclass(frozen=True, slots=True)
class VatQuestion:
    """Asked before another answer about VAT is saved. articles: the number of those whose label
    does not fit it, or None where the catalogue can't be read. choices: the labels that they may
    get with the same press; none where the processor does not say them or the number is unknown."""

    in_vat: bool
    articles: int | None
    choices: tuple[TaxLabel, ...]


class CashierModel(GivenModel[cashier_setup.CashierSetup]):
    """name: as typed so far. in_vat: as chosen; in a first start it is None before the choice."""

    def __init__(self, services: TillServices, *, answers: Mapping[str, str] | None = None) -> None:
        """answers: the answers that a first start remembers; they fill the form, except where the
        environment sets a value. answers is None once the shop is set up."""
        super().__init__(services)
        self.on_typed: Callable[[], None] = lambda: None
        self.on_saved: Callable[[], None] = lambda: None
        self.name = ""
        self.in_vat: bool | None = None
        self._saved_other_vat = False
        self.asked: VatQuestion | None = None
        self.setup = self._setup_now()
        self.is_outdated = False
        self.fill_from_setup()
        if answers is not None:
            self._begin_with(answers)

    def _begin_with(self, answers: Mapping[str, str]) -> None:
        if not self.is_given(cashier_setup.NAME):
            self.name = answers.get("cashier", "")
        if not self.is_given(cashier_setup.IN_VAT):
            vat_by_answer = {answer: in_vat for in_vat, answer in _ANSWERS.items()}
            self.in_vat = vat_by_answer.get(answers.get("in_vat", ""))

    @property
    def _kept_in(self) -> cashier_setup.CashierSettings | None:
        return self.services.cashier_settings

    @property
    def has_server(self) -> bool:
        return self._kept_in is not None

    async def _ask(self) -> cashier_setup.CashierSetup:
        return self._setup_now()

    def _setup_now(self) -> cashier_setup.CashierSetup:
        services, kept_in = self.services, self._kept_in
        given = kept_in.given_elsewhere() if kept_in is not None else ()
        return cashier_setup.CashierSetup(services.cashier, services.in_vat, given)

    def read(self) -> None:
        """Read the present values, because a first start may have set others. Typed values stay."""
        setup = self._setup_now()
        if setup == self.setup:
            return
        had_changes = self.has_changes
        self.setup = setup
        if not had_changes:
            self.fill_from_setup()
        self.announce()

    # --- typed -----------------------------------------------------------------------------------

    @property
    def answers(self) -> dict[str, str]:
        """The typed values of a first start; a till that was killed finds them again."""
        return {"cashier": self.name, "in_vat": _ANSWERS[self.in_vat]}

    @property
    def name_fault(self) -> Literal["", "blank", "signs", "long"]:
        return "" if self.is_given(cashier_setup.NAME) else cashier_fault(self.name)

    @property
    def has_changes(self) -> bool:
        setup = self.setup
        return setup is not None and (self.name.strip(), self.in_vat) != (
            setup.cashier,
            setup.in_vat,
        )

    @property
    def can_save(self) -> bool:
        return (
            super().can_save
            and self.asked is None
            and self._is_whole
            and not self.is_in_sale
            and not self.waiting
        )

    @property
    def _is_whole(self) -> bool:
        return not self.name_fault and self.in_vat is not None

    @property
    def is_in_sale(self) -> bool:
        """Whether a sale is being entered, so that nothing is changed now."""
        try:
            cashier_setup.check_no_sale_entered(self.services.till.carts)
        except NotAllowed:
            return True
        except MachineError:
            return False  # saving reports it
        return False

    @property
    def waiting(self) -> int:
        """The number of confirmed sales without a receipt, while the shop is to leave VAT: it
        leaves after them."""
        setup = self.setup
        if setup is None or not setup.in_vat or self.in_vat is not False:
            return 0
        try:
            cashier_setup.check_none_waits(self.services.sales)
        except NotAllowed as error:
            return int(error.values["waiting"])
        except MachineError:
            return 0  # saving reports it
        return 0

    @property
    def labels_to_change(self) -> int | None:
        """The number of articles whose labels do not fit the answer, or None where the catalogue
        can't be read."""
        if self.in_vat is None:
            return 0
        try:
            return self.services.table.labelled(doubtful_labels(in_vat=self.in_vat)).count
        except MachineError:
            return None

    @property
    def changes_vat(self) -> bool:
        """Whether the articles' labels mean something else than before this visit."""
        return self._saved_other_vat or self.has_other_vat

    @property
    def has_other_vat(self) -> bool:
        """Whether another answer about VAT is chosen and not saved yet."""
        return self.setup is not None and self.in_vat is not self.setup.in_vat

    def type(self, name: str) -> None:
        self.name = name
        self._on_value_typed()

    def choose(self, *, in_vat: bool) -> None:
        self.in_vat = in_vat
        self._on_value_typed()

    def _on_value_typed(self) -> None:
        self.failure = self.saved_at = self.asked = None
        self.on_typed()
        self.announce()

    def fill_from_setup(self) -> None:
        if self.setup is not None:
            self.name, self.in_vat = self.setup.cashier, self.setup.in_vat

    def drop(self) -> None:
        self.fill_from_setup()
        self.saved_at = self.failure = self.asked = None
        self.announce()

    def leave(self) -> None:
        self.saved_at = self.failure = self.asked = None
        self._saved_other_vat = False

    # --- asked -----------------------------------------------------------------------------------

    def ask(self) -> bool:
        """Ask what the articles get whose label does not fit the answer that is to be saved, also
        where nobody knows whether there are some. False: there are none, and nothing is asked."""
        self.asked = self._question()
        if self.asked is not None:
            self.announce()
        return self.asked is not None

    def _question(self) -> VatQuestion | None:
        many, in_vat = self.labels_to_change, self.in_vat
        if in_vat is None or not self.has_other_vat or many == 0:
            return None
        choices = relabelling.choices(self.services, in_vat=in_vat) if many else ()
        return VatQuestion(in_vat, many, choices)

    def put_question_away(self) -> None:
        self.asked = None
        self.announce()

    async def answer(self, label: TaxLabel | None) -> None:
        """Save, and then give these articles the label; None: they keep what they have. An article
        is changed only once the answer was saved. While another act runs nothing is saved, and the
        question stays; the page says what runs. Where other articles, or other labels, are
        concerned by now, that is asked first."""
        asked = self.asked
        if asked is None or self.running:
            return
        self.asked = self._question() if label is not None else None
        if self.asked not in (None, asked):
            self.announce()
            return
        self.asked = None
        await self.save()
        if label is None or self.setup is None or self.setup.in_vat is not asked.in_vat:
            return
        try:
            await self.act(
                relabelling.RELABEL,
                lambda: relabelling.relabel(self.services, label, in_vat=asked.in_vat),
            )
        except PosError as error:
            self.failure = error
        self.announce()

    # --- saved -----------------------------------------------------------------------------------

    async def save(self) -> None:
        """Save without asking the server, because the till alone sells under this name."""
        kept_in, in_vat = self._kept_in, self.in_vat
        if kept_in is None or self.setup is None or self.name_fault or in_vat is None:
            return
        new_setup = cashier_setup.CashierSetup(
            self.name.strip(), in_vat, self.setup.given_elsewhere
        )

        async def change() -> None:
            cashier_setup.check_no_sale_entered(self.services.till.carts)
            if self.setup is not None and self.setup.in_vat and not in_vat:
                cashier_setup.check_none_waits(self.services.sales)
            kept_in.save(new_setup)

        await self.save_change(change, note_saved=lambda: self._note_saved(new_setup))

    def _note_saved(self, new_setup: cashier_setup.CashierSetup) -> None:
        services, before = self.services, self.setup
        assert before is not None
        _log.warning("who sells was changed by %s", services.cashier)
        self._saved_other_vat |= new_setup.in_vat is not before.in_vat
        self.setup = services.cashier_here.saved = new_setup
        self.fill_from_setup()
        self.saved_at = services.till.clock.now()
        self.on_saved()
