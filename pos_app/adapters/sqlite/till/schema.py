"""The tables of `till.db`.

Amounts are whole para, quantities thousandths, percentages ten-thousandths; instants are UTC text
of one width, so that they sort. The moves of a sale's life are repeated here, because a released
migration never changes with the code; a test compares them with `selling.sale.state`.
"""

from __future__ import annotations

from pos_app.adapters.data_folder import TILL

FILE_NAME = TILL.name

_REFERS_TO = """CASE WHEN json_valid(CAST(body AS TEXT))
    THEN json_extract(CAST(body AS TEXT), '$.referentDocumentNumber') END"""
"""The number that a sale's body refers to; none where the body is damaged."""
_TABLES = f"""
CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    till_id TEXT NOT NULL,
    last_sequence INTEGER NOT NULL DEFAULT 0,
    journal_id TEXT,
    journal_rows INTEGER,
    journal_hash TEXT,
    epoch TEXT,
    acted_key TEXT,
    unconfirmed TEXT
) STRICT;

-- is_begun: whether somebody began to pay. name: what a suspended cart is called, until it ends.
CREATE TABLE carts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE CHECK (length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*'),
    kind TEXT NOT NULL CHECK (kind IN ('sale', 'advance', 'proforma', 'training')),
    state TEXT NOT NULL CHECK (state IN ('open', 'held', 'done', 'dropped')),
    reason TEXT CHECK ((reason IS NOT NULL) = (state = 'dropped')),
    cashier TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    moved_at TEXT NOT NULL,
    discount_percent INTEGER,
    discount_amount INTEGER,
    next_line INTEGER NOT NULL DEFAULT 1,
    revision INTEGER NOT NULL DEFAULT 0,
    set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
    is_begun INTEGER NOT NULL DEFAULT 0 CHECK (is_begun IN (0, 1)),
    name TEXT CHECK (name <> '')
) STRICT;
CREATE UNIQUE INDEX one_open_cart ON carts (kind = 'training') WHERE state = 'open';
CREATE INDEX held_carts ON carts (id) WHERE state = 'held';

-- batch, serial: what the code of a scanned piece says of it, where the shop keeps it.
CREATE TABLE cart_lines (
    cart_id INTEGER NOT NULL REFERENCES carts,
    line INTEGER NOT NULL,
    position INTEGER NOT NULL,
    article_id TEXT NOT NULL,
    sku INTEGER,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    gtin TEXT,
    by_weight INTEGER NOT NULL CHECK (by_weight IN (0, 1)),
    article_price INTEGER NOT NULL,
    price INTEGER NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    discount INTEGER CHECK (discount BETWEEN 1 AND 1000000),
    discount_amount INTEGER CHECK (
        discount_amount IS NULL OR (discount_amount > 0 AND discount IS NULL)
    ),
    stated_total INTEGER,
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    unknown_code TEXT CHECK (unknown_code <> ''),
    batch TEXT CHECK (batch <> ''),
    serial TEXT CHECK (serial <> ''),
    PRIMARY KEY (cart_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX lines_for_unknown_codes ON cart_lines (cart_id) WHERE unknown_code IS NOT NULL;

-- referent: the proforma that a sale comes from, and refers to. goods_back: what comes back for the
-- lines. buyer_name: the name of the buyer, as it was typed for the book.
CREATE TABLE cart_additions (
    cart_id INTEGER PRIMARY KEY REFERENCES carts,
    buyer_code TEXT NOT NULL,
    buyer_value TEXT NOT NULL,
    buyer_sure INTEGER NOT NULL CHECK (buyer_sure IN (0, 1)),
    centre_code TEXT NOT NULL,
    centre_value TEXT NOT NULL,
    text TEXT NOT NULL,
    ways TEXT,
    email TEXT NOT NULL,
    advance_amount TEXT NOT NULL,
    advance_unknown INTEGER CHECK (advance_unknown IN (0, 1)),
    advance_parts TEXT NOT NULL CHECK (json_valid(advance_parts)),
    advance_day TEXT NOT NULL,
    advance_time TEXT NOT NULL,
    paid TEXT NOT NULL CHECK (json_valid(paid)),
    referent_number TEXT,
    referent_time TEXT CHECK ((referent_time IS NULL) = (referent_number IS NULL)),
    goods_back TEXT CHECK (goods_back IS NULL OR json_valid(goods_back)),
    buyer_name TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX carts_that_refer ON cart_additions (referent_number)
    WHERE referent_number IS NOT NULL;

CREATE TABLE missed_codes (
    cart_id INTEGER NOT NULL REFERENCES carts,
    position INTEGER NOT NULL,
    code TEXT NOT NULL,
    why TEXT CHECK (why <> ''),
    PRIMARY KEY (cart_id, position)
) STRICT, WITHOUT ROWID;

-- operation: what is asked for is a new receipt, or an operation on one that exists; that one's
-- cart has no lines, and gives the key. A refund by hand has no target: the journal does not hold
-- its receipt.
-- follows: a correction is a refund and the new receipt that follows it: both are frozen at once,
-- and the new one is never sent before the refund is signed.
-- is_exchange: both halves of an exchange, which is no correction.
-- buyer, buyer_name, buyer_email: what the buyers' book learns once the receipt is signed.
CREATE TABLE sales (
    key TEXT NOT NULL PRIMARY KEY CHECK (length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*'),
    sequence INTEGER NOT NULL UNIQUE,
    cart_id INTEGER NOT NULL UNIQUE REFERENCES carts,
    kind TEXT NOT NULL CHECK (kind IN ('sale', 'advance', 'proforma', 'training')),
    state TEXT NOT NULL DEFAULT 'frozen',
    body BLOB NOT NULL,
    total INTEGER NOT NULL,
    change INTEGER NOT NULL CHECK (change >= 0),
    rounding INTEGER NOT NULL,
    cashier TEXT NOT NULL,
    shift_id INTEGER,
    frozen_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at TEXT,
    reason_class TEXT CHECK (reason_class IN ('fix', 'cure', 'wait', 'unknown')),
    reason_code TEXT,
    reason_text TEXT,
    reason_pfr_code TEXT,
    reason_field TEXT,
    drop_reason TEXT,
    receipt_id TEXT,
    fiscal_number TEXT,
    signed_at TEXT,
    verification_url TEXT,
    answered_at TEXT,
    delivered INTEGER NOT NULL DEFAULT 0 CHECK (delivered IN (0, 1)),
    shown INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1)),
    epoch TEXT,
    operation TEXT NOT NULL DEFAULT 'issue'
        CHECK (operation IN ('issue', 'advance', 'close', 'copy', 'refund')),
    target TEXT CHECK (target IS NULL OR operation <> 'issue'),
    follows TEXT REFERENCES sales CHECK (follows IS NULL OR operation = 'issue'),
    is_exchange INTEGER NOT NULL DEFAULT 0 CHECK (is_exchange IN (0, 1)),
    buyer TEXT,
    buyer_name TEXT,
    buyer_email TEXT,
    CHECK ((reason_class IS NULL) = (reason_code IS NULL)),
    CHECK ((state = 'done') = (fiscal_number IS NOT NULL)),
    CHECK (state <> 'done' OR receipt_id IS NOT NULL)
) STRICT;
CREATE INDEX done_to_be_seen ON sales (sequence)
    WHERE state = 'done' AND (drop_reason IS NOT NULL OR signed_at IS NULL) AND shown = 0;
CREATE INDEX outbox_order ON sales (sequence) WHERE state NOT IN ('done', 'cancelled');
CREATE INDEX outbox_by_state ON sales (state, sequence) WHERE state NOT IN ('done', 'cancelled');
CREATE INDEX outbox_by_receipt ON sales (receipt_id)
    WHERE receipt_id IS NOT NULL AND state NOT IN ('done', 'cancelled');
CREATE UNIQUE INDEX one_follows ON sales (follows) WHERE follows IS NOT NULL;
CREATE INDEX frozen_in_front ON sales (sequence)
    WHERE state = 'frozen'
        AND (operation IN ('advance', 'close', 'refund') OR follows IS NOT NULL);
CREATE INDEX unfinished_followers ON sales (sequence)
    WHERE follows IS NOT NULL AND state NOT IN ('done', 'cancelled');
CREATE INDEX sales_of_shift ON sales (shift_id, sequence) WHERE shift_id IS NOT NULL;
CREATE INDEX exchanged ON sales (receipt_id) WHERE is_exchange = 1;
-- Which refunds by hand close an advance of another system.
CREATE INDEX refunds_by_hand ON sales (fiscal_number)
    WHERE operation = 'refund' AND target IS NULL;
CREATE INDEX acts_on_receipts ON sales (target) WHERE target IS NOT NULL;
CREATE INDEX issued_on_receipts
ON sales ({_REFERS_TO})
WHERE operation = 'issue'
    AND {_REFERS_TO} IS NOT NULL;

-- What is signed, as the server reads it: it asks for acts on receipts that its journal lacks. A
-- sale that undoes a refund refers to it, and nobody typed anything into its cart.
CREATE VIEW signed_v1 AS
SELECT (SELECT till_id FROM meta) AS till_id, sequence, key, operation, target, body,
    fiscal_number AS number, coalesce(signed_at, changed_at) AS at,
    {_REFERS_TO} AS refers_to,
    EXISTS (SELECT 1 FROM cart_additions a WHERE a.cart_id = sales.cart_id) AS is_typed
FROM sales WHERE state = 'done';

CREATE TABLE waiting_sales (state TEXT NOT NULL PRIMARY KEY, sales INTEGER NOT NULL)
STRICT, WITHOUT ROWID;

CREATE TABLE sale_payments (
    key TEXT NOT NULL REFERENCES sales,
    position INTEGER NOT NULL,
    method TEXT NOT NULL,
    on_receipt INTEGER NOT NULL DEFAULT 0,
    tendered INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (key, position),
    UNIQUE (key, method)
) STRICT, WITHOUT ROWID;

-- gave: the cash that the hand gave, where a manager says that something was paid out.
CREATE TABLE sale_events (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL REFERENCES sales,
    at TEXT NOT NULL,
    old TEXT,
    new TEXT NOT NULL,
    code TEXT,
    text TEXT,
    gave INTEGER CHECK (gave >= 0)
) STRICT;
CREATE INDEX events_of_sale ON sale_events (key, id);

CREATE TABLE sale_moves (
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    PRIMARY KEY (old, new)
) STRICT, WITHOUT ROWID;
INSERT INTO sale_moves (old, new) VALUES
    ('frozen', 'sending'), ('frozen', 'cancelling'), ('frozen', 'doubt'),
    ('frozen', 'refused'),
    ('sending', 'done'), ('sending', 'refused'), ('sending', 'frozen'), ('sending', 'doubt'),
    ('refused', 'cancelling'), ('refused', 'frozen'), ('refused', 'doubt'),
    ('doubt', 'done'), ('doubt', 'frozen'), ('doubt', 'refused'),
    ('cancelling', 'cancelled'), ('cancelling', 'doubt');

CREATE TRIGGER sale_begins BEFORE INSERT ON sales WHEN NEW.state <> 'frozen'
BEGIN SELECT RAISE(ABORT, 'life: a sale begins frozen'); END;

CREATE TRIGGER sale_moves_by_the_table BEFORE UPDATE OF state ON sales
WHEN NEW.state <> OLD.state
    AND NOT EXISTS (SELECT 1 FROM sale_moves WHERE old = OLD.state AND new = NEW.state)
BEGIN SELECT RAISE(ABORT, 'life: no such move'); END;

CREATE TRIGGER sale_stays_as_frozen
BEFORE UPDATE OF key, cart_id, kind, body, total, change, rounding, cashier, shift_id, frozen_at,
    epoch, buyer, buyer_name, buyer_email ON sales
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TRIGGER operation_stays_as_frozen BEFORE UPDATE OF operation, target ON sales
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TRIGGER place_in_a_correction_stays BEFORE UPDATE OF follows ON sales
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TRIGGER exchange_stays_one BEFORE UPDATE OF is_exchange ON sales
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TRIGGER follower_waits_for_its_refund BEFORE UPDATE OF state ON sales
WHEN NEW.state = 'sending' AND NEW.follows IS NOT NULL
    AND (SELECT state FROM sales WHERE key = NEW.follows) <> 'done'
BEGIN SELECT RAISE(ABORT, 'life: its refund is not signed'); END;

CREATE TRIGGER number_stays_once_it_was_told BEFORE UPDATE OF sequence ON sales
WHEN OLD.state <> 'frozen' OR OLD.attempts > 0
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TRIGGER ended_sale_stays
BEFORE UPDATE OF state, changed_at, attempts, next_try_at, reason_class, reason_code, reason_text,
    reason_pfr_code, reason_field, drop_reason, receipt_id, fiscal_number, signed_at,
    verification_url, answered_at ON sales
WHEN OLD.state IN ('done', 'cancelled')
BEGIN SELECT RAISE(ABORT, 'life: an ended sale never changes'); END;

CREATE TRIGGER sale_is_kept BEFORE DELETE ON sales
BEGIN SELECT RAISE(ABORT, 'life: a sale is never deleted'); END;

CREATE TRIGGER beginning_is_told AFTER INSERT ON sales
BEGIN
    INSERT INTO sale_events (key, at, old, new) VALUES (NEW.key, NEW.frozen_at, NULL, NEW.state);
END;

CREATE TRIGGER move_is_told AFTER UPDATE OF state ON sales WHEN NEW.state <> OLD.state
BEGIN
    INSERT INTO sale_events (key, at, old, new, code, text)
    VALUES (NEW.key, NEW.changed_at, OLD.state, NEW.state, NEW.reason_code, NEW.reason_text);
END;

CREATE TRIGGER wish_is_told AFTER UPDATE OF drop_reason ON sales
WHEN NEW.drop_reason IS NOT OLD.drop_reason
BEGIN
    INSERT INTO sale_events (key, at, old, new, code, text)
    VALUES (NEW.key, NEW.changed_at, OLD.state, NEW.state, 'drop_wished', NEW.drop_reason);
END;

CREATE TRIGGER beginning_is_counted AFTER INSERT ON sales
BEGIN
    INSERT INTO waiting_sales (state, sales) VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET sales = sales + 1;
END;
CREATE TRIGGER leaving_is_counted AFTER UPDATE OF state ON sales WHEN NEW.state <> OLD.state
BEGIN
    UPDATE waiting_sales SET sales = sales - 1 WHERE state = OLD.state;
END;
CREATE TRIGGER coming_is_counted AFTER UPDATE OF state ON sales
WHEN NEW.state <> OLD.state AND NEW.state NOT IN ('done', 'cancelled')
BEGIN
    INSERT INTO waiting_sales (state, sales) VALUES (NEW.state, 1)
    ON CONFLICT (state) DO UPDATE SET sales = sales + 1;
END;

CREATE TRIGGER event_stays BEFORE UPDATE ON sale_events
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON sale_events
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

CREATE TRIGGER payment_stays BEFORE UPDATE ON sale_payments
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;
CREATE TRIGGER payment_is_kept BEFORE DELETE ON sale_payments
BEGIN SELECT RAISE(ABORT, 'life: what was frozen never changes'); END;

CREATE TABLE drawer_openings (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    cashier TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'asked' CHECK (outcome IN ('asked', 'opened', 'shut', 'unknown'))
) STRICT;
CREATE INDEX openings_by_time ON drawer_openings (at);

CREATE TRIGGER opening_ends_once BEFORE UPDATE ON drawer_openings
WHEN OLD.outcome <> 'asked' OR (NEW.id, NEW.at, NEW.cashier) IS NOT (OLD.id, OLD.at, OLD.cashier)
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER opening_is_kept BEFORE DELETE ON drawer_openings
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

CREATE TABLE pair_decisions (
    receipt_id TEXT NOT NULL PRIMARY KEY,
    at TEXT NOT NULL,
    manager TEXT NOT NULL,
    reversal INTEGER NOT NULL CHECK (reversal IN (0, 1)),
    total INTEGER,
    operation TEXT,
    number TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER decision_stays BEFORE UPDATE ON pair_decisions
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

CREATE TRIGGER ended_cart_stays BEFORE UPDATE ON carts WHEN OLD.state IN ('done', 'dropped')
BEGIN SELECT RAISE(ABORT, 'life: an ended cart never changes'); END;
CREATE TRIGGER cart_is_kept BEFORE DELETE ON carts
BEGIN SELECT RAISE(ABORT, 'life: a cart is never deleted'); END;

-- The lines of a new receipt in a correction come with it, into a cart that was never open and is
-- not sold yet.
CREATE TRIGGER line_comes_to_an_open_cart BEFORE INSERT ON cart_lines
WHEN (SELECT state FROM carts WHERE id = NEW.cart_id) <> 'open'
    AND ((SELECT state FROM carts WHERE id = NEW.cart_id) <> 'done'
        OR EXISTS (SELECT 1 FROM sales WHERE cart_id = NEW.cart_id))
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;
CREATE TRIGGER line_changes_in_an_open_cart BEFORE UPDATE ON cart_lines
WHEN (SELECT state FROM carts WHERE id = OLD.cart_id) <> 'open'
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;
CREATE TRIGGER line_is_kept BEFORE DELETE ON cart_lines
BEGIN SELECT RAISE(ABORT, 'life: a line is never deleted'); END;

CREATE TRIGGER additions_come_to_an_open_cart BEFORE INSERT ON cart_additions
WHEN (SELECT state FROM carts WHERE id = NEW.cart_id) <> 'open'
    AND ((SELECT state FROM carts WHERE id = NEW.cart_id) <> 'done'
        OR EXISTS (SELECT 1 FROM sales WHERE cart_id = NEW.cart_id))
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;
CREATE TRIGGER additions_change_in_an_open_cart BEFORE UPDATE ON cart_additions
WHEN (SELECT state FROM carts WHERE id = OLD.cart_id) <> 'open'
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;
CREATE TRIGGER additions_stay_with_a_sale BEFORE DELETE ON cart_additions
WHEN (SELECT state FROM carts WHERE id = OLD.cart_id) NOT IN ('open', 'dropped')
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;

CREATE TRIGGER missed_code_comes_to_an_open_cart BEFORE INSERT ON missed_codes
WHEN (SELECT state FROM carts WHERE id = NEW.cart_id) <> 'open'
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;
CREATE TRIGGER missed_code_stays BEFORE UPDATE ON missed_codes
BEGIN SELECT RAISE(ABORT, 'life: a missed code never changes'); END;
CREATE TRIGGER missed_code_stays_with_a_held_cart BEFORE DELETE ON missed_codes
WHEN (SELECT state FROM carts WHERE id = OLD.cart_id) = 'held'
BEGIN SELECT RAISE(ABORT, 'life: only an open cart changes'); END;

-- The times at which this file was found to lack sales that the journal has: the numbers of those
-- that it surely lacks. Open until a manager has closed them.
CREATE TABLE restores (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    first_lacking INTEGER NOT NULL,
    last_lacking INTEGER NOT NULL CHECK (last_lacking >= first_lacking),
    closed_at TEXT,
    closed_by TEXT,
    CHECK ((closed_at IS NULL) = (closed_by IS NULL))
) STRICT;

-- Who works here. A person who left stays with what they did.
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL CHECK (name <> ''),
    role TEXT NOT NULL CHECK (role IN ('cashier', 'lead', 'manager')),
    pin TEXT,
    pin_length INTEGER CHECK (pin_length > 0),
    badge TEXT,
    wrong INTEGER NOT NULL DEFAULT 0,
    wrong_at TEXT,
    removed_at TEXT,
    CHECK (removed_at IS NULL OR (pin IS NULL AND badge IS NULL))
) STRICT;
CREATE TRIGGER person_is_kept BEFORE DELETE ON people
BEGIN SELECT RAISE(ABORT, 'life: a person is never deleted'); END;

-- Each name that somebody here was ever called by: nobody else is called so.
CREATE TABLE names (
    name TEXT NOT NULL,
    person_id INTEGER NOT NULL REFERENCES people,
    PRIMARY KEY (name, person_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER person_comes_with_a_name AFTER INSERT ON people
BEGIN INSERT INTO names (name, person_id) VALUES (NEW.name, NEW.id); END;
CREATE TRIGGER person_is_called_otherwise AFTER UPDATE OF name ON people
BEGIN INSERT OR IGNORE INTO names (name, person_id) VALUES (NEW.name, NEW.id); END;
CREATE TRIGGER name_stays BEFORE UPDATE ON names
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER name_is_kept BEFORE DELETE ON names
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

-- The PINs that nobody has, typed to approve something, since somebody approved.
CREATE TABLE unknown_pins (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    wrong INTEGER NOT NULL DEFAULT 0,
    wrong_at TEXT
) STRICT;

-- The cells that a shop made other than recommended.
CREATE TABLE rights (
    act TEXT NOT NULL,
    role TEXT NOT NULL,
    cell TEXT NOT NULL,
    PRIMARY KEY (act, role)
) STRICT, WITHOUT ROWID;

-- What an owner asks about later, each row written in the transaction of its act.
CREATE TABLE acts (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    by_name TEXT NOT NULL,
    done TEXT NOT NULL,
    subject TEXT NOT NULL DEFAULT '',
    before TEXT NOT NULL DEFAULT '',
    after TEXT NOT NULL DEFAULT '',
    lifted_by TEXT NOT NULL DEFAULT '',
    sale_key TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX acts_by_time ON acts (at);
-- Who locked the till last, or unlocked it.
CREATE INDEX acts_of_the_lock ON acts (id) WHERE done IN ('locked', 'signed_in');
CREATE TRIGGER act_stays BEFORE UPDATE ON acts
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER act_is_kept BEFORE DELETE ON acts
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

-- A shift. told_after, told_until: the events of sales that are its own to tell of, beginning where
-- the one before ended. moved_after: the last event whose cash is in the float.
CREATE TABLE shifts (
    id INTEGER PRIMARY KEY,
    opened_at TEXT NOT NULL,
    opened_by TEXT NOT NULL,
    float INTEGER NOT NULL CHECK (float >= 0),
    float_is TEXT NOT NULL CHECK (float_is IN ('counted', 'typed', 'left')),
    told_after INTEGER NOT NULL,
    moved_after INTEGER NOT NULL,
    closed_at TEXT,
    closed_by TEXT,
    told_until INTEGER,
    count_id INTEGER REFERENCES counts,
    stays INTEGER CHECK (stays >= 0),
    taken INTEGER CHECK (taken >= 0),
    z TEXT CHECK (json_valid(z)),
    CHECK ((closed_at IS NULL) = (closed_by IS NULL)
        AND (closed_at IS NULL) = (told_until IS NULL)
        AND (closed_at IS NULL) = (count_id IS NULL)
        AND (closed_at IS NULL) = (stays IS NULL)
        AND (closed_at IS NULL) = (taken IS NULL)
        AND (closed_at IS NULL) = (z IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_shift ON shifts (closed_at IS NULL) WHERE closed_at IS NULL;
CREATE TRIGGER shift_begins_open BEFORE INSERT ON shifts WHEN NEW.closed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'life: a shift begins open'); END;
CREATE TRIGGER beginning_of_a_shift_stays
BEFORE UPDATE OF id, opened_at, opened_by, float, float_is, told_after, moved_after ON shifts
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER closed_shift_stays BEFORE UPDATE ON shifts WHEN OLD.closed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'life: a closed shift never changes'); END;
CREATE TRIGGER shift_is_kept BEFORE DELETE ON shifts
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

CREATE TABLE cash_moves (
    id INTEGER PRIMARY KEY,
    shift_id INTEGER NOT NULL REFERENCES shifts,
    kind TEXT NOT NULL CHECK (kind IN ('in', 'out', 'drop', 'change')),
    amount INTEGER NOT NULL CHECK (amount > 0),
    reason TEXT NOT NULL,
    by_name TEXT NOT NULL,
    at TEXT NOT NULL,
    bag INTEGER UNIQUE CHECK ((bag IS NOT NULL) = (kind = 'drop'))
) STRICT;
CREATE INDEX moves_of_shift ON cash_moves (shift_id, id);
CREATE TRIGGER cash_moves_in_an_open_shift BEFORE INSERT ON cash_moves
WHEN (SELECT closed_at FROM shifts WHERE id = NEW.shift_id) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'life: a closed shift never changes'); END;
CREATE TRIGGER cash_move_stays BEFORE UPDATE ON cash_moves
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER cash_move_is_kept BEFORE DELETE ON cash_moves
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

-- What was counted: a draft until it is confirmed. A recount is a row beside the first.
CREATE TABLE counts (
    id INTEGER PRIMARY KEY,
    shift_id INTEGER NOT NULL REFERENCES shifts,
    by_name TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    counted TEXT NOT NULL CHECK (json_valid(counted)),
    confirmed_at TEXT
) STRICT;
CREATE UNIQUE INDEX one_draft ON counts (shift_id) WHERE confirmed_at IS NULL;
CREATE TRIGGER count_begins_as_draft BEFORE INSERT ON counts
WHEN NEW.confirmed_at IS NOT NULL
    OR (SELECT closed_at FROM shifts WHERE id = NEW.shift_id) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'life: a count begins in an open shift'); END;
CREATE TRIGGER confirmed_count_stays BEFORE UPDATE ON counts WHEN OLD.confirmed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'life: a confirmed count never changes'); END;
CREATE TRIGGER count_is_kept BEFORE DELETE ON counts
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;

-- How the float of the shift after that one was counted, or is being counted; 0: of the first.
CREATE TABLE float_counts (
    after_shift INTEGER PRIMARY KEY,
    counted TEXT NOT NULL CHECK (json_valid(counted))
) STRICT;

-- Papers of shifts that the server has not taken yet: each is asked for with its key until it has.
CREATE TABLE owed_papers (
    key TEXT PRIMARY KEY,
    paper TEXT NOT NULL CHECK (json_valid(paper)),
    on_a4 INTEGER NOT NULL CHECK (on_a4 IN (0, 1))
) STRICT;


-- The amounts given for each advance, and not confirmed yet. advance: the number of its first
-- receipt. receipts: how many it had.
CREATE TABLE given_for_advance (
    advance TEXT PRIMARY KEY NOT NULL,
    receipts INTEGER NOT NULL,
    paid TEXT NOT NULL CHECK (json_valid(paid))
) STRICT;

-- The firms that were on receipts; nobody who is a natural person. folded: the name as it is
-- searched. email_from: the number of the sale that brought the address, or of the last sale before
-- a manager gave it; 0 where nobody did. last_at: when the firm was on a receipt last.
CREATE TABLE buyers (
    id TEXT PRIMARY KEY NOT NULL
        CHECK (substr(id, 1, 3) IN ('10:', '12:', '14:', '16:', '40:')),
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_from INTEGER NOT NULL,
    receipts INTEGER NOT NULL CHECK (receipts >= 0),
    last_at TEXT
) STRICT;
CREATE INDEX newest_buyers ON buyers (last_at DESC, id);

-- What came in for receipts that are paid later, as a person says it. Less than nothing: money that
-- went back, because a refund came after it. key: of the press, the same for all its receipts.
CREATE TABLE collected (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    buyer TEXT NOT NULL,
    day TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    note TEXT NOT NULL,
    by_name TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (key, number)
) STRICT;
CREATE INDEX collected_for ON collected (number);
CREATE INDEX collected_by_day ON collected (day);

-- A row that was wrong counts no more from here on; nothing of it goes.
CREATE TABLE collected_taken_back (
    id INTEGER PRIMARY KEY REFERENCES collected,
    by_name TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

-- REPLACE removes a row and asks no trigger: whoever names a row that is there is refused before.
""" + "".join(
    f"""CREATE TRIGGER {one}_is_new BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
"""
    for one, table in (
        ("event", "sale_events"), ("opening", "drawer_openings"), ("act", "acts"),
        ("shift", "shifts"), ("cash_move", "cash_moves"), ("count", "counts"),
        ("collected", "collected"), ("collected_taken_back", "collected_taken_back"),
    )
) + "".join(
    f"""CREATE TRIGGER {table}_stays BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
CREATE TRIGGER {table}_is_kept BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'life: history never changes'); END;
"""
    for table in ("collected", "collected_taken_back")
)  # fmt: skip

TILL_MIGRATIONS: tuple[str, ...] = (_TABLES,)
