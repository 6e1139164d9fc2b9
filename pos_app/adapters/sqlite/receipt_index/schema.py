"""The tables of receipt-index.db, which is made from journal.db and can be made from it again.

`fed` is the progress: the list has every receipt whose signing is a row of the journal's history
from `first` to `last`. `hash` is the hash of the row `last`, by which a journal that was put back
or replaced is noticed. `receipts` is the number of receipts in the list, `left_out` the number of
those that could not be read.
`entry` names each facet once, with how many receipts have it; `entry_words` has its words for the
search.
`receipt` is sorted by time, and has the columns of the list. Its number is `head` (an entry) and
`counter`; `kind` is a position in its codebook; `methods` and `labels` have one bit for each
position in theirs; `hour` is the hour in Belgrade; `named` has the entries by whose words the
receipt is found, four bytes each. A number is looked for by its last three digits, because the
receipts with the same three digits are side by side.
`facet` has the receipts of an entry, by time. Kinds and methods that nearly all receipts have are
left out, because looking through all receipts by time is as quick.
`day` sums up each day of Belgrade.
`sums` has the figures of reports, from the receipts of the turnover: for each day and kind the
amounts of each hour, cashier, method, label, label with its method, and article. The sums of an
article's months stand under their first day. `report_feeding.SumSort` says what `key` is; `tax` is
rounded as on paper, and `quantity` is in thousandths.
`sold` names each article once, as on its newest receipt.
`paid_advance` has the receipts of advances, refunds as negative amounts, from which the open amount
of a chain at a day follows.
`advance` has the chains, by their first requests, in which the payments in advance and what was
given back are not equal. The closing of an advance refunds all of it, so it removes the chain from
here. `told` is the description of the chain, which is valid until a receipt of it is signed.
Amounts are para, times milliseconds since 1970 UTC, days counted from the year 1. After a change
here the next start makes the file anew: there is one step, and no upgrade.
"""

from dataclasses import fields

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType

KINDS = tuple(ReceiptKind(one, other) for one in InvoiceType for other in TransactionType)
METHODS = tuple(PaymentMethod)
LABELS = tuple(TaxLabel)
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

CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    sort INTEGER NOT NULL,
    text TEXT NOT NULL,
    receipts INTEGER NOT NULL,
    UNIQUE (sort, text)
) STRICT;

CREATE VIRTUAL TABLE entry_words USING fts5 (
    words, content = '', detail = none, columnsize = 0, prefix = '1 2 3 4 5', tokenize = 'ascii'
);

CREATE TABLE receipt (
    at INTEGER NOT NULL,
    row INTEGER NOT NULL,
    id BLOB NOT NULL,
    head INTEGER NOT NULL,
    counter INTEGER,
    total INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    methods INTEGER NOT NULL,
    cashier INTEGER NOT NULL,
    program INTEGER NOT NULL,
    buyer INTEGER,
    e_invoice INTEGER NOT NULL CHECK (e_invoice IN (0, 1)),
    referent TEXT,
    hour INTEGER NOT NULL,
    labels INTEGER NOT NULL,
    named BLOB NOT NULL,
    PRIMARY KEY (at, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_counter ON receipt (counter % 1000, counter);
CREATE INDEX receipt_total ON receipt (total);

CREATE TABLE facet (
    entry INTEGER NOT NULL,
    at INTEGER NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (entry, at, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE day (
    day INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    receipts INTEGER NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (day, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE sums (
    sort INTEGER NOT NULL,
    day INTEGER NOT NULL,
    key INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    receipts INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    PRIMARY KEY (sort, day, key, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE sold (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

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
    )
    for index, one in enumerate(codebook)
)
_TOLD = f"/* told: {', '.join(field.name for field in fields(OpenAdvance))} */"
"""These names are part of the step, so that a file with other names is made anew too."""
MIGRATIONS = (f"{_CODEBOOKS}\n{_TOLD}\n{_ALL}",)
