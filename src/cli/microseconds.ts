// Times to the microsecond. Virtual time is kept in double precision, and the dust behind its last digit
// says nothing to anybody.

/** A copy in which every number under a key that ends in `Ms`, or in anything there, has at most three decimals. */
export function roundTimes<Value>(value: Value): Value {
  return rounded(value, false) as Value;
}

function rounded(value: unknown, isTime: boolean): unknown {
  if (typeof value === 'number') return isTime ? roundedTime(value) : value;
  if (Array.isArray(value)) return value.map((item) => rounded(item, isTime));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, rounded(item, isTime || key.endsWith('Ms'))] as const),
  );
}

/** Beyond a safe number of microseconds there are no decimals to round away. */
function roundedTime(ms: number): number {
  return Math.abs(ms) < 1e12 ? Math.round(ms * 1000) / 1000 : ms;
}
