import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findFileFault, listRecords } from '../../../src/edgar/fetch/file-records.ts';
import { makeRandomZip, setUpDownloads } from './fetching.ts';
import { computeEtag, RATE_LIMIT_PAGE, type SiteServer, startSite, UNDECLARED_TOOL_PAGE } from './site-server.ts';

const FACTS = Buffer.from('{"cik":320193,"entityName":"Apple Inc.","facts":{}}');

const listStatuses = ({ requests }: SiteServer) => requests.map(({ status }) => status);
const listPartialFiles = (directory: string) =>
  existsSync(join(directory, '.fetch/parts')) ? readdirSync(join(directory, '.fetch/parts')) : [];

/** Resolves when the partial file of a.zip has `bytes` bytes. */
const waitUntilStored = (directory: string, bytes: number) =>
  vi.waitFor(() => expect(statSync(join(directory, '.fetch/parts/a.zip.part')).size).toBe(bytes), { timeout: 60_000 });

test.concurrent('a file is fetched completely, with a record of its size and hash, and again only after it changed at the site', async () => {
  const { site, directory, get, read } = await setUpDownloads({ '/x/a.json': FACTS });
  const sha256 = createHash('sha256').update(FACTS).digest('hex');
  expect(await get('x/a.json')).toMatchObject({ state: 'fetched', bytes: FACTS.length, sha256 });
  expect(read('x/a.json').equals(FACTS)).toBe(true);
  const [record] = await listRecords(directory);
  expect(record).toMatchObject({ file: 'x/a.json', sha256, etag: computeEtag(FACTS), bytes: FACTS.length });
  expect(await get('x/a.json')).toMatchObject({ state: 'unchanged', sha256 });
  expect(listStatuses(site)).toEqual([200, 304]);
  site.files.set('/x/a.json', Buffer.from('{"new":1}'));
  expect(await get('x/a.json')).toMatchObject({ state: 'fetched', bytes: 9 });
  expect(read('x/a.json').toString()).toBe('{"new":1}');
  expect(listPartialFiles(directory)).toEqual([]);
});

test.concurrent('a fetched file that cannot be moved into place leaves no partial file', async () => {
  const { directory, get } = await setUpDownloads({ '/a.json': FACTS });
  mkdirSync(join(directory, 'a.json'));
  await expect(get('a.json')).rejects.toMatchObject({ code: 'EISDIR' });
  expect(listPartialFiles(directory)).toEqual([]);
});

test.concurrent.each([
  ['changed', (path: string) => writeFileSync(path, FACTS.toString().replace('Apple', 'Aqqle'))],
  ['truncated', (path: string) => writeFileSync(path, FACTS.subarray(0, 9))],
  ['deleted', (path: string) => rmSync(path)],
])('a file that is %s on disk is fetched again, without a conditional request', async (_, damageFile) => {
  const { site, directory, get, read } = await setUpDownloads({ '/a.json': FACTS });
  await get('a.json');
  damageFile(join(directory, 'a.json'));
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  expect(site.requests[1]?.headers['if-none-match']).toBeUndefined();
  expect(read('a.json').equals(FACTS)).toBe(true);
});

test.concurrent('a recently confirmed file is not requested again unless it is damaged', async () => {
  const { site, directory, get } = await setUpDownloads({ '/a.json': FACTS }, { maxAgeMs: 60_000 });
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  expect(await get('a.json')).toMatchObject({ state: 'unchanged', bytes: FACTS.length });
  expect(site.requests).toHaveLength(1);
  writeFileSync(join(directory, 'a.json'), '{}');
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  expect(site.requests).toHaveLength(2);
});

test.concurrent('an interrupted download is resumed where it ended', async () => {
  const zip = await makeRandomZip(3_000_000);
  const { site, directory, get, read } = await setUpDownloads({ '/a.zip': zip });
  site.replaceAnswer = (_, response, requestNumber) => {
    if (requestNumber > 1) return false;
    response.writeHead(200, { 'content-length': zip.length, etag: computeEtag(zip) });
    response.write(zip.subarray(0, 1_000_000));
    void waitUntilStored(directory, 1_000_000).finally(() => response.destroy());
    return true;
  };
  expect(await get('a.zip')).toMatchObject({ state: 'fetched', bytes: zip.length });
  expect(read('a.zip').equals(zip)).toBe(true);
  expect(site.requests.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=1000000-']);
  expect(site.requests[1]).toMatchObject({ status: 206, headers: { 'if-range': computeEtag(zip) } });
  expect(await findFileFault(directory, (await listRecords(directory))[0] as never)).toBeNull();
  expect(listPartialFiles(directory)).toEqual([]);
});

test.concurrent('a download that always ends at the same byte is given up after three retries', async () => {
  const { site, get } = await setUpDownloads({});
  site.replaceAnswer = (_, response) => {
    response.writeHead(200, { 'content-length': 3_000_000 });
    // All sent bytes arrive before the connection ends.
    response.write(Buffer.alloc(2_000_000, '{"a":1} '), () => response.socket?.end());
    return true;
  };
  await expect(get('a.json')).rejects.toMatchObject({ kind: 'network' });
  // The first attempt and three retries, each of which received the same bytes.
  expect(site.requests).toHaveLength(4);
});

test.concurrent('a file that changed at the site between attempts is fetched from the start', async () => {
  const [oldZip, newZip] = [await makeRandomZip(200_000), await makeRandomZip(300_000)];
  const { site, directory, get, read } = await setUpDownloads({ '/a.zip': newZip });
  site.replaceAnswer = (_, response, requestNumber) => {
    if (requestNumber > 1) return false;
    response.writeHead(200, { 'content-length': oldZip.length, etag: computeEtag(oldZip) });
    response.write(oldZip.subarray(0, 100_000));
    void waitUntilStored(directory, 100_000).finally(() => response.destroy());
    return true;
  };
  expect(await get('a.zip')).toMatchObject({ state: 'fetched', bytes: newZip.length });
  expect(listStatuses(site)[1]).toBe(200);
  expect(read('a.zip').equals(newZip)).toBe(true);
});

test.concurrent('a partial file longer than the file is discarded', async () => {
  const zip = await makeRandomZip(10_000);
  const { site, directory, get, read } = await setUpDownloads({ '/a.zip': zip });
  mkdirSync(join(directory, '.fetch/parts'), { recursive: true });
  writeFileSync(join(directory, '.fetch/parts/a.zip.part'), randomBytes(20_000));
  writeFileSync(
    join(directory, '.fetch/parts/a.zip.part.json'),
    JSON.stringify({ url: `${site.url}/a.zip`, etag: computeEtag(zip) }),
  );
  expect(await get('a.zip')).toMatchObject({ state: 'fetched' });
  expect(listStatuses(site)).toEqual([416, 200]);
  expect(read('a.zip').equals(zip)).toBe(true);
});

test.concurrent('a partial file that lacks no bytes is checked and used; if it is damaged, the file is fetched again', async () => {
  const zip = await makeRandomZip(10_000);
  for (const [content, statuses] of [
    [zip, [416, 304]],
    [Buffer.concat([zip.subarray(0, 5000), Buffer.alloc(100), zip.subarray(5100)]), [416, 200, 304]],
  ] as const) {
    const { site, directory, get, read } = await setUpDownloads({ '/a.zip': zip });
    mkdirSync(join(directory, '.fetch/parts'), { recursive: true });
    writeFileSync(join(directory, '.fetch/parts/a.zip.part'), content);
    writeFileSync(
      join(directory, '.fetch/parts/a.zip.part.json'),
      JSON.stringify({ url: `${site.url}/a.zip`, etag: computeEtag(zip) }),
    );
    expect(await get('a.zip')).toMatchObject({ state: 'fetched', bytes: zip.length });
    expect(read('a.zip').equals(zip)).toBe(true);
    expect(await get('a.zip')).toMatchObject({ state: 'unchanged' });
    expect(listStatuses(site)).toEqual(statuses);
    expect(listPartialFiles(directory)).toEqual([]);
  }
});

test.concurrent('a partial file of another site is not resumed', async () => {
  const zip = await makeRandomZip(10_000);
  const { site, directory, get, read } = await setUpDownloads({ '/a.zip': zip });
  mkdirSync(join(directory, '.fetch/parts'), { recursive: true });
  writeFileSync(join(directory, '.fetch/parts/a.zip.part'), randomBytes(2000));
  writeFileSync(
    join(directory, '.fetch/parts/a.zip.part.json'),
    JSON.stringify({ url: 'https://other.example/a.zip', etag: computeEtag(zip) }),
  );
  expect(await get('a.zip')).toMatchObject({ state: 'fetched' });
  expect(site.requests[0]?.headers.range).toBeUndefined();
  expect(read('a.zip').equals(zip)).toBe(true);
});

const makePageHandler =
  (status: number, html: string, headers: Record<string, string> = {}): SiteServer['replaceAnswer'] =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
    return true;
  };

test.concurrent.each(['a.json', 'a.zip', 'a.idx'])(
  'an HTML page is never stored as %s, and the existing file stays',
  async (file) => {
    const body = file.endsWith('.zip') ? await makeRandomZip(1000) : FACTS;
    const { site, get, read } = await setUpDownloads({ [`/${file}`]: body });
    await get(file);
    site.replaceAnswer = makePageHandler(200, '<html><title>Maintenance</title></html>');
    expect(await get(file)).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('sent a web page instead of'),
    });
    expect(read(file).equals(body)).toBe(true);
  },
);

test.concurrent.each([
  ['a page with 403', makePageHandler(403, RATE_LIMIT_PAGE), 600],
  ['a page with 429', makePageHandler(429, RATE_LIMIT_PAGE), 600],
  ['Retry-After', makePageHandler(429, '', { 'retry-after': '77' }), 77],
  ['a page with 200', makePageHandler(200, RATE_LIMIT_PAGE), 600],
])('a refusal for too many requests, stated by %s, pauses further requests', async (_, replaceAnswer, seconds) => {
  const { site, get, context, directory } = await setUpDownloads({ '/a.json': FACTS });
  site.replaceAnswer = replaceAnswer;
  const failure = await get('a.json').catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'limit' });
  expect((failure as { retryAfter: number }).retryAfter).toBeGreaterThan(seconds - 3);
  expect((failure as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(seconds);
  await expect(context.spacing.waitForSlot(context.signal)).rejects.toMatchObject({ kind: 'limit' });
  expect(site.requests).toHaveLength(1);
  expect(existsSync(join(directory, 'a.json'))).toBe(false);
});

test.concurrent('a request waits for the end of a short pause', async () => {
  const { site, get } = await setUpDownloads({ '/a.json': FACTS });
  site.replaceAnswer = (request, response, requestNumber) =>
    requestNumber === 1 && makePageHandler(429, '', { 'retry-after': '1' })(request, response, 1);
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  const [firstTime, secondTime] = site.requests.map(({ receivedAt }) => receivedAt);
  expect((secondTime ?? 0) - (firstTime ?? 0)).toBeGreaterThanOrEqual(990);
});

test.concurrent('a contact that the site refuses is a usage error', async () => {
  const { site, get } = await setUpDownloads({ '/a.json': FACTS });
  site.replaceAnswer = makePageHandler(403, UNDECLARED_TOOL_PAGE);
  await expect(get('a.json')).rejects.toMatchObject({ kind: 'usage', hint: expect.stringContaining('--contact') });
});

test.concurrent('a truncated zip or JSON file is requested again and never kept', async () => {
  const zip = await makeRandomZip(100_000);
  for (const [file, body] of [
    ['a.zip', zip.subarray(0, 50_000)],
    ['a.json', FACTS.subarray(0, 20)],
  ] as const) {
    const { site, directory, get } = await setUpDownloads({ [`/${file}`]: body });
    await expect(get(file)).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('incomplete'),
    });
    expect(site.requests).toHaveLength(4);
    expect(existsSync(join(directory, file))).toBe(false);
    expect(listPartialFiles(directory)).toEqual([]);
  }
});

test.concurrent('JSON whose compressed body ends early is requested again', async () => {
  const { site, get, read } = await setUpDownloads({ '/a.json': FACTS });
  site.replaceAnswer = (_, response, requestNumber) => {
    if (requestNumber > 1) return false;
    // The beginning of a gzip stream, in a complete response.
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b0800000000000003ab56', 'hex'));
    return true;
  };
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  expect(read('a.json').equals(FACTS)).toBe(true);
});

test.concurrent('a failing site is retried a few times', async () => {
  const { site, get } = await setUpDownloads({ '/a.json': FACTS });
  site.replaceAnswer = (request, response, requestNumber) =>
    requestNumber < 3 && makePageHandler(503, 'busy')(request, response, requestNumber);
  expect(await get('a.json')).toMatchObject({ state: 'fetched' });
  expect(listStatuses(site)).toEqual([503, 503, 200]);
  site.replaceAnswer = makePageHandler(500, 'broken');
  await expect(get('a.json')).rejects.toMatchObject({ kind: 'service' });
});

test.concurrent('a file over the size limit is refused, with or without Content-Length', async () => {
  const zip = await makeRandomZip(100_000);
  const { site, directory, get } = await setUpDownloads({
    '/a.zip': zip,
    '/a.json': Buffer.from(`{"a":"${'x'.repeat(100_000)}"}`),
  });
  expect(await get('a.zip', { maxBytes: 1000 })).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('more than the allowed 1000 bytes'),
  });
  // The response has a small compressed body that expands to a large body.
  expect(await get('a.json', { maxBytes: 1000 })).toMatchObject({ state: 'failed' });
  expect(site.requests).toHaveLength(2);
  expect(listPartialFiles(directory)).toEqual([]);
});

test.concurrent('redirects are followed within the site only', async () => {
  const otherSite = await startSite(new Map([['/a.json', FACTS]]));
  const { site, get } = await setUpDownloads({ '/b.json': FACTS });
  site.replaceAnswer = ({ url }, response) => {
    if (url !== '/a.json') return false;
    response.writeHead(302, { location: '/b.json' }).end();
    return true;
  };
  expect(await get('a.json')).toMatchObject({ state: 'fetched', bytes: FACTS.length });
  site.replaceAnswer = (_, response) => {
    response.writeHead(302, { location: `${otherSite.url}/a.json` }).end();
    return true;
  };
  expect(await get('a.json')).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('to another site'),
  });
  expect(otherSite.requests).toEqual([]);
  site.replaceAnswer = (_, response) => {
    response.writeHead(301, { location: '/a.json' }).end();
    return true;
  };
  expect(await get('a.json')).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('redirects too many times'),
  });
});

test.concurrent('a file that the site lacks is reported as absent, and no file is written', async () => {
  const { directory, get } = await setUpDownloads({});
  expect(await get('a.json')).toMatchObject({ state: 'absent', bytes: null });
  expect(existsSync(join(directory, 'a.json'))).toBe(false);
});

test.concurrent('an interrupt ends a download, and leaves a partial file that can be resumed', async () => {
  const zip = await makeRandomZip(400_000);
  const interruptController = new AbortController();
  const { site, directory, get } = await setUpDownloads({ '/a.zip': zip }, { signal: interruptController.signal });
  site.replaceAnswer = (_, response) => {
    response.writeHead(200, { 'content-length': zip.length, etag: computeEtag(zip) }).write(zip.subarray(0, 100_000));
    void waitUntilStored(directory, 100_000).finally(() => interruptController.abort(new Error('interrupted')));
    return true;
  };
  await expect(get('a.zip')).rejects.toThrow('interrupted');
  expect(readFileSync(join(directory, '.fetch/parts/a.zip.part')).equals(zip.subarray(0, 100_000))).toBe(true);
});
