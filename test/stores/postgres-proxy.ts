// A wire between a ledger and its server that can be cut.

import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen, portOf } from './loopback.ts';

export class PostgresProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #isDown = false;
  #answersToLose = 0;

  private constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((client) => this.#join(client));
  }

  static async before(url: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(url);
    await listen(proxy.#server);
    return proxy;
  }

  /** The server's URL, by way of this wire. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(portOf(this.#server));
    return url.href;
  }

  /** The next statement arrives and is done, but its answer does not: the connection breaks. */
  loseAnswer(): void {
    this.#answersToLose += 1;
  }

  /** Breaks every connection, and takes none until `mend`. */
  cut(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isDown = false;
  }

  end(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket): void {
    if (this.#isDown) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port || 5432), this.#target.hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(server);
    server.on('data', (data) => {
      if (this.#answersToLose === 0) {
        client.write(data);
        return;
      }
      this.#answersToLose -= 1;
      client.destroy();
    });
  }
}
