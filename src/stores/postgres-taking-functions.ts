// reserve and extendTo in the database, decided as `ledger/rules/reserve.ts` decides them: the same refusals
// in the same order, in one round trip, on rows that nobody else can move meanwhile.

/** @param s the schema's name, quoted */
export const takingFunctions = (s: string): string => `
  CREATE FUNCTION ${s}.reserve(
    asked_id text, asked_pool text, asked_job text, asked_taker text, asked bigint, asked_lease_ms double precision,
    now_ms double precision
  ) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    made ${s}.reservations;
    names text[];
    refusal record;
  BEGIN
    LOOP
      SELECT * INTO made FROM ${s}.reservations WHERE id = asked_id;
      IF FOUND THEN
        RETURN ${s}.reserve_again(made, asked_pool, asked_job, asked_taker, asked, asked_lease_ms, now_ms);
      END IF;
      names := ${s}.chain_of(asked_pool);
      IF names IS NULL THEN RETURN '{"missing": "pool"}'; END IF;
      PERFORM ${s}.lock_pools(names);
      refusal := ${s}.refusal_of(names, asked, asked);
      IF refusal.reason IS NULL THEN
        INSERT INTO ${s}.reservations (
          id, pool, job, taker, asked_amount, lease_ms, asked_at_ms, state, amount, dispatched,
          lease_expires_at_ms, periods, consumed, charged, overspent, shortfall, late)
        VALUES (
          asked_id, asked_pool, asked_job, asked_taker, asked, asked_lease_ms, now_ms, 'held', asked, false,
          now_ms + least(asked_lease_ms, refusal.max_lease_ms), refusal.periods, 0, false, 0, 0, false)
        ON CONFLICT (id) DO NOTHING RETURNING * INTO made;
      ELSE
        INSERT INTO ${s}.reservations (
          id, pool, job, taker, asked_amount, lease_ms, asked_at_ms, state, reason, refused_by, returnable, version)
        VALUES (
          asked_id, asked_pool, asked_job, asked_taker, asked, asked_lease_ms, now_ms, 'refused',
          refusal.reason, refusal.refused_by, refusal.returnable, ${s}.version_of(names))
        ON CONFLICT (id) DO NOTHING RETURNING * INTO made;
      END IF;
      -- Otherwise somebody else was first with this id. Nothing is debited yet, and theirs is the answer.
      EXIT WHEN made.id IS NOT NULL;
    END LOOP;
    IF made.state = 'refused' THEN
      PERFORM ${s}.tell(now_ms, 'reserve', made, asked, 'refused',
        made.reason || CASE WHEN made.refused_by = made.pool THEN '' ELSE ' at ' || made.refused_by END);
      RETURN json_build_object('already', false, 'version', made.version, 'hold', made);
    END IF;
    PERFORM ${s}.move_rows(names, made.periods, false, -asked, asked, 0, 0, 0, 0);
    PERFORM ${s}.tell(now_ms, 'reserve', made, asked, 'granted', NULL,
      ${s}.delta_of(names, made.periods, ARRAY[-asked, asked, 0, 0, 0, 0]));
    RETURN json_build_object('already', false, 'version', ${s}.version_of(names), 'hold', made, 'chain', names);
  END $$;

  CREATE FUNCTION ${s}.reserve_again(
    made ${s}.reservations, asked_pool text, asked_job text, asked_taker text, asked bigint,
    asked_lease_ms double precision, now_ms double precision
  ) RETURNS json LANGUAGE plpgsql AS $$
  DECLARE
    names text[] := ${s}.chain_of(made.pool);
    asking ${s}.reservations := made;
  BEGIN
    IF (made.pool, made.job, made.taker, made.asked_amount, made.lease_ms)
       = (asked_pool, asked_job, asked_taker, asked, asked_lease_ms) THEN
      RETURN json_build_object('already', true, 'version', coalesce(made.version, ${s}.version_of(names)),
        'hold', made, 'chain', names);
    END IF;
    asking.pool := asked_pool;
    asking.job := asked_job;
    PERFORM ${s}.tell(now_ms, 'reserve', asking, asked, 'id-reused', NULL);
    RETURN json_build_object('reused', true, 'version', ${s}.version_of(names));
  END $$;

  CREATE FUNCTION ${s}.extend_to(asked_id text, asked_total bigint, now_ms double precision) RETURNS json
  LANGUAGE plpgsql AS $$
  DECLARE
    hold ${s}.reservations;
    names text[];
    more bigint;
    refusal record;
    why text;
    may_return boolean := false;
  BEGIN
    hold := ${s}.lock_hold(asked_id);
    IF hold.id IS NULL OR hold.state = 'refused' THEN RETURN ${s}.no_hold(hold); END IF;
    names := ${s}.chain_of(hold.pool);
    more := asked_total - hold.amount;
    IF hold.state <> 'held' THEN
      why := 'closed';
    ELSIF more > 0 THEN
      refusal := ${s}.refusal_of(names, more, asked_total);
      IF refusal.periods <> hold.periods THEN
        why := 'row-closed';
      ELSE
        why := refusal.reason;
        may_return := refusal.returnable;
      END IF;
    END IF;
    IF why IS NOT NULL THEN
      PERFORM ${s}.tell(now_ms, 'extend-to', hold, asked_total, 'refused', why);
      RETURN json_build_object('refused', why, 'returnable', may_return, 'version', ${s}.version_of(names),
        'hold', hold, 'chain', names);
    END IF;
    -- An extension whose answer was lost may be asked for again: it is there already, and moves nothing.
    IF more <= 0 THEN
      PERFORM ${s}.tell(now_ms, 'extend-to', hold, asked_total, 'extended', NULL);
      RETURN json_build_object('version', ${s}.version_of(names), 'hold', hold, 'chain', names);
    END IF;
    UPDATE ${s}.reservations SET amount = asked_total WHERE id = asked_id RETURNING * INTO hold;
    PERFORM ${s}.move_rows(names, hold.periods, false, -more, more, 0, 0, 0, 0);
    PERFORM ${s}.tell(now_ms, 'extend-to', hold, asked_total, 'extended', NULL,
      ${s}.delta_of(names, hold.periods, ARRAY[-more, more, 0, 0, 0, 0]));
    RETURN json_build_object('version', ${s}.version_of(names), 'hold', hold, 'chain', names, 'more', more);
  END $$;
`;
