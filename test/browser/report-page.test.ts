// The report's page in a real browser, opened from the disk: nothing is fetched, nothing complains, a phone
// needs no sideways scrolling, and it can be read in the dark, on paper, and by whoever cannot see it.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport } from '../../src/report/render-report.ts';
import { renderShipped, shippedNames } from '../report/shipped-report.ts';
import { type Toy, toyInput } from '../report/toy-nights.ts';

const HOSTILE = '</script><img src=x onerror=alert(1)> | `a`\n# "b" & [c](d) *e* \u202Egnp שלום 🚢 @all';
const EXECUTABLE = [
  process.env.PLIMSOLL_BROWSER ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path));
const isCi = process.env.CI !== undefined && process.env.CI !== '';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const TOYS: Readonly<Record<string, Toy>> = {
  'hostile names': {
    name: HOSTILE,
    capacity: 3_000_000,
    isStudied: true,
    classes: [{ name: HOSTILE, count: 200, envelope: 14_000, tokens: [2_000, 24_000] }],
    compare: [{ name: HOSTILE, toy: { nights: 1, capacity: 3_000_000 } }],
  },
  'names of 200 characters': {
    name: 'n'.repeat(200),
    capacity: 3_000_000,
    classes: [{ name: 'x'.repeat(200), count: 20, envelope: 9_000, tokens: [20, 90] }],
  },
  'forty classes and 400 nights': {
    nights: 400,
    capacity: 400_000,
    classes: Array.from({ length: 40 }, (_, index) => ({
      name: `class-${index}`,
      count: 1,
      envelope: 14_000,
      tokens: [2_000, 30_000] as const,
    })),
  },
  'no jobs': { capacity: 1, classes: [] },
};

const PAGES = [...shippedNames, ...Object.keys(TOYS)];

test('there is a browser to look at the page with', ({ skip }) => {
  if (EXECUTABLE !== undefined) return;
  if (isCi) throw new Error('no browser is installed: apt-get install chromium, or set PLIMSOLL_BROWSER');
  process.stderr.write(
    'NOT RUN: the page in a browser, for none is installed (Chromium, PLIMSOLL_BROWSER)\n',
  );
  skip('no browser is installed');
});

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-page-'));
let browser: Browser | undefined;

beforeAll(async () => {
  if (EXECUTABLE === undefined) return;
  browser = await chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  for (const [index, name] of PAGES.entries()) writeFileSync(fileOf(index), await pageOf(name));
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(EXECUTABLE === undefined).each(PAGES)('the page of %s', (name) => {
  test('fits a phone of 360 pixels: only boxes scroll, and those can be reached by keyboard', async () => {
    await visit(name, { viewport: { width: 360, height: 740 } }, async (page) => {
      expect(await sidewaysPx(page)).toBe(0);
      expect(await boxesOutOfReach(page)).toEqual([]);
      for (const chart of await page.locator('.chart').all()) {
        expect((await chart.locator('svg').boundingBox())?.width).toBeLessThanOrEqual(360);
        await chart.focus();
        expect((await chart.locator('svg').boundingBox())?.width).toBe(700);
        expect(await sidewaysPx(page)).toBe(0);
      }
    });
  });

  test('is dark in the dark, its charts included, and white on paper', async () => {
    await visit(name, { viewport: { width: 1000, height: 800 }, colorScheme: 'dark' }, async (page) => {
      expect(await lightness(page, 'body', 'backgroundColor')).toBeLessThan(0.2);
      expect(await lightness(page, 'body', 'color')).toBeGreaterThan(0.8);
      const charts = await page.locator('.chart').count();
      if (charts > 0) {
        expect(await lightness(page, '.chart svg > rect', 'fill')).toBeLessThan(0.2);
        expect(await lightness(page, '.chart svg text', 'fill')).toBeGreaterThan(0.6);
      }
      await page.emulateMedia({ media: 'print' });
      expect(await lightness(page, 'body', 'backgroundColor')).toBe(1);
      expect(await lightness(page, 'body', 'color')).toBeLessThan(0.2);
      if (charts > 0) expect(await lightness(page, '.chart svg > rect', 'fill')).toBe(1);
      expect(await page.locator('nav').isVisible()).toBe(false);
    });
  });

  test('on paper loses nothing at the right edge', async () => {
    await visit(name, { viewport: { width: 680, height: 960 } }, async (page) => {
      await page.emulateMedia({ media: 'print' });
      expect(await sidewaysPx(page)).toBe(0);
    });
  });
});

/** Pages of every make, in both colours; a look into all of them would find the same. */
const LOOKED_INTO = [
  ['nightly-free-pool', 'light'],
  ['nightly-free-pool', 'dark'],
  ['six-hour-loop', 'light'],
  ['throttled', 'dark'],
  ['hostile names', 'dark'],
] as const;

describe.skipIf(EXECUTABLE === undefined)('axe-core finds nothing serious', () => {
  test.each(LOOKED_INTO)('in the page of %s, %s', async (name, colorScheme) => {
    await visit(name, { viewport: { width: 1000, height: 800 }, colorScheme }, async (page) => {
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});

/** Opens the page; whatever it asks for, says or complains of fails the test. */
async function visit(
  name: string,
  options: BrowserContextOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const address = pathToFileURL(fileOf(PAGES.indexOf(name))).href;
  const context = await browser!.newContext(options);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('request', (request) => {
    if (request.url() !== address) noise.push(`asks for ${request.url()}`);
  });
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(String(error)));
  page.on('dialog', (dialog) => {
    noise.push(`says ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  await look(page);
  expect(noise).toEqual([]);
  await context.close();
}

function fileOf(index: number): string {
  return join(folder, `${index}.html`);
}

async function pageOf(name: string): Promise<string> {
  const toy = TOYS[name];
  if (toy === undefined) return (await renderShipped(name)).get('report.html') ?? '';
  const files = await renderReport(toyInput(toy));
  return files.find((file) => file.name === 'report.html')?.text ?? '';
}

// What follows runs in the page, as text: the tests know nothing of a browser's types.

function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

function boxesOutOfReach(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((box) => box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto' && box.tabIndex < 0)
    .map((box) => box.outerHTML.slice(0, 80))`);
}

/** From 0, black, to 1, white. */
function lightness(page: Page, selector: string, property: string): Promise<number> {
  return page.evaluate(`(() => {
    const colour = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}];
    const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
    return alpha === 0 ? 1 : (red + green + blue) / 765;
  })()`);
}

async function seriousFindings(page: Page): Promise<readonly string[]> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
  expect(passes.length).toBeGreaterThan(10);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
