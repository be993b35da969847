import pc from 'picocolors';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EnvironmentError, InputError, InvariantBroken } from '../../src/base/errors.ts';
import { explain } from '../../src/cli/exit.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

afterEach(() => vi.unstubAllEnvs());

function explained(error: unknown) {
  let stderr = '';
  const colours = pc.createColors(false);
  const terminal: Terminal = {
    colours,
    errorColours: colours,
    answer: () => expect.unreachable('an error is no answer'),
    say: (line) => {
      stderr += `${line}\n`;
    },
    progress: () => undefined,
  };
  return { code: explain(error, ['run', 'x.yaml'], terminal), stderr };
}

describe('how a command ends', () => {
  test('bad input exits 2 with every problem on a line of its own', () => {
    const { code, stderr } = explained(
      new InputError([
        { code: 'a', message: 'one', place: { file: 'x.yaml', line: 3, column: 4 } },
        { code: 'b', message: 'two' },
      ]),
    );
    expect(code).toBe(2);
    expect(stderr).toBe('error: x.yaml:3:4: one\nerror: two\n');
  });

  test('a broken invariant exits 4 with what is known of it, and asks for a report', () => {
    const { code, stderr } = explained(new InvariantBroken('books balance', 'they do not'));
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: invariant broken: books balance: they do not\nPlease report it/);
    expect(stderr).toContain('plimsoll run x.yaml');
  });

  test('an environment that failed exits 5, whether we or the system named it', () => {
    expect(explained(new EnvironmentError('gone', 'the disk is gone'))).toEqual({
      code: 5,
      stderr: 'error: the disk is gone\n',
    });
    const raw = Object.assign(new Error('EIO: i/o error, write'), {
      code: 'EIO',
      syscall: 'write',
      path: '/a',
    });
    const { code, stderr } = explained(raw);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^error: \/a cannot be used: EIO: i\/o error, write \(EIO\)/);
  });

  test('anything else is a bug: exits 70, says so in one line, asks for a report and shows no stack', () => {
    const { code, stderr } = explained(new TypeError('x is not a function\nand more'));
    expect(code).toBe(70);
    expect(stderr).toMatch(
      /^error: a bug in Plimsoll, not in your input: TypeError: x is not a function\nPlease report it/,
    );
    expect(stderr).toMatch(/plimsoll \d+\.\d+\.\d+, node v/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('the stack is there for whoever asks for it', () => {
    vi.stubEnv('PLIMSOLL_DEBUG', '1');
    expect(explained(new TypeError('x')).stderr).toMatch(/\n\s+at /);
  });
});
