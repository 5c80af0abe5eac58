/**
 * Compresses bodies for clients that accept it. The compressed start of a cached response is cached, too, and each
 * response appends its request id uncompressed. So a frequent response is compressed only once.
 */
import { getOrInsert } from '../../platform/collections.ts';
import type { ServiceResponse } from '../responses/service.ts';

export type Encoding = 'br' | 'gzip';

type Body = ServiceResponse['body'];

/** Minimum size in bytes of a body that is compressed: a smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024;

/**
 * Maximum size in bytes of an end that is appended uncompressed: the longest such block in gzip, which is shorter than
 * in Brotli.
 */
const MAX_STORED_BYTES = 65_535;

/** Brotli's quality: as fast as gzip, and smaller. Higher qualities take several times longer. */
const BROTLI_QUALITY = 4;

/** Encodings in order of preference. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/**
 * Returns the encoding that `Accept-Encoding` prefers; null to send the body unchanged
 * (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3).
 */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0);
  }
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [best = 'br', ...others] = ENCODINGS;
  const encoding = others.reduce((chosen, other) => (weigh(other) > weigh(chosen) ? other : chosen), best);
  return weigh(encoding) > 0 && weigh(encoding) >= (weights.get('identity') ?? 0) ? encoding : null;
}

/** Returns the response with a compressed body; the same response if its body is short or cannot be compressed. */
export async function compressResponse(response: ServiceResponse, encoding: Encoding): Promise<ServiceResponse> {
  const body = splitBody(response.body);
  if (body.start.length + body.end.length < MIN_COMPRESSED_BYTES) return response;
  const start = await compressStart(body.start, encoding).catch(() => null);
  if (start === null) return response;
  const parts = encoding === 'br' ? finishBrotli(start, body.end) : finishGzip(start, body);
  return { ...response, headers: { ...response.headers, 'content-encoding': encoding }, body: parts };
}

interface SplitBody {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** Divides a body into its first part, which is equal in all uses of a cached response, and the short rest. */
function splitBody(body: Body): SplitBody {
  const [start = Buffer.alloc(0), ...rest] = body.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const end = Buffer.concat(rest);
  return end.length <= MAX_STORED_BYTES ? { start, end } : { start: Buffer.concat([start, end]), end: Buffer.alloc(0) };
}

interface CompressedStart {
  /** A compressed stream that lacks its end. */
  readonly bytes: Buffer;
  /** CRC-32 of the uncompressed bytes, for gzip. */
  readonly checksum: number;
}

/** Compressed bodies by the buffer of the cached response, so that both are freed together. */
const compressedStarts = new WeakMap<Buffer, Map<Encoding, Promise<CompressedStart>>>();

function compressStart(start: Buffer, encoding: Encoding): Promise<CompressedStart> {
  const byEncoding = getOrInsert(compressedStarts, start, () => new Map<Encoding, Promise<CompressedStart>>());
  const compressed = getOrInsert(byEncoding, encoding, () => runCompression(start, encoding));
  compressed.catch(() => byEncoding.delete(encoding));
  return compressed;
}

/**
 * Compresses in libuv's thread pool. Ends with a flush, so that the output ends at a byte boundary and the rest of the
 * body can be appended.
 */
function runCompression(start: Buffer, encoding: Encoding): Promise<CompressedStart> {
  const zlib = process.getBuiltinModule('node:zlib');
  const { BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, Z_SYNC_FLUSH } = zlib.constants;
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, bytes: Buffer) =>
      error === null ? resolve({ bytes, checksum: encoding === 'gzip' ? zlib.crc32(start) : 0 }) : reject(error);
    if (encoding === 'gzip') return zlib.deflateRaw(start, { finishFlush: Z_SYNC_FLUSH }, settle);
    const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: start.length };
    zlib.brotliCompress(start, { params, finishFlush: BROTLI_OPERATION_FLUSH }, settle);
  });
}

/** A gzip header without a name or a time (https://www.rfc-editor.org/rfc/rfc1952#section-2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Appends the end as the last block of the deflated data, uncompressed, and then the trailer of gzip. */
function finishGzip(start: CompressedStart, body: SplitBody): Buffer[] {
  const { crc32 } = process.getBuiltinModule('node:zlib');
  const blockHeader = Buffer.alloc(5);
  blockHeader.writeUInt8(1);
  blockHeader.writeUInt16LE(body.end.length, 1);
  blockHeader.writeUInt16LE(MAX_STORED_BYTES - body.end.length, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(body.end, start.checksum));
  trailer.writeUInt32LE(body.start.length + body.end.length, 4);
  return [GZIP_HEADER, start.bytes, blockHeader, body.end, trailer];
}

/** The last block of a Brotli stream, which is empty (https://www.rfc-editor.org/rfc/rfc7932#section-9.2). */
const LAST_BROTLI_BLOCK = Buffer.from([0b11]);

/** Appends the end as an uncompressed block: a bit 0, two bits 0, the length minus one in 16 bits, and a bit 1. */
function finishBrotli({ bytes }: CompressedStart, end: Buffer): Buffer[] {
  if (end.length === 0) return [bytes, LAST_BROTLI_BLOCK];
  const blockHeader = Buffer.alloc(3);
  blockHeader.writeUIntLE(((end.length - 1) << 3) | (1 << 19), 0, 3);
  return [bytes, blockHeader, end, LAST_BROTLI_BLOCK];
}
