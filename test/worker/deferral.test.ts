import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playNight } from './scripted-driver.ts';

const { deferral } = JSON.parse(
  readFileSync(new URL('../theory/field-notes.json', import.meta.url), 'utf8'),
) as {
  deferral: {
    deadline: number;
    reserve: number;
    floor: number;
    cap: number;
    rows: number;
    granted: number[];
    done: number[];
    deferred: number[];
    writes: [number, string][];
  };
};

test('the first field note: two calls are granted all they may have, the other rows are deferred untouched', () => {
  const night = playNight({
    jobs: Array.from({ length: deferral.rows }, (_, row) => ({ id: String(row), envelope: 0 })),
    budget: {
      deadlineMs: deferral.deadline * 1_000,
      reserveMs: deferral.reserve * 1_000,
      floorMs: deferral.floor * 1_000,
      capMs: deferral.cap * 1_000,
    },
    call: ({ timeoutMs }) => ({ outcome: 'ok', takesMs: timeoutMs }),
  });
  const standing = (words: string) =>
    Object.entries(night.standings)
      .filter(([, its]) => its === words)
      .map(([id]) => Number(id));

  expect(night.calls.map(({ grantedMs }) => grantedMs / 1_000)).toEqual(deferral.granted);
  expect(standing('done')).toEqual(deferral.done);
  expect(standing('waiting')).toEqual(deferral.deferred);
  expect(night.writes.map(([job, status]) => [Number(job), status])).toEqual(deferral.writes);
});
