"""The tables of receipt-index.db, which is made from journal.db and can be made from it again.

`fed` is the progress: the list has every receipt whose signing is a row of the journal's history
from `first` to `last`. `hash` is the hash of the row `last`, by which a journal that was put back
or replaced is noticed. `receipts` is the number of receipts in the list, `left_out` the number of
those that could not be read.
`name` has each cashier, program, buyer and article once, and the UIDs that begin numbers. `text`
is what receipts have in common; `words` are folded, and `name_words` searches them. An article is
one that was printed: its `text` is code, EAN and name. `article` is its key in reports, `shown` its
name there, and `at` the time of its newest receipt of the turnover.
`receipt` has the columns of the list; `row` is the row of the journal's history. A number is `head`
(a name) and `counter`; `kind` is a position in its codebook; `methods` and `labels` have one bit
for each position in theirs; `day` and `hour` are those of Belgrade. `receipt_by_time` has all that
most questions compare, so that they read a receipt itself only where it is found. A number is
looked for by its last three digits, because receipts with the same three are side by side.
`line` has what a receipt sold of an article. `is_first` is 1 for the first line of its key in
reports, which counts the receipt there.
`money` has the part of a receipt of the turnover that is one label's and was paid by one method:
a position in the codebook, `BEFORE` or `UNPAID`. `tax` is rounded as on paper.
`paid_later` has what was paid on each receipt of the turnover, or given back, by a method by which
money may come later; `role` is a position in `ROLES`. It has all that the question for receivables
reads, so that a hundred thousand of them need no look at their receipts.
`paid_advance` has the receipts of advances, refunds as negative amounts, from which the open amount
of a chain at a day follows.
`advance` has the chains, by their first requests, in which the payments in advance and what was
given back are not equal. The closing of an advance refunds all of it, so it removes the chain from
here. `told` is the description of the chain, which is valid until a receipt of it is signed.
Amounts are para, quantities thousandths, times milliseconds since 1970 UTC, days counted from the
year 1. After a change here the next start makes the file anew: there is one step, and no upgrade.
"""

from dataclasses import fields

from pos_app.domain.money.payment import MAY_BE_PAID_LATER, PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.domain.receipt.receivables import ChainRole
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType

KINDS = tuple(ReceiptKind(one, other) for one in InvoiceType for other in TransactionType)
METHODS = tuple(PaymentMethod)
BEFORE = len(METHODS)
"""Stands for a method: the amount that was paid in advance of a sale."""
UNPAID = -1
"""Stands for a method where nothing was to be paid."""
LABELS = tuple(TaxLabel)
LATER = tuple(map(METHODS.index, MAY_BE_PAID_LATER))
ROLES = tuple(ChainRole)
_ALL = """
CREATE TABLE fed (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    journal TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    hash BLOB,
    receipts INTEGER NOT NULL,
    left_out INTEGER NOT NULL
) STRICT;

CREATE TABLE name (
    id INTEGER PRIMARY KEY,
    sort TEXT NOT NULL,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    article TEXT,
    shown TEXT,
    at INTEGER,
    UNIQUE (sort, text)
) STRICT;
CREATE INDEX name_article ON name (article, at) WHERE article IS NOT NULL;
CREATE VIRTUAL TABLE name_words USING fts5 (
    words, content = '', detail = none, columnsize = 0, prefix = '1 2 3 4 5', tokenize = 'ascii'
);
CREATE TRIGGER name_searched AFTER INSERT ON name WHEN new.words <> '' BEGIN
    INSERT INTO name_words (rowid, words) VALUES (new.id, new.words);
END;

CREATE TABLE receipt (
    row INTEGER PRIMARY KEY,
    day INTEGER NOT NULL,
    at INTEGER NOT NULL,
    id BLOB NOT NULL,
    head INTEGER NOT NULL,
    counter INTEGER,
    referent TEXT,
    kind INTEGER NOT NULL,
    total INTEGER NOT NULL,
    methods INTEGER NOT NULL,
    labels INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    cashier INTEGER NOT NULL,
    program INTEGER NOT NULL,
    buyer INTEGER,
    e_invoice INTEGER NOT NULL CHECK (e_invoice IN (0, 1)),
    untaxed INTEGER NOT NULL CHECK (untaxed IN (0, 1))
) STRICT;
CREATE INDEX receipt_by_time ON receipt (
    day, at, row, kind, total, methods, labels, hour, cashier, program, buyer, e_invoice, untaxed
);
CREATE INDEX receipt_counter ON receipt (counter % 1000, counter);
CREATE INDEX receipt_total ON receipt (total);

CREATE TABLE line (
    article INTEGER NOT NULL,
    day INTEGER NOT NULL,
    receipt INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
    amount INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    PRIMARY KEY (article, day, receipt)
) STRICT, WITHOUT ROWID;
CREATE INDEX line_of_receipt ON line (receipt, article);

CREATE TABLE money (
    day INTEGER NOT NULL,
    receipt INTEGER NOT NULL,
    label INTEGER NOT NULL,
    method INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    PRIMARY KEY (day, receipt, label, method)
) STRICT, WITHOUT ROWID;

CREATE TABLE paid_later (
    chain BLOB NOT NULL,
    row INTEGER NOT NULL,
    method INTEGER NOT NULL,
    day INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    role INTEGER NOT NULL,
    head INTEGER NOT NULL,
    counter INTEGER,
    referent TEXT,
    buyer INTEGER,
    PRIMARY KEY (chain, row, method)
) STRICT, WITHOUT ROWID;

CREATE TABLE paid_advance (
    chain BLOB NOT NULL,
    at INTEGER NOT NULL,
    row INTEGER NOT NULL,
    day INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (chain, at, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE advance (
    chain BLOB PRIMARY KEY,
    paid INTEGER NOT NULL,
    told BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX advance_untold ON advance (chain) WHERE told IS NULL AND paid > 0;
"""

_CODEBOOKS = "\n".join(
    f"-- {index}: {one}"
    for codebook in (
        METHODS,
        LABELS,
        [f"{kind.invoice_type} {kind.transaction_type}" for kind in KINDS],
        MAY_BE_PAID_LATER,
        ROLES,
    )
    for index, one in enumerate(codebook)
)
_TOLD = f"/* told: {', '.join(field.name for field in fields(OpenAdvance))} */"
"""These names are part of the step, so that a file with other names is made anew too."""
MIGRATIONS = (f"{_CODEBOOKS}\n{_TOLD}\n{_ALL}",)
