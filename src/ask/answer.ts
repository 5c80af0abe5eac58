/** What a service answered to one input: a response, or the pages and parts that several made, as one. */
import { type Operation, rowsOf } from '../contract/operations.ts';
import type { Question } from '../contract/question/question.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { Notice } from '../result/notice.ts';

export interface Envelope<Data = unknown> {
  readonly data: Data;
  readonly meta: Partial<Meta>;
}

export interface Answer<Data = unknown> extends Envelope<Data> {
  /** Of several pages all in one, made when it is first read. */
  readonly data: Data;
  /** The rows of every page, each page as it is read. */
  readonly items: () => Iterable<ItemOf<Data>>;
  /** The responses as the service gave them; each may be read again. */
  readonly pages: () => Iterable<Envelope<Data>>;
  /** All that the service gave, where the client has left something out of `data`. */
  readonly unfiltered: Data;
  /** Number of requests it took. */
  readonly requests: number;
  /** Whether a list ends where a limit ended it. */
  readonly isPage: boolean;
  /** The JSON document in pieces: one response as it came, or several joined. */
  readonly document: () => Iterable<string>;
  readonly notices: readonly Notice[];
  readonly close: () => void;
}

type ItemOf<Data> = Data extends readonly (infer Row)[] ? Row : unknown;

/** An answer of one response. */
export function answerOf(
  { operation }: Question,
  { envelope, text }: { readonly envelope: Envelope; readonly text: () => string },
): Answer {
  const { data, meta } = envelope;
  return {
    ...{ data, meta, unfiltered: data, requests: 1, isPage: true, notices: [] },
    items: () => rowsOf(operation, data) ?? [data],
    pages: () => [envelope],
    document: () => [text().trimEnd()],
    close: () => undefined,
  };
}

/**
 * Several responses as one answer. Its meta is the first one's without a limit, its document names how many there were.
 * @param base the data of which the rows are replaced by those of all pages
 */
export function joinedAnswer(
  operation: Operation,
  base: Envelope,
  pages: () => Iterable<Envelope>,
  { requests, close = () => undefined }: { readonly requests: number; readonly close?: () => void },
): Answer {
  const field = operation.rows?.field ?? null;
  const { limit: _, ...meta } = base.meta;
  const items = function* (): Generator<unknown> {
    for (const { data } of pages()) yield* rowsOf(operation, data) ?? [];
  };
  const withRows = (rows: readonly unknown[]): unknown =>
    field === null ? rows : { ...Object(base.data), [field]: rows };
  let data: unknown;
  const whole = (): unknown => {
    data ??= withRows([...items()]);
    return data;
  };
  return {
    get data() {
      return whole();
    },
    get unfiltered() {
      return whole();
    },
    ...{ meta, items, pages, requests, isPage: false, notices: [], close },
    document: () => joinedDocument(withRows([]), field, items, meta, requests),
  };
}

/** `fin` is this program's own member of a document that several responses were joined to. */
function* joinedDocument(
  empty: unknown,
  field: string | null,
  items: () => Iterable<unknown>,
  meta: object,
  requests: number,
): Generator<string> {
  const around = field === null ? { data: MARK } : { data: { ...Object(empty), [field]: MARK } };
  const [before = '', after = ''] = JSON.stringify({ ...around, meta, fin: { requests } }).split(JSON.stringify(MARK));
  yield `${before}[`;
  let first = true;
  for (const item of items()) {
    yield (first ? '' : ',') + JSON.stringify(item);
    first = false;
  }
  yield `]${after}`;
}

/** No text of an answer: it has a control character, which JSON writes as an escape. */
const MARK = '\u0000rows';

/** The same answer with some of its members changed; its data is still made when it is first read. */
export const changeAnswer = (answer: Answer, changes: Partial<Answer>): Answer => ({
  get data() {
    return answer.data;
  },
  get unfiltered() {
    return answer.unfiltered;
  },
  meta: answer.meta,
  items: answer.items,
  pages: answer.pages,
  requests: answer.requests,
  isPage: answer.isPage,
  document: answer.document,
  notices: answer.notices,
  close: answer.close,
  ...changes,
});

/** The answer with a part of its data, chosen by the client; its document says so in `fin`. */
export const narrowAnswer = (answer: Answer, operation: Operation, data: unknown): Answer =>
  changeAnswer(answer, {
    data,
    items: () => rowsOf(operation, data) ?? [data],
    document: () => [JSON.stringify({ data, meta: answer.meta, fin: { requests: answer.requests, narrowed: true } })],
  });
