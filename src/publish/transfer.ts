/** Requests to a static host: small files, and spans of large files, whose pieces are verified on arrival. */

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { isError } from '../contract/error-code.ts';
import { Failure, type FailureKind, isFailure } from '../contract/failure.ts';
import { describeRedirect, findRedirectTarget, isRedirect } from '../http/addresses.ts';
import { type GetResponse, type HttpClient, type Pace, readBody } from '../http/get.ts';
import { isConnectionError } from '../http/network-errors.ts';
import { type AttemptOutcome, type RetryRule, tryUntilFinal } from '../http/retry.ts';
import { isSystemError } from '../platform/files/system-error.ts';
import { FILE_LIST_FILE, PIECE_HASH_DIGITS, type PublishedFile } from './format.ts';
import { findSpanEnd, findSpanStart, type Piece, type PieceSpan, writeAt } from './pieces.ts';

export interface TransferContext {
  /** The address of the directory with the pointer, without a trailing slash. */
  readonly url: string;
  readonly get: HttpClient['get'];
  readonly userAgent: string;
  readonly retries: RetryRule;
  readonly pace: Pace;
  readonly signal: AbortSignal;
  report(event: TransferEvent): void;
}

export type TransferEvent =
  | { readonly type: 'requested' }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  /** A request failed and will be repeated. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number };

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** A broken request that received at least this number of bytes does not count as a failed attempt. */
const MIN_PROGRESS_BYTES = 1024 * 1024;
const MAX_DAMAGED_TRIES = 2;

/** Makes one attempt to GET a path relative to the root. */
type Get = (path: string, headers: Readonly<Record<string, string>>) => Promise<GetResponse>;

export class Transfer {
  #supportsRanges = true;

  constructor(readonly context: TransferContext) {}

  /**
   * Returns the bytes of a small file; null if the host does not have the file. Throws a Failure, and the signal's
   * reason.
   */
  fetchSmallFile(path: string, maxBytes: number): Promise<Buffer | null> {
    return this.#withRetries(path, async (get, count) => {
      const { status, body, discard } = await get(path, { 'accept-encoding': 'gzip, deflate' });
      if (status !== 200) {
        await discard();
        if (status === 404 || status === 410) return null;
        throw this.#responseFailure(path, `answered ${status}`);
      }
      const makeFailure = () => this.#responseFailure(path, `sent more than ${maxBytes} bytes`);
      return readBody(countBytes(body, count), maxBytes, makeFailure);
    });
  }

  /**
   * Writes the pieces of a span to a file. If the host does not support ranges and sends the whole file, writes the
   * whole file.
   * @param pieces all pieces of the file
   * @returns whether the whole file was written. Throws a Failure if the response is not the file.
   */
  async fetchSpan(stamp: string, file: PublishedFile, pieces: readonly Piece[], span: PieceSpan, target: FileHandle) {
    const path = `${stamp}/${file.path}`;
    let writer = new PieceWriter(span, findSpanStart(span), findSpanEnd(span), target);
    for (let damaged = 0; !writer.isDone; ) {
      await this.#withRetries(path, async (get, count) => {
        const { verifiedEnd: start, end } = writer;
        const isRange = this.#supportsRanges && (start > 0 || end < file.bytes);
        const range = isRange ? { range: `bytes=${start}-${end - 1}` } : {};
        const response = await get(path, { 'accept-encoding': 'identity', ...range });
        const fault = findFault(response, file.bytes, isRange ? start : null);
        if (fault !== null) {
          await response.discard();
          throw this.#responseFailure(path, fault);
        }
        if (response.status === 200) {
          this.#supportsRanges &&= !isRange;
          writer = new PieceWriter(pieces, 0, file.bytes, target);
        } else writer.rewind();
        for await (const chunk of response.body) {
          count(chunk.length);
          if (!(await writer.write(chunk))) return;
        }
        if (!writer.isDone) throw new Error(`${this.#host} sent fewer bytes of ${file.path} than were requested`);
      });
      if (!writer.isDone) damaged += 1;
      if (damaged === MAX_DAMAGED_TRIES)
        throw this.#responseFailure(path, 'sent data that does not match the published hash');
    }
    return writer.coversFile(file.bytes);
  }

  get #host(): string {
    return new URL(this.context.url).host;
  }

  #responseFailure(path: string, fault: string): Failure {
    return new Failure('network', `${this.#host} ${fault}: ${path}.`, {
      hint: 'The release published there may be incomplete or may have been replaced during the download: run the same command again, or tell its publisher.',
    });
  }

  async #withRetries<T>(file: string, send: (get: Get, onReceived: (bytes: number) => void) => Promise<T>): Promise<T> {
    const { retries: rule, signal, report } = this.context;
    const tryOnce = async (): Promise<Attempt<T>> => {
      let received = 0;
      const count = (bytes: number) => {
        received += bytes;
        report({ type: 'received', file, bytes });
      };
      try {
        return { outcome: null, value: await send((path, headers) => this.#get(path, headers), count) };
      } catch (error) {
        signal.throwIfAborted();
        if (isFailure(error) || isSystemError(error)) throw error;
        return toFailedAttempt(error, received);
      }
    };
    const pace = { rule, progressBytes: MIN_PROGRESS_BYTES, signal };
    const reportRetry = ({ why, ms }: { why: string; ms: number }) => report({ type: 'retrying', file, why, ms });
    const { last, failedAttemptCount } = await tryUntilFinal(tryOnce, { ...pace, report: reportRetry });
    if (last.outcome === null) return last.value;
    throw makeGiveUpFailure(file, failedAttemptCount + 1, last);
  }

  /** Follows redirects within the same origin. Throws a TransientResponseError if another attempt may succeed. */
  async #get(path: string, headers: Readonly<Record<string, string>>): Promise<GetResponse> {
    const { url: root, get, userAgent, report, signal, pace } = this.context;
    const options = { headers: { 'user-agent': userAgent, ...headers }, signal, pace };
    const beforeRequest = () => report({ type: 'requested' });
    const response = await get({ url: `${root}/${path}`, ...options, beforeRequest });
    const isTransient = TRANSIENT_STATUSES.has(response.status);
    if (!isTransient && !isRedirect(response.status)) return response;
    await response.discard();
    if (isTransient) throw new TransientResponseError(`${this.#host} answered ${response.status}`, response);
    const target = findRedirectTarget(response.headers.location, response.url);
    if (target?.origin === new URL(root).origin) throw this.#responseFailure(path, 'redirects too many times');
    throw new Failure('network', `${describeRedirect(response.url, target)}.`, {
      hint: 'fin does not follow redirects to another scheme, host or port. If you trust the target of the redirect, run the command again with the address of the release there.',
    });
  }
}

async function* countBytes(body: AsyncIterable<Uint8Array>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    add(chunk.length);
    yield chunk;
  }
}

/** A response that may be different on a later attempt. */
class TransientResponseError extends Error {
  constructor(
    message: string,
    readonly head: Pick<GetResponse, 'status' | 'headers'>,
  ) {
    super(message);
  }
}

type Attempt<T> = { readonly outcome: null; readonly value: T } | FailedAttempt;

interface FailedAttempt {
  readonly outcome: AttemptOutcome;
  readonly error: unknown;
  readonly progress: number;
  why(): string;
}

function toFailedAttempt(error: unknown, progress: number): FailedAttempt {
  const message = isError(error) ? error.message : String(error);
  const why = () => `${message.replace(/\.$/, '')}.`;
  if (error instanceof TransientResponseError)
    return { outcome: { ...error.head, violated: [] }, error, progress, why };
  return { outcome: { broken: isConnectionError(error) ? error.kind : 'truncated' }, error, progress, why };
}

function makeGiveUpFailure(file: string, tryCount: number, { outcome, error, why }: FailedAttempt): Failure {
  const kind: FailureKind = 'broken' in outcome ? 'network' : outcome.status === 429 ? 'limit' : 'service';
  const tries = tryCount === 1 ? '' : ` after ${tryCount} tries`;
  return new Failure(kind, `${file} could not be pulled${tries}: ${why()}`, {
    hint: 'Files pulled so far are kept; run the same command again to continue.',
    cause: 'broken' in outcome ? error : undefined,
  });
}

/**
 * Returns why a response is not the file, as the predicate of a sentence; null if the response may be the file.
 * @param start first byte of the requested range; null if the whole file was requested
 */
function findFault({ status, headers }: GetResponse, bytes: number, start: number | null) {
  if (status === 404 || status === 410) return `has no such file (status ${status})`;
  if (status === 416) return `has a file with fewer than the ${bytes} bytes that ${FILE_LIST_FILE} states`;
  if (/^\s*text\/html\b/i.test(headers['content-type'] ?? '')) return 'sent a web page instead of a file';
  if (status === 206) return findRangeFault(headers['content-range'] ?? '', bytes, start);
  if (status !== 200) return `answered ${status}`;
  const length = headers['content-length'];
  const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (length === undefined || isEncoded || Number(length) === bytes) return null;
  return `has a file of ${length} bytes instead of the ${bytes} that ${FILE_LIST_FILE} states`;
}

function findRangeFault(header: string, bytes: number, start: number | null): string | null {
  const [, first, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(header) ?? [];
  if (start === null || first === undefined || Number(first) !== start)
    return 'sent a range that was not requested or that has no valid Content-Range header';
  if (total === '*' || Number(total) === bytes) return null;
  return `has a file of ${total} bytes instead of the ${bytes} that ${FILE_LIST_FILE} states`;
}

/** Writes received bytes to a file, and verifies each piece when it is complete. */
class PieceWriter {
  #nextPiece = 0;
  #position: number;
  #hash = createHash('sha256');

  /** @param pieces consecutive pieces that consist of the bytes from `start` to `end` */
  constructor(
    private readonly pieces: readonly Piece[],
    readonly start: number,
    readonly end: number,
    readonly target: FileHandle,
  ) {
    this.#position = start;
  }

  /** Offset after the last verified piece. */
  get verifiedEnd(): number {
    return this.pieces[this.#nextPiece]?.offset ?? this.end;
  }

  get isDone(): boolean {
    return this.#nextPiece === this.pieces.length;
  }

  coversFile(bytes: number): boolean {
    return this.isDone && this.start === 0 && this.end === bytes;
  }

  /** Discards the bytes after the last complete piece, so that the next request continues there. */
  rewind(): void {
    this.#position = this.verifiedEnd;
    this.#hash = createHash('sha256');
  }

  /** Returns false if a piece does not match its hash, or if more bytes arrive than the pieces have. */
  async write(chunk: Uint8Array): Promise<boolean> {
    for (let rest = chunk; rest.length > 0; ) {
      const piece = this.pieces[this.#nextPiece];
      if (piece === undefined) return false;
      const bytes = rest.subarray(0, piece.offset + piece.length - this.#position);
      await writeAt(this.target, this.#position, bytes);
      this.#hash.update(bytes);
      this.#position += bytes.length;
      rest = rest.subarray(bytes.length);
      if (this.#position < piece.offset + piece.length) continue;
      if (this.#hash.digest('hex').slice(0, PIECE_HASH_DIGITS) !== piece.hash) return false;
      this.#nextPiece += 1;
      this.#hash = createHash('sha256');
    }
    return true;
  }
}
