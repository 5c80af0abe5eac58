/** Every response has a request id: the client's id if that id is well-formed, otherwise a new id. */

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;

export const chooseRequestId = (id: string | undefined): string =>
  id !== undefined && REQUEST_ID_PATTERN.test(id) ? id : createRequestId();

/** Returns an id that distinguishes requests in a log. The id is not secret, so it may be guessable. */
export function createRequestId(): string {
  const random = Math.random().toString(36).slice(2, 10).padEnd(8, '0');
  return `${Date.now().toString(36)}-${random}`;
}
