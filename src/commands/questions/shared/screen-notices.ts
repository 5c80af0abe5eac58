/** Notices about screens: which companies or figures are omitted or missing, and why. */
import type { Context } from '../../../ask/command.ts';
import { filteredFigures } from '../../../ask/values/screen-filters.ts';
import { operandsOf } from '../../../contract/figures.ts';
import type { Meta } from '../../../contract/resources/envelope.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import { call, say } from '../../../contract/text/text.ts';
import { addDays } from '../../../platform/dates.ts';
import { type Notice, noteOf } from '../../../result/notice.ts';
import { ownValue } from '../../../result/rows.ts';
import { count } from '../../../result/wording.ts';
import { oldRowsNotices } from './row-age.ts';
import type { Screen } from './screen-table.ts';

export function screenNotices(answer: Screen, { inProcess }: Pick<Context, 'inProcess'>): readonly Notice[] {
  const { items, meta } = answer;
  return [
    ...notOperatingNotices(meta),
    ...(inProcess && (meta.set_aside ?? 0) > 0 ? dollarNotices(meta) : []),
    ...noLongerReportingNotices(meta),
    ...(meta.as_of === undefined ? oldRowsNotices(items(), meta) : []),
    ...(inProcess ? otherCurrencyNotices(items()) : []),
    ...priceNotices(answer, inProcess),
  ];
}

function notOperatingNotices({ left_out: leftOut = 0 }: Partial<Meta>): readonly Notice[] {
  if (leftOut === 0) return [];
  const text = `Left out of the industry: ${count(leftOut, 'blank-cheque company, fund or trust', 'blank-cheque companies, funds and trusts')}.`;
  return [noteOf('not_operating', text, { count: leftOut })];
}

/** Maximum age of a price in days before the release, or before the date of the screen; a rule of fin's own service. */
const MAX_PRICE_AGE_DAYS = 180;

/** Reports how many companies of a screen as of a past date no longer report. */
function noLongerReportingNotices({
  as_of: day,
  universe,
  no_longer_reporting: gone,
}: Partial<Meta>): readonly Notice[] {
  if (day === undefined || universe === undefined || gone === undefined) return [];
  // No notice if all companies still report.
  if (gone === 0) return [];
  const text = `Of the ${count(universe, 'company', 'companies')} on ${day}, ${gone} ${gone === 1 ? 'has' : 'have'} stopped reporting since.`;
  return [noteOf('no_longer_reporting', text, { gone, universe })];
}

const AMOUNT_COLUMNS: ReadonlySet<string> = new Set(
  SCREEN_FIGURES.filter(({ measure }) => measure === 'money' || measure === 'per_share').map(({ key }) => key),
);

/** Reports that filters on amounts omit companies that report only in other currencies than US dollars. */
function dollarNotices({ where = [] }: Partial<Meta>): readonly Notice[] {
  if (!filteredFigures(where).some((key) => AMOUNT_COLUMNS.has(key))) return [];
  const text =
    'The filters compare amounts in US dollars: companies that report only in other currencies are left out.';
  return [noteOf('dollars_only', text)];
}

/** Ratios and growth rates, with the keys of the amounts from which they are computed. */
const FIGURES_OF_AMOUNTS = SCREEN_FIGURES.flatMap(({ key, ...entry }) => {
  const formula = 'formula' in entry ? entry.formula : undefined;
  if (formula?.kind !== 'ratio' && formula?.kind !== 'growth') return [];
  return [{ key, amounts: operandsOf(formula).filter((operand) => AMOUNT_COLUMNS.has(operand)) }];
});

/** Reports companies that have a ratio but not its amounts, because they report in another currency. */
function otherCurrencyNotices(rows: Iterable<ScreenRow>): readonly Notice[] {
  const tickers: string[] = [];
  for (const row of rows) if (isOfOtherCurrency(row)) tickers.push(row.ticker);
  if (tickers.length === 0) return [];
  const othersText = tickers.length > MAX_NAMES ? ` and ${tickers.length - MAX_NAMES} more` : '';
  const tickerList = tickers.slice(0, MAX_NAMES).join(', ') + othersText;
  const text = say`Amounts are in US dollars, and are empty for companies that report only in another currency: ${tickerList}. See: ${call('metrics', { ticker: '<ticker>' })}`;
  return [noteOf('other_currency', text, { tickers })];
}

const MAX_NAMES = 6;

function isOfOtherCurrency(row: ScreenRow): boolean {
  return FIGURES_OF_AMOUNTS.some(
    ({ key, amounts }) => row[key] != null && amounts.some((operand) => row[operand] === null),
  );
}

/** Describes the prices that count for a screen of today or of a past day, as the object of a sentence. */
const priceRequirement = (firstDay: string, pastDay: string | undefined): string =>
  pastDay === undefined
    ? `a price from ${firstDay} or later (at most ${MAX_PRICE_AGE_DAYS} days old)`
    : `a price from ${firstDay} to ${pastDay} (at most ${MAX_PRICE_AGE_DAYS} days old)`;

/** Reports missing price figures if the screen filters by them, sorts by them or shows them. */
function priceNotices({ data, meta }: Screen, isInProcess: boolean): readonly Notice[] {
  const isPriced = (key: string): boolean => PRICED_COLUMNS.has(key);
  const { where = [], sort = '', columns = [], release, as_of: day, set_aside: setAside = 0 } = meta;
  const firstPriceDay = isInProcess && release != null ? addDays(day ?? release.date, -MAX_PRICE_AGE_DAYS) : null;
  const requirementText = firstPriceDay === null ? 'a recent price' : priceRequirement(firstPriceDay, day);
  const filteredKeys = filteredFigures(where).filter(isPriced);
  const notices: Notice[] = [];
  if (firstPriceDay !== null && filteredKeys.length > 0 && setAside > 0) {
    const text = `The filter on ${filteredKeys.join(', ')} leaves out companies without ${requirementText}.`;
    notices.push(noteOf('prices_needed', text, { columns: filteredKeys, from: firstPriceDay }));
  }
  const missingCounts = [...new Set([sort, ...columns])]
    .filter(isPriced)
    .map((key) => [key, data.filter((row) => ownValue(row, key) === null).length] as const)
    .filter(([, rows]) => rows > 0);
  if (missingCounts.length === 0) return notices;
  const missingList = missingCounts.map(([key, rows]) => `${key} (${rows} of ${data.length} rows)`).join(', ');
  const orderText = missingCounts.some(([key]) => key === sort)
    ? ` Rows without ${sort} come last, sorted by ticker.`
    : '';
  const text = say`Some values are missing because they need ${requirementText}: ${missingList}.${orderText} See: ${call('prices', { ticker: '<ticker>' })}`;
  const fromField = firstPriceDay === null ? {} : { from: firstPriceDay };
  return [...notices, noteOf('prices_missing', text, { columns: missingCounts.map(([key]) => key), ...fromField })];
}
