"""Words that ask a person to move, restore or delete a file, in texts and in raised errors.

Such a file may be the only one that has what was confirmed. So each sentence of that kind stands in
a list, with the reason why nobody loses anything by it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).parents[2]
SAME = "what stood in it before is not needed: an identity never changes"
NOT_FISCAL = "the development processor signs nothing fiscal"
TELLS = "it tells what happened, and asks nobody to do it"
ASKS = "what is here was told, has its receipts, and is set aside"
ALLOWED = {
    "Put it back from a backup;": SAME,
    "Put it back from a backup: it ties till and server together.": SAME,
    "Put it back from a backup, or call support.": SAME,
    ": put back the install.json that was beside it, or call support and read this out.": SAME,
    "Restore it from a backup;": "no sale is in client.json",
    "Put it back from a backup, and start the server anew.": "no sale is in client.json",
    (
        "Put it back from a backup while the till is closed, or get the articles anew from the "
        "platform or a file."
    ): "the catalogue is not there",
    "Враћање копије је стало на пола": TELLS,
    "{settings.FILE_NAME}: {was}put back, as the shop worked with it last.": TELLS,
    (
        "With all programs closed, put the settings of a backup back: `pos-app restore SET --only"
        " settings`."
    ): "of settings that can't be read; the command sets aside what stood there",
    "the journal lacks what a till remembers: restore %s": TELLS,
    (
        'Put "processor_pfx", "processor_password" and "processor_pac" into secrets.toml, or '
        "choose another processor;"
    ): "it adds to a file",
    "Move authority-key.pem and authority.pem away;": NOT_FISCAL,
    "Move the processor's folder away, or restore it.": NOT_FISCAL,
    "Move the processor's folder away;": NOT_FISCAL,
    "Позовите подршку да склони старе податке;": NOT_FISCAL,
    "Delete a file that no product shows": "a picture, at its address on the platform",
    "file.rename": "the id of a text",
    "file.delete": "the id of a text",
    "file.remove": "the id of a text",
    "Delete {file}?": "the window in which a file is chosen asks it",
    "Каталог се затим враћа из резервне копије или усклађује изнова.": (
        "the damaged one was put aside before"
    ),
    "Put this message away": "a message",
    (
        "There is not enough room on the disk: {free} MB are free, {wanted} MB"
        " are needed to put a backup back."
    ): TELLS,
    "Put it back into another folder, which --data names.": "by the command that sets aside",
    "restore-under-way.json": "a name",
    "Копија се враћа … {percent} %": TELLS,
    "Backup put back": TELLS,
    "If you put it back, the till closes for a while and opens with this backup.": ASKS,
    "Ако је вратите, каса се накратко затвара и отвара са овом копијом.": ASKS,
    "Враћање копије": ASKS,
    "Врати ову копију": ASKS,
    "{n} cart that is open or put aside.": "a cart",
    "{n} carts that are open or put aside.": "carts",
}
"""Whole sentences, and why nobody loses anything that was confirmed."""

_NOT = re.compile(
    r"(?i)\b(?:delete|move)(?: and (?:delete|move))? nothing\b|\bништа не \w+(?: и не \w+)?"
    r"|\b(?:is|are|was|were|not|no backup was) put (?:back|aside)\b|\bвраћен\w*"
)
"""Words that ask a person to leave the files alone, or tell what was done."""
_ACT = re.compile(
    r"\b(?:[Mm]ove|moved away|[Dd]elete|[Rr]emove|[Rr]estore|[Rr]eplace|[Rr]ename|(?<!-)[Pp]ut"
    r"|(?i:склон|помер|премест|обриш|избриш|врат|враћ|замен|уклон)\w*)\b"
)
_FILE = re.compile(
    r"(?i)\b(?:files?|folders?|databases?|journal|ledger|backups?|cop(?:y|ies)|away|aside"
    r"|\w+\.(?:db|json|toml|sealed)|file_name"
    r"|податк\w*|фајл\w*|датотек\w*|фасцикл\w*|баз[аеу]|дневник\w*|копиј\w*|запис\w*)\b"
)


def risky(text: str) -> Iterator[str]:
    """The sentences that name such an act and a file."""
    for sentence in re.split(r"(?<=[.!?;])\s", text):
        left = " ".join(_NOT.sub("", sentence).split())
        if _ACT.search(left) and _FILE.search(left):
            yield left


def strings(tree: ast.Module) -> Iterator[str]:
    """All strings of a module but its docstrings; a value that is put into one stands in braces."""
    nodes = [*ast.walk(tree)]
    seen = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    seen |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in seen:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(map(_shown, node.values))


def _shown(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return f"{{{ast.unparse(part.value)}}}"
    return str(part.value) if isinstance(part, ast.Constant) else ""


def told() -> Iterator[str]:
    """All texts of the product: the strings of its code, and the texts of the till."""
    for path in sorted((ROOT / "pos_app").rglob("*.py")):
        yield from strings(ast.parse(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "resources/texts").glob("*.po")):
        for entry in polib.pofile(str(path)):
            yield from (entry.msgstr, *entry.msgstr_plural.values())


def test_nobody_is_told_to_put_a_file_away_that_may_be_needed() -> None:
    found = [sentence for text in told() for sentence in risky(text)]
    assert [one for one in found if one not in ALLOWED] == []
    assert [*ALLOWED.keys() - found] == []


@pytest.mark.parametrize(
    "text",
    [
        "Restart it. Move it away, or choose another folder.",
        "Delete nothing: restore this file from a backup.",
        "Delete the file.",
        "Put it back from a backup of yesterday.",
        "Of all files catalogue.db alone may be moved away.",
        "Позовите подршку да склони старе податке.",
        "Обришите датотеку {path}.",
    ],
)
def test_such_words_are_found(text: str) -> None:
    assert [one for one in risky(text) if one not in ALLOWED]


@pytest.mark.parametrize(
    "text",
    [
        "Delete and move nothing: copy the file to a safe place.",
        "Ништа не премештајте и не бришите. Позовите подршку: {path}",
        "Delete the amount",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert not [*risky(text)]
