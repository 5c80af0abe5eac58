/** Servers of tests listen on this machine, by default at any free port. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { registerCleanUp } from './clean-up.ts';

/** Resolves with the server's port. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Listens and resolves with the port; closes the server and its connections when the tests of the file are done. */
export async function listenUntilDone(server: Server & Partial<ConnectionCloser>, host?: string): Promise<number> {
  const port = await listen(server, host);
  registerCleanUp(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return port;
}

interface ConnectionCloser {
  closeAllConnections(): void;
}
