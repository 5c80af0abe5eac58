/** `--all`: every page of one question from the first to the last, set aside until the walk is whole. */
import type { Client } from '../../client/client.ts';
import type { ResponseSource } from '../../client/response.ts';
import { Failure } from '../../contract/failure.ts';
import { type Operation, rowsOf, totalOf } from '../../contract/operations.ts';
import { changeQuestion, type Question } from '../../contract/question/question.ts';
import type { Answer } from '../command.ts';
import { arraySpan } from './array-span.ts';
import type { FetchedAnswer } from './fetched-answer.ts';
import { answerOf } from './render-answer.ts';
import { openSpool, type Spool } from './spool.ts';

/** Rows that move under a walk three times over will not stand still the fourth time. */
const ATTEMPTS = 3;

interface PagesCall {
  readonly client: Client;
  readonly question: Question;
  readonly progress: (line: string | null) => void;
}

/**
 * Throws what a page fails with, a usage Failure where there is more than an offset can reach, and a
 * `service` Failure where the rows do not stand still.
 */
export async function walkPages(call: PagesCall): Promise<FetchedAnswer> {
  const sources: ResponseSource[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const aside = openSpool();
    try {
      const last = await turnPages(call, aside, sources);
      if (last !== null) return gathered(call, aside, last, sources);
    } catch (error) {
      aside.close();
      throw error;
    } finally {
      call.progress(null);
    }
    aside.close();
  }
  throw new Failure('service', `What was asked for changed ${ATTEMPTS} times while its pages were turned.`, {
    hint: 'Nothing was written. Ask again when the release has settled.',
  });
}

/** What is told of all pages once they are turned; null where they do not belong together. */
async function turnPages(call: PagesCall, aside: Spool, sources: ResponseSource[]): Promise<Answer<unknown> | null> {
  const { client, question, progress } = call;
  const { operation } = question;
  const limit = pageSize(question);
  const met = new Set<string>();
  let [first, offset] = ['', 0];
  for (;;) {
    refuseBeyond(operation, offset);
    const answer = await client.ask(
      changeQuestion(question, [
        ['limit', limit],
        ['offset', `${offset}`],
      ]),
    );
    sources.push(answer.source);
    const envelope = answerOf(operation, answer.envelope);
    const rows = rowsOf(operation, envelope.data) ?? [];
    const said = besideRows(operation, envelope);
    if (offset === 0) first = said;
    else if (said !== first) return null;
    const seen = met.size;
    const identities = rows.flatMap((row) => identityOf(operation, row) ?? []);
    for (const identity of identities) met.add(identity);
    if (met.size < seen + new Set(identities).size) return null;
    const told = totalOf(operation, envelope);
    const next = offset + rows.length;
    if (rows.length > 0 || offset === 0) aside.add(answer.text);
    const whole = told === null ? rows.length < (envelope.meta.limit ?? Number(limit)) : next >= told;
    // A page that breaks off before the promised end: rows have gone meanwhile.
    if (!whole && rows.length === 0 && told !== null) return null;
    if (whole || rows.length === 0) return { ...envelope, meta: { ...envelope.meta, offset, total: told ?? next } };
    offset = next;
    progress(`${offset}${told === null ? '' : ` of ${told}`} rows`);
  }
}

const pageSize = ({ operation, given }: Question): string =>
  given.find(([name]) => name === 'limit')?.[1] ?? `${operation.parameters.find(({ name }) => name === 'limit')?.max}`;

function refuseBeyond({ parameters }: Operation, offset: number): void {
  const most = parameters.find(({ name }) => name === 'offset')?.max ?? 0;
  if (offset <= most) return;
  throw new Failure('usage', `There are more rows than an offset can reach (${most}).`, {
    hint: 'Narrow the question, so that each part has fewer. Nothing was written.',
  });
}

/** One row met again shows that rows moved. */
function identityOf({ rows }: Operation, row: unknown): string | null {
  const identity = rows?.identity ?? null;
  return identity === null ? null : JSON.stringify(identity.map((name) => Reflect.get(Object(row), name) ?? null));
}

/** Pages belong together when all they say beside their rows is the same: the release, the totals, the report. */
function besideRows({ rows }: Operation, { data, meta }: Answer<unknown>): string {
  const list = rows?.field ?? null;
  const { release, total, set_aside: setAside, universe } = meta;
  const beside = list === null ? null : { ...Object(data), [list]: null };
  return JSON.stringify([release?.stamp ?? null, total ?? null, setAside ?? null, universe ?? null, beside]);
}

function gathered(
  { question: { operation } }: PagesCall,
  aside: Spool,
  told: Answer<unknown>,
  sources: ResponseSource[],
): FetchedAnswer {
  const list = operation.rows?.field ?? null;
  const read = function* (): Generator<Answer<unknown>> {
    for (const text of aside.each()) yield answerOf(operation, JSON.parse(text));
  };
  return {
    answer: told,
    pages: read,
    whole: () => {
      const rows = [...read()].flatMap((page) => rowsOf(operation, page.data) ?? []);
      return { ...told, data: list === null ? rows : { ...Object(told.data), [list]: rows } };
    },
    text: () => joined(aside, list === null ? ['data'] : ['data', list]),
    sources,
    close: aside.close,
  };
}

/** The last page's text with the rows of all, each to the byte as it came. */
function* joined(aside: Spool, path: readonly string[]): Generator<string> {
  let index = 0;
  let last = '';
  for (const text of aside.each()) last = text;
  const { start, end } = spanOf(last, path);
  yield last.slice(0, start);
  for (const text of aside.each()) {
    const span = spanOf(text, path);
    yield `${index === 0 ? '' : ','}${text.slice(span.start, span.end)}`;
    index += 1;
  }
  yield last.slice(end).trimEnd();
}

function spanOf(text: string, path: readonly string[]): { readonly start: number; readonly end: number } {
  const span = arraySpan(text, path);
  if (span === null) throw new TypeError(`no ${path.join('.')} in the page`);
  return span;
}
