import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseEncoding, compressResponse, type Encoding } from '../../../src/service/http/compress.ts';
import { get, makeDirectory, type RunningService, startService } from './running.ts';

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync };

test.each([
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['br ; q=0.5 , gzip ; q = 0.6', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['br;q=0, *', 'gzip'],
  ['identity', null],
  ['identity;q=0.5, gzip;q=0.4', null],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=nonsense', null],
  ['deflate', null],
])('for Accept-Encoding %s the encoding is %s', (accepted, expected) => {
  expect(chooseEncoding(accepted)).toBe(expected);
});

const makeResponse = (body: readonly (string | Buffer)[]) => ({ status: 200, headers: { etag: 'W/"a"' }, body });

const toBuffer = (body: readonly (string | Buffer)[]) => Buffer.concat(body.map((part) => Buffer.from(part)));

test('every body is what it was after decompression, however it is divided, and also when its start is reused', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.nat(200_000).map((length) => 'ab€'.repeat(length / 3)),
  );
  const encodings = fc.constantFrom<Encoding>('br', 'gzip');
  await fc.assert(
    fc.asyncProperty(part, fc.array(part, { maxLength: 3 }), encodings, async (first, rest, encoding) => {
      const start = Buffer.from(first);
      for (const end of [rest, [...rest, 'id-2"}}']]) {
        const compressed = await compressResponse(makeResponse([start, ...end]), encoding);
        const expected = toBuffer([start, ...end]);
        if (expected.length < 1024) expect(compressed.headers).not.toHaveProperty('content-encoding');
        else expect(DECODERS[encoding]?.(toBuffer(compressed.body)).equals(expected)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('other programs decompress the body', async () => {
  const text = 'Überschüsse '.repeat(1000);
  const { body } = await compressResponse(makeResponse([Buffer.from(text), 'id"}}']), 'gzip');
  const file = join(makeDirectory(), 'body.gz');
  writeFileSync(file, toBuffer(body));
  expect(execFileSync('gzip', ['-dc', file]).toString()).toBe(`${text}id"}}`);
});

/** Sends a request and returns the body as it was sent. */
const getBytes = (service: RunningService, target: string, headers: Record<string, string> = {}) =>
  new Promise<{ status?: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = { agent: false as const, headers: { authorization: `Bearer ${service.key}`, ...headers } };
    request(service.baseUrl + target, sent, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });

test.each(['br', 'gzip'])(
  'a long response is sent as %s, each time with its own request id and the same tag',
  async (encoding) => {
    const service = await startService();
    const plain = await get(service, '/v1/metrics');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const id of ['one', 'two']) {
      const headers = { 'accept-encoding': encoding, 'x-request-id': id };
      const reply = await getBytes(service, '/v1/metrics', headers);
      expect(reply.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(reply.bytes.length),
        etag: plain.headers.etag,
        vary: 'accept-encoding',
        'x-request-id': id,
      });
      expect(reply.bytes.length).toBeLessThan(plain.text.length / 3);
      const { data, meta } = JSON.parse(String(DECODERS[encoding]?.(reply.bytes)));
      expect({ data, meta }).toEqual({ data: plain.body.data, meta: { ...plain.body.meta, request_id: id } });
    }
    const revalidated = await getBytes(service, '/v1/metrics', {
      'accept-encoding': encoding,
      'if-none-match': plain.headers.etag ?? '',
    });
    expect([revalidated.status, revalidated.bytes.length]).toEqual([304, 0]);
    expect(revalidated.headers['content-encoding']).toBeUndefined();
    expect(service.errors).toEqual([]);
  },
);

test('short responses are not compressed, and all responses vary by Accept-Encoding', async () => {
  const service = await startService();
  for (const target of ['/v1/release', '/livez', '/v1/nowhere', '/v1/screen?limit=0']) {
    const reply = await getBytes(service, target, { 'accept-encoding': 'gzip, br' });
    expect(reply.headers['content-encoding'], target).toBeUndefined();
    expect(reply.headers.vary, target).toBe('accept-encoding');
  }
  const description = await getBytes(service, '/openapi.json', { 'accept-encoding': 'gzip' });
  expect(JSON.parse(gunzipSync(description.bytes).toString()).openapi).toMatch(/^3\./);
});
