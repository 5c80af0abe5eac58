import { expect, test } from 'vitest';
import { explainNetworkError } from '../../src/http/network-errors.ts';

const REMOTE_ORIGIN = 'https://api.example';
const LOCAL_ORIGIN = 'http://127.0.0.1:8080';

const makeError = (code: string) => Object.assign(new Error('It failed'), { code });

test.each([
  [REMOTE_ORIGIN, 'ECONNREFUSED', 'refused'],
  [LOCAL_ORIGIN, 'ECONNREFUSED', 'absent'],
  [REMOTE_ORIGIN, 'ECONNRESET', 'reset'],
  [REMOTE_ORIGIN, 'EAI_AGAIN', 'refused'],
  [REMOTE_ORIGIN, 'UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  [REMOTE_ORIGIN, 'UND_ERR_BODY_TIMEOUT', 'timeout'],
  [REMOTE_ORIGIN, 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'truncated'],
  [REMOTE_ORIGIN, 'ERR_ASSERTION', 'truncated'],
])('an error of %s with the code %s is a ConnectionError of the kind %s', (origin, code, kind) => {
  const error = explainNetworkError(makeError(code), origin, null);
  expect(error).toMatchObject({ name: 'ConnectionError', kind });
  expect(error.message.startsWith(`${origin} `)).toBe(true);
});

test.each([
  ['ENOTFOUND', 'is not known', 'Check the address'],
  ['EPROTO', 'does not speak TLS correctly', 'its port may be wrong'],
  ['CERT_HAS_EXPIRED', 'is not trusted (CERT_HAS_EXPIRED)', 'clock of this machine'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not trusted', 'issued for another host name'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is not trusted', 'FIN_CA_FILE'],
  ['UND_ERR_HEADERS_OVERFLOW', 'its headers are too long', ''],
  ['EWHATEVER', `The request to ${REMOTE_ORIGIN} failed: `, 'Check the address'],
])('%s is final, with a message and a hint', (code, message, hint) => {
  expect(explainNetworkError(makeError(code), REMOTE_ORIGIN, null)).toMatchObject({
    kind: 'network',
    message: expect.stringContaining(message),
    ...(hint === '' ? {} : { hint: expect.stringContaining(hint) }),
  });
});

test("an error's code is found in its cause, or in the first of several attempts", () => {
  const errorWithCause = new Error('fetch failed', { cause: new AggregateError([makeError('ECONNREFUSED')]) });
  expect(explainNetworkError(errorWithCause, REMOTE_ORIGIN, null)).toMatchObject({ kind: 'refused' });
});

test('an error while connecting is attributed to the proxy if there is one, later errors to the service', () => {
  const proxyUrl = 'http://user:secret@proxy.example:3128';
  const connectError = explainNetworkError(makeError('ECONNREFUSED'), REMOTE_ORIGIN, proxyUrl);
  expect(connectError.message).toMatch(/^The proxy proxy\.example:3128 .* refused the connection\.$/);
  expect(connectError.message).not.toContain('secret');
  expect(explainNetworkError(makeError('ECONNRESET'), REMOTE_ORIGIN, proxyUrl).message).toMatch(
    /^https:\/\/api\.example /,
  );
});
