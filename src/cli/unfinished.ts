// Files that are not what somebody asked for yet. Whatever ends the process early (an error, a full disk, a
// signal), they go with it, so that nothing half-written stays behind.

import { rmSync } from 'node:fs';

export class Unfinished {
  readonly #paths = new Set<string>();

  /** A file or folder that is to be removed unless it is kept. */
  add(path: string): void {
    this.#paths.add(path);
  }

  /** It was finished and given its own name, or may stay as it is. */
  keep(path: string): void {
    this.#paths.delete(path);
  }

  /** Removes one of them, now that it is not needed any more. */
  remove(path: string): void {
    rmSync(path, { recursive: true, force: true });
    this.#paths.delete(path);
  }

  /** For the end of the process: synchronous, and silent about what cannot be removed. */
  removeAll(): void {
    for (const path of this.#paths) {
      try {
        this.remove(path);
      } catch {
        // The process is ending for another reason, and that one is what its user is told.
      }
    }
  }
}
