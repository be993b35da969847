// Times to the microsecond. Virtual time is kept in double precision, and the dust behind its last digit
// says nothing to anybody.

/** A copy in which every number under a key that ends in `Ms` has at most three decimals. */
export function roundTimes<Value>(value: Value): Value {
  return rounded(value) as Value;
}

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, roundedTime(key, item)] as const);
  return Object.fromEntries(entries);
}

function roundedTime(key: string, item: unknown): unknown {
  if (typeof item !== 'number') return rounded(item);
  // Beyond a safe number of microseconds there are no decimals to round away.
  return key.endsWith('Ms') && Math.abs(item) < 1e12 ? Math.round(item * 1000) / 1000 : item;
}
