// One seed for every property of a run. A failing property prints its own seed and path; to replay:
//   PLIMSOLL_TEST_SEED=<seed> npx vitest run <file>
import fc from 'fast-check';

const seed = Number(process.env.PLIMSOLL_TEST_SEED);
fc.configureGlobal({
  seed,
  asyncReporter: async (run) => {
    if (run.failed) throw new Error(replayable(run));
  },
  reporter: (run) => {
    if (run.failed) throw new Error(replayable(run));
  },
});

function replayable(run: fc.RunDetails<unknown>): string {
  return `${fc.defaultReportMessage(run)}\n\nReplay the whole file: PLIMSOLL_TEST_SEED=${seed} npx vitest run <this file>`;
}
