/**
 * If an address gives no valid answer, fin prints one error with the fault and advice, prints nothing else, and exits
 * with the right code.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeProblemDocument } from '../http-service.ts';
import { listenUntilDone } from '../listen.ts';
import { CANARY_API_KEY } from './http-process.ts';
import { homesWithEveryEighthAsProcess } from './run-here.ts';

const makeHome = homesWithEveryEighthAsProcess();

const getCertificatePath = (fileName: string) => resolve(import.meta.dirname, '../client/certificates', fileName);
const AUTHORITY_ENV = { FIN_CA_FILE: getCertificatePath('authority.pem') };

/** The address of a service, and environment variables for the command. */
interface Target {
  readonly baseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

const makeServiceStarter =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): (() => Promise<Target>) =>
  async () =>
    startHttp((_, response) =>
      response.writeHead(status, { ...(type === '' ? {} : { 'content-type': type }), ...headers }).end(body),
    );
const startHttp = async (listener: RequestListener): Promise<Target> => ({
  baseUrl: `http://127.0.0.1:${await listenUntilDone(createHttp(listener))}`,
});
const makeHtmlStarter = (status: number) =>
  makeServiceStarter(status, 'text/html', '<html><title>Error</title></html>');
const makeEmptyStarter = (status: number) => makeServiceStarter(status, '', '');
const makeProblemStarter = (status: number, code: string) =>
  makeServiceStarter(status, 'application/problem+json', makeProblemDocument(status, code));
const makeRedirectStarter = (location: string) => makeServiceStarter(302, '', '', location === '' ? {} : { location });

const makeTlsStarter =
  (certificateName: string, host = 'localhost', env: Record<string, string> = AUTHORITY_ENV) =>
  async (): Promise<Target> => {
    const keyAndCertificate = {
      key: readFileSync(getCertificatePath(`${certificateName}.key`)),
      cert: readFileSync(getCertificatePath(`${certificateName}.pem`)),
    };
    const address = host === 'localhost' ? '127.0.0.1' : host;
    return { baseUrl: `https://${host}:${await listenUntilDone(createHttps(keyAndCertificate), address)}`, env };
  };

/** Returns an address that is requested through this proxy. */
const makeTargetBehind = async (proxy: string): Promise<Target> => ({
  baseUrl: 'https://filings.invalid',
  env: { HTTPS_PROXY: proxy },
});
const makeStatusProxyStarter = (status: number) => async () => {
  const server = createHttp();
  server.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  return makeTargetBehind(`http://127.0.0.1:${await listenUntilDone(server)}`);
};
const makeTextProxyStarter = (text: string) => async () => {
  const server = createTcp((socket) => socket.on('error', () => {}).end(text));
  return makeTargetBehind(`http://127.0.0.1:${await listenUntilDone(server)}`);
};
const startMuteServer = () => listenUntilDone(createTcp(() => {}));

const RETRY_ADVICE = /Try again later, or allow more retries: --retries\./;
const ADDRESS_ADVICE = /Check that the base URL is the address of a Financial Filings Data Service\./;
const OPERATOR_ADVICE =
  /a firewall or proxy may have answered instead of the service\. Ask the operator of the service\./;
const PROXY_ADVICE = /The proxy is set in HTTPS_PROXY or ALL_PROXY/;

/** For each fault: a function that starts the target, and the expected exit code, sentence after `fin: ` and advice. */
const FAULT_CASES: Readonly<Record<string, readonly [() => Promise<Target>, number, RegExp, RegExp]>> = {
  '401 as a problem': [
    makeProblemStarter(401, 'invalid_key'),
    4,
    /It is invalid_key\./,
    /fin auth status shows which key is used/,
  ],
  '401 as HTML': [
    makeHtmlStarter(401),
    7,
    /answered 401, but without an error message of the HTTP API \(text\/html\)\./,
    ADDRESS_ADVICE,
  ],
  '403 as a problem': [makeProblemStarter(403, 'forbidden'), 6, /It is forbidden\./, OPERATOR_ADVICE],
  '403 as HTML': [makeHtmlStarter(403), 6, /answered 403 \(text\/html\)\./, OPERATOR_ADVICE],
  '403, empty': [makeEmptyStarter(403), 6, /answered 403\./, OPERATOR_ADVICE],
  '404 as a problem': [makeProblemStarter(404, 'not_found'), 3, /It is not_found\./, /fin search AAPL/],
  '404 as HTML': [
    makeHtmlStarter(404),
    7,
    /answered 404, but without an error message of the HTTP API \(text\/html\)\./,
    ADDRESS_ADVICE,
  ],
  '404, empty': [
    makeEmptyStarter(404),
    7,
    /answered 404, but without an error message of the HTTP API\./,
    ADDRESS_ADVICE,
  ],
  '429 as a problem': [makeProblemStarter(429, 'rate_limited'), 5, /It is rate_limited\./, RETRY_ADVICE],
  '429 as HTML': [makeHtmlStarter(429), 5, /reports that a limit is reached\./, RETRY_ADVICE],
  '500 as a problem': [makeProblemStarter(500, 'internal_error'), 6, /It is internal_error\./, RETRY_ADVICE],
  '500, empty': [makeEmptyStarter(500), 6, /answered 500\./, RETRY_ADVICE],
  '502 as HTML': [makeHtmlStarter(502), 6, /answered 502 \(text\/html\)\./, RETRY_ADVICE],
  '503 as a problem': [makeProblemStarter(503, 'unavailable'), 6, /It is unavailable\./, RETRY_ADVICE],
  '503 as HTML': [makeHtmlStarter(503), 6, /answered 503 \(text\/html\)\./, RETRY_ADVICE],
  '504 as a problem': [makeProblemStarter(504, 'timeout'), 6, /It is timeout\./, RETRY_ADVICE],
  '200 as HTML': [makeHtmlStarter(200), 7, /does not follow the HTTP API \(text\/html\)\./, ADDRESS_ADVICE],
  '200, empty': [makeEmptyStarter(200), 7, /does not follow the HTTP API\./, ADDRESS_ADVICE],
  'JSON cut off': [
    makeServiceStarter(200, 'application/json', '{"data":['),
    7,
    /does not follow the HTTP API\./,
    ADDRESS_ADVICE,
  ],
  'a redirect to another host': [
    makeRedirectStarter('https://other.example/x'),
    7,
    /redirects the request \(302\) to https:\/\/other\.example; a key is not sent along\./,
    ADDRESS_ADVICE,
  ],
  'a redirect loop': [
    makeRedirectStarter('/v1/release'),
    7,
    /redirects the request \(302\) too many times\./,
    ADDRESS_ADVICE,
  ],
  'a redirect to an address with a password': [
    makeRedirectStarter('http://name:word@127.0.0.1/x'),
    7,
    /redirects the request \(302\) to an address that contains a name or password\./,
    ADDRESS_ADVICE,
  ],
  'a redirect without an address': [
    makeRedirectStarter(''),
    7,
    /redirects the request \(302\) without naming an address\./,
    ADDRESS_ADVICE,
  ],
  'a 304 to an unconditional request': [
    makeServiceStarter(304, 'application/json', ''),
    7,
    /answered 304 \(not modified\), although the request had no If-None-Match header\./,
    ADDRESS_ADVICE,
  ],
  'an unknown authority': [
    makeTlsStarter('server', 'localhost', {}),
    7,
    /The certificate of \S+ is not trusted/,
    /FIN_CA_FILE/,
  ],
  'an expired certificate': [
    makeTlsStarter('expired'),
    7,
    /is not trusted \(CERT_HAS_EXPIRED\)/,
    /clock of this machine/,
  ],
  'a certificate of another host': [
    makeTlsStarter('server', '127.0.0.2'),
    7,
    /is not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    /Check the address\./,
  ],
  'TLS to a server without TLS': [
    async () => ({ baseUrl: (await startHttp(() => {})).baseUrl.replace('http', 'https') }),
    7,
    /does not speak TLS correctly/,
    /Check the address: its scheme \(http or https\) or its port may be wrong\./,
  ],
  'a port without a listener': [
    async () => ({ baseUrl: 'http://127.0.0.1:9' }),
    7,
    /refused the connection: no program listens there\./,
    /To start one: fin serve --port 9$/m,
  ],
  'an unknown host name': [
    async () => ({ baseUrl: 'https://filings.invalid' }),
    7,
    /(is not known|could not be resolved \(a temporary DNS failure\))\./,
    /Check the address|Try again later/,
  ],
  'no answer at all': [async () => startHttp(() => {}), 7, /did not answer within 1\.5 s\./, RETRY_ADVICE],
  'a proxy that refuses connections': [
    () => makeTargetBehind('http://127.0.0.1:9'),
    7,
    /The proxy 127\.0\.0\.1:9 .* refused the connection\./,
    RETRY_ADVICE,
  ],
  'a proxy with an unknown host name': [
    () => makeTargetBehind('http://proxy.invalid:1'),
    7,
    /The (host name of the )?proxy proxy\.invalid:1/,
    /The proxy is set in|Try again/,
  ],
  'a proxy that requires a login': [
    makeStatusProxyStarter(407),
    7,
    /The proxy refused the request .* \(status 407\)\./,
    /HTTPS_PROXY=http:\/\/name:password@host:port/,
  ],
  'a proxy that answers 403': [
    makeStatusProxyStarter(403),
    7,
    /The proxy refused the request .* \(status 403\)\./,
    PROXY_ADVICE,
  ],
  'a mail server in place of a proxy': [
    makeTextProxyStarter('220 mail.example ESMTP\r\n'),
    7,
    /or the proxy 127\.0\.0\.1:\d+ on the way, sent something that is not HTTP\./,
    RETRY_ADVICE,
  ],
  'a mute proxy': [
    async () => makeTargetBehind(`http://127.0.0.1:${await startMuteServer()}`),
    7,
    /did not answer through the proxy 127\.0\.0\.1:\d+ within 1\.5 s\./,
    RETRY_ADVICE,
  ],
  'a SOCKS proxy that refuses connections': [
    async () => ({ baseUrl: 'https://filings.invalid', env: { ALL_PROXY: 'socks5://127.0.0.1:9' } }),
    7,
    /The proxy 127\.0\.0\.1:9 .* refused the connection\./,
    RETRY_ADVICE,
  ],
  'a proxy with an unknown scheme': [
    () => makeTargetBehind('ftp://proxy.example'),
    2,
    /The proxy in HTTPS_PROXY or ALL_PROXY cannot be used\./,
    /http:\/\/host:port/,
  ],
};

test.concurrent.each(Object.entries(FAULT_CASES))(
  'the error of %s has its fault, advice and exit code',
  async (fault, [start, code, sentence, advice]) => {
    const { baseUrl, env = {} } = await start();
    const timeoutOptions = /mute|no answer/.test(fault) ? ['--timeout', '1.5s'] : [];
    const args = ['profile', 'AAPL', '--base-url', baseUrl, '--retries', '0', ...timeoutOptions];
    const jsonRun = await makeHome({ ...env }).run([...args, '--json']);
    expect({ code: jsonRun.code, stdout: jsonRun.stdout }, jsonRun.stderr).toEqual({ code, stdout: '' });
    expect(jsonRun.stderr).not.toContain(CANARY_API_KEY.slice(4));
    expect(JSON.parse(jsonRun.stderr)).toMatchObject({
      detail: expect.stringMatching(sentence),
      hint: expect.stringMatching(advice),
      exit_code: code,
    });
    // The sentence in text output equals that in JSON. Checks text output only for the cases with HTML, to save time.
    if (!fault.includes('HTML')) return;
    const textRun = await makeHome({ ...env }).run(args);
    expect({ code: textRun.code, stdout: textRun.stdout }).toEqual({ code, stdout: '' });
    const [errorLine = '', hintLine = '', ...otherLines] = textRun.stderr.trimEnd().split('\n');
    expect(errorLine).toMatch(sentence);
    expect(errorLine).toMatch(/^fin: \S.*\.$/);
    expect(hintLine).toMatch(advice);
    expect(otherLines).toEqual([]);
  },
);
