/**
 * Prices are never shown without an attribution (choices.md, "Attribution"): where an answer brings prices and
 * none, the one last seen from the service is put to it, or the service is asked for one.
 */
import type { Client } from '../../client/client.ts';
import type { Operation } from '../../contract/operations.ts';
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { FetchedAnswer } from './fetched-answer.ts';

/** The same answer, attributed where it can be. Its document stays as the service sent it. */
export async function withAttribution(
  operation: Operation,
  found: FetchedAnswer,
  client: Client,
): Promise<FetchedAnswer> {
  const { answer: told } = found;
  if (told.meta.attribution !== undefined) return found;
  const ticker = pricedTicker(operation, found);
  if (ticker === null) return found;
  const attribution = await client.attribution(ticker);
  if (attribution === null) return { ...found, attributed: 'missing' };
  return { ...found, answer: { ...told, meta: { ...told.meta, attribution } }, attributed: 'added' };
}

/** Whose price an answer shows, the first of several; null where it shows none. */
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
