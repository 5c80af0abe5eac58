/** Fetches the answer to one question, with the attribution that its prices need. */
import type { Client } from '../../client/client.ts';
import { type Operation, rowsOf } from '../../contract/operations.ts';
import type { Question } from '../../contract/question/question.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { Answer } from '../command.ts';

/** One response, or with `--all` every page. */
export interface FetchedAnswer {
  /** The answer as the service gave it; of several pages the last, whose meta is that of all. */
  readonly answer: Answer<unknown>;
  /** Every page in order; each may be read again. */
  readonly pages: () => Iterable<Answer<unknown>>;
  /** All rows in one answer. */
  readonly whole: () => Answer<unknown>;
  /** The document, in pieces. */
  readonly text: () => Iterable<string>;
  /** Where prices came without an attribution: whether one was added, or none is known. */
  readonly attributed?: 'added' | 'missing';
  /** What to report about it beside what the answer shows. */
  readonly notices?: readonly string[];
  readonly close: () => void;
}

export interface FetchCall {
  readonly client: Client;
  readonly question: Question;
  readonly progress: (line: string | null) => void;
  /** Whether what is shown of the answer may be a price; else none is asked for an attribution. */
  readonly priced?: boolean;
}

export type PageFetcher = (call: FetchCall) => Promise<FetchedAnswer>;

/**
 * Throws the Failure of a question without an answer. The answer must be closed.
 * @param fetchPages one page by default
 */
export async function fetchAnswer(call: FetchCall, fetchPages: PageFetcher = fetchOnePage): Promise<FetchedAnswer> {
  const fetched = await fetchPages(call);
  try {
    return await withAttribution(call, fetched);
  } catch (error) {
    fetched.close();
    throw error;
  }
}

export async function fetchOnePage({ client, question }: FetchCall): Promise<FetchedAnswer> {
  const response = await client.ask(question);
  const answer: Answer<unknown> = response.envelope;
  return {
    answer,
    pages: () => [answer],
    whole: () => answer,
    text: () => [response.text.trimEnd()],
    close: () => undefined,
  };
}

/** Whether the answer has as many rows as it may, so that there may be more. */
export function isFull({ operation, parameters }: Question, { data, meta }: Answer<unknown>): boolean {
  return (rowsOf(operation, data)?.length ?? 0) >= Number(meta.limit ?? parameters.limit);
}

/**
 * Prices are never shown without an attribution: a response without one gets the one last seen from the service, or the
 * service is asked for one. Its document stays as the service sent it.
 */
async function withAttribution(call: FetchCall, fetched: FetchedAnswer): Promise<FetchedAnswer> {
  const { client, question, priced = true } = call;
  const { answer } = fetched;
  if (!priced || answer.meta.attribution !== undefined) return fetched;
  const ticker = pricedTicker(question.operation, fetched);
  if (ticker === null) return fetched;
  const attribution = await client.attribution(ticker);
  if (attribution === null) return { ...fetched, attributed: 'missing' };
  return { ...fetched, answer: { ...answer, meta: { ...answer.meta, attribution } }, attributed: 'added' };
}

/** The ticker of the first price in an answer; null where it has none. */
function pricedTicker({ priced }: Operation, { pages }: FetchedAnswer): string | null {
  if (priced === 'never') return null;
  const showsPrice = priced === 'always' ? hasPrice : hasPriceFigure;
  for (const { data } of pages()) {
    for (const row of Array.isArray(data) ? data : [data]) {
      if (typeof row !== 'object' || row === null) continue;
      const values: Readonly<Record<string, unknown>> = row;
      if (showsPrice(values) && typeof values.ticker === 'string') return values.ticker;
    }
  }
  return null;
}

/** Prices by day and a latest one, or the one price of a profile. */
const hasPrice = ({ latest, price }: Readonly<Record<string, unknown>>): boolean =>
  latest != null || (Array.isArray(price) ? price.length > 0 : price != null);

const hasPriceFigure = (row: Readonly<Record<string, unknown>>): boolean =>
  [...PRICED_COLUMNS].some((name) => row[name] != null);
