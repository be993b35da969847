// The names that a misspelt one may have meant.

import type { Ask } from './postgres-connection.ts';
import { fromStored } from './postgres-text.ts';

/** So many holds are looked through for the one that a misspelt id may have meant. */
const SUGGESTIONS_AMONG = 1000;

/** In order of opening. @param schema quoted */
export async function poolNames(ask: Ask, schema: string): Promise<readonly string[]> {
  const found = await ask<{ pool: string }>(`SELECT pool FROM ${schema}.pools ORDER BY sequence`);
  return found.map(({ pool }) => fromStored(pool));
}

/** Of holds in state `held`. @param schema quoted */
export async function heldIds(ask: Ask, schema: string): Promise<readonly string[]> {
  const found = await ask<{ id: string }>(
    `SELECT r.id FROM ${schema}.reservations AS r JOIN ${schema}.pools AS p USING (pool)
     WHERE state = 'held' ORDER BY p.sequence, r.sequence LIMIT $1`,
    [SUGGESTIONS_AMONG],
  );
  return found.map(({ id }) => fromStored(id));
}
