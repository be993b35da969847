// The rules of the house, held: who imports whom, and what may be touched where. Each rule is shown to find
// what it is there for before it is trusted to find nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  badNames,
  clocksOutsideTheirRooms,
  nodeOutsideItsRooms,
  powers,
  type SourceFile,
  stepsNotYielded,
  testToolsOutsideTheirRooms,
  wrongImports,
} from './house/rules.ts';
import { codeOf, specifiersOf } from './house/source-text.ts';

const root = join(import.meta.dirname, '..', 'src');
const house: readonly SourceFile[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const file = (path: string, text: string): readonly SourceFile[] => [{ path, text }];
const importing = (path: string, specifier: string) => file(path, `import { x } from '${specifier}';`);

it('the house is there to be looked at', () => {
  expect(house.length).toBeGreaterThan(50);
  expect(house.flatMap(({ text }) => specifiersOf(text)).length).toBeGreaterThan(200);
});

describe('arrows', () => {
  it('point one way', () => {
    expect(wrongImports(house)).toEqual([]);
  });

  it.each([
    ['base/a.ts', '../budget/b.ts'],
    ['sim/a.ts', '../worker/b.ts'],
    ['worker/a.ts', '../sim/b.ts'],
    ['live/a.ts', '../world/b.ts'],
    ['world/a.ts', '../live/b.ts'],
    ['world/deep/a.ts', '../../live/b.ts'],
    ['scenario/a.ts', '../world/b.ts'],
    ['stores/a.ts', '../worker/b.ts'],
    ['ledger/rules/a.ts', '../../stores/b.ts'],
    ['report/a.ts', '../cli/b.ts'],
    ['core.ts', './live/b.ts'],
    ['core.ts', './stores/b.ts'],
    ['cli/a.ts', '../testing/b.ts'],
    ['testing/a.ts', '../world/b.ts'],
    ['testing/a.ts', '../stores/b.ts'],
    ['index.ts', './testing/b.ts'],
    ['elsewhere/a.ts', '../base/b.ts'],
  ])('forbid %s to import %s', (path, specifier) => {
    expect(wrongImports(importing(path, specifier))).toHaveLength(1);
  });

  it.each([
    ['world/a.ts', '../base/b.ts'],
    ['world/a.ts', './b.ts'],
    ['cli/a.ts', '../stores/b.ts'],
    ['report/a.ts', '../plan/b.ts'],
    ['testing/a.ts', '../ledger/b.ts'],
    ['index.ts', './live/b.ts'],
    ['index.ts', './budget/b.ts'],
  ])('allow %s to import %s', (path, specifier) => {
    expect(wrongImports(importing(path, specifier))).toEqual([]);
  });
});

describe('node modules and native packages', () => {
  it('appear only in the rooms that are for Node', () => {
    expect(nodeOutsideItsRooms(house)).toEqual([]);
  });

  it.each(['node:fs', 'better-sqlite3', 'pg'])('%s is found outside them, and allowed inside', (module) => {
    expect(nodeOutsideItsRooms(importing('world/a.ts', module))).toEqual([`world/a.ts imports ${module}`]);
    expect(nodeOutsideItsRooms(file('sim/a.ts', `const x = await import('${module}');`))).toHaveLength(1);
    expect(nodeOutsideItsRooms(importing('stores/a.ts', module))).toEqual([]);
  });
});

describe('test tools', () => {
  it('are fast-check, in testing, and no runner anywhere', () => {
    expect(testToolsOutsideTheirRooms(house)).toEqual([]);
    expect(house.filter(({ text }) => specifiersOf(text).includes('fast-check')).length).toBeGreaterThan(0);
  });

  it.each([
    ['testing/a.ts', 'vitest'],
    ['testing/a.ts', '@jest/globals'],
    ['world/a.ts', 'fast-check'],
  ])('%s may not import %s', (path, module) => {
    expect(testToolsOutsideTheirRooms(importing(path, module))).toEqual([`${path} imports ${module}`]);
  });

  it('fast-check is allowed in testing', () => {
    expect(testToolsOutsideTheirRooms(importing('testing/a.ts', 'fast-check'))).toEqual([]);
  });
});

describe('clocks, timers and dice', () => {
  it('are touched only in live and cli', () => {
    expect(clocksOutsideTheirRooms(house)).toEqual([]);
  });

  it.each([
    'new Date()',
    'Date.now()',
    'performance.now()',
    'setTimeout(f, 1)',
    'globalThis.setImmediate(f)',
    'clearInterval(t)',
    'Math.random()',
    ['x = `$', '{Date.now()}`'].join(''),
  ])('%s is found elsewhere', (code) => {
    expect(clocksOutsideTheirRooms(file('worker/a.ts', code))).toHaveLength(1);
    expect(clocksOutsideTheirRooms(file('live/a.ts', code))).toEqual([]);
  });

  it('may be spoken of', () => {
    const talk = "// Date.now()\nconst x = 'Math.random()'; /* setTimeout */ const y = `performance.now()`;";
    expect(clocksOutsideTheirRooms(file('worker/a.ts', talk))).toEqual([]);
  });
});

describe('powers', () => {
  it('are not taken: their last digits differ between Node majors', () => {
    expect(powers(house)).toEqual([]);
  });

  it.each(['Math.pow(2, 3)', '2 ** 3', 'x **= 2'])('%s is found', (code) => {
    expect(powers(file('cli/a.ts', code))).toHaveLength(1);
  });

  it('are no generator and no comment', () => {
    expect(powers(file('cli/a.ts', '/** Doc. */ function* f() { yield* g(); }'))).toEqual([]);
  });
});

describe('names of files', () => {
  it('say what is in them', () => {
    expect(badNames(house)).toEqual([]);
  });

  it.each([
    'base/utils.ts',
    'world/helpers/a.ts',
    'common/a.ts',
    'sim/misc.ts',
    'base/util.ts',
    'base/MinTree.ts',
  ])('%s does not', (path) => {
    expect(badNames(file(path, ''))).toHaveLength(1);
  });
});

describe('steps of a process', () => {
  const ask: SourceFile = { path: 'worker/ask.ts', text: 'export const take = () => ask(1);' };
  const inWorker = (text: string) =>
    stepsNotYielded([ask, { path: 'worker/a.ts', text: `import { take } from './ask.ts'; ${text}` }]);

  it('are yielded wherever they are called', () => {
    expect(stepsNotYielded(house)).toEqual([]);
    expect(house.some(({ path }) => path === ask.path)).toBe(true);
  });

  it.each(['take(1);', 'const x = take<Job>(1);', 'yield take(1);', 'return take(1);'])(
    '%s is a builder that does nothing',
    (text) => {
      expect(inWorker(text)).toEqual(['worker/a.ts calls take without yield*']);
    },
  );

  it('and so is a part of a process that is only called', () => {
    const part = 'function* wait<Job>(x: X): Step<Job, void> {}';
    expect(inWorker(`${part} wait(x);`)).toEqual(['worker/a.ts calls wait without yield*']);
    expect(inWorker(`${part} yield* wait(x);`)).toEqual([]);
  });

  it('and something else of the same name is something else', () => {
    const method = { path: 'worker/queue.ts', text: 'class Queue { take(bar: Bar) {} }' };
    expect(stepsNotYielded([ask, method])).toEqual([]);
  });

  it.each(['const x = yield* take(1);', 'if (yield* take<Job>(1)) f();', 'queue.take(1);'])(
    '%s is fine',
    (text) => {
      expect(inWorker(text)).toEqual([]);
    },
  );
});

describe('reading source text', () => {
  it('finds imports of every kind, over several lines', () => {
    const text = [
      "import a, {\n  b,\n} from './a.ts';",
      "import type { C } from './c.ts';",
      "export * from './d.ts';",
      "export { e } from './e.ts';",
      "import './f.ts';",
      "const g = await import('./g.ts');",
      "// import h from './h.ts';",
    ].join('\n');
    expect([...specifiersOf(text)].sort()).toEqual([
      './a.ts',
      './c.ts',
      './d.ts',
      './e.ts',
      './f.ts',
      './g.ts',
    ]);
  });

  it('tells code from what is none', () => {
    const template = ['`f $', '{g({ h: `i $', '{j}` })} k`'].join('');
    const text = `a('x // y'); // b\nc(/[/'"]/.test(d), 6 / 2 / e, ${template}); l`;
    const words = codeOf(text).match(/[a-z]+/g);
    expect(words).toEqual(['a', 'c', 'test', 'd', 'e', 'g', 'h', 'j', 'l']);
  });
});
