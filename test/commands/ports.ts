import type { Ports } from '../../src/commands/ports.ts';

const absent = async (): Promise<never> => {
  throw new Error('this test has no service half');
};

/** For commands that use no port. */
export const NO_PORTS = new Proxy({}, { get: () => absent }) as Ports;
