/** `/v1/securities/{ticker}/prices`: prices by day, marks of record, splits. */

import type { PriceAction, PriceMark, Prices } from '../../../contract/resources/prices.ts';
import { marketCapOn } from '../../../figures/prices/market-price.ts';
import { type DayRange, dayRange } from '../../../figures/prices/price-range.ts';
import { adjustedPrice } from '../../../figures/prices/split-basis.ts';
import type { SourcedPrice } from '../../../figures/prices/tape.ts';
import { isMark } from '../../../figures/prices/tape.ts';
import type { TapeSplit } from '../../../figures/prices/tape-splits.ts';
import { PRICES } from '../../../release/schema/prices.ts';
import type { Handler } from '../../handler.ts';
import { ProblemError } from '../../problem-error.ts';
import { coveredSecurity } from '../covered-security.ts';
import { requireTable } from '../included-tables.ts';
import { attributionMeta } from './attribution.ts';
import { latestPrice, type SecurityPrices, securityPrices } from './security-prices.ts';

export const prices: Handler<'prices'> = async ({ release, parameters }) => {
  const { security, company } = await coveredSecurity(release, parameters.ticker);
  const { date, publishedAt } = release.manifest;
  requireTable(release, PRICES, 'Prices');
  const book = await securityPrices(release, security);
  const question = {
    range: parameters.range ?? null,
    from: parameters.from ?? null,
    to: parameters.to ?? null,
  };
  // A range counts back from the last price; a first day alone is answered up to the release.
  const today = question.from === null ? (book.tape.at(-1)?.day ?? date) : date;
  const range = dayRange(question, today, book.tape[0]?.day ?? null);
  if (range.from > range.to) {
    throw new ProblemError(
      'bad_request',
      `"from" (${range.from}) is after "to" (${range.to}): give the earlier day first.`,
    );
  }
  const shown = book.tape.filter(({ day }) => isWithin(day, range));
  const marks = book.all.filter((price) => isMark(price) && isWithin(price.day, range));
  const latest = latestPrice(book, security.ticker, publishedAt);
  const data: Prices = {
    cik: company.cik,
    ticker: security.ticker,
    entity_name: company.entityName,
    from: range.from,
    to: range.to,
    ...columnsOf(shown, book),
    marks: marks.map(markOf),
    actions: book.splits.flatMap(actionOf),
    latest,
  };
  const used = [...shown, ...marks, ...book.tape.slice(-1)].map(({ source }) => source);
  const attribution = used.length === 0 ? {} : await attributionMeta(release, used);
  return { data, meta: { ticker: security.ticker, ...attribution } };
};

const isWithin = (day: string, { from, to }: DayRange): boolean => from <= day && day <= to;

/** The parallel arrays. A day without a price is absent: a gap is a gap. */
function columnsOf(shown: readonly SourcedPrice[], { splits, counts }: SecurityPrices) {
  return {
    days: shown.map(({ day }) => day),
    price: shown.map(({ price }) => price),
    adj_price: shown.map(({ price, day }) => adjustedPrice(price, day, splits)),
    source: shown.map(({ source }) => source),
    market_cap: shown.map((price) => marketCapOn(price, counts, splits)),
  };
}

function markOf({ day, price, source, sample, agreement }: SourcedPrice): PriceMark {
  return { day, close: price, source, sample, agreement };
}

/** Published where filings and the tape agree. */
function actionOf({ exDate, ratio, accession, confirmedBy }: TapeSplit): PriceAction[] {
  if (confirmedBy === null) return [];
  return [{ ex_date: exDate, kind: 'split', source: confirmedBy, evidence: accession, ratio }];
}
