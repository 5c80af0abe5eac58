/** Sites that send something other than the requested file, or never the complete file. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readRecord, writeRecord } from '../../../src/edgar/fetch/file-records.ts';
import { makeRandomZip, setUpDownloads } from './fetching.ts';
import { computeEtag, type SiteServer } from './site-server.ts';

const FACTS = Buffer.from('{"cik":320193,"entityName":"Apple Inc.","facts":{"us-gaap":{}}}');
const APPLE_CIK_OVERRIDE = { cik: 320193 };

/** Returns a handler that sends the body in a response that is complete according to HTTP. */
const makeBodyHandler =
  (body: Buffer): SiteServer['replaceAnswer'] =>
  (_, response) => {
    response.end(body);
    return true;
  };

test.concurrent('truncated JSON, even if it ends after a bracket, is requested again and never kept', async () => {
  for (const length of [FACTS.length - 1, FACTS.length - 2, FACTS.indexOf('{}') + 2, 20]) {
    const { site, directory, get } = await setUpDownloads({});
    site.replaceAnswer = makeBodyHandler(FACTS.subarray(0, length));
    await expect(get('a.json', APPLE_CIK_OVERRIDE)).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringMatching(/tries: 4/),
    });
    expect(site.requests).toHaveLength(4);
    expect(existsSync(join(directory, 'a.json'))).toBe(false);
  }
});

test.concurrent('a file of another company is not kept, and not requested again', async () => {
  const { site, directory, get } = await setUpDownloads({ '/a.json': FACTS });
  expect(await get('a.json', { cik: 789019 })).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/sent the JSON of CIK 320193 instead of the JSON of CIK 789019$/),
  });
  expect(site.requests).toHaveLength(1);
  expect(existsSync(join(directory, 'a.json'))).toBe(false);
  // CIKs in lists of filings have leading zeros.
  site.files.set('/b.json', Buffer.from('{"filings":{"files":[]},"cik":"0000320193"}'));
  expect(await get('b.json', APPLE_CIK_OVERRIDE)).toMatchObject({ state: 'fetched' });
});

test.concurrent('a zip with one damaged member is requested again and never kept', async () => {
  const zip = await makeRandomZip(100_000);
  const damagedZip = Buffer.from(zip);
  damagedZip[50_000] = (damagedZip[50_000] ?? 0) ^ 1;
  const { site, directory, get, read } = await setUpDownloads({ '/a.zip': zip });
  site.replaceAnswer = (request, response, requestNumber) =>
    requestNumber === 1 && makeBodyHandler(damagedZip)(request, response, requestNumber);
  expect(await get('a.zip')).toMatchObject({ state: 'fetched' });
  expect(read('a.zip').equals(zip)).toBe(true);
  site.files.set('/a.zip', await makeRandomZip(120_000));
  site.replaceAnswer = makeBodyHandler(damagedZip);
  await expect(get('a.zip')).rejects.toMatchObject({
    kind: 'network',
    message: expect.stringMatching(/a zip that is incomplete or damaged \(a\.txt: .*\)/),
  });
  expect(readFileSync(join(directory, 'a.zip')).equals(zip)).toBe(true);
});

test.concurrent('a file whose record does not confirm that it is complete is checked by the next run, and replaced if damaged', async () => {
  const { site, directory, get, read } = await setUpDownloads(
    { '/a.json': FACTS, '/b.json': FACTS },
    { maxAgeMs: 60_000 },
  );
  const truncatedFacts = FACTS.subarray(0, FACTS.length - 1);
  for (const [file, body] of [
    ['a.json', truncatedFacts],
    ['b.json', FACTS],
  ] as const) {
    site.files.set(`/${file}`, FACTS);
    await get(file, APPLE_CIK_OVERRIDE);
    const record = await readRecord(directory, file);
    if (record === null) throw new Error('no record');
    writeFileSync(join(directory, file), body);
    const sha256 = createHash('sha256').update(body).digest('hex');
    await writeRecord(directory, { ...record, bytes: body.length, sha256, whole: false });
  }
  expect(await get('a.json', APPLE_CIK_OVERRIDE)).toMatchObject({ state: 'fetched', bytes: FACTS.length });
  expect(read('a.json').equals(FACTS)).toBe(true);
  expect(await get('b.json', APPLE_CIK_OVERRIDE)).toMatchObject({ state: 'unchanged' });
  expect(site.requests.map(({ path }) => path)).toEqual(['/a.json', '/b.json', '/a.json']);
});

test.concurrent('a download with a truncated compressed body is given up after three retries, even if each attempt receives more than the one before', async () => {
  const { site, get } = await setUpDownloads({});
  const compressedBody = gzipSync(Buffer.from(JSON.stringify(Array.from({ length: 900_000 }, (_, index) => index))));
  site.replaceAnswer = (_, response, requestNumber) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(compressedBody.subarray(0, Math.floor((compressedBody.length * Math.min(requestNumber, 9)) / 10)));
    return true;
  };
  await expect(get('a.json')).rejects.toMatchObject({ kind: 'network' });
  expect(site.requests).toHaveLength(4);
});

test.concurrent('a zip whose transfer breaks off a little later each time is resumed only within the maximum wait', async () => {
  const zip = await makeRandomZip(40_000_000);
  const waitTimes: number[] = [];
  const { site, get } = await setUpDownloads(
    {},
    {
      retries: (_, { waited }) => {
        waitTimes.push(waited);
        return waited < 5 ? { end: 'retry', ms: 1 } : { end: 'give-up', ms: 1, because: 'max-wait' };
      },
    },
  );
  site.replaceAnswer = (request, response) => {
    const startOffset = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    const rangeHeaders =
      startOffset === 0 ? {} : { 'content-range': `bytes ${startOffset}-${zip.length - 1}/${zip.length}` };
    response.writeHead(startOffset === 0 ? 200 : 206, {
      'content-length': zip.length - startOffset,
      etag: computeEtag(zip),
      ...rangeHeaders,
    });
    response.write(zip.subarray(startOffset, startOffset + 2_000_000), () => response.socket?.end());
    return true;
  };
  await expect(get('a.zip')).rejects.toMatchObject({ message: expect.stringMatching(/a\.zip could not be fetched/) });
  expect(waitTimes).toEqual([0, 1, 2, 3, 4, 5]);
  expect(site.requests.slice(1).map(({ headers }) => headers.range)).not.toContain(undefined);
});

test.concurrent.each([
  ['the timeout of one request', { timeout: 300, minBytes: 0, period: 60_000 }, /not complete within 0\.3 s/],
  [
    'the period for the minimum number of bytes',
    { timeout: null, minBytes: 1000, period: 300 },
    /came too slowly: \d+ bytes/,
  ],
])('a site that sends a few bytes at a time is given up after %s', async (_, pace, messagePattern) => {
  const { site, events, get } = await setUpDownloads({}, { pace });
  site.replaceAnswer = (_request, response) => {
    response.write('[1');
    const timer = setInterval(() => response.write(',1'), 5);
    response.on('close', () => clearInterval(timer));
    return true;
  };
  await expect(get('a.json')).rejects.toMatchObject({
    kind: 'network',
    message: expect.stringMatching(messagePattern),
  });
  expect(site.requests).toHaveLength(4);
  expect(events.filter(({ type }) => type === 'retrying')).toHaveLength(3);
});

test.concurrent('a zip over the size limit is refused by its Content-Length, and the error names the option to allow it', async () => {
  const { site, get } = await setUpDownloads({});
  site.replaceAnswer = (_, response) => {
    response.writeHead(200, { 'content-length': 8 * 2 ** 30 }).write(Buffer.alloc(8192, 'PK'));
    return true;
  };
  expect(await get('a.zip', { maxBytes: 4 * 2 ** 30 })).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(
      /has a file of more than the allowed 4294967296 bytes; to allow more, set --max-size$/,
    ),
  });
  expect(site.requests).toHaveLength(1);
});
