/** Fetches one file: sends the request, handles the response, and retries after transient failures. */

import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Failure, isFailure } from '../../contract/failure.ts';
import { parseRetryAfter } from '../../contract/rate-limit.ts';
import type { HttpClient, Pace } from '../../http/get.ts';
import { isConnectionError } from '../../http/network-errors.ts';
import { type AttemptOutcome, type RetryRule, tryUntilFinal } from '../../http/retry.ts';
import { makePauseFailure, type RequestSpacing } from '../../http/sec/request-spacing.ts';
import { DEFAULT_PAUSE_MS, isUrlOnSite, makeRefusedContactFailure, type Site } from '../../http/sec/site.ts';
import { isSystemError } from '../../platform/files/system-error.ts';
import { type FileRecord, findFileFault, readRecord, writeRecord } from './file-records.ts';
import { findContentFault, type PartialDownload, PartialFile } from './partial-file.ts';
import type { RemoteFile } from './remote-files.ts';
import { classifyResponse, makeRequestHeaders, type ResponseClass, type ResponseHead } from './response-class.ts';

export interface FetchOutcome {
  readonly file: string;
  readonly url: string;
  /** `absent`: the site has no such file. `failed`: the response did not contain the file; `problem` has the reason. */
  readonly state: 'fetched' | 'unchanged' | 'absent' | 'failed';
  /** Size of the stored file. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly problem: string | null;
}

export type FetchEvent =
  /** `files`: the number of files that will be fetched, except those counted by earlier `planned` events. */
  | { readonly type: 'planned'; readonly files: number }
  | { readonly type: 'requested' }
  /** The transfer of a file has started after `from` stored bytes; `total` is the size of the file, null if unknown. */
  | { readonly type: 'started'; readonly file: string; readonly from: number; readonly total: number | null }
  | { readonly type: 'received'; readonly file: string; readonly bytes: number }
  /** An attempt failed; it will be repeated after `ms` milliseconds. */
  | { readonly type: 'retrying'; readonly file: string; readonly why: string; readonly ms: number }
  | { readonly type: 'done'; readonly outcome: FetchOutcome };

/** Dependencies of a download: the network, its limits, and callbacks for events. */
export interface FetchContext {
  /** The directory to which files are fetched. */
  readonly directory: string;
  readonly get: HttpClient['get'];
  /** The User-Agent header: the user's contact (name and e-mail) and the program. */
  readonly userAgent: string;
  readonly spacing: RequestSpacing;
  readonly retries: RetryRule;
  /** Maximum pause in milliseconds that a download accepts when the site limits requests. */
  readonly maxPauseMs: number;
  readonly pace: Pace;
  /**
   * Maximum age in milliseconds of the site's last confirmation of a file. A younger file is not requested again, so
   * that an interrupted fetch resumes immediately.
   */
  readonly maxAgeMs: number;
  /** Waits until no other process is fetching the named file. Returns a function that releases the lock. */
  lock(name: string, signal: AbortSignal): Promise<() => void>;
  readonly signal: AbortSignal;
  report(event: FetchEvent): void;
}

/** Maximum number of pauses per file that a download waits for. */
const MAX_PAUSES = 2;
/**
 * If the download of a zip breaks off, the next attempt resumes it. The attempt counts as failed only if it received
 * fewer new bytes than this.
 */
const MIN_PROGRESS_BYTES = 1024 * 1024;
/** Number of bytes read to recognize an HTML page that was sent with a success status instead of the file. */
const PAGE_START_BYTES = 4096;
/**
 * Maximum number of bytes of an error page that are read. Most pages are shorter, and a connection can be reused only
 * if its response was read completely.
 */
const MAX_ERROR_PAGE_BYTES = 64 * 1024;

/**
 * Returns the outcome for one file. Throws a Failure if requests for other files would fail too (the pause is too long,
 * the contact is rejected, or all attempts failed), and the signal's reason when it aborts.
 */
export async function download(file: RemoteFile, site: Site, context: FetchContext): Promise<FetchOutcome> {
  const release = file.kind === 'zip' ? await context.lock(file.file, context.signal) : null;
  try {
    return await new Download(file, site, context).run();
  } finally {
    release?.();
  }
}

/** A final result (`outcome` is null), or a failure that may be retried. */
type AttemptResult =
  | { readonly outcome: null; readonly result: FetchOutcome }
  | { readonly outcome: AttemptOutcome; readonly progress?: number; readonly cause?: unknown; why(): string };

class Download {
  readonly #partialFile: PartialFile;
  #pauseCount = 0;
  /** Largest number of bytes of the file that an attempt has received, including resumed bytes. */
  #maxReceivedBytes = 0;

  constructor(
    readonly file: RemoteFile,
    readonly site: Site,
    readonly context: FetchContext,
  ) {
    this.#partialFile = new PartialFile(context.directory, file);
  }

  async run(): Promise<FetchOutcome> {
    const copy = await this.#findVerifiedRecord();
    if (copy !== null && (this.file.isFinal === true || isRecentlyChecked(copy.checked, this.context.maxAgeMs)))
      return this.#finish('unchanged', copy).result;
    const { retries: rule, signal, report } = this.context;
    const { last: lastAttempt, failedAttemptCount } = await tryUntilFinal(() => this.#attempt(copy), {
      ...{ rule, progressBytes: MIN_PROGRESS_BYTES, signal },
      report: ({ why, ms }) => report({ type: 'retrying', file: this.file.file, why, ms }),
    }).finally(() => this.#partialFile.removeUnlessResumable());
    if (lastAttempt.outcome === null) return lastAttempt.result;
    const kind = 'broken' in lastAttempt.outcome ? 'network' : 'service';
    throw new Failure(
      kind,
      `${this.file.file} could not be fetched (tries: ${failedAttemptCount + 1}): ${lastAttempt.why()}`,
      { hint: 'Files fetched so far are kept; run the same command again to continue.', cause: lastAttempt.cause },
    );
  }

  /** Sends requests until a request completes the file or fails. */
  async #attempt(copy: FileRecord | null): Promise<AttemptResult> {
    for (;;) {
      const partial = await this.#partialFile.read();
      this.#maxReceivedBytes = Math.max(this.#maxReceivedBytes, partial?.bytes ?? 0);
      const result = await this.#request(copy, partial);
      if (result !== null) return result;
    }
  }

  /** Returns the record of the copy on disk; null if the copy is missing, changed or from another address. */
  async #findVerifiedRecord(): Promise<FileRecord | null> {
    const { directory, signal } = this.context;
    const record = await readRecord(directory, this.file.file);
    if (record === null || record.url !== this.file.url) return null;
    if ((await findFileFault(directory, record, signal)) !== null) return null;
    if (record.whole) return record;
    const fault = await findContentFault(join(directory, record.file), this.file, signal);
    return fault === null ? { ...record, whole: true } : null;
  }

  /** Sends one request. Returns null if this attempt needs another request. */
  async #request(copy: FileRecord | null, partialContent: PartialDownload | null): Promise<AttemptResult | null> {
    const { context, file } = this;
    try {
      const headers = { 'user-agent': context.userAgent, ...makeRequestHeaders(file, copy, partialContent) };
      const response = await context.get({
        ...{ url: file.url, headers, signal: context.signal, pace: context.pace },
        mayFollow: (target) => isUrlOnSite(this.site, target),
        beforeRequest: async () => {
          await context.spacing.waitForSlot(context.signal);
          context.report({ type: 'requested' });
        },
      });
      const body = await peekBody(response.body, response.status < 300 ? PAGE_START_BYTES : MAX_ERROR_PAGE_BYTES);
      try {
        const start = body.start.toString('utf8');
        const outcome = classifyResponse(this.site, file, response.url, response, start, partialContent);
        if (outcome.kind === 'already-whole' && partialContent !== null)
          return await this.#receive(Readable.from([]), partialContent, partialContent, partialContent.bytes);
        if (outcome.kind !== 'complete' && outcome.kind !== 'remainder')
          return await this.#handle(outcome, response, copy, partialContent);
        const partial = outcome.kind === 'remainder' ? partialContent : null;
        const { etag = null, 'last-modified': modified = null } = response.headers;
        const tags = { etag, lastModified: modified };
        return await this.#receive(body.wholeBody, tags, partial, outcome.totalBytes);
      } finally {
        await body.discardUnread();
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (isFailure(error) || isSystemError(error)) throw error;
      // Only zips keep the bytes of a failed attempt; for other files, the number is 0.
      const receivedBytes = (await this.#partialFile.read())?.bytes ?? 0;
      const progress = receivedBytes - this.#maxReceivedBytes;
      this.#maxReceivedBytes = Math.max(this.#maxReceivedBytes, receivedBytes);
      const outcome = { broken: isConnectionError(error) ? error.kind : 'truncated' } as const;
      const message = error instanceof Error ? error.message : String(error);
      return { outcome, progress, cause: error, why: () => message };
    }
  }

  /** Handles a response that does not contain the file. */
  async #handle(
    outcome: Exclude<ResponseClass, { kind: 'complete' | 'remainder' }>,
    response: ResponseHead,
    copy: FileRecord | null,
    partial: PartialDownload | null,
  ): Promise<AttemptResult | null> {
    const { directory, userAgent } = this.context;
    switch (outcome.kind) {
      case 'unchanged':
        if (copy === null) return this.#failWith('answered 304 (not modified) to a request for the whole file');
        await writeRecord(directory, { ...copy, checked: new Date().toISOString() });
        return this.#finish('unchanged', copy);
      case 'absent':
        return this.#finish('absent', null);
      case 'already-whole':
      case 'restart':
        if (partial === null)
          return this.#failWith('answered 416 (range not satisfiable) to a request for the whole file');
        await this.#partialFile.remove();
        return null;
      case 'rate-limited':
        this.#pause(parseRetryAfter(response.headers, Date.now()) ?? DEFAULT_PAUSE_MS);
        return null;
      case 'contact-refused':
        throw makeRefusedContactFailure(readHost(this.file.url), userAgent);
      case 'unavailable':
        return { outcome: { ...response, violated: [] }, why: () => `${readHost(this.file.url)} ${outcome.reason}.` };
      case 'unexpected':
        return this.#failWith(outcome.reason);
    }
  }

  async #receive(
    body: AsyncIterable<Uint8Array>,
    { etag, lastModified }: Pick<FileRecord, 'etag' | 'lastModified'>,
    from: PartialDownload | null,
    total: number | null,
  ): Promise<AttemptResult> {
    const { context, file } = this;
    const tags = { etag, lastModified };
    context.report({ type: 'started', file: file.file, from: from?.bytes ?? 0, total });
    const report = (bytes: number) => context.report({ type: 'received', file: file.file, bytes });
    const result = await this.#partialFile.receive(body, from, tags, total, report, context.signal);
    if ('fault' in result) {
      await this.#partialFile.remove();
      if (!result.isTransient) return this.#failWith(result.fault);
      return { outcome: { broken: 'truncated' }, why: () => `${readHost(this.file.url)} ${result.fault}.` };
    }
    await this.#partialFile.publish();
    const time = new Date().toISOString();
    const { file: name, url } = file;
    const record = { file: name, url, ...result, ...tags, fetched: time, checked: time, whole: true };
    await writeRecord(context.directory, record);
    return this.#finish('fetched', record);
  }

  #pause(pauseMs: number): void {
    const { spacing, maxPauseMs, report } = this.context;
    spacing.pause(pauseMs);
    this.#pauseCount += 1;
    if (this.#pauseCount > MAX_PAUSES || pauseMs > maxPauseMs) throw makePauseFailure(pauseMs);
    const { file, url } = this.file;
    report({ type: 'retrying', file, why: `${readHost(url)} requests a pause.`, ms: pauseMs });
  }

  /** Returns the final outcome for a file that the site did not deliver. */
  #failWith(reason: string): AttemptResult {
    return this.#finish('failed', null, `${readHost(this.file.url)} ${reason}`);
  }

  #finish(
    state: FetchOutcome['state'],
    record: Pick<FileRecord, 'bytes' | 'sha256'> | null,
    problem: string | null = null,
  ): Extract<AttemptResult, { outcome: null }> {
    const { file, url } = this.file;
    const outcome = { file, url, state, bytes: record?.bytes ?? null, sha256: record?.sha256 ?? null, problem };
    return { outcome: null, result: outcome };
  }
}

function isRecentlyChecked(time: string, maxAgeMs: number): boolean {
  const ageMs = Date.now() - Date.parse(time);
  return ageMs >= 0 && ageMs < maxAgeMs;
}

const readHost = (url: string) => new URL(url).host;

/** Reads the first `length` bytes of a body, or all bytes of a shorter body. */
async function peekBody(body: AsyncIterable<Uint8Array>, length: number) {
  const chunkIterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let [peek, hasEnded] = [0, false];
  while (peek < length && !hasEnded) {
    const { value, done } = await chunkIterator.next();
    if (done === true) hasEnded = true;
    else {
      chunks.push(value);
      peek += value.length;
    }
  }
  async function* readAll(): AsyncGenerator<Uint8Array> {
    yield* chunks.splice(0);
    if (!hasEnded) yield* { [Symbol.asyncIterator]: () => chunkIterator };
  }
  return {
    start: Buffer.concat(chunks).subarray(0, length),
    /** The whole body, including `start`. */
    wholeBody: readAll(),
    discardUnread: async () => void (hasEnded || (await chunkIterator.return?.())),
  };
}
