/** `--all`: every page of one question, kept until the last has arrived: the first in memory, the rest in a temporary file. */
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientResponse } from '../../client/response.ts';
import { Failure } from '../../contract/failure.ts';
import { MISSING_TEXT } from '../../contract/missing-text.ts';
import { type Operation, rowsOf, totalOf } from '../../contract/operations.ts';
import { changeQuestion } from '../../contract/question/question.ts';
import { validateResponse } from '../../contract/resources/validate-response.ts';
import { systemFailure } from '../../platform/system-error.ts';
import type { Answer } from '../command.ts';
import type { FetchCall, FetchedAnswer } from './fetch.ts';

/** Rows that moved during three attempts will not stay in place during a fourth. */
const ATTEMPTS = 3;

/**
 * Throws what a page fails with, a usage Failure where there are more rows than an offset can reach, and a service
 * Failure where rows keep moving.
 */
export async function fetchAllPages(call: FetchCall): Promise<FetchedAnswer> {
  const { operation } = call.question;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const spool = openSpool(operation);
    try {
      const last = await turnPages(call, spool);
      if (last !== null) return joinPages(operation, spool, last);
    } catch (error) {
      spool.close();
      throw error;
    } finally {
      call.progress(null);
    }
    spool.close();
  }
  throw new Failure('service', `The data changed ${ATTEMPTS} times while its pages were fetched.`, {
    hint: 'Nothing was written. Try again when the release has settled.',
  });
}

/** The last page, with the meta of all; null where the pages do not belong together. */
async function turnPages({ client, question, progress }: FetchCall, spool: Spool): Promise<Answer<unknown> | null> {
  const { operation } = question;
  const limit = pageSize(question);
  const seen = new Set<string>();
  let [first, offset] = ['', 0];
  for (;;) {
    refuseBeyond(operation, offset);
    const response = await client.ask(
      changeQuestion(question, [
        ['limit', limit],
        ['offset', `${offset}`],
      ]),
    );
    const page: Answer<unknown> = response.envelope;
    const rows = rowsOf(operation, page.data) ?? [];
    const rest = withoutRows(operation, page);
    if (offset === 0) first = rest;
    else if (rest !== first) return null;
    const before = seen.size;
    const identities = rows.flatMap((row) => identityOf(operation, row) ?? []);
    for (const identity of identities) seen.add(identity);
    if (seen.size < before + new Set(identities).size) return null;
    const total = totalOf(operation, page);
    const next = offset + rows.length;
    if (rows.length > 0 || offset === 0) spool.add(response, rows.length);
    const isLast = total === null ? rows.length < (page.meta.limit ?? Number(limit)) : next >= total;
    // An empty page before the promised end: rows have been removed since.
    if (!isLast && rows.length === 0 && total !== null) return null;
    if (isLast || rows.length === 0) return { ...page, meta: { ...page.meta, offset, total: total ?? next } };
    offset = next;
    progress(`${offset}${total === null ? '' : ` of ${total}`} rows`);
  }
}

function pageSize({ operation, given }: FetchCall['question']): string {
  const text = given.find(([name]) => name === 'limit')?.[1] ?? boundOf(operation, 'limit');
  return `${text}`;
}

function boundOf({ id, parameters }: Operation, name: string): number {
  const max = parameters.find((parameter) => parameter.name === name)?.max;
  if (max === undefined) throw new Error(`${name} of ${id} has no upper bound`);
  return max;
}

function refuseBeyond(operation: Operation, offset: number): void {
  const most = boundOf(operation, 'offset');
  if (offset <= most) return;
  throw new Failure('usage', `There are more rows than an offset can reach (${most}).`, {
    hint: 'Narrow the question, so that each part has fewer. Nothing was written.',
  });
}

/** A row met again shows that rows moved. */
function identityOf({ rows }: Operation, row: unknown): string | null {
  const identity = rows?.identity?.map((name) => Reflect.get(Object(row), name) ?? null);
  return identity === undefined || identity.includes(MISSING_TEXT) ? null : JSON.stringify(identity);
}

/** Pages belong together when all but their rows is the same: the release, the totals, the report. */
function withoutRows({ rows }: Operation, { data, meta }: Answer<unknown>): string {
  const field = rows?.field ?? null;
  const { release, total, set_aside: setAside, universe } = meta;
  const rest = field === null ? null : { ...Object(data), [field]: null };
  return JSON.stringify([release?.stamp ?? null, total ?? null, setAside ?? null, universe ?? null, rest]);
}

function joinPages(operation: Operation, spool: Spool, last: Answer<unknown>): FetchedAnswer {
  const field = operation.rows?.field ?? null;
  const pages = function* (): Generator<Answer<unknown>> {
    for (const { envelope } of spool.each()) yield envelope;
  };
  const meta = metaOfAll(last);
  return {
    answer: last,
    pages,
    whole: () => {
      const rows = [...pages()].flatMap((page) => rowsOf(operation, page.data) ?? []);
      return { meta, data: field === null ? rows : { ...Object(last.data), [field]: rows } };
    },
    text: () => joinTexts(spool, field === null ? ['data'] : ['data', field], meta),
    close: spool.close,
  };
}

/** What the last page's meta is of all rows: from the first on, and within no limit. */
function metaOfAll({ meta: { limit: _, ...meta } }: Answer<unknown>): Answer<unknown>['meta'] {
  return { ...meta, offset: 0 };
}

/** The last page's text with the rows of all pages, byte for byte, and their meta. */
function* joinTexts(spool: Spool, path: readonly string[], meta: object): Generator<string> {
  let last = '';
  for (const { text } of spool.each()) last = text;
  const rows = spanOf(last, path);
  const facts = spanOf(last, ['meta'], '{');
  const inner = JSON.stringify(meta).slice(1, -1);
  if (facts.end < rows.start) yield last.slice(0, facts.start) + inner + last.slice(facts.end, rows.start);
  else yield last.slice(0, rows.start);
  let index = 0;
  for (const { text } of spool.each()) {
    const span = spanOf(text, path);
    yield `${index === 0 ? '' : ','}${text.slice(span.start, span.end)}`;
    index += 1;
  }
  if (facts.end < rows.start) yield last.slice(rows.end).trimEnd();
  else yield last.slice(rows.end, facts.start) + inner + last.slice(facts.end).trimEnd();
}

function spanOf(text: string, path: readonly string[], bracket: Bracket = '['): Span {
  const span = bracketSpan(text, path, bracket);
  if (span === null) throw new Error(`no ${path.join('.')} in the page`);
  return span;
}

/** Where the items of an array, or the fields of an object, are in a JSON text. */
interface Span {
  /** Right behind the opening bracket, and at the closing one. */
  readonly start: number;
  readonly end: number;
}

type Bracket = '[' | '{';

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/**
 * @param json a text that JSON.parse takes
 * @param path names of the objects' fields that lead to the array or object
 * @returns null where there is none; of a field given twice the last, as JSON.parse does
 */
export function bracketSpan(json: string, path: readonly string[], bracket: Bracket = '['): Span | null {
  /** The field that each open object is at; null for an open array. */
  const open: (string | null)[] = [];
  const closing = bracket === '[' ? ']' : '}';
  let awaitsName = false;
  let start = -1;
  let found: Span | null = null;
  const isThere = (): boolean => open.length === path.length && path.every((name, index) => open[index] === name);
  for (const { 0: token, index } of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      if (token === bracket && isThere()) start = index + 1;
      open.push(token === '{' ? '' : null);
      awaitsName = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      if (token === closing && start >= 0 && isThere()) {
        found = { start, end: index };
        start = -1;
      }
    } else if (token === ',') {
      awaitsName = open.at(-1) !== null;
    } else if (awaitsName) {
      open[open.length - 1] = JSON.parse(token);
      awaitsName = false;
    }
  }
  return found;
}

/** A page as it came. Of a service in this process the text is made only where it is read. */
type Page = Pick<ClientResponse, 'envelope' | 'text'>;

/** Pages in order, which need not fit in memory. */
interface Spool {
  add(page: Page, rows: number): void;
  /** Each page as it was added; may be read several times. */
  each(): Generator<Page>;
  close(): void;
}

/** So many rows are kept in memory: every company's. Reading so many back from a file takes longer, and no less memory. */
const ROWS_IN_MEMORY = 20_000;

function openSpool(operation: Operation): Spool {
  const first: Page[] = [];
  let rowsKept = 0;
  let rest: TextFile | null = null;
  return {
    add(page, rows) {
      rowsKept += rows;
      if (rowsKept <= ROWS_IN_MEMORY) first.push(page);
      else {
        rest ??= openTextFile();
        rest.add(page.text);
      }
    },
    *each() {
      yield* first;
      for (const text of rest?.each() ?? []) yield { envelope: withMissingTexts(operation, text), text };
    },
    close: () => rest?.close(),
  };
}

/** The envelope as the client gave it: texts that the service left out are filled in. */
function withMissingTexts(operation: Operation, text: string): ClientResponse['envelope'] {
  const envelope: ClientResponse['envelope'] = JSON.parse(text);
  validateResponse(operation, envelope, new Map());
  return envelope;
}

interface TextFile {
  add(text: string): void;
  each(): Generator<string>;
  close(): void;
}

let serial = 0;

/** A file of this user's own that has no name once it is open: nothing is left of it, however the process ends. */
function openTextFile(): TextFile {
  const path = join(tmpdir(), `fin-${process.pid}-${Date.now().toString(36)}-${serial++}`);
  const file = open(path);
  // Where an open file keeps its name (Windows) it is removed when it is closed.
  const named = !remove(path);
  const lengths: number[] = [];
  return {
    add(text) {
      storing(() => writeFileSync(file, text));
      lengths.push(Buffer.byteLength(text, 'utf8'));
    },
    *each() {
      let at = 0;
      for (const length of lengths) {
        yield read(file, at, length);
        at += length;
      }
    },
    close() {
      closeSync(file);
      if (named) remove(path);
    },
  };
}

const open = (path: string): number => storing(() => openSync(path, 'wx+', 0o600));

function storing<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const advice = 'TMPDIR may name another directory.';
    throw systemFailure('data', `Pages cannot be stored in ${tmpdir()}`, cause, advice);
  }
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function read(file: number, from: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const got = readSync(file, bytes, done, length - done, from + done);
    if (got === 0) throw new Error('the temporary file of pages was cut off');
    done += got;
  }
  return bytes.toString('utf8');
}
