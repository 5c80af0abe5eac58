/** Fetches the answer to one question, with the attribution that its prices need. */
import type { ClientResponse } from '../../client/response.ts';
import type { Operation } from '../../contract/operations.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { Answer } from '../command.ts';
import type { FetchCall, FetchedAnswer } from './fetched-answer.ts';

/** Throws the Failure of a question without an answer. The answer must be closed. */
export async function fetchAnswer(call: FetchCall): Promise<FetchedAnswer> {
  const fetched = call.all
    ? await (await import('./all-pages.ts')).fetchAllPages(call)
    : onePage(await call.client.ask(call.question));
  try {
    return await withAttribution(call, fetched);
  } catch (error) {
    fetched.close();
    throw error;
  }
}

function onePage(response: ClientResponse): FetchedAnswer {
  const answer: Answer<unknown> = response.envelope;
  return {
    answer,
    pages: () => [answer],
    whole: () => answer,
    text: () => [response.text.trimEnd()],
    close: () => undefined,
  };
}

/**
 * Prices are never shown without an attribution: a response without one gets the one last seen from the service, or the
 * service is asked for one. Its document stays as the service sent it.
 */
async function withAttribution({ client, question }: FetchCall, fetched: FetchedAnswer): Promise<FetchedAnswer> {
  const { answer } = fetched;
  if (answer.meta.attribution !== undefined) return fetched;
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
