// Servers of the tests on a free port of the loopback interface.

import type { AddressInfo, Server } from 'node:net';

export function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
