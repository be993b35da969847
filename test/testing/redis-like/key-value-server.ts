// As much of a key-value server as a ledger needs: hashes of strings, and scripts that run one at a time with
// nobody in between. Every call travels, so that calls made together arrive in an order that nobody chose.

/** What a script may do. */
export interface Commands {
  hget(hash: string, field: string): string | undefined;
  /** In order of first setting. */
  hvals(hash: string): readonly string[];
  hset(hash: string, field: string, value: string): void;
}

export class ConnectionLost extends Error {}

export class KeyValueServer {
  readonly #hashes = new Map<string, Map<string, string>>();
  #isDown = false;

  /** Runs the script on the server, and brings back what it returns. @throws ConnectionLost once it was stopped */
  async run<Answer>(script: (commands: Commands) => Answer): Promise<Answer> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isDown) throw new ConnectionLost('ECONNREFUSED');
    return structuredClone(script(this.#commands));
  }

  stop(): void {
    this.#isDown = true;
  }

  readonly #commands: Commands = {
    hget: (hash, field) => this.#hashes.get(hash)?.get(field),
    hvals: (hash) => [...(this.#hashes.get(hash)?.values() ?? [])],
    hset: (hash, field, value) => {
      const fields = this.#hashes.get(hash) ?? new Map<string, string>();
      this.#hashes.set(hash, fields.set(field, value));
    },
  };
}
