"""A till's catalogue and a platform over real HTTP."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.bootstrap.synchronisation.platform_sync import sync_with_platform
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.catalogue import CatalogueRow, create_for_code
from pos_app.selling.synchronisation.catalogue_edits import OPEN, CatalogueEdit, EditState, NewEdit
from pos_app.selling.synchronisation.joining import JoiningAnswer
from pos_app.selling.synchronisation.reports import PlatformReport
from pos_app.settings import Settings, load
from tests.fakes.foreign_platform import ForeignPlatform
from tests.fakes.our_platform import OurPlatform
from tests.fakes.ready_tables import ready_catalogue
from tests.sweep import alternated

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
CODES = range(5_000_000, 5_001_000)


@dataclass
class TillBeside:
    """One till: `shelf` is what it shows, `desk` does a manager's work."""

    folder: Path
    shelf: SqliteCatalogue
    desk: SqliteCatalogueEditor
    url: str
    key: str
    secret: str
    told: list[tuple[str, int, int]] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def settings(self) -> Settings:
        """Load this till's settings, with the secret in the file where the program looks for it."""
        self._keep_secret(self.secret)
        told = {
            "url": self.url, "key": self.key, "sku_from": CODES.start, "sku_to": CODES.stop - 1,
            **self.more,
        }  # fmt: skip
        return load(self.folder, platform=told)

    def keep_settings(self, *, secret: str = "") -> None:
        """Write them into the files of the folder, as the setup of a platform does."""
        told = f'[platform]\nurl = "{self.url}"\nkey = "{self.key}"\n'
        (self.folder / "settings.toml").write_text(told)
        self._keep_secret(secret or self.secret)

    def _keep_secret(self, secret: str) -> None:
        secrets = self.folder / "secrets.toml"
        secrets.write_text(f'platform_secret = "{secret}"\n')
        secrets.chmod(0o600)

    def sync(
        self, *, accept_removals: bool = False, join: JoiningAnswer | None = None
    ) -> PlatformReport:
        """Run `pos-app sync` once. Raises its errors."""
        return sync_with_platform(
            settings=self.settings(),
            now=lambda: datetime.now(UTC),
            pause=lambda: None,
            report_progress=lambda *step: self.told.append(step),
            accept_removals=accept_removals,
            join=join,
        )

    def rows(self) -> dict[str, CatalogueRow]:
        return {row.name: row for row in self.shelf.page(limit=1000)}

    def prices(self) -> dict[str, str | None]:
        rows = self.rows().items()
        return {name: None if row.price is None else str(row.price) for name, row in rows}

    def change(self, name: str, /, **changes: Any) -> CatalogueEdit:
        row = self.rows()[name]
        edit = NewEdit.changing(row.product_id, row.product_id, changes, by="Мира", at=NOW)
        return self.desk.record(edit)

    def add(self, name: str, price: int = 100, **more: Any) -> CatalogueEdit:
        told: dict[str, Any] = {"product_id": str(uuid.uuid4()), "price": Money(price), **more}
        return create_for_code(self.desk, name=name, label=TaxLabel.E, by="Мира", at=NOW, **told)

    def change_store(self, **members: Any) -> Store:
        """Change the only store; return it as it is shown then."""
        (before,) = self.shelf.stores()
        self.desk.queue_store(before, replace(before, **members), by="Мира", at=NOW)
        (after,) = self.shelf.stores()
        return after

    def delete(self, name: str) -> CatalogueEdit:
        return self.desk.record(NewEdit.deleting(self.rows()[name].product_id, by="Мира", at=NOW))

    def open(self) -> list[CatalogueEdit]:
        return list(self.desk.edits(OPEN))

    def states(self) -> list[EditState]:
        return [one.state for one in self.open()]

    def names_with(self, code: object) -> list[str]:
        return [one.article.name for one in self.shelf.by_code(ArticleCode(str(code)))]


def article(name: str, sku: int, **more: Any) -> dict[str, Any]:
    """Return an article, or a variant, as a list has it."""
    return {"id": name, "name": name, "sku": sku, "price": 5, "taxRateLabel": "Е", **more}


Platform = ForeignPlatform | OurPlatform


@contextmanager
def till_beside(folder: Path, platform: Platform) -> Iterator[TillBeside]:
    path = ready_catalogue(catalogue_file(folder))
    with SqliteCatalogue(path) as shelf, SqliteCatalogueEditor(path, codes=CODES) as desk:
        yield TillBeside(folder, shelf, desk, platform.url, platform.key, platform.secret)


@pytest.fixture
def foreign() -> Iterator[ForeignPlatform]:
    """Yield a platform that knows all of the contract, until a test says otherwise."""
    with ForeignPlatform().open() as platform:
        yield platform


@pytest.fixture
def abroad(folder: Path, foreign: ForeignPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, foreign) as till:
        yield till


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[OurPlatform]:
    with OurPlatform(folder=tmp_path / "platform").open() as platform:
        yield platform


@pytest.fixture
def beside(folder: Path, ours: OurPlatform) -> Iterator[TillBeside]:
    with till_beside(folder, ours) as till:
        yield till


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    alternated(metafunc, "platform", ["ours", "plain"])


@pytest.fixture
def platform(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Platform]:
    """Yield our own platform, or a foreign one that knows the specification alone."""
    one: Platform = OurPlatform(folder=tmp_path / "platform")
    if request.param == "plain":
        one = ForeignPlatform(since="refused", has_etag=False, has_versions=False, has_units=False)
    with one.open():
        yield one


@pytest.fixture
def till(folder: Path, platform: Platform) -> Iterator[TillBeside]:
    with till_beside(folder, platform) as till:
        yield till
