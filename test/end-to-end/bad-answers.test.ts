/** The errors of addresses without a valid answer: the fault, the advice, the exit code, and nothing else. */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { problemDocument } from '../http-service.ts';
import { listenUntilDone } from '../listen.ts';
import { KEY, makeHome } from './http-process.ts';

const certificate = (name: string) => resolve(import.meta.dirname, '../client/certificates', name);
const AUTHORITY = { FIN_CA_FILE: certificate('authority.pem') };

/** The address of a service, and environment variables for the command. */
interface Target {
  readonly baseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

const answering =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): (() => Promise<Target>) =>
  async () =>
    http((_, response) =>
      response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...headers }).end(body),
    );
const http = async (listener: RequestListener): Promise<Target> => ({
  baseUrl: `http://127.0.0.1:${await listenUntilDone(createHttp(listener))}`,
});
const html = (status: number) => answering(status, 'text/html', '<html><title>Error</title></html>');
const empty = (status: number) => answering(status, '', '');
const problem = (status: number, code: string) =>
  answering(status, 'application/problem+json', problemDocument(status, code));
const redirect = (location: string) => answering(302, '', '', location === '' ? {} : { location });

const tls =
  (name: string, host = 'localhost', env: Record<string, string> = AUTHORITY) =>
  async (): Promise<Target> => {
    const files = { key: readFileSync(certificate(`${name}.key`)), cert: readFileSync(certificate(`${name}.pem`)) };
    const address = host === 'localhost' ? '127.0.0.1' : host;
    return { baseUrl: `https://${host}:${await listenUntilDone(createHttps(files), address)}`, env };
  };

/** Returns a service that is only reached through a proxy. */
const behind = async (proxy: string): Promise<Target> => ({
  baseUrl: 'https://filings.invalid',
  env: { HTTPS_PROXY: proxy },
});
const proxy = (status: number) => async () => {
  const server = createHttp();
  server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  return behind(`http://127.0.0.1:${await listenUntilDone(server)}`);
};
const bytes = (text: string) => async () => {
  const server = createTcp((socket) => socket.on('error', () => {}).end(text));
  return behind(`http://127.0.0.1:${await listenUntilDone(server)}`);
};
const mute = () => listenUntilDone(createTcp(() => {}));

const RETRY = /Try again later, or allow more retries: --retries\./;
const ADDRESS = /Check that the base URL is the address of a Financial Filings Data Service\./;
const WHO = /a firewall or proxy may have answered instead of the service\. Ask the operator of the service\./;
const PROXY = /The proxy is set in HTTPS_PROXY or ALL_PROXY/;

/** Function that starts the target, exit code, sentence after `fin: `, and advice; by fault. */
const CASES: Readonly<Record<string, readonly [() => Promise<Target>, number, RegExp, RegExp]>> = {
  '401 as a problem': [
    problem(401, 'invalid_key'),
    4,
    /It is invalid_key\./,
    /fin auth status shows which key is used/,
  ],
  '401 as HTML': [
    html(401),
    7,
    /answered 401, but without an error message of the interface \(text\/html\)\./,
    ADDRESS,
  ],
  '403 as a problem': [problem(403, 'forbidden'), 6, /It is forbidden\./, WHO],
  '403 as HTML': [html(403), 6, /answered 403 \(text\/html\)\./, WHO],
  '403, empty': [empty(403), 6, /answered 403\./, WHO],
  '404 as a problem': [problem(404, 'not_found'), 3, /It is not_found\./, /fin search AAPL/],
  '404 as HTML': [
    html(404),
    7,
    /answered 404, but without an error message of the interface \(text\/html\)\./,
    ADDRESS,
  ],
  '404, empty': [empty(404), 7, /answered 404, but without an error message of the interface\./, ADDRESS],
  '429 as a problem': [problem(429, 'rate_limited'), 5, /It is rate_limited\./, RETRY],
  '429 as HTML': [html(429), 5, /reports that a limit is reached\./, RETRY],
  '500 as a problem': [problem(500, 'internal_error'), 6, /It is internal_error\./, RETRY],
  '500, empty': [empty(500), 6, /answered 500\./, RETRY],
  '502 as HTML': [html(502), 6, /answered 502 \(text\/html\)\./, RETRY],
  '503 as a problem': [problem(503, 'unavailable'), 6, /It is unavailable\./, RETRY],
  '503 as HTML': [html(503), 6, /answered 503 \(text\/html\)\./, RETRY],
  '504 as a problem': [problem(504, 'timeout'), 6, /It is timeout\./, RETRY],
  '200 as HTML': [html(200), 7, /does not follow the interface \(text\/html\)\./, ADDRESS],
  '200, empty': [empty(200), 7, /does not follow the interface\./, ADDRESS],
  'JSON cut off': [answering(200, 'application/json', '{"data":['), 7, /does not follow the interface\./, ADDRESS],
  'a redirect to another host': [
    redirect('https://other.example/x'),
    7,
    /redirects the request \(302\) to https:\/\/other\.example; a key is not sent along\./,
    ADDRESS,
  ],
  'a redirect in a circle': [redirect('/v1/release'), 7, /redirects the request \(302\) too many times\./, ADDRESS],
  'a redirect to nowhere': [redirect(''), 7, /redirects the request \(302\) without naming an address\./, ADDRESS],
  'an unknown authority': [tls('server', 'localhost', {}), 7, /The certificate of \S+ is not trusted/, /FIN_CA_FILE/],
  'an expired certificate': [tls('expired'), 7, /is not trusted \(CERT_HAS_EXPIRED\)/, /clock of this machine/],
  'a certificate of another host': [
    tls('server', '127.0.0.2'),
    7,
    /is not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    /Check the address\./,
  ],
  'TLS where there is none': [
    async () => ({ baseUrl: (await http(() => {})).baseUrl.replace('http', 'https') }),
    7,
    /does not speak TLS correctly/,
    /Check the address: its scheme \(http or https\) or its port may be wrong\./,
  ],
  'nothing that listens': [
    async () => ({ baseUrl: 'http://127.0.0.1:9' }),
    7,
    /refused the connection: no program listens there\./,
    /To start one: fin serve --port 9/,
  ],
  'a name that is unknown': [
    async () => ({ baseUrl: 'https://filings.invalid' }),
    7,
    /(is not known|could not be resolved \(a temporary DNS failure\))\./,
    /Check the address|Try again later/,
  ],
  'no answer at all': [async () => http(() => {}), 7, /did not answer within 1\.5 s\./, RETRY],
  'a proxy that is not there': [
    () => behind('http://127.0.0.1:9'),
    7,
    /The proxy 127\.0\.0\.1:9 .* refused the connection\./,
    RETRY,
  ],
  'a proxy that is unknown': [
    () => behind('http://proxy.invalid:1'),
    7,
    /The (host name of the )?proxy proxy\.invalid:1/,
    /The proxy is set in|Try again/,
  ],
  'a proxy that wants a login': [
    proxy(407),
    7,
    /The proxy refused the request .* \(status 407\)\./,
    /HTTPS_PROXY=http:\/\/name:password@host:port/,
  ],
  'a proxy that forbids': [proxy(403), 7, /The proxy refused the request .* \(status 403\)\./, PROXY],
  'a proxy that is none': [
    bytes('220 mail.example ESMTP\r\n'),
    7,
    /or the proxy 127\.0\.0\.1:\d+ on the way, sent something that is not HTTP\./,
    RETRY,
  ],
  'a proxy that is mute': [
    async () => behind(`http://127.0.0.1:${await mute()}`),
    7,
    /did not answer through the proxy 127\.0\.0\.1:\d+ within 1\.5 s\./,
    RETRY,
  ],
  'a SOCKS proxy that is not there': [
    async () => ({ baseUrl: 'https://filings.invalid', env: { ALL_PROXY: 'socks5://127.0.0.1:9' } }),
    7,
    /The proxy 127\.0\.0\.1:9 .* refused the connection\./,
    RETRY,
  ],
  'a proxy of no known kind': [
    () => behind('ftp://proxy.example'),
    2,
    /The proxy in HTTPS_PROXY or ALL_PROXY cannot be used\./,
    /http:\/\/host:port/,
  ],
};

test.concurrent.each(Object.entries(CASES))('%s', async (name, [start, code, sentence, advice]) => {
  const { baseUrl, env = {} } = await start();
  const bounds = /mute|no answer/.test(name) ? ['--timeout', '1.5s'] : [];
  const args = ['profile', 'AAPL', '--base-url', baseUrl, '--retries', '0', ...bounds];
  const json = await makeHome({ ...env }).run([...args, '--json']);
  expect({ code: json.code, stdout: json.stdout }, json.stderr).toEqual({ code, stdout: '' });
  expect(json.stderr).not.toContain(KEY.slice(4));
  expect(JSON.parse(json.stderr)).toMatchObject({
    detail: expect.stringMatching(sentence),
    hint: expect.stringMatching(advice),
    exit_code: code,
  });
  // Text output has the same sentence as JSON. Checking text output in the cases with HTML is enough.
  if (!name.includes('HTML')) return;
  const text = await makeHome({ ...env }).run(args);
  expect({ code: text.code, stdout: text.stdout }).toEqual({ code, stdout: '' });
  const [first = '', second = '', ...rest] = text.stderr.trimEnd().split('\n');
  expect(first).toMatch(sentence);
  expect(first).toMatch(/^fin: \S.*\.$/);
  expect(second).toMatch(advice);
  expect(rest).toEqual([]);
});
