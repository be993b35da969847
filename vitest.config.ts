import { defineConfig } from 'vitest/config';

// Properties run on a fixed seed in CI and on a random one at home; either way a failure prints the seed.
const isCi = process.env.CI !== undefined && process.env.CI !== '';
const seed = process.env.PLIMSOLL_TEST_SEED ?? (isCi ? '20261130' : String(Date.now() % 2 ** 31));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/stores/postgres-setup.ts'],
    env: { PLIMSOLL_TEST_SEED: seed },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
    // CI reads its closing line from the runner's own count.
    reporters: isCi
      ? ['default', ['json', { outputFile: 'node_modules/.vitest/results.json' }]]
      : ['default'],
  },
});
