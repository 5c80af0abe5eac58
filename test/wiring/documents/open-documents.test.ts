import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientOptions } from '../../../src/client/request/client-options.ts';
import { DEFAULT_OPTIONS } from '../../../src/client/request/client-options.ts';
import type { FilingSource } from '../../../src/contract/resources/filings.ts';
import { findRequestSpacingDirectory } from '../../../src/http/sec/request-spacing.ts';
import { writeAtomically } from '../../../src/platform/files/atomic-write.ts';
import { openDocuments } from '../../../src/wiring/documents/open-documents.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';
import { RATE_LIMIT_PAGE, type SiteServer, startSite } from '../../edgar/fetch/site-server.ts';

const ACCESSION = '0000012345-24-000001';
const PATH = '/Archives/edgar/data/12345/000001234524000001/';
const SEC_FOLDER = `https://www.sec.gov${PATH}`;
const CONTACT = 'Jane Doe jane@doe.org';
const OWN = { kind: 'own' } as const;
const exhibit = (number: string) => ({ kind: 'exhibit', number }) as const;

const makeFiling = (changes: Partial<FilingSource> = {}, ...names: readonly string[]): FilingSource => {
  const folder = changes.folder ?? SEC_FOLDER;
  const [own = 'a10-k.htm', ...others] = names;
  const documents = [own, ...others].map((document, index) => ({
    ...{ document, url: folder + document, read: false },
    kind: index === 0 ? '10-K' : 'EX-21',
  }));
  return { accession_number: ACCESSION, cik: 12345, entity_name: 'A', form: '10-K', folder, documents, ...changes };
};

const makeIndexPage = (...rows: readonly (readonly [type: string, name: string])[]) =>
  Buffer.from(
    `<div>${ACCESSION}</div><div id="formName"><strong>Form 10-K</strong></div><table class="tableFile">${rows
      .map(
        ([type, name], index) =>
          `<tr><td>${index + 1}</td><td>x</td><td><a href="${PATH}${name}">${name}</a></td><td>${type}</td><td>9</td></tr>`,
      )
      .join('')}</table>`,
  );

interface Settings {
  readonly options?: Partial<ClientOptions>;
  readonly contact?: string | null;
  readonly allowedOrigin?: string;
  readonly folder?: string;
}

function open(site: SiteServer, { options = {}, contact = CONTACT, allowedOrigin, folder }: Settings = {}) {
  const home = folder ?? makeTemporaryFolder('documents');
  const directories = {
    config: null,
    cache: join(home, 'cache'),
    state: join(home, 'state'),
    data: join(home, 'data'),
  };
  const source = openDocuments({
    ...{ directories, env: {}, report: () => {}, contact, site: site.url, localOnly: false },
    options: { ...DEFAULT_OPTIONS, ...options },
    allowedOrigin: allowedOrigin ?? null,
  });
  return { source, home };
}

const readText = async (source: ReturnType<typeof open>['source'], ...call: Parameters<typeof source.read>) =>
  Buffer.from((await source.read(...call)).bytes).toString('latin1');

const startFiles = (files: Readonly<Record<string, string | Buffer>>) =>
  startSite(new Map(Object.entries(files).map(([name, body]) => [PATH + name, Buffer.from(body)])));

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a document is requested once with the contact, then read from the cache, which only its owner can read', async () => {
  const site = await startFiles({ 'a10-k.htm': '<p>caf\u00e9</p>' });
  const { source, home } = open(site);
  expect(source.countRequests(makeFiling(), OWN)).toBe(1);
  const first = await source.read(makeFiling(), OWN);
  expect(first).toMatchObject({ name: 'a10-k.htm', type: '10-K', url: `${SEC_FOLDER}a10-k.htm` });
  expect(await source.read(makeFiling(), OWN)).toEqual(first);
  expect(source.countRequests(makeFiling(), OWN)).toBe(0);
  expect(site.requests).toHaveLength(1);
  expect(site.requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^Jane Doe jane@doe\.org \(fin-filings\//),
  });
  expect(site.requests[0]?.headers).not.toHaveProperty('authorization');
  const [file = ''] = listFiles(join(home, 'cache', 'documents'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const offline = open(site, { options: { offline: true }, folder: home }).source;
  expect(await offline.read(makeFiling(), OWN)).toEqual(first);
  await expect(offline.read(makeFiling({}, 'b.htm'), OWN)).rejects.toMatchObject({ kind: 'network' });
  // A damaged entry counts as missing.
  const bytes = readFileSync(file);
  bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect(await source.read(makeFiling(), OWN)).toEqual(first);
  expect(site.requests).toHaveLength(2);
});

test('an address other than of the filing at an allowed origin is refused before anything is sent', async () => {
  const site = await startFiles({ 'a10-k.htm': 'text' });
  const other = await startFiles({ 'a10-k.htm': 'text' });
  const { source } = open(site);
  const folders = [
    `${other.url}${PATH}`,
    `https://10.0.0.1${PATH}`,
    `https://www.sec.gov:8443${PATH}`,
    `https://www.sec.gov@127.0.0.1${PATH}`,
    `http://www.sec.gov${PATH}`,
    `https://www.sec.gov.evil.example${PATH}`,
    `${SEC_FOLDER}../`,
    `https://www.sec.gov/Archives/edgar/data/12345%2f000001234524000001/`,
    `https://www.sec.gov/Archives/edgar/data/12345/000001234524000002/`,
    `${SEC_FOLDER}?x=/`,
    `https://www.sec.gov/x${PATH}`,
    `file://${PATH}`,
  ];
  for (const folder of folders) {
    await expect(source.read(makeFiling({ folder }), OWN), folder).rejects.toMatchObject({ kind: 'usage' });
    expect(() => source.countRequests(makeFiling({ folder }), OWN), folder).toThrow();
  }
  const documents = ['../a10-k.htm', '..%2fa10-k.htm', 'x/a10-k.htm', 'a10-k.htm?x', '.a', 'a\\b', ''];
  for (const document of documents) {
    await expect(source.read(makeFiling({}, document), OWN), document).rejects.toMatchObject({ kind: 'usage' });
    await expect(source.read(makeFiling(), { kind: 'file', name: document }), document).rejects.toMatchObject({
      kind: 'usage',
    });
  }
  const url = `${other.url}${PATH}a10-k.htm`;
  const documentElsewhere = makeFiling({ documents: [{ document: 'a10-k.htm', kind: '10-K', url, read: false }] });
  await expect(source.read(documentElsewhere, OWN)).rejects.toThrow(other.url);
  expect([...site.requests, ...other.requests]).toEqual([]);
});

test('redirects stay on the origin', async () => {
  const site = await startFiles({ 'b.htm': 'moved' });
  const other = await startFiles({ 'a10-k.htm': 'text' });
  const port = new URL(other.url).port;
  const targets = [
    `${other.url}${PATH}a10-k.htm`,
    `http://10.0.0.1${PATH}b.htm`,
    `http://127.0.0.1:${port}/`,
    `http://x@127.0.0.1:${port}/`,
  ];
  let location = `${PATH}b.htm`;
  site.replaceAnswer = ({ url }, response) => {
    if (url !== `${PATH}a10-k.htm`) return false;
    response.writeHead(302, { location }).end();
    return true;
  };
  for (location of targets) {
    const { source } = open(site);
    await expect(source.read(makeFiling(), OWN), location).rejects.toMatchObject({
      kind: location.includes('@') ? 'service' : 'usage',
    });
  }
  location = `${PATH}b.htm`;
  expect(await readText(open(site).source, makeFiling(), OWN)).toBe('moved');
  expect(other.requests).toEqual([]);
});

test('the contact goes to the SEC and its copy only; another origin needs the permission of the user', async () => {
  const site = await startFiles({ 'a10-k.htm': 'at the copy' });
  const other = await startFiles({ 'a10-k.htm': 'elsewhere' });
  const filing = makeFiling({ folder: `${other.url}${PATH}` });
  await expect(open(site).source.read(filing, OWN)).rejects.toThrow(other.url);
  const { source } = open(site, { allowedOrigin: other.url });
  expect(await readText(source, filing, OWN)).toBe('elsewhere');
  expect(other.requests[0]?.headers['user-agent']).toMatch(/^fin-filings\//);
  await expect(open(site, { contact: null }).source.read(makeFiling(), OWN)).rejects.toThrow('requires a contact');
  expect(site.requests).toEqual([]);
});

test('an exhibit is found in the index page, however its number is written', async () => {
  const site = await startFiles({
    [`${ACCESSION}-index.htm`]: makeIndexPage(
      ['10-K', 'a10-k.htm'],
      ['EX-99.01', 'press.htm'],
      ['EX-31.1', 'c1.htm'],
      ['EX-31.2', 'c2.htm'],
    ),
    ...{ 'press.htm': 'press', 'c1.htm': 'one', 'list.htm': 'listed' },
  });
  const { source } = open(site);
  expect(source.countRequests(makeFiling(), exhibit('99.1'))).toBe(2);
  for (const number of ['99.1', 'EX-99.01', '99'])
    expect(await readText(source, makeFiling(), exhibit(number))).toBe('press');
  expect(await readText(source, makeFiling(), exhibit('ex-31.1'))).toBe('one');
  await expect(source.read(makeFiling(), exhibit('31'))).rejects.toThrow('c1.htm (EX-31.1), c2.htm (EX-31.2)');
  await expect(source.read(makeFiling(), exhibit('10.1'))).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('EX-99.01'),
  });
  expect(site.requests.map(({ path }) => path.slice(PATH.length))).toEqual([
    `${ACCESSION}-index.htm`,
    'press.htm',
    'c1.htm',
  ]);
  // An exhibit that the service lists needs no index page.
  expect(await readText(source, makeFiling({}, 'a10-k.htm', 'list.htm'), exhibit('21'))).toBe('listed');
  expect(site.requests).toHaveLength(4);
});

test('a complete submission is divided into its documents, byte for byte', async () => {
  const document = (type: string, name: string, body: string) =>
    `<DOCUMENT>\n<TYPE>${type}\n<FILENAME>${name}\n<TEXT>\n${body}\n</TEXT>\n</DOCUMENT>\n`;
  const text = `ACCESSION NUMBER: ${ACCESSION}\nCONFORMED SUBMISSION TYPE: 10-K\n${document('10-K', 'a.txt', 'caf\u0092\u00e9')}${document('EX-99', 'b.txt', 'press')}`;
  const site = await startSite(new Map([[`${PATH}${ACCESSION}.txt`, Buffer.from(text, 'latin1')]]));
  const { source } = open(site);
  const filing = makeFiling({}, `${ACCESSION}.txt`);
  expect(await readText(source, filing, OWN)).toBe('caf\u0092\u00e9');
  expect(await readText(source, filing, exhibit('99.1'))).toBe('press');
  expect(await readText(source, filing, { kind: 'file', name: 'b.txt' })).toBe('press');
  await expect(source.read(filing, { kind: 'file', name: 'c.txt' })).rejects.toMatchObject({ kind: 'not_found' });
  expect(site.requests).toHaveLength(1);
});

test('public files on this machine are read first', async () => {
  const site = await startFiles({});
  const { source, home } = open(site, { contact: null });
  writeAtomically(join(home, 'data', 'sources', 'filing-documents', `${ACCESSION}_a10-k.htm`), 'from here');
  expect(source.countRequests(makeFiling(), OWN)).toBe(0);
  expect(await readText(source, makeFiling(), OWN)).toBe('from here');
  expect(site.requests).toEqual([]);
});

test('requests share the pace of downloads, and a refusal stops all of them', async () => {
  const names = Array.from({ length: 6 }, (_, index) => `d${index}.htm`);
  const site = await startFiles(Object.fromEntries(names.map((name) => [name, name])));
  const folder = makeTemporaryFolder('documents');
  const sources = [open(site, { folder }).source, open(site, { folder }).source];
  await Promise.all(names.map((name, index) => sources[index % 2]?.read(makeFiling({}, name), OWN)));
  const pace = findRequestSpacingDirectory(join(folder, 'state'), new URL(site.url).host) ?? '';
  expect(readdirSync(pace)).toHaveLength(names.length);
  site.replaceAnswer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(RATE_LIMIT_PAGE);
    return true;
  };
  await expect(sources[0]?.read(makeFiling({}, 'new.htm'), OWN)).rejects.toMatchObject({ kind: 'limit' });
  await expect(sources[1]?.read(makeFiling({}, 'newer.htm'), OWN)).rejects.toMatchObject({ kind: 'limit' });
  expect(site.requests).toHaveLength(names.length + 1);
});
