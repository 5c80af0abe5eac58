/**
 * Fetches all pages of a question before any page is used. Keeps the first pages in memory, and later pages in a
 * temporary file. Loaded on demand.
 */

import { closeSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientResponse } from '../../client/request/response.ts';
import { Failure } from '../../contract/failure.ts';
import { findParameterMaximum, findRows, hasPages, type Operation, readTotal } from '../../contract/operations.ts';
import { changeQuestion, findGivenText } from '../../contract/question.ts';
import { MISSING_TEXT_PLACEHOLDER } from '../../contract/text/missing-text.ts';
import { say } from '../../contract/text/text.ts';
import { validateResponse } from '../../contract/validate-response.ts';
import { removeFile } from '../../platform/files/directories.ts';
import { readInto } from '../../platform/files/regular-file.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { makeWarning } from '../../result/notice.ts';
import { type Answer, changeAnswer, type Envelope, joinAnswers, makeAnswer } from '../command/answer.ts';
import { type FetchCall, fetchOnePage, isPageFull } from './fetch-response.ts';

/** Maximum number of times that all pages are fetched; they are fetched again if rows moved between pages. */
const MAX_ATTEMPTS = 3;

/**
 * Returns all pages as one answer. Throws the Failure of a page, a usage Failure if the rows exceed the maximum offset,
 * and a service Failure if rows keep moving between pages.
 */
export async function fetchAllPages(call: FetchCall): Promise<Answer> {
  const { operation } = call.question;
  if (!hasPages(operation)) return fetchUnpagedList(call);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const spool = openSpool(operation);
    try {
      const answer = await fetchPagesOnce(call, spool);
      if (answer !== null) return answer;
    } catch (error) {
      spool.close();
      throw error;
    } finally {
      call.progress(null);
    }
    spool.close();
  }
  const hint = 'No part of the answer is shown. Try again in a few minutes.';
  throw new Failure('service', `The data changed ${MAX_ATTEMPTS} times while its pages were fetched.`, { hint });
}

/** Fetches a list that accepts no offset and therefore has only one page. Warns if rows may be missing. */
async function fetchUnpagedList(call: FetchCall): Promise<Answer> {
  const answer = await fetchOnePage(call);
  if (!isPageFull(call.question, answer)) return changeAnswer(answer, { isPage: false });
  const total = readTotal(call.question.operation, answer);
  const shownCount = findRows(call.question.operation, answer.data)?.length ?? 0;
  if (total !== null && total <= shownCount) return changeAnswer(answer, { isPage: false });
  const count = `${shownCount}${total === null ? '' : ` of ${total}`}`;
  const notice = makeWarning('list_cut', say`Showing ${count} rows, the maximum that the service returns.`);
  return changeAnswer(answer, { isPage: false, notices: [...answer.notices, notice] });
}

/** Fetches all pages once. Returns null if rows or totals changed between pages. */
async function fetchPagesOnce(call: FetchCall, spool: Spool): Promise<Answer | null> {
  const { client, question, progress } = call;
  const { operation } = question;
  const limit = findGivenText(question.rawParameters, 'limit') ?? `${findParameterMaximum(operation, 'limit')}`;
  const seen = new Set<string>();
  let first: ClientResponse | null = null;
  let firstCommonPart = '';
  let offset = 0;
  let requests = 0;
  for (;;) {
    refuseExcessiveOffset(operation, offset);
    const from = offset === 0 ? [] : [['offset', `${offset}`] as const];
    const pageQuestion = changeQuestion(question, [['limit', limit], ...from]);
    const response = await client.ask(pageQuestion);
    requests += 1;
    const envelope = response.envelope as Envelope;
    const rows = findRows(operation, envelope.data) ?? [];
    const commonPart = serializeCommonPart(operation, envelope);
    if (first === null) [first, firstCommonPart] = [response, commonPart];
    else if (commonPart !== firstCommonPart) return null;
    if (addAndDetectRepeat(call, rows, seen)) return null;
    const total = readTotal(operation, envelope);
    const nextOffset = offset + rows.length;
    if (rows.length > 0 || offset === 0) spool.addPage(response, rows.length);
    const size = envelope.meta.limit ?? Number(limit);
    const isLast = total === null ? rows.length === 0 || rows.length < size : nextOffset >= total;
    if (isLast) return makeAnswerOfPages(call, spool, first, { requests, total: total ?? nextOffset });
    // An empty page before the expected end means that rows were removed in the meantime.
    if (rows.length === 0) return null;
    offset = nextOffset;
    progress(`${offset}${total === null ? '' : ` of ${total}`} rows`);
  }
}

/**
 * Whether a page repeats a row of an earlier page, because rows moved between pages. Adds the page's rows to
 * `earlier`.
 */
function addAndDetectRepeat({ inProcess, question }: FetchCall, rows: readonly unknown[], earlier: Set<string>) {
  // A service in this process answers all pages from one release, in which no row moves.
  if (inProcess) return false;
  const identities = rows.flatMap((row) => makeIdentity(question.operation, row) ?? []);
  const repeats = identities.some((identity) => earlier.has(identity));
  for (const identity of identities) earlier.add(identity);
  return repeats;
}

function refuseExcessiveOffset(operation: Operation, offset: number): void {
  const max = findParameterMaximum(operation, 'offset') ?? 0;
  if (offset <= max) return;
  throw new Failure('usage', `The result has too many rows to fetch: the service accepts offsets only up to ${max}.`, {
    hint: 'No part of the answer is shown. Add filters to get fewer rows.',
  });
}

/** Returns a text that identifies a row among the rows of all pages; null if the row has no identity. */
function makeIdentity({ rows }: Operation, row: unknown): string | null {
  const identity = rows?.identity?.map((name) => Reflect.get(Object(row), name) ?? null);
  return identity === undefined || identity.includes(MISSING_TEXT_PLACEHOLDER) ? null : JSON.stringify(identity);
}

/**
 * Returns as text what all pages must have in common, so that they can be joined: the release, the counts, and the data
 * except the rows.
 */
function serializeCommonPart({ rows }: Operation, { data, meta }: Envelope): string {
  const field = rows?.field ?? null;
  const { release, total, set_aside: setAside, universe } = meta;
  const otherFields = field === null ? null : { ...Object(data), [field]: null };
  return JSON.stringify([release?.stamp ?? null, total ?? null, setAside ?? null, universe ?? null, otherFields]);
}

type Counts = { readonly requests: number; readonly total: number };

function makeAnswerOfPages({ question }: FetchCall, spool: Spool, first: ClientResponse, { requests, total }: Counts) {
  const { data, meta } = first.envelope as Envelope;
  if (requests === 1) {
    const answer = makeAnswer(question, { data, meta }, () => first.text);
    return changeAnswer(answer, { isPage: false, close: spool.close });
  }
  const { offset: _, ...metaWithoutOffset } = meta;
  const base = { data, meta: { ...metaWithoutOffset, total } };
  return joinAnswers(question.operation, base, spool.readEnvelopes, { requests, close: spool.close });
}

/** Stores pages in order, first in memory and then in a file, because all pages together may exceed the memory. */
type Spool = ReturnType<typeof openSpool>;

/**
 * Maximum number of rows kept in memory, enough for a screen of all companies. A file would be slower, and would save
 * little memory.
 */
const MAX_ROWS_IN_MEMORY = 20_000;

function openSpool(operation: Operation) {
  const pages: Envelope[] = [];
  let count = 0;
  let file: ReturnType<typeof createTemporaryFile> | null = null;
  return {
    addPage(page: Pick<ClientResponse, 'envelope' | 'text'>, rowCount: number) {
      count += rowCount;
      if (count <= MAX_ROWS_IN_MEMORY) pages.push(page.envelope as Envelope);
      else {
        file ??= createTemporaryFile();
        file.addText(page.text);
      }
    },
    /** Yields the pages in the order in which they were added; may be called repeatedly. */
    *readEnvelopes(): Generator<Envelope> {
      yield* pages;
      for (const text of file?.readTexts() ?? []) yield parsePage(operation, text);
    },
    close: () => file?.close(),
  };
}

/** Parses a stored page, and replaces missing texts by a placeholder, as the client does for pages in memory. */
function parsePage(operation: Operation, text: string): Envelope {
  const envelope: Envelope = JSON.parse(text);
  validateResponse(operation, envelope, new Map());
  return envelope;
}

let serialNumber = 0;

/** Opens a private file and unlinks it immediately, so that it disappears even if the process is killed. */
function createTemporaryFile() {
  const path = join(tmpdir(), `fin-${process.pid}-${Date.now().toString(36)}-${serialNumber++}`);
  const file = withStorageAdvice(() => openSync(path, 'wx+', 0o600));
  // Windows cannot unlink an open file, so the file is removed when it is closed.
  const mustRemoveLater = !removeFile(path);
  const lengths: number[] = [];
  return {
    addText(text: string): void {
      withStorageAdvice(() => writeFileSync(file, text));
      lengths.push(Buffer.byteLength(text, 'utf8'));
    },
    *readTexts(): Generator<string> {
      let position = 0;
      for (const length of lengths) {
        const makeError = () => new Error('the temporary file of pages is incomplete');
        yield readInto(Buffer.allocUnsafe(length), file, position, makeError).toString('utf8');
        position += length;
      }
    },
    close() {
      closeSync(file);
      if (mustRemoveLater) removeFile(path);
    },
  };
}

function withStorageAdvice<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const advice = `Set ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'} to use another directory.`;
    throw makeSystemFailure('data', `Temporary files cannot be written to ${tmpdir()}`, cause, advice);
  }
}
