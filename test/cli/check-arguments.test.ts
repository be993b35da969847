import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/errors.ts';
import { checkArguments } from '../../src/cli/check-arguments.ts';
import { init } from '../../src/cli/commands/init.ts';
import { plan } from '../../src/cli/commands/plan.ts';
import { run } from '../../src/cli/commands/run.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';

const COMMANDS = [plan, run, init];

function problemsOf(...typed: string[]): string[] {
  try {
    checkArguments(typed, COMMANDS);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
}

async function given(...typed: string[]) {
  const intent = await parseArguments(typed, COMMANDS);
  if (intent.kind !== 'run') throw new Error(`expected a command, got ${intent.kind}`);
  return intent.given;
}

describe('what reaches a command', () => {
  test('every value stays the text that was typed', async () => {
    const run = await given('run', 'x', '--seed', '1e3', '--nights', '010', '--ledger', 'sqlite:1.0');
    expect([run.text('seed'), run.text('nights'), run.text('ledger')]).toEqual(['1e3', '010', 'sqlite:1.0']);
    expect((await given('plan', '1e3')).words).toEqual(['1e3']);
    expect((await given('plan', 'x', '--seed=0x10')).text('seed')).toBe('0x10');
    expect((await given('plan', 'x', '--seed=-x')).text('seed')).toBe('-x');
  });

  test('--set takes one value, wherever it stands, and keeps the order', async () => {
    const plan = await given('plan', '--set', 'a.b=1', 'x', '--set=c=d=2', '--json');
    expect(plan.words).toEqual(['x']);
    expect(plan.texts('set')).toEqual(['a.b=1', 'c=d=2']);
    expect([plan.has('json'), plan.text('seed')]).toEqual([true, undefined]);
  });

  test('a flag before the command counts as one behind it', async () => {
    const plan = await given('--seed', '5', 'plan', 'x');
    expect([plan.words, plan.text('seed')]).toEqual([['x'], '5']);
  });

  test('help is in English, names every flag of the command and fits 80 columns', async () => {
    const intent = await parseArguments(['run', '--help'], COMMANDS);
    const text = intent.kind === 'print' ? intent.text : '';
    for (const flag of Object.keys(run.flags)) expect(text).toContain(`--${flag}`);
    expect(text).toContain('Show help');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('what does not', () => {
  test('a misspelt flag, with the nearest one; its value is not blamed', () => {
    expect(problemsOf('run', 'x', '--ledgr', 'memory')).toEqual([
      expect.stringMatching(/^--ledgr: there is no such flag .* Did you mean "--ledger"\?$/),
    ]);
    expect(problemsOf('run', 'x', '-j')).toEqual([expect.stringMatching(/^-j: there is no such flag/)]);
    expect(problemsOf('run', 'x', '--constructor')).toHaveLength(1);
  });

  test('a flag of another command', () => {
    expect(problemsOf('plan', 'x', '--trace', 'f')).toEqual([
      expect.stringMatching(/^--trace: there is no such flag/),
    ]);
  });

  test('a key of the scenario as a flag or a word, with the flag that sets it', () => {
    expect(problemsOf('plan', 'x', '--budget.reserve=60s').join()).toContain('--set budget.reserve=60s');
    expect(problemsOf('plan', 'x', 'budget.reserve=60s').join()).toContain('"--set budget.reserve=60s"?');
  });

  test('a repeated flag, instead of the last or a list', () => {
    expect(problemsOf('run', 'x', '--seed', '1', '--seed', '2')).toEqual(['--seed: given twice']);
    expect(problemsOf('run', 'x', '--set', 'a=1', '--set', 'a=2')).toEqual([]);
  });

  test('a switch with a value, and a flag without one', () => {
    expect(problemsOf('run', 'x', '--json=maybe')).toEqual([
      '--json: this flag takes no value (got "maybe")',
    ]);
    expect(problemsOf('run', 'x', '--seed')).toEqual([
      expect.stringMatching(/^--seed: this flag takes a value/),
    ]);
    expect(problemsOf('run', 'x', '--seed', '--json')).toEqual([
      expect.stringMatching(/^--seed: this flag takes a value/),
    ]);
  });

  test('a word too few or too many', () => {
    expect(problemsOf('plan')).toEqual([expect.stringMatching(/<scenario> is missing/)]);
    expect(problemsOf('plan', 'x', 'y')).toEqual([
      '"y" is one word too many (expected plimsoll plan <scenario>)',
    ]);
    expect(problemsOf('init')).toEqual([]);
  });

  test('a missing or misspelt command', () => {
    expect(problemsOf('plann', 'x')).toEqual([expect.stringMatching(/"plann" .* Did you mean "plan"\?$/)]);
    expect(problemsOf('--json')).toEqual(['which command? plimsoll --help lists them']);
  });
});
