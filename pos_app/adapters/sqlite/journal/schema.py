"""The tables of journal.db: the requests, their sendings, the signed receipts.

Amounts are para (1/100 dinar), times milliseconds since 1970 UTC; bodies, plans and answers are
packed (`packing`).
For a SENDING, `sent_at` is our time, `sent_clock` the processor's own and `baseline` its counter:
the result of a look-up is compared with them, also after a restart.
`planned` is the planned receipt, in the form of `packing`. `chain` names the first of the requests
whose receipts belong together; it is NULL in that request itself. `commands.receipts` is the number
of receipts in the command's present plan; an earlier attempt may have had more. `guards` says why
the same body without a key is no new sale: the command's receipts are open or half done ('open'),
or they are signed and no caller has their answer ('undelivered'). `heard` is the server's running
time in milliseconds (`running_time`) from which that waiting is measured.
`corrections` has the bodies by which persons corrected the second receipt of a pair, each with the
attempt that was planned from it; the owner's request stays in `commands`.
`absent` keeps each attempt that was released by proof or by a person's word, as it was sent. A
later attempt has its own RequestId and body, but a late receipt of the old attempt must still be
found.
`follows_signed` marks the second receipt of a pair once the first is signed. While it is RELEASED
the pair is half done; an index finds these pairs, however many pairs came to nothing.
`answers` are kept apart from `receipts`, one behind the other, because an answer is so large that
each receipt with its answer would fill a page of its own.
`jobs` has the papers and mails of receipts (`request_id`), and the till's own jobs under a key of
the till (`paper`; the drawer, with the person who opened it). A job whose last attempt failed by a
fault of its own is `aside`; the others wait in the queue of their method, which `holds` may keep
back.
`looks` counts the look-ups of a doubt, with one row for consecutive equal answers. `alarms` has the
events that a manager has to see, until one has (`seen_at`); `moved` is how far the counter has
moved by all foreign traffic until then. `notes` is the log of acts and alarms.
A lane is a secure element, named by its UID ("" until it is known); `place` is the address where
its processor was asked last. `meta` names the lane that sales go to now (`element`).
`attempts` is the history of every request. A row names its request by the row of its command and
the position among that command's receipts, because ids, three times for each receipt, would take a
tenth of the file. The rows are a chain: each has a hash over the row before it and itself, so that
a journal that was put back differs from what the tills and the witness remember. The hash also
covers the ids and the unchanging columns of the command, so that these are protected, too.
`restores` are the times at which a restore was found, each with the journal's last row (`row`) and
the server's running time at that moment; rows up to that row are from before the restore. A restore
is open until a manager has closed it.
The tables of states are data: a move that they do not have is refused by a trigger; a test compares
them with domain.states. A migration is frozen once it is released.
"""

from pos_app.adapters.sqlite.migrations import FIRST_VERSION, version_after

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE moves (old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (old, new))
    STRICT, WITHOUT ROWID;
INSERT INTO moves VALUES
    ('queued', 'cancelled'), ('queued', 'released'), ('queued', 'sending'),
    ('sending', 'rejected'), ('sending', 'released'), ('sending', 'signed'),
    ('sending', 'unknown'), ('unknown', 'needs_human'), ('unknown', 'released'),
    ('unknown', 'signed'), ('needs_human', 'queued'), ('needs_human', 'released'),
    ('needs_human', 'signed'), ('rejected', 'cancelled'), ('rejected', 'needs_human'),
    ('rejected', 'queued'), ('released', 'cancelled'), ('released', 'needs_human'),
    ('released', 'queued'), ('released', 'signed');

CREATE TABLE lanes (
    name TEXT PRIMARY KEY,
    uid TEXT,
    tin TEXT,
    counter INTEGER,
    is_counted INTEGER NOT NULL CHECK (is_counted IN (0, 1)),
    place TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE restores (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    epoch TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    why TEXT NOT NULL,
    row INTEGER NOT NULL,
    running INTEGER NOT NULL,
    closed_at INTEGER,
    closed_by TEXT
) STRICT;

CREATE TABLE commands (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    key TEXT NOT NULL,
    keyless INTEGER NOT NULL CHECK (keyless IN (0, 1)),
    operation TEXT NOT NULL
        CHECK (operation IN ('issue', 'advance', 'close', 'copy', 'refund')),
    cashier TEXT NOT NULL,
    till_sequence INTEGER,
    body BLOB NOT NULL,
    body_hash BLOB NOT NULL,
    facts BLOB NOT NULL,
    accepted_at INTEGER NOT NULL,
    delivered_at INTEGER,
    target TEXT,
    receipts INTEGER NOT NULL,
    heard INTEGER NOT NULL,
    guards TEXT CHECK (guards IN ('open', 'undelivered'))
) STRICT;
CREATE UNIQUE INDEX commands_of_till ON commands (origin, till_sequence)
    WHERE till_sequence IS NOT NULL;
CREATE INDEX commands_guarding ON commands (origin, body_hash, guards, heard)
    WHERE guards IS NOT NULL;
CREATE INDEX commands_undelivered ON commands (heard) WHERE guards = 'undelivered';

CREATE TABLE superseded (
    command_id TEXT NOT NULL REFERENCES commands (id),
    until INTEGER NOT NULL,
    body BLOB NOT NULL,
    body_hash BLOB NOT NULL
) STRICT;

CREATE TABLE corrections (
    command_id TEXT NOT NULL REFERENCES commands (id),
    request_id TEXT NOT NULL REFERENCES requests (id),
    attempt INTEGER NOT NULL,
    body BLOB NOT NULL,
    body_hash BLOB NOT NULL,
    PRIMARY KEY (command_id, request_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    command_id TEXT NOT NULL REFERENCES commands (id),
    child INTEGER NOT NULL,
    lane TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'queued', 'sending', 'unknown', 'needs_human', 'rejected',
        'released', 'signed', 'cancelled')),
    pfr_request_id TEXT NOT NULL,
    planned BLOB NOT NULL,
    chain TEXT CHECK (chain <> id),
    attempt INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    sent_at INTEGER,
    baseline INTEGER,
    sent_clock INTEGER,
    reason_class TEXT,
    reason_code TEXT,
    reason_words TEXT,
    reason_pfr_code TEXT,
    follows_signed INTEGER NOT NULL DEFAULT 0 CHECK (follows_signed IN (0, 1)),
    UNIQUE (command_id, child)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_in_lane ON requests (lane) WHERE state IN ('sending', 'unknown');
CREATE INDEX requests_of_chain ON requests (chain) WHERE chain IS NOT NULL;
CREATE INDEX half_done ON requests (command_id) WHERE follows_signed = 1 AND state = 'released';
CREATE INDEX refused_receipts ON requests (id) WHERE child > 0 AND state = 'rejected';
CREATE INDEX open_requests ON requests (changed_at)
    WHERE state IN ('queued', 'sending', 'unknown', 'needs_human');

CREATE TABLE attempts (
    row INTEGER PRIMARY KEY,
    command INTEGER NOT NULL REFERENCES commands (row),
    child INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    baseline INTEGER,
    sent_clock INTEGER,
    reason_code TEXT,
    reason_words TEXT,
    reason_pfr_code TEXT,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX attempts_of ON attempts (command, child);

CREATE TABLE absent (
    request_id TEXT NOT NULL REFERENCES requests (id),
    attempt INTEGER NOT NULL,
    lane TEXT NOT NULL,
    pfr_request_id TEXT NOT NULL,
    planned BLOB NOT NULL,
    baseline INTEGER,
    sent_clock INTEGER,
    at INTEGER NOT NULL,
    alarmed_number TEXT,
    settled INTEGER NOT NULL,
    PRIMARY KEY (request_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX absent_in_lane ON absent (lane, at) WHERE settled = 0;
CREATE INDEX absent_by_name ON absent (pfr_request_id);

CREATE TABLE answers (row INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;

CREATE TABLE receipts (
    request_id TEXT PRIMARY KEY REFERENCES requests (id),
    number TEXT NOT NULL UNIQUE,
    sdc_time INTEGER NOT NULL,
    answer INTEGER NOT NULL REFERENCES answers (row)
) STRICT, WITHOUT ROWID;
-- The few numbers that have small letters are found by any spelling too.
CREATE INDEX receipts_in_small_letters ON receipts (upper(number)) WHERE number <> upper(number);

CREATE TABLE notes (
    at INTEGER NOT NULL,
    what TEXT NOT NULL,
    request_id TEXT,
    words TEXT NOT NULL
) STRICT;

CREATE TABLE looks (
    request_id TEXT NOT NULL REFERENCES requests (id),
    began INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    answer TEXT NOT NULL CHECK (answer IN ('found', 'missing', 'away')),
    counter INTEGER,
    times INTEGER NOT NULL,
    PRIMARY KEY (request_id, began)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('late_receipt', 'foreign_traffic', 'echo')),
    request_id TEXT REFERENCES requests (id),
    number TEXT,
    total INTEGER,
    signed_at INTEGER,
    counter_before INTEGER,
    counter_now INTEGER,
    differs TEXT,
    since INTEGER,
    receipts INTEGER,
    moved INTEGER,
    rows INTEGER,
    seen_at INTEGER,
    seen_by TEXT
) STRICT;
CREATE INDEX alarms_unseen ON alarms (what, id) WHERE seen_at IS NULL;
CREATE INDEX alarms_moved ON alarms (id, moved) WHERE what = 'foreign_traffic';

CREATE TABLE job_moves (old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (old, new))
    STRICT, WITHOUT ROWID;
INSERT INTO job_moves VALUES
    ('waiting', 'running'), ('waiting', 'failed'), ('waiting', 'dropped'),
    ('running', 'done'), ('running', 'waiting'), ('running', 'failed'),
    ('running', 'unproven'), ('failed', 'waiting'), ('failed', 'dropped'),
    ('unproven', 'waiting'), ('unproven', 'done'), ('unproven', 'dropped'),
    ('dropped', 'waiting');

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    request_id TEXT REFERENCES requests (id),
    till_key TEXT,
    paper BLOB,
    asked_by TEXT,
    method TEXT NOT NULL CHECK (method IN ('thermal', 'a4', 'email', 'drawer')),
    target TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN (
        'waiting', 'running', 'done', 'failed', 'unproven', 'dropped')),
    attempts INTEGER NOT NULL DEFAULT 0,
    sending INTEGER NOT NULL DEFAULT 1,
    made_at INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    aside INTEGER NOT NULL DEFAULT 0 CHECK (aside IN (0, 1)),
    trouble TEXT,
    words TEXT NOT NULL DEFAULT '',
    UNIQUE (request_id, method, target),
    CHECK ((request_id IS NOT NULL) + (paper IS NOT NULL) + (method = 'drawer') = 1),
    CHECK ((request_id IS NULL) = (till_key IS NOT NULL)),
    CHECK ((method = 'drawer') = (asked_by IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX jobs_of_till ON jobs (till_key) WHERE till_key IS NOT NULL;
CREATE INDEX jobs_in_line ON jobs (method, id) WHERE state = 'waiting' AND aside = 0;
CREATE INDEX jobs_new ON jobs (method)
    WHERE state = 'waiting' AND aside = 0 AND trouble IS NULL;
CREATE INDEX jobs_aside ON jobs (method, next_at) WHERE state = 'waiting' AND aside = 1;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_in_trouble ON jobs (method, id)
    WHERE state IN ('waiting', 'running') AND trouble IS NOT NULL;
CREATE INDEX jobs_of_a_person ON jobs (method, id)
    WHERE state IN ('failed', 'unproven') AND trouble IS NOT NULL;
CREATE INDEX jobs_not_done ON jobs (id)
    WHERE state IN ('waiting', 'running', 'failed', 'unproven');

CREATE TABLE holds (method TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TRIGGER jobs_begin BEFORE INSERT ON jobs
WHEN NEW.state <> 'waiting'
BEGIN SELECT RAISE(ABORT, 'a job can not begin in this state'); END;

CREATE TRIGGER jobs_move BEFORE UPDATE OF state ON jobs
WHEN NOT EXISTS (SELECT 1 FROM job_moves WHERE old = OLD.state AND new = NEW.state)
BEGIN SELECT RAISE(ABORT, 'the table of states has no such move of a job'); END;

-- A mail whose address was corrected is dropped, and waits again if a person types the first
-- address once more: a receipt has one job for each address.
CREATE TRIGGER jobs_final BEFORE UPDATE ON jobs
WHEN OLD.state = 'done'
    OR (OLD.state = 'dropped' AND (OLD.method <> 'email' OR NEW.state <> 'waiting'))
BEGIN SELECT RAISE(ABORT, 'a job that is done or dropped never changes'); END;

CREATE TRIGGER jobs_content BEFORE UPDATE OF
    request_id, till_key, paper, asked_by, method, target, made_at ON jobs
BEGIN SELECT RAISE(ABORT, 'what a job hands over never changes'); END;

CREATE TRIGGER jobs_stay BEFORE DELETE ON jobs
BEGIN SELECT RAISE(ABORT, 'a job is never deleted'); END;

CREATE TRIGGER requests_begin BEFORE INSERT ON requests
WHEN NEW.state NOT IN ('cancelled', 'needs_human', 'queued')
BEGIN SELECT RAISE(ABORT, 'a request can not begin in this state'); END;

CREATE TRIGGER requests_move BEFORE UPDATE OF state ON requests
WHEN NOT EXISTS (SELECT 1 FROM moves WHERE old = OLD.state AND new = NEW.state)
BEGIN SELECT RAISE(ABORT, 'the table of states has no such move'); END;

CREATE TRIGGER requests_final BEFORE UPDATE ON requests
WHEN OLD.state IN ('signed', 'cancelled')
BEGIN SELECT RAISE(ABORT, 'a signed or cancelled request never changes'); END;

CREATE TRIGGER requests_stay BEFORE DELETE ON requests
BEGIN SELECT RAISE(ABORT, 'a request is never deleted'); END;

CREATE TRIGGER requests_history AFTER UPDATE OF state ON requests
BEGIN
    INSERT INTO attempts (command, child, attempt, at, state, baseline, sent_clock, reason_code,
        reason_words, reason_pfr_code, hash)
    SELECT row, NEW.child, NEW.attempt, NEW.changed_at, NEW.state, NEW.baseline, NEW.sent_clock,
        NEW.reason_code, NEW.reason_words, NEW.reason_pfr_code, chained(
            (SELECT hash FROM attempts WHERE row = (SELECT max(row) FROM attempts)),
            NEW.id, NEW.attempt, NEW.changed_at, NEW.state, NEW.pfr_request_id, NEW.baseline,
            NEW.sent_clock, NEW.reason_code, NEW.reason_words, NEW.reason_pfr_code,
            keyless, cashier)
    FROM commands WHERE id = NEW.command_id;
END;

CREATE TRIGGER requests_history_begin AFTER INSERT ON requests
BEGIN
    INSERT INTO attempts (command, child, attempt, at, state, baseline, sent_clock, reason_code,
        reason_words, reason_pfr_code, hash)
    SELECT row, NEW.child, NEW.attempt, NEW.changed_at, NEW.state, NEW.baseline, NEW.sent_clock,
        NEW.reason_code, NEW.reason_words, NEW.reason_pfr_code, chained(
            (SELECT hash FROM attempts WHERE row = (SELECT max(row) FROM attempts)),
            NEW.id, NEW.attempt, NEW.changed_at, NEW.state, NEW.pfr_request_id, NEW.baseline,
            NEW.sent_clock, NEW.reason_code, NEW.reason_words, NEW.reason_pfr_code,
            keyless, cashier)
    FROM commands WHERE id = NEW.command_id;
END;

CREATE TRIGGER requests_next AFTER UPDATE OF state ON requests
WHEN NEW.state = 'signed'
BEGIN
    UPDATE requests SET follows_signed = 1
    WHERE command_id = NEW.command_id AND child = NEW.child + 1
        AND state NOT IN ('signed', 'cancelled');
END;

CREATE TRIGGER commands_guard AFTER UPDATE OF state ON requests
BEGIN
    UPDATE commands SET guards = (
        SELECT CASE
            WHEN count(*) = sum(state = 'signed') THEN 'undelivered'
            WHEN sum(state IN ('queued', 'sending', 'unknown', 'needs_human', 'signed'))
                THEN 'open'
            END
        FROM requests WHERE command_id = NEW.command_id AND child < commands.receipts)
    WHERE id = NEW.command_id AND keyless = 1 AND delivered_at IS NULL;
END;

CREATE TRIGGER receipts_final BEFORE UPDATE ON receipts
BEGIN SELECT RAISE(ABORT, 'a receipt never changes'); END;

CREATE TRIGGER receipts_stay BEFORE DELETE ON receipts
BEGIN SELECT RAISE(ABORT, 'a receipt is never deleted'); END;

CREATE TRIGGER answers_final BEFORE UPDATE ON answers
BEGIN SELECT RAISE(ABORT, 'an answer never changes'); END;

CREATE TRIGGER answers_stay BEFORE DELETE ON answers
BEGIN SELECT RAISE(ABORT, 'an answer is never deleted'); END;

CREATE TRIGGER corrections_final BEFORE UPDATE ON corrections
BEGIN SELECT RAISE(ABORT, 'a correction never changes'); END;

CREATE TRIGGER attempts_final BEFORE UPDATE ON attempts
BEGIN SELECT RAISE(ABORT, 'history never changes'); END;

CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
BEGIN SELECT RAISE(ABORT, 'history is never deleted'); END;
"""

MIGRATIONS = (_TABLES,)
READ_ALIKE = range(FIRST_VERSION, version_after(MIGRATIONS) + 1)
"""The versions whose receipts and restores are read in the same way as this one's."""
