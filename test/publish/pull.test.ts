import { generateKeyPairSync, hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isFailure } from '../../src/contract/failure.ts';
import { describePublicKey, parsePublicKey } from '../../src/publish/signing.ts';
import { openRelease } from '../../src/store/reader.ts';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { readManifest, serializeManifest } from '../../src/store/releases/manifest.ts';
import { verifyRelease } from '../../src/store/releases/verify.ts';
import { PRICES } from '../../src/store/schema/prices.ts';
import { type Fault, type FileServer, type ServedRequest, startFileServer } from '../file-server.ts';
import { forgeHeader } from '../store/forge-header.ts';
import {
  listStamps,
  makeDirectory,
  makeNextRelease,
  makeRelease,
  publish,
  pull,
  readContents,
  SAMPLE_RELEASE,
} from './releases.ts';

/** `firstRoot` is a directory with the published release; `secondRoot` also has the release of the next night. */
let [release, nextRelease, firstRoot, secondRoot, url] = ['', '', '', '', ''];
let server: FileServer;
let stamp = '';
/** Number of files that a pull requests concurrently. */
const CONCURRENT_FILE_COUNT = 4;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

beforeAll(async () => {
  [firstRoot, secondRoot] = [makeDirectory(), makeDirectory()];
  release = await makeRelease();
  nextRelease = await makeNextRelease(release);
  stamp = basename(release);
  await publish(release, firstRoot, { signKey: privateKey });
  await publish(release, secondRoot);
  await publish(nextRelease, secondRoot, { signKey: privateKey });
  server = await startFileServer(firstRoot);
  url = server.url;
});

/** Serves a directory with these faults, and forgets earlier requests. */
function serve(root: string, fault: (request: ServedRequest) => Fault | undefined = () => undefined): void {
  Object.assign(server, { root, fault });
  server.requests.length = 0;
}

/** Returns the kind and message of the Failure of a pull. */
async function describePullFailure(home: string, options: Parameters<typeof pull>[2] = {}): Promise<string> {
  const error = await pull(url, home, options).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!isFailure(error)) throw error ?? new Error('the pull did not fail');
  return `${error.kind}: ${error.message}`;
}

const hashText = (text: string) => hash('sha256', text, 'hex');

const listRequestedNames = () => server.requests.map(({ path }) => path.replace(/^.*\//, ''));

test('a pulled release has the files of the published one, and a second pull requests only the pointer', async () => {
  serve(firstRoot);
  const home = makeDirectory();
  expect(await pull(url, home)).toMatchObject({ stamp, state: 'pulled', current: stamp, absent: [], signedWith: null });
  expect(readContents(join(home, stamp))).toEqual(readContents(release));
  expect(server.requests.every(({ headers }) => headers['user-agent'] === 'fin-filings/test')).toBe(true);
  serve(firstRoot);
  expect(await pull(url, home)).toMatchObject({
    state: 'up_to_date',
    requests: 1,
    received: statSync(join(firstRoot, 'latest.json')).size,
  });
});

test('a pull of the next release requests only changed files, and changed row groups of large tables', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  await pull(url, home);
  serve(secondRoot);
  const { received } = await pull(url, home);
  expect(readContents(join(home, basename(nextRelease)))).toEqual(readContents(nextRelease));
  expect(received).toBeLessThan(statSync(join(nextRelease, 'raw_concepts.parquet')).size);
  expect(listRequestedNames().filter((name) => name.startsWith('reported_values'))).toEqual([]);
  expect(readCurrentStamp(home)).toBe(basename(nextRelease));
});

test('a broken transfer is resumed within the same pull, and an interrupted pull by the next one', async () => {
  const home = makeDirectory();
  let cutCount = 0;
  serve(firstRoot, ({ path }) =>
    path.endsWith('raw_concepts.parquet') && cutCount++ < 3 ? { cutAfter: 90_000 } : undefined,
  );
  const abortController = new AbortController();
  const cutTransfer = server.fault;
  let requestCount = 0;
  server.fault = (request) => {
    if (!request.path.endsWith('reported_values.parquet')) return cutTransfer(request);
    // Aborts at the second request for the file, when its first bytes have arrived.
    if (requestCount++ > 0) abortController.abort(new Error('interrupted'));
    return { cutAfter: 300_000 };
  };
  await expect(pull(url, home, { signal: abortController.signal, tries: 100 })).rejects.toThrow('interrupted');
  expect(listStamps(home)).toEqual([]);
  serve(firstRoot);
  await pull(url, home);
  expect(readContents(join(home, stamp))).toEqual(readContents(release));
  const { range } = server.requests.find(({ path }) => path.endsWith('/reported_values.parquet')) ?? {};
  expect(range).toMatch(/^bytes=[1-9]\d+-\d+$/);
});

test('a pull from a host without range requests transfers whole files', async () => {
  const home = makeDirectory();
  serve(firstRoot, () => ({ ignoreRange: true }));
  await pull(url, home);
  serve(secondRoot, () => ({ ignoreRange: true }));
  await pull(url, home);
  expect(readContents(join(home, basename(nextRelease)))).toEqual(readContents(nextRelease));
  expect(listRequestedNames().filter((name) => name === 'raw_concepts.parquet')).toHaveLength(1);
});

test('a request that fails temporarily is retried, and a pull fails after its last retry', async () => {
  const home = makeDirectory();
  let requestCount = 0;
  serve(firstRoot, ({ path }) =>
    path === '/latest.json' && requestCount++ < 2 ? { answer: { status: 503 } } : undefined,
  );
  expect((await pull(url, home, { families: [] })).state).toBe('pulled');
  serve(firstRoot, () => ({ answer: { status: 503 } }));
  expect(await describePullFailure(home)).toContain(
    'service: latest.json could not be pulled after 4 tries: 127.0.0.1',
  );
  serve(firstRoot, () => ({ answer: { status: 429 } }));
  expect(await describePullFailure(home)).toMatch(/^limit: /);
});

const webPage = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' };

test.each<[string, (request: ServedRequest) => Fault | undefined, string]>([
  ['a directory without a pointer', () => ({ answer: { status: 404 } }), 'not_found: There is no published release at'],
  ['a web page instead of the pointer', () => ({ answer: webPage }), 'network: http://127.0.0.1'],
  [
    'a web page instead of a file',
    ({ path }) => (path.endsWith('screen.parquet') ? { answer: webPage } : undefined),
    'sent a web page',
  ],
  [
    'a file of another length',
    ({ path }) =>
      path.endsWith('screen.parquet')
        ? { answer: { status: 200, headers: { 'content-length': '1' }, body: 'x' } }
        : undefined,
    'instead of the',
  ],
  [
    'a small file with a changed byte',
    ({ path }) => (path.endsWith('screen.parquet') ? { corruptAt: 99 } : undefined),
    'sent data that does not match the published hash',
  ],
  [
    'a piece with a changed byte',
    ({ path }) => (path.endsWith('reported_values.parquet') ? { corruptAt: 99_999 } : undefined),
    'sent data that does not match the published hash',
  ],
  [
    'a list of files with a changed byte',
    ({ path }) => (path.endsWith('files.json') ? { corruptAt: 99 } : undefined),
    'files.json does not have the expected size and SHA-256',
  ],
  [
    'a missing file',
    ({ path }) => (path.endsWith('splits.index') ? { answer: { status: 404 } } : undefined),
    'has no such file (status 404)',
  ],
  [
    'a redirect to another host',
    ({ path }) => ({ answer: { status: 302, headers: { location: `http://127.0.0.2:9/moved${path}?signature=x` } } }),
    '/latest.json redirects to http://127.0.0.2:9/moved/latest.json.',
  ],
  [
    'a redirect to itself',
    ({ path }) => ({ answer: { status: 302, headers: { location: path } } }),
    'redirects too many times',
  ],
  [
    'a pointer above the maximum size',
    () => ({ answer: { status: 200, body: ' '.repeat(70_000) } }),
    'sent more than 65536 bytes',
  ],
])('a pull that meets %s fails, and publishes no release', async (_, fault, reason) => {
  const home = makeDirectory();
  serve(firstRoot, fault);
  expect(await describePullFailure(home, { tries: 1, families: [] })).toContain(reason);
  expect(listStamps(home)).toEqual([]);
});

test('redirects within the host are followed', async () => {
  const home = makeDirectory();
  serve(firstRoot, ({ path }) =>
    path === '/moved/latest.json' ? { answer: { status: 301, headers: { location: '/latest.json' } } } : undefined,
  );
  await expect(pull(`${url}/moved`, home, { tries: 0 })).rejects.toThrow('/files.json is missing');
  expect(server.requests[1]?.path).toBe('/latest.json');
});

type ListedFiles = { path: string; bytes: number; sha256: string }[];

/** Publishes a changed list with a matching pointer; returns the directory. */
function publishChangedList(changeList: (list: { files: ListedFiles; companions: ListedFiles }) => void): string {
  const root = makeDirectory();
  mkdirSync(join(root, stamp));
  const fileList = JSON.parse(readFileSync(join(firstRoot, stamp, 'files.json'), 'utf8'));
  changeList(fileList);
  const text = JSON.stringify(fileList);
  const pointer = JSON.parse(readFileSync(join(firstRoot, 'latest.json'), 'utf8'));
  pointer.files = { bytes: text.length, sha256: hashText(text) };
  writeFileSync(join(root, 'latest.json'), JSON.stringify(pointer));
  writeFileSync(join(root, stamp, 'files.json'), text);
  writeFileSync(join(root, stamp, 'manifest.json'), readFileSync(join(release, 'manifest.json')));
  return root;
}

test.each<[string, Parameters<typeof publishChangedList>[0], string]>([
  [
    'a path outside its directory',
    ({ files }) => Object.assign(files[0] ?? {}, { path: '../../../etc/x' }),
    'a path that is not allowed',
  ],
  ['an absurd size', ({ files }) => Object.assign(files[0] ?? {}, { bytes: 1e18 }), 'without a valid size and SHA-256'],
  [
    'no manifest',
    ({ files }) =>
      void files.splice(
        files.findIndex(({ path }) => path === 'manifest.json'),
        1,
      ),
    'does not list manifest.json',
  ],
  [
    'another hash than the manifest',
    ({ files }) => Object.assign(files[0] ?? {}, { sha256: '0'.repeat(64) }),
    'disagree about companies.index',
  ],
  [
    'the reserved file name part.json',
    ({ files }) => void files.push({ path: 'part.json', bytes: 1, sha256: '0'.repeat(64) }),
    'lists part.json',
  ],
  [
    'a large file without pieces',
    (list) => {
      list.companions = [];
      list.files.push({ path: 'large.bin', bytes: 2 ** 40, sha256: '0'.repeat(64) });
    },
    'the list of pieces of large.bin is missing',
  ],
  [
    'a manifest above the maximum size',
    ({ files }) => Object.assign(files.find(({ path }) => path === 'manifest.json') ?? {}, { bytes: 2 ** 28 }),
    'manifest.json has 268435456 bytes, more than the allowed',
  ],
  [
    'a list of pieces above the maximum size',
    ({ companions }) => Object.assign(companions.find(({ path }) => path === 'pieces.json') ?? {}, { bytes: 2 ** 28 }),
    'pieces.json has 268435456 bytes, more than the allowed',
  ],
])('a list of files with %s is refused', async (_, change, reason) => {
  serve(publishChangedList(change));
  const home = makeDirectory();
  expect(await describePullFailure(home)).toContain(reason);
  expect(listStamps(home)).toEqual([]);
});

const makeOneBytePieces = (pieceCount: number) => ({
  path: 'screen.parquet',
  lengths: Array(pieceCount).fill(1),
  hashes: '0'.repeat(16 * pieceCount),
});

test.each([
  [
    'that are not numbers',
    JSON.stringify({ format: 1, files: [{ ...makeOneBytePieces(1), lengths: ['x'] }] }),
    'does not match files.json',
  ],
  [
    'of one byte each',
    JSON.stringify({ format: 1, files: [makeOneBytePieces(statSync(join(SAMPLE_RELEASE, 'screen.parquet')).size)] }),
    'does not match files.json',
  ],
  ['in deeply nested lists', '['.repeat(1_000_000), 'is not JSON'],
])('pieces %s are refused, and not stored for later pulls', async (_, pieces, fault) => {
  const root = publishChangedList(({ companions }) => {
    const piecesFileEntry = companions.find(({ path }) => path === 'pieces.json');
    Object.assign(piecesFileEntry ?? {}, { bytes: pieces.length, sha256: hashText(pieces) });
  });
  writeFileSync(join(root, stamp, 'pieces.json'), pieces);
  serve(root);
  const home = makeDirectory();
  expect(await describePullFailure(home)).toContain(fault);
  expect(readdirSync(join(home, '.pulling'))).not.toContain(`${stamp}.pieces.json`);
});

test('a release of another layout is refused before it is pulled', async () => {
  const root = publishChangedList((list) => {
    const manifestText = readFileSync(join(release, 'manifest.json'), 'utf8').replace(
      /"layout": "\d+\.\d+"/,
      '"layout": "99.0"',
    );
    const manifestFileEntry = list.files.find(({ path }) => path === 'manifest.json');
    Object.assign(manifestFileEntry ?? {}, { bytes: Buffer.byteLength(manifestText), sha256: hashText(manifestText) });
    changedManifestText = manifestText;
  });
  writeFileSync(join(root, stamp, 'manifest.json'), changedManifestText);
  serve(root);
  expect(await describePullFailure(makeDirectory())).toContain('has layout "99.0"');
});
let changedManifestText = '';

test('with a public key, a release is pulled only with a valid signature by that key', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  const otherKey = generateKeyPairSync('ed25519').publicKey;
  expect(await describePullFailure(home, { publicKey: otherKey })).toContain('data: Release');
  expect(await describePullFailure(home, { publicKey: otherKey })).toContain('it is signed with the key');
  const root = makeDirectory();
  const pointer = JSON.parse(readFileSync(join(firstRoot, 'latest.json'), 'utf8'));
  writeFileSync(join(root, 'latest.json'), JSON.stringify({ ...pointer, layout: '2.99' }));
  serve(root);
  expect(await describePullFailure(home, { publicKey })).toContain('its signature is wrong');
  writeFileSync(join(root, 'latest.json'), JSON.stringify({ ...pointer, signature: undefined }));
  expect(await describePullFailure(home, { publicKey })).toContain('it is not signed');
  serve(firstRoot);
  const { text, id } = describePublicKey(publicKey);
  expect(await pull(url, home, { publicKey: parsePublicKey(text), families: [] })).toMatchObject({
    state: 'pulled',
    signedWith: id,
  });
});

test('a release pulled without a key is replaced if the key did not sign it', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  await pull(url, home, { families: [] });
  const manifestPath = join(home, stamp, 'manifest.json');
  const { checksum: _, ...otherFields } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  writeFileSync(manifestPath, serializeManifest({ ...otherFields, about: 'of somebody else' }));
  expect(await pull(url, home, { families: [] })).toMatchObject({ state: 'up_to_date', signedWith: null });
  const { id } = describePublicKey(publicKey);
  expect(await pull(url, home, { families: [], publicKey })).toMatchObject({ state: 'pulled', signedWith: id });
  expect(readFileSync(manifestPath)).toEqual(readFileSync(join(release, 'manifest.json')));
  expect(await pull(url, home, { families: [], publicKey })).toMatchObject({ state: 'up_to_date', requests: 2 });
});

test('a pointer to an older release is refused, but an older release may be requested by stamp', async () => {
  const home = makeDirectory();
  serve(secondRoot);
  await pull(url, home, { families: [] });
  serve(firstRoot);
  expect(await describePullFailure(home)).toContain(
    `is older than the newest release on this machine, ${basename(nextRelease)}`,
  );
  expect(listStamps(home)).toEqual([basename(nextRelease)]);
  serve(secondRoot);
  expect(await pull(url, home, { stamp: '2026-08-18', families: [] })).toMatchObject({ stamp, current: stamp });
  expect(await describePullFailure(home, { stamp: '2025' })).toContain('has no release whose stamp begins with "2025"');
  expect(await describePullFailure(home, { stamp: '2026-08-1' })).toContain(
    'has 2 releases whose stamps begin with "2026-08-1"',
  );
});

test('a pull of some families makes a readable release without the other families, which later pulls add', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  const { absent } = await pull(url, home, { families: ['insiders'] });
  expect(absent).toContain(PRICES.name);
  const directory = join(home, stamp);
  const manifest = readManifest(directory);
  expect(manifest.stamp).toBe(stamp);
  expect(Object.keys(manifest.tables)).toEqual(expect.arrayContaining(['insider_trades', 'screen', 'price_sources']));
  expect(verifyRelease(directory, manifest)).toEqual([]);
  const partialRelease = openRelease(directory);
  expect([partialRelease.includes(PRICES), await partialRelease.allOf(PRICES)]).toEqual([false, []]);
  await partialRelease.close();
  await expect(publish(directory, makeDirectory())).rejects.toThrow('only a part of it was pulled');
  expect((await pull(url, home, { families: [] })).state).toBe('up_to_date');
  serve(firstRoot);
  expect((await pull(url, home, { families: ['prices'] })).state).toBe('pulled');
  expect(listRequestedNames()).not.toContain('insider_trades.parquet');
  expect(Object.keys(readManifest(directory).tables)).toEqual(expect.arrayContaining(['insider_trades', 'prices']));
  await pull(url, home);
  expect(readContents(directory)).toEqual(readContents(release));
});

test('after a release is replaced during its pull, the next pull fetches the new release and keeps equal files', async () => {
  const home = makeDirectory();
  const prunedRoot = makeDirectory();
  await publish(nextRelease, prunedRoot);
  serve(firstRoot, ({ path }) => {
    if (path.endsWith('splits.parquet')) server.root = prunedRoot;
    return undefined;
  });
  expect(await describePullFailure(home)).toContain('has no such file (status 404)');
  const namesRequestedBefore = new Set(listRequestedNames());
  expect(namesRequestedBefore.size).toBeGreaterThan(20);
  serve(prunedRoot);
  await pull(url, home);
  expect(readContents(join(home, basename(nextRelease)))).toEqual(readContents(nextRelease));
  // The second pull keeps the fetched files. It repeats only the failed download and those that ran at the same time.
  const namesFetchedAgain = new Set(
    listRequestedNames().filter((name) => /\.(parquet|index)$/.test(name) && namesRequestedBefore.has(name)),
  );
  namesFetchedAgain.delete('splits.parquet');
  expect(namesFetchedAgain.size).toBeLessThan(CONCURRENT_FILE_COUNT);
});

test('a pull that was killed before it made its release current is completed by the next pull', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  await pull(url, home, { families: [] });
  serve(secondRoot);
  await pull(url, home, { families: [] });
  writeFileSync(join(home, 'current'), `${stamp}\n`);
  const pullingFolder = join(home, '.pulling');
  for (const name of ['packed', 'pieces.json'])
    writeFileSync(join(pullingFolder, `${basename(nextRelease)}.${name}`), '');
  writeFileSync(join(pullingFolder, 'finishing'), basename(nextRelease));
  expect(await pull(url, home, { families: [] })).toMatchObject({
    state: 'up_to_date',
    current: basename(nextRelease),
  });
  expect(readdirSync(pullingFolder)).toEqual(['lock']);
});

/** Publishes the release with a table that has the right hash but cannot be read; returns the directory. */
function publishForgedTable(table: Parameters<typeof forgeHeader>[1]): string {
  const forged = join(makeDirectory(), stamp);
  cpSync(release, forged, { recursive: true });
  forgeHeader(forged, table);
  const root = publishChangedList((list) => {
    // The pieces are of the original files.
    list.companions = [];
    for (const file of list.files) {
      const bytes = readFileSync(join(forged, file.path));
      Object.assign(file, { bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') });
    }
  });
  cpSync(forged, join(root, stamp), { recursive: true });
  return root;
}

test.each(['screen', 'companies'] as const)('a release whose table %s cannot be read is not used', async (table) => {
  const home = makeDirectory();
  serve(publishForgedTable(table));
  for (const options of [{}, { verify: true }]) {
    const failure = await describePullFailure(home, options);
    expect(failure).toMatch(
      new RegExp(`^data: The release ${stamp} at http.* cannot be used\\. .* ${table}\\.parquet`),
    );
    expect(failure).not.toContain('.pulling');
  }
  expect([listStamps(home), readCurrentStamp(home)]).toEqual([[], null]);
  serve(firstRoot);
  expect(await pull(url, home)).toMatchObject({ state: 'pulled', current: stamp });
  expect(readContents(join(home, stamp))).toEqual(readContents(release));
});

test('with verify, a local release whose table cannot be read is pulled again', async () => {
  const home = makeDirectory();
  const local = join(home, stamp);
  cpSync(release, local, { recursive: true });
  forgeHeader(local, 'screen');
  serve(firstRoot);
  expect((await pull(url, home)).state).toBe('up_to_date');
  expect((await pull(url, home, { verify: true })).state).toBe('pulled');
  expect(readContents(local)).toEqual(readContents(release));
});

test('a pull repairs a damaged local release', async () => {
  const home = makeDirectory();
  serve(firstRoot);
  await pull(url, home, { families: [] });
  const file = join(home, stamp, 'screen.parquet');
  const bytes = readFileSync(file);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
  expect((await pull(url, home, { families: [] })).state).toBe('up_to_date');
  serve(firstRoot);
  expect((await pull(url, home, { verify: true, families: [] })).state).toBe('pulled');
  expect(listRequestedNames()).not.toContain('reported_values.parquet');
  expect(readFileSync(file)).toEqual(readFileSync(join(release, 'screen.parquet')));
});
