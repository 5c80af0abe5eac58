/** Transfers from a static host: small files, and spans of large files, verified piece by piece. */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHttp } from '../../src/http/get.ts';
import { hashPiece, type PieceSpan } from '../../src/publish/pieces.ts';
import { Transfer, type TransferEvent } from '../../src/publish/transfer.ts';
import { registerCleanUp } from '../clean-up.ts';
import { retryAtMost } from '../http/retry-at-most.ts';
import { listenUntilDone } from '../listen.ts';
import { makeFolder } from '../store/public-source.ts';

const PIECE_LENGTH = 1000;
const FILE_BYTES = randomBytes(5 * PIECE_LENGTH);
const FILE_ENTRY = {
  path: 'table.parquet',
  bytes: FILE_BYTES.length,
  sha256: createHash('sha256').update(FILE_BYTES).digest('hex'),
};
const PIECES = Array.from({ length: 5 }, (_, index) => {
  const bytes = FILE_BYTES.subarray(index * PIECE_LENGTH, (index + 1) * PIECE_LENGTH);
  return { offset: index * PIECE_LENGTH, length: PIECE_LENGTH, hash: hashPiece(bytes) };
});

/**
 * @param answer answers a request and returns true; if it returns false, the server sends the file or the requested
 * range
 */
async function startTransfer(
  answer: (request: IncomingMessage, response: ServerResponse, requestCount: number) => boolean,
) {
  const requestedRanges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requestedRanges.push(request.headers.range);
    if (answer(request, response, requestedRanges.length)) return;
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), to === '' ? FILE_BYTES.length : Number(to) + 1];
    const rangeHeaders = { 'content-range': `bytes ${start}-${end - 1}/${FILE_BYTES.length}` };
    response.writeHead(to === '' ? 200 : 206, to === '' ? {} : rangeHeaders).end(FILE_BYTES.subarray(start, end));
  });
  const http = openHttp({});
  const path = join(await makeFolder('transfer'), 'file');
  const target: FileHandle = await open(path, 'w+');
  registerCleanUp(async () => {
    await target.close();
    await http.close();
  });
  const events: TransferEvent[] = [];
  const transfer = new Transfer({
    url: `http://127.0.0.1:${await listenUntilDone(server)}/published`,
    get: http.get,
    userAgent: 'test',
    retries: retryAtMost(2, 1),
    pace: { timeout: null, minBytes: 0, period: 60_000 },
    signal: new AbortController().signal,
    report: (event) => events.push(event),
  });
  const fetchPieces = (firstPiece: number, endPiece: number) =>
    transfer.fetchSpan('stamp', FILE_ENTRY, PIECES, PIECES.slice(firstPiece, endPiece) as unknown as PieceSpan, target);
  return { transfer, fetchPieces, requests: requestedRanges, events, readWritten: () => readFile(path) };
}

test('a small file is returned completely, a missing file as null, and a file above the maximum length is refused', async () => {
  const { transfer } = await startTransfer(({ url }, response) => {
    if (url?.endsWith('latest.json')) response.end('{"stamp":1}');
    else response.writeHead(url?.endsWith('gone') ? 410 : 404).end();
    return true;
  });
  expect(String(await transfer.fetchSmallFile('latest.json', 100))).toBe('{"stamp":1}');
  for (const path of ['none', 'gone']) expect(await transfer.fetchSmallFile(path, 100)).toBeNull();
  await expect(transfer.fetchSmallFile('latest.json', 10)).rejects.toMatchObject({
    kind: 'network',
    message: expect.stringContaining('sent more than 10 bytes'),
  });
});

test('a request to a busy host is retried, and fails with the kind of its last response', async () => {
  const { transfer, requests, events } = await startTransfer((_, response, requestCount) => {
    response.writeHead(requestCount < 3 ? 503 : 200).end('text');
    return true;
  });
  expect(String(await transfer.fetchSmallFile('latest.json', 100))).toBe('text');
  expect(requests).toHaveLength(3);
  expect(events.filter(({ type }) => type === 'retrying')).toHaveLength(2);
  for (const [status, kind] of [
    [503, 'service'],
    [429, 'limit'],
  ] as const) {
    const busyTransfer = await startTransfer((_, response) => {
      response.writeHead(status).end();
      return true;
    });
    await expect(busyTransfer.transfer.fetchSmallFile('latest.json', 100)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(/after 3 tries/),
    });
  }
});

test('a span of pieces is requested as a range, and written at its position', async () => {
  const { fetchPieces, requests, readWritten } = await startTransfer(() => false);
  expect(await fetchPieces(1, 3)).toBe(false);
  expect(requests).toEqual(['bytes=1000-2999']);
  expect((await readWritten()).subarray(PIECE_LENGTH)).toEqual(FILE_BYTES.subarray(PIECE_LENGTH, 3 * PIECE_LENGTH));
});

test('if a host ignores ranges, the whole file is written, and later requests have no range', async () => {
  const { fetchPieces, requests, readWritten } = await startTransfer((_, response) => {
    response.end(FILE_BYTES);
    return true;
  });
  expect(await fetchPieces(1, 3)).toBe(true);
  expect(await readWritten()).toEqual(FILE_BYTES);
  expect(await fetchPieces(4, 5)).toBe(true);
  expect(requests).toEqual(['bytes=1000-2999', undefined]);
});

test('after a broken connection the transfer resumes after the last complete piece', async () => {
  const { fetchPieces, requests, readWritten } = await startTransfer((_, response, requestCount) => {
    if (requestCount > 1) return false;
    response.writeHead(200, { 'content-length': FILE_BYTES.length });
    response.write(FILE_BYTES.subarray(0, 2 * PIECE_LENGTH + 500), () => setImmediate(() => response.destroy()));
    return true;
  });
  expect(await fetchPieces(0, 5)).toBe(true);
  expect(requests).toEqual([undefined, 'bytes=2000-4999']);
  expect(await readWritten()).toEqual(FILE_BYTES);
});

test('bytes that do not match their hash are requested once more, and then refused', async () => {
  const { fetchPieces, requests } = await startTransfer((_, response) => {
    const changedBytes = Buffer.from(FILE_BYTES);
    changedBytes[2500] = (changedBytes[2500] ?? 0) ^ 1;
    response.end(changedBytes);
    return true;
  });
  await expect(fetchPieces(0, 5)).rejects.toMatchObject({
    kind: 'network',
    message: expect.stringMatching(/sent data that does not match the published hash/),
  });
  expect(requests).toHaveLength(2);
});

test.each([
  ['a range that was not requested', { 'content-range': 'bytes 5-2004/5000' }, /a range that was not requested/],
  ['a range of a file of another length', { 'content-range': 'bytes 1000-2999/6000' }, /a file of 6000 bytes/],
  [
    'a web page',
    { 'content-type': 'text/html', 'content-range': 'bytes 1000-2999/5000' },
    /a web page instead of a file/,
  ],
])('a response with %s is refused', async (_, headers, message) => {
  const { fetchPieces, requests } = await startTransfer((__, response) => {
    response.writeHead(206, headers).end(FILE_BYTES.subarray(0, 2000));
    return true;
  });
  await expect(fetchPieces(1, 3)).rejects.toMatchObject({ kind: 'network', message: expect.stringMatching(message) });
  expect(requests).toHaveLength(1);
});
