import type { Ports } from '../../src/commands/ports.ts';

const refusePort = async (): Promise<never> => {
  throw new Error('this test has no ports');
};

/** Ports for commands that must not use any port: calling a port fails. */
export const NO_PORTS = new Proxy({}, { get: () => refusePort }) as Ports;
