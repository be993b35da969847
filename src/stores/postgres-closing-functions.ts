// What happens to a hold after it was made, in the database: dispatch, renew, release, settle, reclaim, each
// decided as `ledger/rules/` decides it. dispatch and renew move no row, so they lock the hold alone.

/** @param s the schema's name, quoted */
export const closingFunctions = (s: string): string => `
  CREATE FUNCTION ${s}.no_hold(hold ${s}.reservations) RETURNS json LANGUAGE plpgsql AS $$
  BEGIN
    IF hold.id IS NULL THEN RETURN '{"missing": "hold"}'; END IF;
    RETURN json_build_object('missing', 'grant', 'reason', hold.reason);
  END $$;

  CREATE FUNCTION ${s}.dispatch(asked_id text, now_ms double precision) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
    names text[];
    why text;
    already boolean;
  BEGIN
    SELECT * INTO hold FROM ${s}.reservations WHERE id = asked_id FOR UPDATE;
    IF NOT FOUND OR hold.state = 'refused' THEN RETURN ${s}.no_hold(hold); END IF;
    names := ${s}.chain_of(hold.pool);
    already := hold.dispatched;
    IF hold.state <> 'held' THEN
      why := 'closed';
    ELSIF now_ms > hold.lease_expires_at_ms THEN
      why := 'lease-expired';
    END IF;
    IF why IS NOT NULL THEN
      PERFORM ${s}.tell(now_ms, 'dispatch', hold, NULL, 'refused', why);
    ELSIF NOT already THEN
      UPDATE ${s}.reservations SET dispatched = true WHERE id = asked_id RETURNING * INTO hold;
      PERFORM ${s}.tell(now_ms, 'dispatch', hold, NULL, 'dispatched', NULL);
    END IF;
    RETURN json_build_object('refused', why, 'already', already, 'version', ${s}.version_of(names),
      'hold', hold, 'chain', names);
  END $$;

  CREATE FUNCTION ${s}.renew(asked_id text, asked_lease_ms double precision, now_ms double precision)
  RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
    names text[];
    limit_ms double precision;
    why text;
  BEGIN
    SELECT * INTO hold FROM ${s}.reservations WHERE id = asked_id FOR UPDATE;
    IF NOT FOUND OR hold.state = 'refused' THEN RETURN ${s}.no_hold(hold); END IF;
    names := ${s}.chain_of(hold.pool);
    SELECT hold.asked_at_ms + min(max_lease_ms) INTO limit_ms FROM ${s}.pools WHERE pool = ANY (names);
    IF hold.state <> 'held' THEN
      why := 'closed';
    ELSIF now_ms > limit_ms THEN
      why := 'lease-limit';
    END IF;
    IF why IS NOT NULL THEN
      PERFORM ${s}.tell(now_ms, 'renew', hold, NULL, 'refused', why);
    ELSE
      UPDATE ${s}.reservations
      SET lease_expires_at_ms = greatest(lease_expires_at_ms, least(now_ms + asked_lease_ms, limit_ms))
      WHERE id = asked_id RETURNING * INTO hold;
      PERFORM ${s}.tell(now_ms, 'renew', hold, NULL, 'renewed', NULL);
    END IF;
    RETURN json_build_object('refused', why, 'version', ${s}.version_of(names), 'hold', hold, 'chain', names);
  END $$;

  CREATE FUNCTION ${s}.release(asked_id text, told_ms double precision) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
    names text[];
    why text;
    already boolean;
  BEGIN
    hold := ${s}.lock_hold(asked_id);
    IF hold.id IS NULL OR hold.state = 'refused' THEN RETURN ${s}.no_hold(hold); END IF;
    names := ${s}.chain_of(hold.pool);
    already := hold.state = 'released';
    IF hold.state = 'held' AND hold.dispatched THEN
      why := 'dispatched';
    ELSIF hold.state NOT IN ('held', 'released') THEN
      why := 'closed';
    END IF;
    IF why IS NOT NULL THEN
      PERFORM ${s}.tell(told_ms, 'release', hold, NULL, 'refused', why);
    ELSIF NOT already THEN
      UPDATE ${s}.reservations SET state = 'released', closed_at_ms = told_ms WHERE id = asked_id
      RETURNING * INTO hold;
      PERFORM ${s}.move_rows(names, hold.periods, true, hold.amount, -hold.amount, 0, hold.amount, 0, 0);
      PERFORM ${s}.tell(told_ms, 'release', hold, hold.amount, 'released', NULL,
        ${s}.delta_of(names, hold.periods, ARRAY[hold.amount, -hold.amount, 0, hold.amount, 0, 0]));
    END IF;
    RETURN json_build_object('refused', why, 'already', already, 'version', ${s}.version_of(names),
      'hold', hold, 'chain', names);
  END $$;

  CREATE FUNCTION ${s}.settle(asked_id text, asked_actual bigint, told_ms double precision) RETURNS json
  LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
    names text[];
    used bigint;
    -- How each row moves: balance, held, consumed, refunded, overspent, shortfall.
    m bigint[];
  BEGIN
    hold := ${s}.lock_hold(asked_id);
    IF hold.id IS NULL OR hold.state = 'refused' THEN RETURN ${s}.no_hold(hold); END IF;
    names := ${s}.chain_of(hold.pool);
    IF hold.actual IS NOT NULL THEN
      IF hold.actual <> asked_actual THEN
        PERFORM ${s}.tell(told_ms, 'settle', hold, asked_actual, 'differs', 'settled before with ' || hold.actual);
      END IF;
      RETURN json_build_object('already', true, 'version', ${s}.version_of(names), 'hold', hold, 'chain', names);
    END IF;
    used := least(asked_actual, hold.amount);
    IF hold.state = 'held' THEN
      m := ARRAY[hold.amount - used, -hold.amount, used, hold.amount - used, asked_actual - used, 0];
    ELSIF hold.charged THEN
      m := ARRAY[hold.amount - used, 0, used - hold.amount, hold.amount - used, asked_actual - used, 0];
    ELSE
      -- What came back is debited again, as far as the emptiest row still can.
      SELECT ARRAY[-least(used, min(balance)), 0, least(used, min(balance)), 0,
                   asked_actual - used, used - least(used, min(balance))]
      INTO m
      FROM ${s}.books JOIN unnest(names, hold.periods) AS key (pool, period) USING (pool, period);
    END IF;
    UPDATE ${s}.reservations
    SET late = state <> 'held',
        state = CASE state WHEN 'held' THEN 'settled' ELSE state END,
        closed_at_ms = CASE state WHEN 'held' THEN told_ms ELSE closed_at_ms END,
        consumed = used - m[6], overspent = m[5], shortfall = m[6], actual = asked_actual
    WHERE id = asked_id RETURNING * INTO hold;
    PERFORM ${s}.move_rows(names, hold.periods, true, m[1], m[2], m[3], m[4], m[5], m[6]);
    PERFORM ${s}.tell(told_ms, 'settle', hold, asked_actual, 'settled',
      CASE WHEN hold.late THEN 'late, ' || hold.state END, ${s}.delta_of(names, hold.periods, m));
    RETURN json_build_object('already', false, 'version', ${s}.version_of(names), 'hold', hold, 'chain', names,
      'move', m);
  END $$;

  -- At most so many holds whose lease is over, of the pool and its descendants (by force: live ones too). The
  -- chains of all pools that have some are locked in the one order; holds that somebody is at are passed by.
  CREATE FUNCTION ${s}.reclaim(
    asked_pool text, at_most bigint, by_force boolean, now_ms double precision
  ) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    -- A lease that is over ended before this moment.
    ended_before double precision := CASE WHEN by_force THEN 'infinity' ELSE now_ms END;
    asked ${s}.pools;
    having_some text[];
    locked text[];
    due text[];
    closed json;
    delta json;
    told ${s}.reservations;
    freed bigint;
  BEGIN
    SELECT * INTO asked FROM ${s}.pools WHERE pool = asked_pool;
    IF NOT FOUND THEN RETURN '{"missing": "pool"}'; END IF;
    IF by_force THEN
      -- Locked, so that nobody reserves or resumes in between.
      PERFORM ${s}.lock_pools((SELECT array_agg(DISTINCT link) FROM ${s}.pools, unnest(chain) AS link
        WHERE asked_pool = ANY (chain)));
      SELECT * INTO asked FROM ${s}.pools WHERE pool = asked_pool;
      IF NOT asked.paused THEN RETURN '{"unpaused": true}'; END IF;
    END IF;
    SELECT array_agg(p.pool) INTO having_some FROM ${s}.pools AS p
    WHERE asked_pool = ANY (p.chain) AND EXISTS (
      SELECT FROM ${s}.reservations AS r
      WHERE r.pool = p.pool AND r.state = 'held' AND r.lease_expires_at_ms < ended_before);
    SELECT array_agg(DISTINCT link) INTO locked FROM ${s}.pools, unnest(chain) AS link WHERE pool = ANY (having_some);
    PERFORM ${s}.lock_pools(locked);
    SELECT array_agg(id ORDER BY lease_expires_at_ms, id) INTO due FROM (
      SELECT id, lease_expires_at_ms FROM ${s}.reservations
      WHERE pool = ANY (having_some) AND state = 'held' AND lease_expires_at_ms < ended_before
      ORDER BY lease_expires_at_ms, id LIMIT at_most FOR UPDATE SKIP LOCKED) AS found;

    -- A live hold that is closed by force may still be spending, whatever its pool's policy for dead ones.
    UPDATE ${s}.reservations AS r
    SET state = 'expired', closed_at_ms = now_ms,
        charged = r.dispatched AND (r.lease_expires_at_ms >= now_ms OR p.reclaim = 'charge'),
        consumed = CASE WHEN r.dispatched AND (r.lease_expires_at_ms >= now_ms OR p.reclaim = 'charge')
          THEN r.amount ELSE 0 END
    FROM ${s}.pools AS p WHERE p.pool = r.pool AND r.id = ANY (due);

    WITH picked AS (
      SELECT r.*, d.place FROM unnest(due) WITH ORDINALITY AS d (id, place) JOIN ${s}.reservations AS r USING (id)
    ), moves AS (
      SELECT key.pool, key.period, sum(x.amount) AS amount, sum(x.consumed) AS consumed,
             sum(x.amount - x.consumed) AS back, min(ARRAY[x.place, key.place]) AS first
      FROM picked AS x JOIN ${s}.pools AS p USING (pool),
           unnest(p.chain, x.periods) WITH ORDINALITY AS key (pool, period, place)
      GROUP BY key.pool, key.period
    ), moved_books AS (
      UPDATE ${s}.books AS b
      SET balance = balance + m.back, held = held - m.amount, consumed = b.consumed + m.consumed,
          refunded = refunded + m.back
      FROM moves AS m WHERE b.pool = m.pool AND b.period = m.period
    ), moved_versions AS (
      UPDATE ${s}.pools AS p SET version = version + 1
      FROM moves AS m WHERE p.pool = m.pool AND p.period = m.period AND m.amount > 0
    )
    SELECT coalesce(json_agg(json_build_array(pool, period, 0, back, -amount, consumed, back, 0, 0) ORDER BY first), '[]')
    INTO delta FROM moves;
    SELECT coalesce(json_agg(json_build_object('hold', r, 'chain', p.chain) ORDER BY d.place), '[]'),
           coalesce(sum(r.amount), 0)
    INTO closed, freed
    FROM unnest(due) WITH ORDINALITY AS d (id, place)
    JOIN ${s}.reservations AS r USING (id) JOIN ${s}.pools AS p USING (pool);
    told.pool := asked_pool;
    PERFORM ${s}.tell(now_ms, 'reclaim', told, freed, 'reclaimed',
      CASE WHEN by_force THEN 'by force, ' ELSE '' END || 'closed ' || coalesce(cardinality(due), 0)
      || coalesce(' ' || array_to_string(due, ', '), ''), delta);
    RETURN json_build_object('closed', closed, 'delta', delta, 'version', ${s}.version_of(asked.chain));
  END $$;
`;
