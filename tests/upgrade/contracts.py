"""The public contracts of this tree, by which one sees what a change means to others.

    python -m tests.upgrade.contracts             # docs/contracts: the OpenAPI documents of now
    python -m tests.upgrade.contracts --release   # and tests/upgrade/VERSION/contracts.json

A contract is a table of entries by name, whose values are JSON. An entry of a release that is not
the same now has to be told in CHANGELOG.md.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pos_app import __version__, settings
from pos_app.domain.receipt.receipt import WarningCode
from pos_app.selling.buyers import buyer_sheet
from pos_app.selling.catalogue.sheet import export as article_sheet
from pos_app.selling.catalogue.sheet.heads import HEADS
from pos_app.selling.receipts.export import OF_LINES, OF_RECEIPTS
from pos_app.wire import problem, update_manifest
from pos_app.wire.relay import RefusalCode
from tests.integration.local_api.test_openapi import described as described_by_the_server
from tests.integration.openapi_rules import METHODS
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.test_platform_openapi import described
from tests.integration.test_exit_statuses import told as told_statuses

RELEASES = Path(__file__).parent
DOCUMENTS = Path(__file__).parents[2] / "docs" / "contracts"
Contract = Mapping[str, Any]


def openapi_documents() -> dict[str, dict[str, Any]]:
    """Return the OpenAPI documents, without the address that they came from."""
    with TemporaryDirectory() as folder:
        platform = asyncio.run(described(Place("", Path(folder))))
    found = {"local-api": described_by_the_server(), "platform-api": platform}
    found["local-api"]["info"]["version"] = __version__
    for document in found.values():
        del document["servers"]
    return found


def contracts() -> dict[str, Contract]:
    documents = openapi_documents()
    return {
        **{name: _entries(document) for name, document in documents.items()},
        "errors": {
            f"{one.code} {one.name} {one.answer_class}": one.status
            for one in vars(problem).values()
            if isinstance(one, problem.ProblemKind)
        },
        "warnings": dict.fromkeys(map(str, WarningCode), True),
        "refusals of an application": dict.fromkeys(map(str, RefusalCode), True),
        "settings": default_settings(),
        "exit statuses": {f"{command} {status}": True for command, status in told_statuses()},
        "sheets": {
            **{f"articles read: {name}": list(heads) for name, heads in HEADS.items()},
            "articles written": [HEADS[name][0] for name in article_sheet.WRITTEN],
            "buyers written": list(buyer_sheet.HEADS),
            "receipts written": list(OF_RECEIPTS),
            "lines written": list(OF_LINES),
        },
        "update manifest": {
            one: vars(update_manifest)[one].model_json_schema()
            for one in ("_SignedShape", "_Manifest")
        },
    }


def default_settings() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        loaded = settings.load(Path(folder)).as_json()
    del loaded["data"]
    names: dict[str, Any] = {}
    for name, value in loaded.items():
        members = value.items() if isinstance(value, dict) else [("", value)]
        names |= {f"{name}.{member}".rstrip("."): each for member, each in members}
    return names


def _entries(document: dict[str, Any]) -> dict[str, str]:
    """Return digests of the operations and schemas of a document, which is a file of its own."""
    operations = {
        f"{method.upper()} {path}": item[method]
        for path, item in document["paths"].items()
        for method in item.keys() & METHODS
    }
    entries = operations | document["components"]["schemas"]
    return {name: _digest(entry) for name, entry in entries.items()}


def _digest(entry: object) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16]


def changed(before: Mapping[str, Contract], now: Mapping[str, Contract]) -> list[str]:
    return [
        f"{contract}: {name}"
        for contract in sorted(before.keys() | now.keys())
        for name in sorted(before.get(contract, {}).keys() | now.get(contract, {}).keys())
        if before.get(contract, {}).get(name) != now.get(contract, {}).get(name)
    ]


def plain(found: object) -> Any:
    return json.loads(json.dumps(found))


def _write(path: Path, found: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def main(words: list[str]) -> int:
    for name, document in openapi_documents().items():
        _write(DOCUMENTS / f"{name}.json", document)
    if "--release" in words:
        _write(RELEASES / __version__ / "contracts.json", contracts())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
