// What the operations in the database have in common: locking, moving rows, and writing the journal. Every
// statement of a function sees what was committed before it began, so what is read after a lock is so.

/** @param s the schema's name, quoted */
export const rowFunctions = (s: string): string => `
  -- The root first: everybody takes the locks of a chain, or of several, in this one order.
  CREATE FUNCTION ${s}.lock_pools(names text[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM 1 FROM ${s}.pools WHERE pool = ANY (names) ORDER BY depth, pool FOR NO KEY UPDATE;
  END $$;

  CREATE FUNCTION ${s}.chain_of(name text) RETURNS text[] LANGUAGE plpgsql AS $$
  BEGIN
    RETURN (SELECT chain FROM ${s}.pools WHERE pool = name);
  END $$;

  CREATE FUNCTION ${s}.version_of(names text[]) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    RETURN (SELECT sum(version)::bigint FROM ${s}.pools WHERE pool = ANY (names));
  END $$;

  CREATE FUNCTION ${s}.now_ms() RETURNS double precision LANGUAGE sql AS $$
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision
  $$;

  -- Locks a hold's chain, then the hold. Its id is null where there is none.
  CREATE FUNCTION ${s}.lock_hold(asked_id text) RETURNS ${s}.reservations LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
  BEGIN
    PERFORM ${s}.lock_pools(${s}.chain_of(pool)) FROM ${s}.reservations WHERE id = asked_id;
    SELECT * INTO hold FROM ${s}.reservations WHERE id = asked_id FOR UPDATE;
    RETURN hold;
  END $$;

  -- The same move on every row of a hold; a pool's version moves where the row is its current one.
  CREATE FUNCTION ${s}.move_rows(
    names text[], periods bigint[], moves_version boolean, by_balance bigint, by_held bigint,
    by_consumed bigint, by_refunded bigint, by_overspent bigint, by_shortfall bigint
  ) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    is_moved boolean := (by_balance, by_held, by_consumed, by_refunded, by_overspent, by_shortfall)
      <> (0, 0, 0, 0, 0, 0);
  BEGIN
    FOR i IN 1 .. cardinality(names) LOOP
      UPDATE ${s}.books
      SET balance = balance + by_balance, held = held + by_held, consumed = consumed + by_consumed,
          refunded = refunded + by_refunded, overspent = overspent + by_overspent,
          shortfall = shortfall + by_shortfall
      WHERE pool = names[i] AND period = periods[i];
      IF moves_version AND is_moved THEN
        UPDATE ${s}.pools SET version = version + 1 WHERE pool = names[i] AND period = periods[i];
      END IF;
    END LOOP;
  END $$;

  CREATE FUNCTION ${s}.delta_of(names text[], row_periods bigint[], moved bigint[]) RETURNS json
  LANGUAGE sql IMMUTABLE AS $$
    SELECT json_agg(json_build_array(
      key.pool, key.period, 0, moved[1], moved[2], moved[3], moved[4], moved[5], moved[6]) ORDER BY key.position)
    FROM unnest(names, row_periods) WITH ORDINALITY AS key (pool, period, position)
  $$;

  CREATE FUNCTION ${s}.tell(
    at_ms double precision, operation text, of_hold ${s}.reservations, amount bigint, outcome text,
    detail text, delta json DEFAULT '[]'
  ) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${s}.journal (at_ms, operation, pool, id, job, amount, outcome, detail, delta)
    VALUES (at_ms, operation, of_hold.pool, of_hold.id, of_hold.job, amount, outcome, detail, delta);
  END $$;

  -- Why a chain does not give so many tokens more to a hold that will then be asked_total in all: the first
  -- reason that any pool has, and the first pool, from the hold's own upwards, that has it. Shares among a
  -- pool's children would be one more reason here.
  CREATE FUNCTION ${s}.refusal_of(
    names text[], more bigint, asked_total bigint,
    OUT reason text, OUT refused_by text, OUT returnable boolean, OUT periods bigint[], OUT max_lease_ms double precision
  ) LANGUAGE plpgsql AS $$
  DECLARE
    link record;
    paused text; small text; empty text;
  BEGIN
    returnable := true;
    max_lease_ms := 'infinity';
    FOR link IN
      SELECT p.pool, p.period, p.paused, p.max_lease_ms, b.capacity, b.balance, b.held
      FROM ${s}.pools AS p JOIN ${s}.books AS b USING (pool, period)
      WHERE p.pool = ANY (names) ORDER BY p.depth DESC
    LOOP
      periods := periods || link.period;
      max_lease_ms := least(max_lease_ms, link.max_lease_ms);
      returnable := returnable AND link.balance + link.held >= asked_total;
      IF link.paused THEN paused := coalesce(paused, link.pool); END IF;
      IF asked_total > link.capacity THEN small := coalesce(small, link.pool); END IF;
      IF more > link.balance THEN empty := coalesce(empty, link.pool); END IF;
    END LOOP;
    IF paused IS NOT NULL THEN
      reason := 'paused'; refused_by := paused;
    ELSIF small IS NOT NULL THEN
      reason := 'exceeds-capacity'; refused_by := small; returnable := false;
    ELSIF empty IS NOT NULL THEN
      reason := 'insufficient'; refused_by := empty;
    END IF;
  END $$;
`;
