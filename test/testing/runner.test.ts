// What the contracts ask of a test runner, and what they compare.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Budget } from '../../src/budget/budget.ts';
import { MemoryLedger } from '../../src/ledger/memory-ledger.ts';
import { Expectation } from '../../src/testing/expectation.ts';
import { budgetContract, ledgerContract } from '../../src/testing/index.ts';
import { RecordingRunner } from './recording-runner.ts';

describe('without a runner', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('the global one is used', () => {
    const runner = new RecordingRunner();
    for (const name of ['describe', 'it', 'expect'] as const) vi.stubGlobal(name, runner[name]);
    ledgerContract(() => new MemoryLedger());
    budgetContract((options) => new Budget(options));
    expect(runner.cases.length).toBeGreaterThan(150);
  });

  it('where there is none, the contracts say what to pass', () => {
    vi.stubGlobal('describe', undefined);
    expect(() => ledgerContract(() => new MemoryLedger())).toThrow(/pass those of your test runner/);
    expect(() => budgetContract((options) => new Budget(options))).toThrow(TypeError);
  });
});

describe('answers are compared by what is in them', () => {
  const { expect: strict } = new RecordingRunner();
  const expectation = new Expectation(strict);
  class Row {
    readonly balance = -0;
    readonly note = undefined;
  }

  it('a class, a key that is undefined and a minus before a 0 make no difference', () => {
    expectation.equal([new Row()], [{ balance: 0 }]);
    expectation.equal(Object.assign(Object.create(null), { balance: 0 }), new Row());
  });

  it('a figure, a key and the length of a list do', () => {
    expect(() => expectation.equal({ balance: 1 }, { balance: 0 })).toThrow();
    expect(() => expectation.equal({ balance: 0, held: 0 }, { balance: 0 })).toThrow();
    expect(() => expectation.matches({ rows: [1, 2] }, { rows: [1] })).toThrow();
    expect(() => expectation.matches({ rows: 1 }, { rows: [1] })).toThrow();
  });

  it('what is only matched may have more, at any depth', () => {
    expectation.matches({ hold: { id: 'a', amount: 1 }, version: 3 }, { hold: { id: 'a' } });
    expect(() => expectation.matches({ hold: { id: 'b', amount: 1 } }, { hold: { id: 'a' } })).toThrow();
    expect(() => expectation.matches(undefined, { hold: { id: 'a' } })).toThrow();
    expect(() => expectation.matches({ moves: { row: 1 } }, { moves: {} })).toThrow();
  });

  it('a promise is not what it comes to', () => {
    expect(() => expectation.equal(Promise.resolve(1), 1)).toThrow(TypeError);
  });

  it('a call that does not throw, or throws something else, is found', async () => {
    const wrong = Object.assign(new RangeError('amount must be a count of tokens, got -1'), { code: 'x' });
    await expectation.rejects(Promise.reject(wrong), { name: 'RangeError', code: 'x', says: '-1' });
    await expectation.rejects(Promise.reject(wrong), {});
    await expect(expectation.rejects(Promise.reject(new TypeError('a bug')), {})).rejects.toThrow();
    await expect(expectation.rejects(Promise.reject(wrong), { code: 'x' })).rejects.toThrow();
    await expect(expectation.rejects(Promise.resolve(1), {})).rejects.toThrow();
    await expect(expectation.rejects(Promise.reject('no error'), {})).rejects.toThrow();
    await expect(expectation.rejects(Promise.reject(wrong), { name: 'InputError' })).rejects.toThrow();
    await expect(
      expectation.rejects(Promise.reject(wrong), { name: 'RangeError', code: 'y' }),
    ).rejects.toThrow();
    await expect(expectation.rejects(Promise.reject(wrong), { says: '-2' })).rejects.toThrow();
  });
});
