/** Fetches one file: asks, does what the judgement of the answer says, and asks again where that may help. */

import { Failure, isFailure } from '../../contract/failure.ts';
import { sleep } from '../../platform/sleep.ts';
import { type FileRecord, readRecord, verifyFile, writeRecord } from './file-records.ts';
import { PartialFile } from './partial-file.ts';
import { type PeekedBody, peekBody } from './peek.ts';
import { receive } from './receive.ts';
import { pauseFailure } from './request-spacing.ts';
import {
  classifyResponse,
  DEFAULT_PAUSE_MS,
  type PartialContent,
  type ResponseClass,
  requestHeaders,
} from './response-class.ts';
import type { Site } from './site.ts';
import type { DownloadResponse, FetchContext, Outcome, RemoteFile } from './types.ts';

const MOST_MOVES = 5;
const MOST_REFUSALS = 3;
/** A try that brought so much was no failed one: the next begins with fresh patience. */
const PROGRESS = 1024 * 1024;
/** Enough of a body to tell a page from a file; of a refusal, all of it, so that the connection stays usable. */
const START_LENGTH = 4096;
const PAGE_LENGTH = 64 * 1024;

/**
 * Throws a Failure where there is no use in asking this site for other files either (a pause that is too long, a
 * contact it does not take, no connection after several tries), and what the signal was aborted with.
 */
export async function download(step: RemoteFile, site: Site, tools: FetchContext): Promise<Outcome> {
  const leave = step.kind === 'zip' ? await tools.lock(step.file, tools.signal) : null;
  try {
    return await new Download(step, site, tools).run();
  } finally {
    leave?.();
  }
}

class Download {
  readonly #part: PartialFile;
  #url: string;
  #tries = 0;
  #moves = 0;
  #refusals = 0;

  constructor(
    readonly step: RemoteFile,
    readonly site: Site,
    readonly tools: FetchContext,
  ) {
    this.#part = PartialFile.of(tools.directory, step);
    this.#url = step.url;
  }

  async run(): Promise<Outcome> {
    const held = await this.#goodCopy();
    if (held !== null && isRecent(held.checked, this.tools.maxAge)) return this.#outcome('unchanged', held);
    for (;;) {
      const part = await this.#part.read();
      const outcome = await this.#try(held, part);
      if (outcome !== null) return outcome;
    }
  }

  /** What is known of the copy that is there, if it is still to the byte what was fetched from there. */
  async #goodCopy(): Promise<FileRecord | null> {
    const record = await readRecord(this.tools.directory, this.step.file);
    if (record === null || record.url !== this.step.url) return null;
    return (await verifyFile(this.tools.directory, record, this.tools.signal)) === null ? record : null;
  }

  /** One request: the end of the matter, or null when there is to be another. */
  async #try(held: FileRecord | null, part: PartialContent | null): Promise<Outcome | null> {
    const { tools, step } = this;
    await tools.spacing.waitForSlot(tools.signal);
    let received = 0;
    try {
      tools.report({ type: 'asked' });
      const headers = { 'user-agent': tools.userAgent, ...requestHeaders(step, held, part) };
      const answer = await tools.get({ url: this.#url, headers, signal: tools.signal });
      const peeked = await peekBody(answer.body, answer.status < 300 ? START_LENGTH : PAGE_LENGTH);
      try {
        const verdict = classifyResponse(this.site, step, this.#url, answer, peeked.start.toString('utf8'), part);
        if (verdict.is !== 'whole' && verdict.is !== 'rest') return await this.#obey(verdict, answer, held, part);
        return await this.#take(verdict, answer, peeked, part, (bytes) => {
          received += bytes;
        });
      } finally {
        await peeked.release();
      }
    } catch (error) {
      tools.signal.throwIfAborted();
      if (isFailure(error) || !passes(error)) throw error;
      if (received >= PROGRESS) this.#tries = 0;
      await this.#wait({ error }, error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  async #obey(
    verdict: Exclude<ResponseClass, { is: 'whole' | 'rest' }>,
    answer: DownloadResponse,
    held: FileRecord | null,
    part: PartialContent | null,
  ): Promise<Outcome | null> {
    switch (verdict.is) {
      case 'unchanged':
        if (held === null) return this.#failed('said that nothing changed, and was not asked that');
        await writeRecord(this.tools.directory, { ...held, checked: new Date().toISOString() });
        return this.#outcome('unchanged', held);
      case 'absent':
        return this.#outcome('absent', null);
      case 'moved':
        this.#url = verdict.to;
        this.#moves += 1;
        return this.#moves > MOST_MOVES ? this.#failed('sends us from one address to the next') : null;
      case 'restart':
        if (part === null) return this.#failed('answered with a part that was not asked for');
        await this.#part.remove();
        return null;
      case 'refused':
        this.#pause(this.tools.retries.retryAfter(answer.headers) ?? DEFAULT_PAUSE_MS);
        return null;
      case 'undeclared':
        throw new Failure('usage', `The site does not take ${JSON.stringify(this.tools.userAgent)} for a contact.`, {
          hint: 'Give a name and an e-mail address that are yours: --contact "Jane Doe jane@doe.example".',
        });
      case 'failing':
        await this.#wait(answer, `${hostOf(this.#url)} ${verdict.why}.`);
        return null;
      case 'strange':
        return this.#failed(verdict.why);
    }
  }

  async #take(
    { is, total }: Extract<ResponseClass, { is: 'whole' | 'rest' }>,
    { headers }: DownloadResponse,
    { body }: PeekedBody,
    part: PartialContent | null,
    count: (bytes: number) => void,
  ): Promise<Outcome | null> {
    const { tools, step } = this;
    const validators = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
    const from = is === 'rest' ? part : null;
    tools.report({ type: 'begun', file: step.file, from: from?.bytes ?? 0, total });
    const result = await receive(step, this.#part, from, validators, body, total, (bytes) => {
      count(bytes);
      tools.report({ type: 'received', file: step.file, bytes });
    });
    if ('fault' in result) {
      await this.#part.remove();
      if (!result.mayPass) return this.#failed(result.fault);
      await this.#wait({ error: null }, `${hostOf(this.#url)} ${result.fault}.`);
      return null;
    }
    await this.#part.publish();
    const now = new Date().toISOString();
    const record = { file: step.file, url: step.url, ...result, ...validators, fetched: now, checked: now };
    await writeRecord(tools.directory, record);
    return this.#outcome('fetched', record);
  }

  #pause(milliseconds: number): void {
    this.tools.spacing.pause(milliseconds);
    this.#refusals += 1;
    const { retries: patience, report } = this.tools;
    if (this.#refusals >= MOST_REFUSALS || milliseconds > patience.longestPause) throw pauseFailure(milliseconds);
    report({ type: 'retrying', file: this.step.file, why: 'The site asks for a pause.', ms: milliseconds });
  }

  async #wait(outcome: Parameters<FetchContext['retries']['delayBefore']>[0], why: string): Promise<void> {
    const ms = this.tools.retries.delayBefore(outcome, this.#tries);
    this.#tries += 1;
    if (ms === null) {
      const kind = 'error' in outcome ? 'network' : 'service';
      throw new Failure(kind, `${this.step.file} could not be fetched: ${why}`, {
        hint: 'What is fetched is kept; run the same again and it goes on from there.',
        ...('error' in outcome ? { cause: outcome.error } : {}),
      });
    }
    this.tools.report({ type: 'retrying', file: this.step.file, why, ms });
    await sleep(ms, this.tools.signal);
  }

  #failed(why: string): Outcome {
    const problem = `${hostOf(this.#url)} ${why}`;
    return { file: this.step.file, url: this.step.url, state: 'failed', bytes: null, sha256: null, problem };
  }

  #outcome(state: Outcome['state'], known: Pick<FileRecord, 'bytes' | 'sha256'> | null): Outcome {
    const { file, url } = this.step;
    return { file, url, state, bytes: known?.bytes ?? null, sha256: known?.sha256 ?? null, problem: null };
  }
}

/** What the disk refuses is no matter of asking again; the network's errors come without the system's words. */
const passes = (error: unknown): boolean => !(error instanceof Error && 'syscall' in error);

function isRecent(checked: string, trust: number): boolean {
  const age = Date.now() - Date.parse(checked);
  return age >= 0 && age < trust;
}

const hostOf = (url: string) => new URL(url).host;
