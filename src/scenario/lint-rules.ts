// The ids of lint's rules. They stand here because a scenario names them where it accepts a finding; what
// each of them looks for is written in `study/lint`.

export const LINT_RULES = [
  'worst-case-over-window',
  'short-reserve',
  'floor-above-latency',
  'sub-second-calls',
  'interactive-calls',
  'short-slack',
  'must-finish-tonight',
  'deadline-per-job',
  'not-idempotent',
  'lease-below-job',
  'lease-below-attempts',
  'envelope-over-capacity',
  'few-samples',
  'tail-beyond-context',
  'lanes-over-ceiling',
  'lanes-over-limits',
  'retries-multiplied',
  'shared-without-guarantees',
  'no-usage-source',
  'ephemeral-ledger',
  'trip-always',
  'trip-never',
] as const;

export type LintRule = (typeof LINT_RULES)[number];
