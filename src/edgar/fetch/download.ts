/** Fetches one file: sends the request, handles the response, and repeats the request if that may help. */

import { join } from 'node:path';
import { Failure, isFailure } from '../../contract/failure.ts';
import type { FetchEvent, FetchOutcome } from '../../contract/release-work.ts';
import type { Http } from '../../http/get.ts';
import type { Pace } from '../../http/request-clock.ts';
import { Tries } from '../../http/tries.ts';
import { isOfSystem } from '../../platform/system-error.ts';
import { findContentFault } from './content-check.ts';
import { type FileRecord, readRecord, verifyFile, writeRecord } from './file-records.ts';
import { type PartialContent, PartialFile } from './partial-file.ts';
import { pauseFailure, type RequestSpacing } from './request-spacing.ts';
import {
  classifyResponse,
  DEFAULT_PAUSE_MS,
  type ResponseClass,
  type ResponseHead,
  requestHeaders,
} from './response-class.ts';
import { isWithin, type RemoteFile, type Site } from './site.ts';

/** Decides whether to retry, and how long to wait (ms). */
export interface RetryPolicy {
  /**
   * Returns the wait before the next attempt, after a broken connection (`error`) or a failed service; null to stop.
   * @param waited total wait for this file so far
   */
  delayBefore(outcome: { readonly error: unknown } | ResponseHead, attempt: number, waited: number): number | null;
  /** Returns the wait that `Retry-After` asks for, or null. */
  retryAfter(headers: ResponseHead['headers']): number | null;
  /** Maximum pause that is waited for. */
  readonly longestPause: number;
}

/** What a fetch depends on: the network, its rules, and receivers of events. */
export interface FetchContext {
  /** The directory for the files. */
  readonly directory: string;
  readonly get: Http['get'];
  /** The contact (name and e-mail), and the program. */
  readonly userAgent: string;
  readonly spacing: RequestSpacing;
  readonly retries: RetryPolicy;
  readonly pace: Pace;
  /**
   * A file confirmed within this time (ms) is not requested again, so that an interrupted fetch continues
   * immediately.
   */
  readonly maxAge: number;
  /** Waits until no other process uses the named file; resolves to a function that releases it. */
  lock(name: string, signal: AbortSignal): Promise<() => void>;
  readonly signal: AbortSignal;
  report(event: FetchEvent): void;
}

const MAX_PAUSES = 3;
/** Bytes. An attempt that received this much more of a zip, which can be resumed, does not count as failed. */
const PROGRESS = 1024 * 1024;
/**
 * Number of bytes to tell an HTML page from a file; an error page is usually read completely, so that the connection
 * stays usable.
 */
const START_LENGTH = 4096;
const ERROR_LENGTH = 64 * 1024;

/**
 * Throws a Failure if requests for other files of the site would fail too (a pause that is too long, a rejected
 * contact, no connection after several attempts), and the signal's reason when it aborts.
 */
export async function download(file: RemoteFile, site: Site, context: FetchContext): Promise<FetchOutcome> {
  const release = file.kind === 'zip' ? await context.lock(file.file, context.signal) : null;
  try {
    return await new Download(file, site, context).run();
  } finally {
    release?.();
  }
}

class Download {
  readonly #partial: PartialFile;
  readonly #tries = new Tries();
  #pauses = 0;
  /** Maximum number of bytes of the file that any attempt has received. */
  #reached = 0;

  constructor(
    readonly file: RemoteFile,
    readonly site: Site,
    readonly context: FetchContext,
  ) {
    this.#partial = new PartialFile(context.directory, file);
  }

  async run(): Promise<FetchOutcome> {
    const copy = await this.#verifiedCopy();
    if (copy !== null && isRecent(copy.checked, this.context.maxAge)) return this.#outcome('unchanged', copy);
    for (;;) {
      const partial = await this.#partial.read();
      this.#reached = Math.max(this.#reached, partial?.bytes ?? 0);
      const outcome = await this.#try(copy, partial);
      if (outcome !== null) return outcome;
    }
  }

  /** Returns the record of the local copy, if its bytes are unchanged and came from this address. */
  async #verifiedCopy(): Promise<FileRecord | null> {
    const { directory, signal } = this.context;
    const record = await readRecord(directory, this.file.file);
    if (record === null || record.url !== this.file.url) return null;
    if ((await verifyFile(directory, record, signal)) !== null) return null;
    if (record.whole) return record;
    const fault = await findContentFault(join(directory, record.file), this.file, signal);
    return fault === null ? { ...record, whole: true } : null;
  }

  /** Sends one request; returns the outcome, or null to send another. */
  async #try(copy: FileRecord | null, partial: PartialContent | null): Promise<FetchOutcome | null> {
    const { context, file } = this;
    let reached = partial?.bytes ?? 0;
    try {
      const headers = { 'user-agent': context.userAgent, ...requestHeaders(file, copy, partial) };
      const response = await context.get({
        ...{ url: file.url, headers, signal: context.signal, pace: context.pace },
        mayFollow: (to) => isWithin(this.site, to),
        before: async () => {
          await context.spacing.waitForSlot(context.signal);
          context.report({ type: 'requested' });
        },
      });
      const body = await peekBody(response.body, response.status < 300 ? START_LENGTH : ERROR_LENGTH);
      try {
        const found = classifyResponse(this.site, file, response.url, response, body.start.toString('utf8'), partial);
        if (found.kind !== 'complete' && found.kind !== 'remainder') {
          return await this.#handle(found, response, copy, partial);
        }
        const from = found.kind === 'remainder' ? partial : null;
        reached = from?.bytes ?? 0;
        return await this.#receive(body.all, response, from, found.total, (bytes) => {
          reached += bytes;
        });
      } finally {
        await body.release();
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (isFailure(error) || isOfSystem(error)) throw error;
      if (file.kind === 'zip' && reached >= this.#reached + PROGRESS) this.#tries.progressed();
      this.#reached = Math.max(this.#reached, reached);
      await this.#waitToRetry({ error }, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** Handles a response whose body is not the file. */
  async #handle(
    found: Exclude<ResponseClass, { kind: 'complete' | 'remainder' }>,
    response: ResponseHead,
    copy: FileRecord | null,
    partial: PartialContent | null,
  ): Promise<FetchOutcome | null> {
    const { directory, retries, userAgent } = this.context;
    switch (found.kind) {
      case 'unchanged':
        if (copy === null) return this.#failed('answered 304 to a request without validators');
        await writeRecord(directory, { ...copy, checked: new Date().toISOString() });
        return this.#outcome('unchanged', copy);
      case 'absent':
        return this.#outcome('absent', null);
      case 'restart':
        if (partial === null) return this.#failed('answered with a range that was not requested');
        await this.#partial.remove();
        return null;
      case 'rate-limited':
        this.#pause(retries.retryAfter(response.headers) ?? DEFAULT_PAUSE_MS);
        return null;
      case 'contact-refused':
        throw new Failure('usage', `The site does not accept ${JSON.stringify(userAgent)} as a contact.`, {
          hint: 'Give a name and an e-mail address that are yours: --contact "Jane Doe jane@doe.example".',
        });
      case 'unavailable':
        await this.#waitToRetry(response, `${hostOf(this.file.url)} ${found.why}.`);
        return null;
      case 'unexpected':
        return this.#failed(found.why);
    }
  }

  async #receive(
    body: AsyncIterable<Uint8Array>,
    { headers }: ResponseHead,
    from: PartialContent | null,
    total: number | null,
    onBytes: (bytes: number) => void,
  ): Promise<FetchOutcome | null> {
    const { context, file } = this;
    const validators = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
    context.report({ type: 'started', file: file.file, from: from?.bytes ?? 0, total });
    const take = (bytes: number) => {
      onBytes(bytes);
      context.report({ type: 'received', file: file.file, bytes });
    };
    const received = await this.#partial.receive(body, from, validators, total, take, context.signal);
    if ('fault' in received) {
      await this.#partial.remove();
      if (!received.isTransient) return this.#failed(received.fault);
      await this.#waitToRetry({ error: null }, `${hostOf(this.file.url)} ${received.fault}.`);
      return null;
    }
    await this.#partial.publish();
    const now = new Date().toISOString();
    const record = {
      file: file.file,
      url: file.url,
      ...received,
      ...validators,
      fetched: now,
      checked: now,
      whole: true,
    };
    await writeRecord(context.directory, record);
    return this.#outcome('fetched', record);
  }

  #pause(ms: number): void {
    const { spacing, retries, report } = this.context;
    spacing.pause(ms);
    this.#pauses += 1;
    if (this.#pauses >= MAX_PAUSES || ms > retries.longestPause) throw pauseFailure(ms);
    report({ type: 'retrying', file: this.file.file, why: 'The site asks for a pause.', ms });
  }

  async #waitToRetry(outcome: Parameters<RetryPolicy['delayBefore']>[0], why: string): Promise<void> {
    const ms = this.context.retries.delayBefore(outcome, this.#tries.count, this.#tries.waited);
    if (ms === null) {
      const kind = 'error' in outcome ? 'network' : 'service';
      throw new Failure(kind, `${this.file.file} could not be fetched (tries: ${this.#tries.all + 1}): ${why}`, {
        hint: 'What is fetched is kept; run the same command again and it goes on from there.',
        cause: 'error' in outcome ? outcome.error : undefined,
      });
    }
    this.context.report({ type: 'retrying', file: this.file.file, why, ms });
    await this.#tries.wait(ms, this.context.signal);
  }

  #failed(why: string): FetchOutcome {
    const problem = `${hostOf(this.file.url)} ${why}`;
    return { file: this.file.file, url: this.file.url, state: 'failed', bytes: null, sha256: null, problem };
  }

  #outcome(state: FetchOutcome['state'], known: Pick<FileRecord, 'bytes' | 'sha256'> | null): FetchOutcome {
    const { file, url } = this.file;
    return { file, url, state, bytes: known?.bytes ?? null, sha256: known?.sha256 ?? null, problem: null };
  }
}

function isRecent(checked: string, maxAge: number): boolean {
  const age = Date.now() - Date.parse(checked);
  return age >= 0 && age < maxAge;
}

const hostOf = (url: string) => new URL(url).host;

interface PeekedBody {
  readonly start: Buffer;
  /** The whole body, including the start. */
  readonly all: AsyncIterable<Uint8Array>;
  /** Discards the rest of the body. */
  release(): Promise<void>;
}

/** Reads the first `length` bytes of a body, or all of a shorter one. */
async function peekBody(body: AsyncIterable<Uint8Array>, length: number): Promise<PeekedBody> {
  const rest = body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let [size, ended] = [0, false];
  while (size < length && !ended) {
    const { value, done } = await rest.next();
    if (done === true) ended = true;
    else {
      first.push(value);
      size += value.length;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* first.splice(0);
    if (!ended) yield* { [Symbol.asyncIterator]: () => rest };
  }
  return {
    start: Buffer.concat(first).subarray(0, length),
    all: all(),
    release: async () => void (ended || (await rest.return?.())),
  };
}
