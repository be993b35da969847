// Every figure that the two field notes print, against the code that is to reproduce them.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Budget } from '../../src/budget/budget.ts';
import { envelopeTokens, inFlightCeiling, meanShare } from '../../src/plan/envelope.ts';
import { worstCase } from '../../src/plan/worst-case.ts';

interface FieldNotes {
  readonly clamp: readonly {
    readonly deadline: number;
    readonly reserve: number;
    readonly floor: number;
    readonly cap: number;
    readonly grants: readonly { readonly now: number; readonly timeout: number | null }[];
  }[];
  readonly worstCase: {
    readonly items: number;
    readonly attempts: number;
    readonly capSeconds: number;
    readonly totalSeconds: number;
  };
  readonly pool: {
    readonly tokens: number;
    readonly jobs: number;
    readonly meanShare: number;
    readonly heaviest: number;
    readonly heaviestAdmitted: number;
    readonly firstRefused: number;
  };
  readonly envelopes: readonly {
    readonly name: string;
    readonly p95Input: number;
    readonly p95Output: number;
    readonly attempts: number;
    readonly fanout: number;
    readonly overhead: number;
    readonly envelope: number;
    readonly admitted: number;
  }[];
}

const notes: FieldNotes = JSON.parse(readFileSync(new URL('field-notes.json', import.meta.url), 'utf8'));

describe('the clamp of the first note', () => {
  for (const { deadline, reserve, floor, cap, grants } of notes.clamp) {
    const options = {
      deadlineMs: deadline * 1000,
      reserveMs: reserve * 1000,
      floorMs: floor * 1000,
      capMs: cap * 1000,
    };
    for (const { now, timeout } of grants) {
      it(`at ${now} s grants ${timeout === null ? 'nothing' : `${timeout} s`}`, () => {
        const granted = new Budget(options).callTimeout(now * 1000);
        expect(granted).toBe(timeout === null ? undefined : timeout * 1000);
      });
    }
  }
});

describe('the worst case of the first note', () => {
  const { items, attempts, capSeconds, totalSeconds } = notes.worstCase;

  it(`${items} rows × ${attempts} attempts × ${capSeconds} s are ${totalSeconds} s`, () => {
    const worst = worstCase({
      classes: [{ count: items, attempts, longestBackoffsMs: 0 }],
      capMs: capSeconds * 1000,
      lanes: 1,
      windowMs: 3_000_000,
      reserveMs: 45_000,
    });
    expect(worst).toMatchObject({ items, attempts, sequentialMs: totalSeconds * 1000, fits: false });
    expect(worst.elapsedMs).toBe(21_600_000);
  });
});

describe('the pool of the second note', () => {
  const { tokens, jobs, heaviest, heaviestAdmitted, firstRefused } = notes.pool;

  it(`is ${notes.pool.meanShare} tokens for each of ${jobs} jobs, if all were alike`, () => {
    expect(meanShare(tokens, jobs)).toBe(notes.pool.meanShare);
  });

  it(`carries ${heaviestAdmitted} of the heaviest jobs, and refuses job ${firstRefused}`, () => {
    expect(inFlightCeiling(tokens, heaviest)).toBe(heaviestAdmitted);
    const left = tokens - heaviestAdmitted * heaviest;
    expect(heaviestAdmitted + 1).toBe(firstRefused);
    expect(inFlightCeiling(left, heaviest)).toBe(0);
  });
});

describe('the envelope table of the second note', () => {
  for (const {
    name,
    p95Input,
    p95Output,
    attempts,
    fanout,
    overhead,
    envelope,
    admitted,
  } of notes.envelopes) {
    it(`${name}: an envelope of ${envelope} tokens, ${admitted} jobs admitted`, () => {
      expect(envelopeTokens({ qInput: p95Input, qOutput: p95Output, fanout, attempts, overhead })).toBe(
        envelope,
      );
      expect(inFlightCeiling(notes.pool.tokens, envelope)).toBe(admitted);
    });
  }
});
