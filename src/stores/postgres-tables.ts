// The first migration: the tables of a ledger in PostgreSQL. Constraints repeat what the rules guarantee
// already: the books must stay right whoever writes to them. Texts compare by their bytes, times are epoch
// milliseconds, `chain` names a pool first and its root last, and a hold's `periods` are of that chain's rows.

/** @param s the schema's name, quoted */
export const tables = (s: string): string => `
  CREATE TABLE ${s}.pools (
    sequence        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pool            text COLLATE "C" NOT NULL UNIQUE,
    parent          text COLLATE "C" REFERENCES ${s}.pools (pool),
    chain           text[] COLLATE "C" NOT NULL,
    depth           integer NOT NULL,
    opened_capacity bigint NOT NULL,
    quota           bigint NOT NULL,
    reclaim         text NOT NULL CHECK (reclaim IN ('refund', 'charge')),
    max_lease_ms    double precision NOT NULL,
    capacity        bigint NOT NULL,
    period          bigint NOT NULL,
    paused          boolean NOT NULL,
    version         bigint NOT NULL DEFAULT 0,
    CHECK (cardinality(chain) = depth + 1)
  ) WITH (fillfactor = 50);

  CREATE TABLE ${s}.books (
    pool      text COLLATE "C" NOT NULL REFERENCES ${s}.pools (pool),
    period    bigint NOT NULL,
    capacity  bigint NOT NULL,
    balance   bigint NOT NULL CHECK (balance >= 0),
    held      bigint NOT NULL CHECK (held >= 0),
    consumed  bigint NOT NULL CHECK (consumed >= 0),
    refunded  bigint NOT NULL,
    overspent bigint NOT NULL,
    shortfall bigint NOT NULL,
    PRIMARY KEY (pool, period),
    CHECK (capacity = balance + held + consumed)
  ) WITH (fillfactor = 50);

  -- Everything ever asked for. The last four columns are a refusal's, those from amount on a hold's.
  CREATE TABLE ${s}.reservations (
    sequence            bigint GENERATED ALWAYS AS IDENTITY,
    id                  text COLLATE "C" PRIMARY KEY,
    pool                text COLLATE "C" NOT NULL,
    job                 text COLLATE "C" NOT NULL,
    taker               text NOT NULL,
    asked_amount        bigint NOT NULL,
    lease_ms            double precision NOT NULL,
    asked_at_ms         double precision NOT NULL,
    state               text NOT NULL CHECK (state IN ('held', 'settled', 'released', 'expired', 'refused')),
    amount              bigint,
    dispatched          boolean,
    lease_expires_at_ms double precision,
    periods             bigint[],
    consumed            bigint,
    charged             boolean,
    overspent           bigint,
    shortfall           bigint,
    late                boolean,
    actual              bigint,
    closed_at_ms        double precision,
    reason              text,
    refused_by          text,
    returnable          boolean,
    version             bigint
  );
  CREATE INDEX reservations_by_job ON ${s}.reservations (job, sequence);
  CREATE INDEX reservations_held ON ${s}.reservations (pool, lease_expires_at_ms, id) WHERE state = 'held';

  CREATE TABLE ${s}.posts (
    sequence  bigint GENERATED ALWAYS AS IDENTITY,
    id        text COLLATE "C" PRIMARY KEY,
    pool      text COLLATE "C" NOT NULL REFERENCES ${s}.pools (pool),
    side      text NOT NULL CHECK (side IN ('debit', 'credit')),
    amount    bigint NOT NULL,
    reason    text NOT NULL,
    hold      text,
    moved     bigint NOT NULL,
    shortfall bigint NOT NULL,
    periods   bigint[] NOT NULL
  );

  -- A delta is [[pool, period, capacity, balance, held, consumed, refunded, overspent, shortfall], ...].
  CREATE TABLE ${s}.journal (
    sequence  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms     double precision,
    operation text NOT NULL,
    pool      text,
    id        text,
    job       text,
    amount    bigint,
    outcome   text NOT NULL,
    detail    text,
    delta     json NOT NULL
  );
`;
