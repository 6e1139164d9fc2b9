"""The state of the first start: the choice, the step, what is typed, the results. Each step is
saved when it is left; a till that is killed goes on where it was. Source: till.md (First start)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

from pos_app import errors
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.settings.acts import ActingModel
from pos_app.cashier.settings.cashier_model import CashierModel
from pos_app.cashier.settings.platform_model import PlatformField, PlatformModel
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.cashier.settings.processor_model import ProcessorKind, ProcessorModel
from pos_app.cashier.texts.lookup import Language
from pos_app.domain.article.store import ReceiptLanguage, Store
from pos_app.domain.money.tax import TaxLabel, label_of_all
from pos_app.domain.setup.printer_setup import PrinterUse
from pos_app.selling.catalogue.bulk_act import ActDone
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.file_work import FileDone, FileWork
from pos_app.selling.first_start import FirstStart, FirstStep, ShopChoice
from pos_app.selling.people.people import check_new_pin

STEPS = tuple(FirstStep)


class ArticleWay(StrEnum):
    FILE = "file"
    PLATFORM = "platform"


class ArticlesModel(ActingModel):
    def __init__(
        self, services: TillServices, platform: PlatformModel, cashier: CashierModel
    ) -> None:
        super().__init__(services)
        self.platform = platform
        self._cashier = cashier
        self.way = ArticleWay.FILE
        self.path = Path()
        """The chosen file."""
        self.plan: ImportPlan | None = None
        self.done: FileDone | None = None
        self.left_out = 0
        """The number of rows of the file that were not imported: rows with a mistake, and refused
        ones."""
        self.work: FileWork | None = None

    @property
    def label(self) -> TaxLabel | None:
        """The tax label of all articles, or None where each has its own."""
        return label_of_all(in_vat=self._cashier.in_vat is not False)

    @property
    def count(self) -> int:
        try:
            return self.services.catalogue.count("")
        except errors.MachineError:
            return 0

    def choose(self, way: ArticleWay) -> None:
        self.way = way
        self.announce()

    def begin(self, work: FileWork, *, running: str) -> None:
        """running: "read" or "bring_in"."""
        self.work, self.running, self.failure = work, running, None
        self.announce()

    def ended(self, result: ImportPlan | ActDone | FileDone | errors.PosError) -> None:
        """Take the end of reading a file, or of bringing its articles in, which may be stopped."""
        self.work, self.running = None, ""
        match result:
            case ImportPlan():
                self.plan = result
            case ActDone(act):
                made = FileDone(0) if act is None else FileDone(act.done, act.failed + act.left_out)
                self._brought_in(made)
            case FileDone():
                self._brought_in(result)
            case _:
                self.plan, self.failure = None, result
        self.announce()

    def _brought_in(self, done: FileDone) -> None:
        self.left_out = done.failed + (self.plan.bad if self.plan is not None else 0)
        self.plan, self.done = None, done

    @property
    def file(self) -> str:
        return self.path.name

    def put_plan_away(self) -> None:
        self.plan, self.path = None, Path()
        self.announce()


class PinEntry(StrEnum):
    PIN = "pin"
    AGAIN = "again"


class PinModel(ActingModel):
    """The manager's PIN, chosen before anybody sells. Until it is saved the typed PIN is kept only
    here."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.typed_texts = dict.fromkeys(PinEntry, "")
        self.faults: dict[PinEntry, errors.Invalid] = {}

    @property
    def has_pin(self) -> bool:
        return self.services.manager.is_set()

    @property
    def is_typed(self) -> bool:
        return all(self.typed_texts.values())

    def type(self, entry: PinEntry, text: str) -> None:
        self.typed_texts[entry] = text
        self.faults.pop(entry, None)
        self.failure = None
        self.announce()

    def save(self) -> bool:
        """Save the PIN; returns whether there is one. A fault is shown at its field, which is typed
        anew."""
        if self.has_pin:
            return True
        typed, self.faults = self.typed_texts, {}
        try:
            check_new_pin(typed[PinEntry.PIN], typed[PinEntry.AGAIN], digits=0)
            self.services.manager.save_pin(typed[PinEntry.PIN])
            self.services.name_who_is_alone()
        except errors.Invalid as error:
            entry = PinEntry(error.field)
            self.faults, typed[entry] = {entry: error}, ""
        except errors.MachineError as error:
            self.failure = error
        else:
            self.typed_texts = dict.fromkeys(PinEntry, "")
        self.announce()
        return self.has_pin


class ShopField(StrEnum):
    NAME = "name"
    ADDRESS = "address"
    CITY = "city"
    ZIP = "zip"
    PHONE = "phone"


class ShopModel(ActingModel):
    def __init__(self, services: TillServices, answers: dict[str, str]) -> None:
        super().__init__(services)
        self.on_typed: Callable[[], None] = lambda: None
        self.language = ReceiptLanguage.CYRILLIC
        self.typed_texts = dict.fromkeys(ShopField, "")
        self.store: Store | None = None
        self.read()
        self.typed_texts |= {one: answers[one] for one in ShopField if one in answers}
        if "language" in answers and answers["language"] in set(ReceiptLanguage):
            self.language = ReceiptLanguage(answers["language"])

    def read(self) -> None:
        try:
            self.store = self.services.catalogue.store()
        except errors.MachineError as error:
            self.failure = error
            return
        if self.store is not None:
            self.typed_texts = {one: getattr(self.store, one) or "" for one in ShopField}
            self.language = self.store.language

    @property
    def is_platforms(self) -> bool:
        """Whether a platform sets the store; then it is only shown."""
        return self.services.has_platform

    @property
    def name_is_missing(self) -> bool:
        return not self.typed_texts[ShopField.NAME].strip()

    def type(self, entry: ShopField, text: str) -> None:
        self.typed_texts[entry] = text
        self._changed()

    def choose_language(self, language: ReceiptLanguage) -> None:
        self.language = language
        self._changed()

    def _changed(self) -> None:
        self.failure = None
        self.on_typed()
        self.announce()

    def save(self) -> bool:
        """Save the store in the till's catalogue; return whether that worked."""
        if self.is_platforms:
            return True
        fields = {one.value: self.typed_texts[one].strip() or None for one in ShopField}
        name = fields.pop("name")
        if name is None:
            return False
        store = self.store or Store(id=str(uuid4()), name=name)
        store = replace(store, name=name, language=self.language, **fields)  # type: ignore[arg-type]
        try:
            if self.store is None:
                self.services.editor.open_store(store)
            elif store != self.store:
                self.services.editor.keep_store(store)
        except (errors.MachineError, errors.Invalid, errors.NotAllowed, errors.NotFound) as error:
            self.failure = error
            self.announce()
            return False
        self.store = store
        return True


class FirstStartModel:
    def __init__(self, services: TillServices) -> None:
        assert services.first_start is not None
        self.services = services
        self._control = services.first_start
        self.state: FirstStart = self._control.read()
        self._kept = self.state
        self.platform = PlatformModel(services)
        self.cashier = CashierModel(services, answers=self.state.answers)
        self.pin = PinModel(services)
        self.articles = ArticlesModel(services, self.platform, self.cashier)
        self.shop = ShopModel(services, dict(self.state.answers))
        self.cashier.on_typed = self.shop.on_typed = self._keep_typed
        self.processor = ProcessorModel(services)
        self.printer = PrinterModel(services)
        self.running = ""
        """The work that is waited for, beside the acts of a step."""
        self.failure: errors.PosError | None = None
        self.changed_platform = self.changed_settings = False
        """Whether the till has to be opened anew to use what was set up."""
        self._listeners: list[Callable[[], None]] = []

    # --- who listens -----------------------------------------------------------------------------

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)
        for one in self._acting_models():
            one.listen(listener)

    def forget_listeners(self) -> None:
        self._listeners.clear()
        for one in self._acting_models():
            one.forget_listeners()

    def _acting_models(self) -> tuple[ActingModel, ...]:
        named = self.cashier, self.pin, self.articles, self.shop
        return (*named, self.platform, self.processor, self.printer)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    # --- where it is -----------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def step(self) -> FirstStep | None:
        """The present step, or None until a shop is chosen."""
        return self.state.step if self.state.choice is ShopChoice.SHOP else None

    @property
    def number(self) -> int:
        return STEPS.index(self.state.step) + 1

    @property
    def is_last(self) -> bool:
        return self.state.step is STEPS[-1]

    @property
    def labels_to_change(self) -> int:
        """The number of articles whose tax labels do not fit the answer about VAT, as long as they
        do not. In a shop in VAT they may be meant so: only who goes back and enters VAT is told."""
        cashier = self.cashier
        is_entering = self.acting is cashier and cashier.changes_vat
        if self.step is None or (cashier.in_vat is not False and not is_entering):
            return 0
        return cashier.labels_to_change or 0

    @property
    def acting(self) -> ActingModel | None:
        match self.step:
            case FirstStep.CASHIER:
                return self.cashier
            case FirstStep.PIN:
                return self.pin
            case FirstStep.ARTICLES:
                by_platform = self.articles.way is ArticleWay.PLATFORM
                return self.platform if by_platform else self.articles
            case FirstStep.STORE:
                return self.shop
            case FirstStep.PROCESSOR:
                return self.processor
            case FirstStep.PRINTER:
                return self.printer
            case _:
                return None

    @property
    def is_unknown(self) -> bool:
        """Whether the step needs the server's answer, and the server is still starting."""
        match self.acting:
            case ProcessorModel() | PlatformModel() | PrinterModel() as setup:
                return setup.setup is None
            case _:
                return False

    @property
    def is_busy(self) -> bool:
        acting = self.acting
        return bool(self.running or (acting is not None and acting.running))

    @property
    def can_skip(self) -> bool:
        """Whether the step can be skipped, because going on would save what is typed, or the
        store's name is missing."""
        match self.acting:
            case PlatformModel() | ProcessorModel() | PrinterModel() as setup:
                return setup.has_changes
            case ShopModel() as shop:
                return shop.name_is_missing and not shop.is_platforms
            case _:
                return False

    @property
    def why_not(self) -> str:
        """The kind of what the step lacks before it can be left by going on; "" for nothing."""
        match self.acting:
            case CashierModel(name_fault="blank" | "signs" | "long" as fault):
                return fault
            case CashierModel(in_vat=None):
                return "vat_missing"
            case PinModel(has_pin=False, is_typed=False):
                return "pin_missing"
            case ArticlesModel(plan=ImportPlan(), running=""):
                return "plan_waits"
            case ShopModel(name_is_missing=True, is_platforms=False):
                return "name_missing"
            case PrinterModel(address_is_missing=True):
                return "address_missing"
            case _:
                return ""

    # --- acts ------------------------------------------------------------------------------------

    def keep_language(self, language: Language) -> None:
        """Keep the language; a failure is shown and does not matter now."""
        try:
            self._control.keep_language(language)
        except (errors.MachineError, errors.NotAllowed) as error:
            self.failure = error

    def choose_shop(self) -> None:
        self._go(replace(self.state, choice=ShopChoice.SHOP))

    async def choose_demo(self) -> None:
        """Fill the demo and open it. It is opened at the next start too."""
        if self.running:
            return
        self.running, self.failure = "demo", None
        self._tell()
        try:
            await self._control.prepare_demo()
            self._go(replace(self.state, choice=ShopChoice.DEMO))
            self._control.reopen()
        except (errors.MachineError, errors.Invalid) as error:
            self.failure = error
        finally:
            self.running = ""
            self._tell()

    def back(self) -> None:
        if self.step is None or self.is_busy:
            return
        at = STEPS.index(self.state.step)
        if at:
            self._go(replace(self.state, step=STEPS[at - 1]))
        else:
            self._go(replace(self.state, choice=None))

    def skip(self) -> None:
        if self.step is None or self.is_busy:
            return
        if isinstance(self.acting, PlatformModel | ProcessorModel | PrinterModel):
            self.acting.drop()
        self._go_on()

    async def go_on(self) -> None:
        """Save what is typed in this step and go to the next one; after the last step open the
        shop. Untried text is tried first; if it does not work, the next press goes on."""
        if self.step is None or self.is_busy or self.why_not:
            return
        if not await self._works_if_untried() or not await self._saved():
            self._tell()
            return
        self._go_on()

    async def _works_if_untried(self) -> bool:
        setup = self.acting
        if not isinstance(setup, ProcessorModel | PlatformModel) or not self.wants_trial:
            return True
        await setup.try_out()
        return setup.failure is None and (setup.trial is None or not setup.trial.fault)

    async def _saved(self) -> bool:
        match self.acting:
            case CashierModel() as cashier:
                await cashier.save()
                return cashier.saved_at is not None
            case PinModel() | ShopModel() as here:
                return here.save()
            case PlatformModel() | ProcessorModel() | PrinterModel() as setup:
                if not setup.has_changes:
                    return True
                await setup.save()
                if setup.saved_at is not None and setup is not self.printer:
                    self.changed_settings = True
                    self.changed_platform |= setup is self.platform
                return setup.saved_at is not None
            case _:
                return True

    def _go_on(self) -> None:
        had_platform = self.step is FirstStep.ARTICLES and self.changed_platform
        if self.is_last:
            self._go(replace(self.state, is_over=True, answers={}))
        else:
            at = STEPS.index(self.state.step)
            self._go(replace(self.state, step=STEPS[at + 1]))
        if (self.state.is_over and self.changed_settings) or had_platform:
            self._control.reopen()

    def _go(self, state: FirstStart) -> None:
        try:
            self._control.save(state)
        except errors.MachineError as error:
            self.failure = error
            self._tell()
            return
        self.failure = None
        self.state = self._kept = state
        self._tell()

    def _keep_typed(self) -> None:
        typed = {one.value: text for one, text in self.shop.typed_texts.items() if text}
        typed |= {name: text for name, text in self.cashier.answers.items() if text}
        self.state = replace(self.state, answers={**typed, "language": self.shop.language.value})

    @property
    def is_unkept(self) -> bool:
        """Whether something is typed that is not saved, so that a killed till would lose it."""
        return self.state != self._kept

    def keep_typed(self) -> None:
        if self.is_unkept:
            self._go(self.state)

    # --- tried as it is typed --------------------------------------------------------------------

    @property
    def wants_trial(self) -> bool:
        """Whether what is typed can be tried, and was not tried yet."""
        match self.acting:
            case ProcessorModel() as one:
                is_whole = (
                    bool(one.pfx) if one.kind is ProcessorKind.VPFR else bool(one.url.strip())
                )
                known = one.kind is not ProcessorKind.DEVELOPMENT and one.setup is not None
                return known and is_whole and one.has_changes and not one.trial and _is_free(one)
            case PlatformModel() as one:
                whole = (
                    one.typed_texts[PlatformField.URL].strip()
                    and one.typed_texts[PlatformField.KEY].strip()
                )
                has_secret = one.typed_texts[PlatformField.SECRET].strip() or (
                    one.setup and one.setup.has_secret
                )
                fits = bool(whole and has_secret) and not (one.url_is_wrong or one.clear_text)
                return fits and one.has_changes and not one.trial and _is_free(one)
            case PrinterModel() as one:
                fits = one.setup is not None and not one.address_is_missing and one.has_changes
                return fits and PrinterUse.RECEIPT not in one.trials and _is_free(one)
            case _:
                return False

    async def try_out(self) -> None:
        match self.acting:
            case ProcessorModel() | PlatformModel() | PrinterModel() as one:
                await one.try_out()

    def look_again(self) -> None:
        """Ask the server again; it may have been away while it opened the shop anew."""
        acting = self.acting
        if isinstance(acting, ProcessorModel | PlatformModel | PrinterModel):
            away = isinstance(acting.failure, errors.NotDelivered)
            if away and acting.setup is None and not acting.running:
                acting.failure, acting.is_outdated = None, True


def _is_free(model: ActingModel) -> bool:
    return not model.running and model.failure is None
