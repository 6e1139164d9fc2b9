"""The tables of `catalogue.db`.

A product is kept as the platform listed it (`source`) and, beside it, as the till shows it: one row
of the picker, one row for each article, its words in the search index. Prices are whole para,
quantities thousandths, instants UTC text of one width, so that they sort. Fields of an edit are
JSON in the platform's spelling. The moves of an edit's life are written here once more, because a
released migration never changes with the code; a test compares them with
`selling.synchronisation.catalogue_edits`.
"""

from __future__ import annotations

from pos_app.adapters.data_folder import CATALOGUE
from pos_app.errors import PUT_BACK

FILE_NAME = CATALOGUE.name
IF_DAMAGED = (
    f"Stop the programs, {PUT_BACK}. Where there is no backup, support puts the damaged file aside,"
    ' with its -wal and -shm; then "pos-app sync" (without a platform "pos-app sync FILE") makes a'
    " new one: articles and changes that no platform has are in the damaged one alone."
)
"""A person reads this about a damaged file."""

_TABLES = """
CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE store (
    uuid TEXT NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE unit (
    uuid TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    symbol TEXT NOT NULL,
    position INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- A category that a product names before any list does has no name yet, and no chip.
CREATE TABLE category (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT,
    position INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the shelf shows, this till's open edits included.
-- origin: whose list it came from, '' when it was made at this till.
-- sort_key: what names are sorted by (domain.sort_text).
CREATE TABLE product (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    shown INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1)),
    pending TEXT NOT NULL DEFAULT '' CHECK (pending IN ('', 'waiting', 'conflict', 'refused')),
    name TEXT NOT NULL DEFAULT '',
    name_key TEXT NOT NULL DEFAULT '',
    subtitle TEXT NOT NULL DEFAULT '',
    label TEXT NOT NULL DEFAULT '',
    articles INTEGER NOT NULL DEFAULT 0,
    article_uuid TEXT,
    sku INTEGER,
    ean TEXT,
    price INTEGER,
    highest INTEGER,
    unit TEXT NOT NULL DEFAULT '',
    by_weight INTEGER NOT NULL DEFAULT 0,
    asks_price INTEGER NOT NULL DEFAULT 0,
    pinned INTEGER NOT NULL DEFAULT 0,
    categories TEXT NOT NULL DEFAULT '',
    picture_id TEXT,
    sort_key TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX product_by_sort ON product (sort_key) WHERE shown = 1;
CREATE INDEX product_by_name ON product (name_key) WHERE shown = 1;
CREATE INDEX product_by_sku ON product (sku) WHERE shown = 1;
CREATE INDEX product_by_price ON product (price) WHERE shown = 1;
CREATE INDEX product_pending ON product (pending) WHERE pending <> '';

-- A product as its platform told it; none when it was made at this till.
-- digest: of the text it was listed as; an equal one is not written again.
-- version: updatedAt, as listed.
CREATE TABLE source (
    product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
    document TEXT NOT NULL,
    digest BLOB,
    version TEXT
) STRICT;

CREATE TABLE article (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
    product_uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    sku INTEGER,
    ean TEXT,
    ean_key TEXT,
    maker_code TEXT,
    variant_name TEXT,
    price INTEGER,
    unit TEXT NOT NULL,
    unit_name TEXT NOT NULL,
    by_weight INTEGER NOT NULL CHECK (by_weight IN (0, 1)),
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    open_price INTEGER NOT NULL CHECK (open_price IN (0, 1)),
    categories TEXT NOT NULL,
    picture_id TEXT,
    barcodes TEXT NOT NULL
) STRICT;
CREATE INDEX article_of_product ON article (product);
CREATE INDEX article_by_sku ON article (sku) WHERE sku IS NOT NULL;
CREATE INDEX article_by_ean ON article (ean_key) WHERE ean_key IS NOT NULL;
CREATE INDEX article_by_maker_code ON article (maker_code) WHERE maker_code IS NOT NULL;
CREATE INDEX article_open_price ON article (name) WHERE open_price = 1;

-- Further barcodes; key: the code, a GTIN in its longest spelling.
CREATE TABLE barcode (
    key TEXT NOT NULL,
    article INTEGER NOT NULL REFERENCES article ON DELETE CASCADE,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (key, article)
) STRICT, WITHOUT ROWID;
CREATE INDEX barcode_of_article ON barcode (article);

-- name_key: what the names of a category begin with, in their order.
CREATE TABLE product_category (
    category INTEGER NOT NULL REFERENCES category,
    sort_key TEXT NOT NULL,
    product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
    name_key TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (category, sort_key, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX category_of_product ON product_category (product);
CREATE INDEX category_by_name ON product_category (category, name_key);

-- The units that a product or a variant of it is sold by or based on, as the till shows it. unit:
-- unit.uuid, also of a unit that no list has.
CREATE TABLE product_unit (
    unit TEXT NOT NULL,
    product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
    PRIMARY KEY (unit, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX unit_of_product ON product_unit (product);

-- rowid: product.id. Words are folded before. `_word` marks the first word of a name,
-- `__n` a category. Begins of up to eight characters: many EANs have the first seven in common.
CREATE VIRTUAL TABLE search USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4 5 6 7 8',
    tokenize = "ascii tokenchars '_'"
);

CREATE TABLE picture (
    file_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What only this shop notes. pin: place among the favourites. by_till: no list changes it.
CREATE TABLE mark (
    article_uuid TEXT NOT NULL PRIMARY KEY,
    product_uuid TEXT NOT NULL,
    pin INTEGER,
    open_price INTEGER NOT NULL CHECK (open_price IN (0, 1)),
    by_weight INTEGER CHECK (by_weight IN (0, 1)),
    barcodes TEXT NOT NULL,
    by_till INTEGER NOT NULL CHECK (by_till IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX mark_pinned ON mark (pin) WHERE pin IS NOT NULL;
CREATE INDEX mark_of_product ON mark (product_uuid);

-- How often a product was sold on a day of the shop (days since 1970-01-01).
CREATE TABLE sold (
    day INTEGER NOT NULL,
    product INTEGER NOT NULL REFERENCES product ON DELETE CASCADE,
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (day, product)
) STRICT, WITHOUT ROWID;
CREATE INDEX sold_of_product ON sold (product);
CREATE TABLE best_seller (
    product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
    times INTEGER NOT NULL
) STRICT;
CREATE INDEX best_seller_by_times ON best_seller (times);
CREATE TRIGGER sold_first AFTER INSERT ON sold BEGIN
    INSERT INTO best_seller VALUES (new.product, new.times)
        ON CONFLICT DO UPDATE SET times = times + excluded.times;
END;
CREATE TRIGGER sold_again AFTER UPDATE OF times ON sold BEGIN
    UPDATE best_seller SET times = times + new.times - old.times WHERE product = new.product;
END;
CREATE TRIGGER sold_long_ago AFTER DELETE ON sold BEGIN
    UPDATE best_seller SET times = times - old.times WHERE product = old.product;
    DELETE FROM best_seller WHERE product = old.product AND times <= 0;
END;

-- How much of an article was sold in how many lines. Of many lines the older half counts half, so
-- that the mean follows the seasons.
CREATE TABLE sold_amount (
    article_uuid TEXT PRIMARY KEY,
    lines INTEGER NOT NULL CHECK (lines > 0),
    amount INTEGER NOT NULL CHECK (amount > 0)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sold_amount_grows_old AFTER UPDATE OF lines ON sold_amount WHEN new.lines >= 400
BEGIN
    UPDATE sold_amount SET lines = lines / 2, amount = max(1, amount / 2)
        WHERE article_uuid = new.article_uuid;
END;

-- error_field: the field that the platform did not take, where it named one. sent: the fields that
-- were sent and had no clear answer, as they were sent.
CREATE TABLE edit (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE CHECK (length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*'),
    kind TEXT NOT NULL CHECK (kind IN ('add', 'update', 'delete', 'note')),
    product_uuid TEXT NOT NULL,
    article_uuid TEXT NOT NULL,
    base_version TEXT,
    base TEXT NOT NULL,
    document TEXT NOT NULL,
    theirs TEXT NOT NULL DEFAULT '{}',
    by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    state TEXT NOT NULL,
    state_at TEXT NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    error_field TEXT NOT NULL DEFAULT '',
    sent TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX edit_open ON edit (product_uuid)
    WHERE state IN ('waiting', 'sending', 'conflict', 'refused');
CREATE INDEX edit_by_state ON edit (state, id);
-- An article gets the platform's id in all that belongs to it, whatever else waits or was.
CREATE INDEX edit_of_product ON edit (product_uuid);
CREATE INDEX edit_of_article ON edit (article_uuid);
CREATE TABLE edit_move (
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    PRIMARY KEY (old, new)
) STRICT, WITHOUT ROWID;
INSERT INTO edit_move VALUES
    ('waiting', 'sending'), ('waiting', 'conflict'), ('waiting', 'done'), ('waiting', 'dropped'),
    ('sending', 'waiting'), ('sending', 'conflict'), ('sending', 'refused'), ('sending', 'done'),
    ('conflict', 'waiting'), ('conflict', 'done'), ('conflict', 'dropped'),
    ('refused', 'waiting'), ('refused', 'conflict'), ('refused', 'done'), ('refused', 'dropped');
CREATE TRIGGER edit_begins BEFORE INSERT ON edit
    WHEN new.state <> CASE new.kind WHEN 'note' THEN 'kept' ELSE 'waiting' END
BEGIN
    SELECT RAISE(ABORT, 'no edit begins in this state');
END;
CREATE TRIGGER edit_moves BEFORE UPDATE OF state ON edit
    WHEN old.state <> new.state
        AND NOT EXISTS (SELECT 1 FROM edit_move WHERE old = old.state AND new = new.state)
BEGIN
    SELECT RAISE(ABORT, 'an edit has no such move');
END;

-- cause: why the price changed (selling.catalogue.catalogue.PriceCause).
-- label, unit: what the article had then.
-- percent: of a change of many by a percentage, and of a plan that it made.
CREATE TABLE price_change (
    id INTEGER PRIMARY KEY,
    article_uuid TEXT NOT NULL,
    sku INTEGER,
    name TEXT NOT NULL,
    old INTEGER,
    new INTEGER,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    cause TEXT NOT NULL,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    percent TEXT
) STRICT;
CREATE INDEX price_change_at ON price_change (at);
CREATE INDEX price_change_of_article ON price_change (article_uuid);

-- A price that holds from an instant on, until another one if it has an end: this shop's own.
-- unit: the symbol of the unit of which it is the price; the article is never measured otherwise.
-- noted: which moments of the plan are among the price changes: 0 none, 1 its begin, 2 its end.
CREATE TABLE planned_price (
    article_uuid TEXT NOT NULL PRIMARY KEY,
    price INTEGER NOT NULL CHECK (price >= 0),
    unit TEXT NOT NULL,
    begins_at TEXT NOT NULL,
    ends_at TEXT CHECK (ends_at > begins_at),
    by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    noted INTEGER NOT NULL DEFAULT 0 CHECK (noted IN (0, 1, 2)),
    percent TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX planned_price_begins ON planned_price (begins_at);
CREATE INDEX planned_price_ends ON planned_price (ends_at) WHERE ends_at IS NOT NULL;

-- What stood on the label of an article when it was printed last. price: NULL on one without it.
CREATE TABLE label_print (
    article_uuid TEXT NOT NULL PRIMARY KEY,
    shown TEXT NOT NULL,
    at TEXT NOT NULL,
    price INTEGER
) STRICT, WITHOUT ROWID;

-- Products that a complete list no longer had, too many at once: they wait for a manager.
CREATE TABLE gone (
    product INTEGER PRIMARY KEY REFERENCES product ON DELETE CASCADE,
    since TEXT NOT NULL
) STRICT;

CREATE TABLE sync_run (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    began_at TEXT NOT NULL,
    ended_at TEXT,
    listed INTEGER NOT NULL,
    added INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    unchanged INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    held_back INTEGER NOT NULL DEFAULT 0,
    conflicts INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the server reads for a caller that sends a sku alone. Columns are only ever added. The price
-- at this moment is looked up only where it is asked for: who reads other columns reads one row.
CREATE VIEW article_v1 (article_id, sku, name, label, unit, gtin, price, by_weight) AS
    SELECT uuid, sku, name, label, unit,
        CASE WHEN length(ean) BETWEEN 8 AND 14 AND ean NOT GLOB '*[^0-9]*' THEN ean END,
        (SELECT printf('%d.%02d', charged / 100, charged % 100) FROM (
            SELECT coalesce(
                (SELECT p.price FROM planned_price p WHERE p.article_uuid = article.uuid
                    AND p.begins_at <= strftime('%Y-%m-%dT%H:%M:%f', 'now')
                    AND (p.ends_at IS NULL
                        OR strftime('%Y-%m-%dT%H:%M:%f', 'now') < p.ends_at)),
                article.price) AS charged)
            WHERE charged IS NOT NULL),
        by_weight
    FROM article;

-- This till's edits that the platform does not have yet, for each article that they may change.
-- is_own: whether it is an edit of the article itself. document, base: the fields as they shall be
-- and as they were, in the wire's spelling. sent: as the platform may have them from this till.
CREATE VIEW open_edit_v1 (article_id, kind, is_own, document, base, sent) AS
    SELECT article.uuid, edit.kind, edit.article_uuid = article.uuid, edit.document, edit.base,
        edit.sent
    FROM article JOIN edit ON edit.product_uuid = article.product_uuid
    WHERE edit.state IN ('waiting', 'sending', 'conflict', 'refused')
        AND edit.article_uuid IN (article.uuid, article.product_uuid);

-- What the server reads of the stores, the one in use first.
CREATE VIEW store_v1
    (store_id, language, thermal, a4, email, print_bank_accounts, print_discounts) AS
    SELECT uuid,
        coalesce(document ->> '$.language', 'sr-Cyrl-RS'),
        CASE WHEN document ->> '$.printMethod' IS NULL THEN 1
            ELSE coalesce(document ->> '$.printMethod.thermal', 0) END,
        CASE WHEN document ->> '$.printMethod' IS NULL THEN 1
            ELSE coalesce(document ->> '$.printMethod.a4', 0) END,
        CASE WHEN document ->> '$.printMethod' IS NULL THEN 1
            ELSE coalesce(document ->> '$.printMethod.email', 0) END,
        coalesce(document ->> '$.printBankAccounts', 0),
        coalesce(document ->> '$.printDiscounts', 0)
    FROM store ORDER BY position;

-- The platform that this catalogue comes from, and what is remembered of its last list.
-- origin: its address and key. since: the latest updatedAt listed, as written there.
-- versions: it numbers its versions, and so takes If-Match. parts: digest of what is small.
-- checked_at: when it answered last. away_since: since when it can't be asked. fault: why.
CREATE TABLE platform (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    origin TEXT NOT NULL,
    etag TEXT NOT NULL DEFAULT '',
    since TEXT NOT NULL DEFAULT '',
    refuses_since INTEGER NOT NULL DEFAULT 0 CHECK (refuses_since IN (0, 1)),
    versions INTEGER NOT NULL DEFAULT 0 CHECK (versions IN (0, 1)),
    parts TEXT NOT NULL DEFAULT '',
    checked_at TEXT,
    away_since TEXT,
    fault TEXT NOT NULL DEFAULT ''
) STRICT;

-- What was changed of a store here, and its platform does not have yet: the store, as it was, as it
-- shall be, as the platform listed it last, and as it was sent without a clear answer (NULL: it was
-- not).
CREATE TABLE store_edit (
    store TEXT NOT NULL PRIMARY KEY,
    base TEXT NOT NULL,
    ours TEXT NOT NULL,
    theirs TEXT NOT NULL,
    by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    error TEXT NOT NULL,
    error_field TEXT NOT NULL,
    sent TEXT
) STRICT, WITHOUT ROWID;

-- Whether what this shop has from elsewhere is sent to a platform, by its origin. asked: what a
-- person is asked, as JSON; '' where nothing needed asking. answer: '' until they say.
CREATE TABLE joining (
    origin TEXT NOT NULL PRIMARY KEY,
    asked TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    answer TEXT NOT NULL DEFAULT '' CHECK (answer IN ('', 'send', 'read')),
    by TEXT NOT NULL DEFAULT '',
    answered_at TEXT
) STRICT, WITHOUT ROWID;

-- The last import or bulk change, which can be taken back. articles: how many it has below.
-- categories, units: what was made with it, names by id, as JSON.
-- ended: the unit or category that went with it.
CREATE TABLE last_change (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    kind TEXT NOT NULL CHECK (kind IN ('import', 'bulk')),
    name TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    articles INTEGER NOT NULL,
    categories TEXT NOT NULL,
    ended TEXT NOT NULL DEFAULT '',
    units TEXT NOT NULL DEFAULT '{}'
) STRICT;
-- What it made of each article, in its order: fields of the form, as JSON. before: NULL of one that
-- it added.
CREATE TABLE changed_article (
    id INTEGER PRIMARY KEY,
    product_uuid TEXT NOT NULL,
    article_uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    before TEXT,
    after TEXT NOT NULL
) STRICT;
CREATE INDEX changed_article_of_product ON changed_article (product_uuid);
CREATE INDEX changed_article_by_uuid ON changed_article (article_uuid);

-- The change of many articles that is under way, and the rows that are still to be made, in their
-- order: whoever finds it carries it on. state: of 'planning' nothing is made yet. whole: how many
-- there were, reached: how many of them are over; done, failed, left_over: what became of those.
-- left_over: something else had changed them since they were planned; left_names: the first.
-- ends: the unit or category that goes with the last row, as JSON; '' for none.
CREATE TABLE bulk_act (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    kind TEXT NOT NULL CHECK (kind IN ('change', 'plan', 'delete', 'import', 'take_back')),
    name TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('planning', 'running', 'resumed', 'stopped')),
    whole INTEGER NOT NULL DEFAULT 0,
    reached INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    left_over INTEGER NOT NULL DEFAULT 0,
    left_names TEXT NOT NULL DEFAULT '[]',
    ends TEXT NOT NULL DEFAULT ''
) STRICT;
-- before, after: fields of the form, as JSON, of what the article is and gets; before: NULL where
-- that is not known. more: what only this kind of act needs, as JSON.
CREATE TABLE planned_row (
    id INTEGER PRIMARY KEY,
    product_uuid TEXT NOT NULL,
    article_uuid TEXT NOT NULL,
    before TEXT,
    after TEXT NOT NULL,
    more TEXT NOT NULL
) STRICT;
CREATE INDEX planned_row_of_product ON planned_row (product_uuid);
CREATE INDEX planned_row_by_uuid ON planned_row (article_uuid);

-- What was changed of a unit or category here, and its platform does not have yet: as it was (NULL:
-- it was made here), as it shall be (NULL: it is deleted), as the platform listed it last (NULL: it
-- is not listed). stays: the platform has no such list. sent: what is on its way to the platform,
-- until its outcome is known: '' for a deletion, NULL for nothing.
CREATE TABLE name_edit (
    kind TEXT NOT NULL CHECK (kind IN ('unit', 'category')),
    uuid TEXT NOT NULL,
    base TEXT,
    ours TEXT,
    theirs TEXT,
    by TEXT NOT NULL,
    made_at TEXT NOT NULL,
    error TEXT NOT NULL,
    error_field TEXT NOT NULL,
    stays INTEGER NOT NULL CHECK (stays IN (0, 1)),
    sent TEXT,
    PRIMARY KEY (kind, uuid),
    CHECK (base IS NOT NULL OR ours IS NOT NULL)
) STRICT, WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (_TABLES,)
