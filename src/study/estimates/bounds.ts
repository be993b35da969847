// What an estimate says: its value and the two one-sided bounds, each of which holds with the confidence
// asked for; together they are a two-sided interval of twice the error.

export interface Estimate {
  readonly value: number;
  /** Null: the data do not support one. */
  readonly lower: number | null;
  /** Null: the data do not support one. */
  readonly upper: number | null;
}

/** One that has both, whatever the data. */
export interface BoundedEstimate extends Estimate {
  readonly lower: number;
  readonly upper: number;
}
