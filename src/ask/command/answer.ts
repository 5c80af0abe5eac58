/**
 * The answer to one input, such as a ticker: one response, or the combined pages or partial responses of several
 * requests.
 */
import { findRows, type Operation, replaceRows } from '../../contract/operations.ts';
import type { Question } from '../../contract/question.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { Notice } from '../../result/notice.ts';

export interface Envelope<Data = unknown> {
  readonly data: Data;
  readonly meta: Partial<Meta>;
}

export interface Answer<Data = unknown> extends Envelope<Data> {
  /** Data of all pages combined; created on first access. */
  readonly data: Data;
  /** Yields the rows of all pages in order; the data itself if it is not a list. */
  readonly items: () => Iterable<ItemOf<Data>>;
  /** Yields the data page by page, or as one page if the client filtered the rows; may be called repeatedly. */
  readonly readPages: () => Iterable<Envelope<Data>>;
  /** The service's data, including rows that the client removed from `data`. */
  readonly unfiltered: Data;
  /** Number of responses that the answer combines, including responses from the cache. */
  readonly requests: number;
  /** Whether only one page was requested, so that a list may have further rows. */
  readonly isPage: boolean;
  /**
   * Yields the JSON document in pieces: the service's response unchanged, or a document that the client made because it
   * combined several responses or filtered the rows.
   */
  readonly document: () => Iterable<string>;
  readonly notices: readonly Notice[];
  readonly close: () => void;
}

type ItemOf<Data> = Data extends readonly (infer Row)[] ? Row : unknown;

/** Returns an answer that consists of one response. */
export function makeAnswer({ operation }: Question, envelope: Envelope, text: () => string): Answer {
  const { data, meta } = envelope;
  return {
    data,
    meta,
    unfiltered: data,
    requests: 1,
    isPage: true,
    notices: [],
    items: () => findRows(operation, data) ?? [data],
    readPages: () => [envelope],
    document: () => [text().trimEnd()],
    close: () => undefined,
  };
}

/**
 * Combines several responses into one answer. The JSON document also states the number of requests (`fin.requests`).
 * @param envelope the first response; the rows of all pages replace its rows, and its limit is removed
 */
export function joinAnswers(
  operation: Operation,
  envelope: Envelope,
  readPages: () => Iterable<Envelope>,
  { requests, close = () => undefined }: { readonly requests: number; readonly close?: () => void },
): Answer {
  const { limit: _, ...meta } = envelope.meta;
  const iterate = function* (): Generator<unknown> {
    for (const { data } of readPages()) yield* findRows(operation, data) ?? [];
  };
  let loaded: unknown;
  const load = (): unknown => {
    loaded ??= replaceRows(operation, envelope.data, [...iterate()]);
    return loaded;
  };
  return {
    get data() {
      return load();
    },
    get unfiltered() {
      return load();
    },
    ...{ meta, items: iterate, readPages, requests, isPage: false, notices: [], close },
    document: () =>
      joinDocuments(replaceRows(operation, envelope.data, []), operation, iterate, { meta, fin: { requests } }),
  };
}

/** Yields the JSON document of several responses in pieces. Its member `fin` does not come from the service. */
function* joinDocuments(empty: unknown, { rows }: Operation, items: () => Iterable<unknown>, rest: object) {
  const field = rows?.field ?? null;
  const data = field === null ? { data: ROWS_PLACEHOLDER } : { data: { ...Object(empty), [field]: ROWS_PLACEHOLDER } };
  const whole = JSON.stringify({ ...data, ...rest });
  const [head = '', tail = ''] = whole.split(JSON.stringify(ROWS_PLACEHOLDER));
  yield `${head}[`;
  let isFirst = true;
  for (const item of items()) {
    yield (isFirst ? '' : ',') + JSON.stringify(item);
    isFirst = false;
  }
  yield `]${tail}`;
}

/**
 * Placeholder that is replaced by the rows. Starts with a control character, so that no text of an answer equals it.
 */
const ROWS_PLACEHOLDER = '\u0000rows';

/**
 * Returns a copy of the answer with some members replaced; data that is not replaced is still created on first access.
 */
export const changeAnswer = (answer: Answer, changes: Partial<Answer>): Answer =>
  Object.defineProperties({} as Answer, {
    ...Object.getOwnPropertyDescriptors(answer),
    ...Object.getOwnPropertyDescriptors(changes),
  });

/**
 * Returns a copy of the answer with the data that remained after filtering. The field `fin.narrowed` of its JSON
 * document is true.
 */
export const narrowAnswer = (answer: Answer, operation: Operation, data: unknown): Answer =>
  changeAnswer(answer, {
    data,
    items: () => findRows(operation, data) ?? [data],
    readPages: () => [{ data, meta: answer.meta }],
    document: () => [JSON.stringify({ data, meta: answer.meta, fin: { requests: answer.requests, narrowed: true } })],
  });
