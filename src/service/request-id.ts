/** Every response has a request id: the client's own where it is well-formed, else a new one. */

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && WELL_FORMED.test(sent) ? sent : newRequestId();
}

/** Tells requests apart in a log. It guards nothing, so it need not be hard to guess. */
export function newRequestId(): string {
  const random = Math.random().toString(36).slice(2, 10).padEnd(8, '0');
  return `${Date.now().toString(36)}-${random}`;
}
