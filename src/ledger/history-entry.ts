// How one reservation of a job's past looks to its reader, whichever store kept it.

import type { Reservation } from './books.ts';
import type { HistoryEntry } from './ledger.ts';

export function historyEntry(reservation: Reservation): HistoryEntry {
  const { id, pool, taker, askedAmount: amount } = reservation;
  if (reservation.state === 'refused') {
    return { id, pool, taker, amount, outcome: 'refused', reason: reservation.reason };
  }
  return { id, pool, taker, amount, outcome: 'granted', hold: reservation };
}
