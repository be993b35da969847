// Warnings, each kind once per run: a provider that reports nonsense does so for every call.

/** What went wrong without stopping the run, for a log. */
export interface QueueWarning {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
}

export class WarnOnce {
  readonly #told = new Set<string>();
  readonly #tell: (warning: QueueWarning) => void;

  constructor(tell: (warning: QueueWarning) => void) {
    this.#tell = tell;
  }

  /** @param kind tells apart what shares a code; each kind is told once */
  warn(warning: QueueWarning, kind: string = warning.code): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#tell(warning);
  }
}
