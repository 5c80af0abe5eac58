import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { listenUntilDone } from '../listen.ts';
import { type Home, makeHome, RELEASE_BODY } from './http-process.ts';

const getCertificatePath = (name: string) => resolve(import.meta.dirname, '../client/certificates', name);
const AUTHORITY_ENV = { FIN_CA_FILE: getCertificatePath('authority.pem') };

let home: Home;
beforeEach(() => {
  home = makeHome();
});

const createTlsServer = (name: string) =>
  createServer(
    { key: readFileSync(getCertificatePath(`${name}.key`)), cert: readFileSync(getCertificatePath(`${name}.pem`)) },
    (_, response) => response.end(RELEASE_BODY),
  );

test('the built program uses TLS, with a private certificate authority in either variable or the profile', async () => {
  const baseUrl = `https://localhost:${await listenUntilDone(createTlsServer('server'))}`;
  const authorityEnvs = [AUTHORITY_ENV, { NODE_EXTRA_CA_CERTS: getCertificatePath('authority.pem') }];
  for (const authorityEnv of authorityEnvs) {
    expect(await home.run(['release', '--json', '--base-url', baseUrl], authorityEnv)).toMatchObject({
      code: 0,
      stdout: `${RELEASE_BODY}\n`,
    });
  }
  const configRun = await home.run(['config', 'set', 'ca_file', getCertificatePath('authority.pem')]);
  expect(configRun).toMatchObject({ code: 0 });
  expect(await home.run(['release', '--json', '--base-url', baseUrl])).toMatchObject({
    code: 0,
    stdout: `${RELEASE_BODY}\n`,
  });
  expect(await home.run(['config', 'set', 'ca_file', getCertificatePath('server.key')])).toMatchObject({ code: 2 });
  await home.run(['config', 'set', 'ca_file']);
  const untrustedRun = await home.run(['release', '--base-url', baseUrl]);
  expect(untrustedRun).toMatchObject({ code: 7, stdout: '' });
  expect(untrustedRun.stderr).toContain('FIN_CA_FILE');
});

test('an expired certificate is an error with exit code 7', async () => {
  const baseUrl = `https://localhost:${await listenUntilDone(createTlsServer('expired'))}`;
  const run = await home.run(['release', '--base-url', baseUrl], AUTHORITY_ENV);
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr).toMatch(/CERT_HAS_EXPIRED.*clock of this machine.*renew its certificate/s);
});

test('a certificate for another host name is an error that names the cause', async () => {
  const baseUrl = `https://127.0.0.2:${await listenUntilDone(createTlsServer('server'), '127.0.0.2')}`;
  const run = await home.run(['release', '--base-url', baseUrl], AUTHORITY_ENV);
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr).toMatch(/ALTNAME.*issued for another host name/s);
});

test('the built program sends requests through the proxy in HTTPS_PROXY', async () => {
  const port = await listenUntilDone(createTlsServer('server'));
  const connectTargets: (string | undefined)[] = [];
  const proxy = createHttp();
  proxy.on('connect', (request, client) => {
    connectTargets.push(request.url);
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client);
      client.pipe(upstream);
    });
    for (const socket of [upstream, client]) socket.on('error', () => {});
    client.on('close', () => upstream.destroy());
  });
  const env = { ...AUTHORITY_ENV, HTTPS_PROXY: `http://127.0.0.1:${await listenUntilDone(proxy)}` };
  const run = await home.run(['release', '--json', '--base-url', `https://localhost:${port}`], env);
  expect(run).toMatchObject({ code: 0, stdout: `${RELEASE_BODY}\n` });
  expect(connectTargets).toEqual([`localhost:${port}`]);
});

test('the key printed by FIN_API_KEY_COMMAND is used, and without a key no request is sent to a remote service', async () => {
  const baseUrl = `https://localhost:${await listenUntilDone(createTlsServer('server'))}`;
  const apiKey = `svc_${'c'.repeat(38)}`;
  const env = { ...AUTHORITY_ENV, FIN_API_KEY: '', FIN_API_KEY_COMMAND: `printf ${apiKey}` };
  expect(await home.run(['release', '--base-url', baseUrl], env)).toMatchObject({ code: 0 });
  const envWithFailingCommand = { ...env, FIN_API_KEY_COMMAND: 'exit 3' };
  expect(await home.run(['release', '--base-url', baseUrl], envWithFailingCommand)).toMatchObject({ code: 4 });
  const keylessRun = await home.run(['release', '--base-url', 'https://nowhere.invalid'], { FIN_API_KEY: '' });
  expect(keylessRun).toMatchObject({ code: 4 });
  expect(keylessRun.stderr).toContain('Nothing was sent');
});
