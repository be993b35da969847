// One seed for every property of a run. A failing property prints its own seed and path, and the line that
// replays the whole file:
//   PLIMSOLL_TEST_SEED=<seed> npx vitest run <file>
import fc from 'fast-check';

const seed = Number(process.env.PLIMSOLL_TEST_SEED);

fc.configureGlobal({
  seed,
  reporter: (run) => {
    if (!run.failed) return;
    const report = fc.defaultReportMessage(run);
    throw new Error(`${report}\n\nReplay: PLIMSOLL_TEST_SEED=${seed} npx vitest run <this file>`);
  },
});
