/** Notices about screens: which companies or figures are omitted or missing, and why. */
import type { LookUp, ResultContext } from '../../ask/command/command.ts';
import { listKeysOfFilters } from '../../ask/values/screen-filters.ts';
import { formatFormula, listOperands } from '../../contract/figures.ts';
import { MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import type { Meta } from '../../contract/resources/envelope.ts';
import type { Prices } from '../../contract/resources/prices.ts';
import { DEFAULT_COLUMNS, PRICED_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { call, option, say, type Text } from '../../contract/text/text.ts';
import { addDays } from '../../platform/dates.ts';
import { findLatest } from '../../result/labels.ts';
import { makeNote, makeNoteIf, makeWarning, type Notice } from '../../result/notice.ts';
import { readOwnValue } from '../../result/rows.ts';
import { COMPANY_LIST_OPTIONS, makeOldRowsNotices, YEAR_ENDED_WITHIN } from './company-filters.ts';
import { FIGURES_BY_KEY, listColumns, type ScreenAnswer } from './screen-table.ts';

export async function makeScreenNotices(answer: ScreenAnswer, context: ResultContext): Promise<readonly Notice[]> {
  const { items, meta } = answer;
  const { inProcess } = context;
  return [
    ...makeIndustryNotices(meta, context),
    ...makeNotOperatingNotices(meta),
    ...(inProcess && (meta.set_aside ?? 0) > 0 ? makeDollarNotices(meta) : []),
    ...makeGoneNotices(meta),
    ...(meta.as_of === undefined ? makeOldRowsNotices(items(), meta) : []),
    ...(inProcess ? makeOtherCurrencyNotices(items()) : []),
    ...makeMissingNotices(answer, context),
    ...(await makePriceNotices(answer, context)),
  ];
}

/** Warns that a screen of one industry omits companies whose industry is unknown. */
function makeIndustryNotices({ industry_unknown: unknown = 0 }: Partial<Meta>, { inProcess }: ResultContext) {
  if (unknown === 0) return [];
  const hint = inProcess
    ? say` The codes are in the lists of filings. To add them: ${call('data fetch', { bulk: true })}, then ${call('data build')}`
    : '';
  const text = say`${formatCount(unknown, 'company is', 'companies are')} left out, because the industry code is missing.${hint}`;
  return [makeWarning('industry_unknown', text, { count: unknown })];
}

function makeNotOperatingNotices({ left_out: omitted = 0 }: Partial<Meta>): readonly Notice[] {
  const text = `${formatCount(omitted, 'blank-cheque company, fund or trust of the industry is', 'blank-cheque companies, funds and trusts of the industry are')} left out.`;
  return makeNoteIf(omitted !== 0, 'not_operating', text, { count: omitted });
}

/** Reports how many companies of a screen as of a past date no longer report. */
function makeGoneNotices({ as_of: day, universe, no_longer_reporting: gone }: Partial<Meta>): readonly Notice[] {
  if (day === undefined || universe === undefined || gone === undefined) return [];
  const text = `Of the ${formatCount(universe, 'company', 'companies')} screened as of ${day}, ${gone} ${gone === 1 ? 'has' : 'have'} stopped reporting since.`;
  return makeNoteIf(gone !== 0, 'no_longer_reporting', text, { gone, universe });
}

const AMOUNT_COLUMNS: ReadonlySet<string> = new Set(
  SCREEN_FIGURES.filter(({ measure }) => measure === 'money' || measure === 'per_share').map(({ key }) => key),
);

/** Reports that filters on amounts leave out companies that report only in a currency other than US dollars. */
function makeDollarNotices({ where = [] }: Partial<Meta>): readonly Notice[] {
  const comparesAmounts = listKeysOfFilters(where).some((key) => AMOUNT_COLUMNS.has(key));
  const others = 'companies that report only in other currencies are left out';
  return makeNoteIf(comparesAmounts, 'dollars_only', `The filters compare amounts in US dollars: ${others}.`);
}

/** Ratios and growth rates, with the keys of the amounts from which they are computed. */
const FIGURES_DERIVED_FROM_AMOUNTS = SCREEN_FIGURES.flatMap(({ key, ...otherFields }) => {
  const formula = 'formula' in otherFields ? otherFields.formula : undefined;
  if (formula?.kind !== 'ratio' && formula?.kind !== 'growth') return [];
  return [{ key, amounts: listOperands(formula).filter((operand) => AMOUNT_COLUMNS.has(operand)) }];
});

/** Reports companies that have a ratio but not its amounts, because they report in another currency. */
function makeOtherCurrencyNotices(rows: Iterable<ScreenRow>): readonly Notice[] {
  const tickers: string[] = [];
  for (const row of rows) if (reportsOtherCurrency(row)) tickers.push(row.ticker);
  const more = tickers.length > MAX_NAMED_TICKERS ? ` and ${tickers.length - MAX_NAMED_TICKERS} more` : '';
  const tickersText = tickers.slice(0, MAX_NAMED_TICKERS).join(', ') + more;
  const text = say`Amounts are in US dollars, and are empty for companies that report only in another currency: ${tickersText}. See: ${call('metrics', { ticker: '<ticker>' })}`;
  return makeNoteIf(tickers.length > 0, 'other_currency', text, { tickers });
}

const MAX_NAMED_TICKERS = 6;

const reportsOtherCurrency = (row: ScreenRow): boolean =>
  FIGURES_DERIVED_FROM_AMOUNTS.some(
    ({ key, amounts }) => row[key] != null && amounts.some((operand) => row[operand] === null),
  );

/**
 * Counts the empty cells of each column: of all matching companies, if the service counted them; otherwise, or if fin
 * itself filtered the companies, of the rows of the answer. `totalText` is the number of counted rows as text, such as
 * `97 companies`.
 */
function countMissing({ data, meta }: ScreenAnswer, options: ResultContext['options'], columns: readonly string[]) {
  const isFilteredHere = [...COMPANY_LIST_OPTIONS, YEAR_ENDED_WITHIN].some(({ name }) => options.has(name));
  const ofService = isFilteredHere ? [] : (meta.missing_by ?? []);
  const missingByColumn = new Map(ofService.map(({ column, companies }) => [column, companies]));
  const keys = [...new Set(columns)];
  const isOfAll = meta.total !== undefined && keys.length > 0 && keys.every((key) => missingByColumn.has(key));
  const countRows = (key: string) => data.filter((row) => readOwnValue(row, key) === null).length;
  const counts = keys
    .map((key) => [key, (isOfAll ? missingByColumn.get(key) : undefined) ?? countRows(key)] as const)
    .filter(([, missing]) => missing > 0);
  const total = isOfAll ? (meta.total ?? data.length) : data.length;
  return { counts, total, totalText: isOfAll ? formatCount(total, 'company', 'companies') : formatCount(total, 'row') };
}

const describeOrder = (counts: readonly (readonly [column: string, rows: number])[], sort: string): string =>
  counts.some(([key]) => key === sort) ? ` Rows without ${sort} come last, sorted by ticker.` : '';

/** Returns a notice about empty cells of shown figures and of the figure to sort by, except those that need a price. */
export function makeMissingNotices(answer: ScreenAnswer, { options }: Pick<ResultContext, 'options'>) {
  const { meta } = answer;
  const sort = options.has('sort') ? (meta.sort ?? '') : '';
  const present = listColumns(answer);
  const isCounted = (key: string): boolean =>
    FIGURES_BY_KEY.has(key) && !PRICED_COLUMNS.has(key) && (present.includes(key) || key === sort);
  const named = listNamedColumns(meta.columns);
  const { counts, totalText: total } = countMissing(answer, options, [sort, ...named].filter(isCounted));
  if (counts.length === 0) return [];
  const list = counts.map(([key, missing]) => `${key} (${missing} of ${total}${formatFormulaSuffix(key)})`).join(', ');
  const text = `Some values are missing, because the release lacks them, or figures from which they are derived: ${list}.${describeOrder(counts, sort)}`;
  return [makeNote('figures_missing', text, { columns: counts.map(([key]) => key) })];
}

/** Returns the requested columns; an empty list for all columns, which show no interest in particular ones. */
const listNamedColumns = (columns: readonly string[] = []): readonly string[] =>
  DEFAULT_COLUMNS.filter((name) => !PRICED_COLUMNS.has(name)).every((name) => columns.includes(name)) ? [] : columns;

function formatFormulaSuffix(key: string): string {
  const figure = FIGURES_BY_KEY.get(key);
  const formula = figure === undefined ? null : formatFormula(figure);
  return formula === null ? '' : `; ${formula}`;
}

/** Returns a phrase such as "a price from 2026-02-19 or later (at most 180 days old)". */
const describePriceRequirement = (first: string, pastDay = ''): string =>
  `a price from ${first} ${pastDay === '' ? 'or later' : `to ${pastDay}`} (at most ${MAX_PRICE_AGE_DAYS} days old)`;

type NoticeContext = Pick<ResultContext, 'options' | 'inProcess' | 'lookUp'>;

/** Reports missing price figures if the screen filters by them, sorts by them or shows them. */
export async function makePriceNotices(answer: ScreenAnswer, context: NoticeContext): Promise<readonly Notice[]> {
  const { options, inProcess, lookUp } = context;
  const { data, meta } = answer;
  const isPriced = (key: string): boolean => PRICED_COLUMNS.has(key);
  const { where = [], sort = '', columns = [], release, as_of: day, set_aside: skipped = 0, universe = 0 } = meta;
  const first = inProcess && release != null ? addDays(day ?? release.date, -MAX_PRICE_AGE_DAYS) : null;
  const needs = first === null ? 'a recent price' : describePriceRequirement(first, day);
  const filtered = listKeysOfFilters(where).filter(isPriced);
  const pricedColumns = [sort, ...listNamedColumns(columns)].filter(isPriced);
  const { counts, total, totalText } = countMissing(answer, options, pricedColumns);
  const omits = first !== null && filtered.length > 0 && skipped > 0;
  const mostly = (omits && skipped * 2 > universe) || counts.some(([, empty]) => empty * 2 > total);
  const lacking = data.filter((row) => counts.some(([key]) => readOwnValue(row, key) === null));
  const dayHint = first === null || !mostly ? '' : await suggestPricedDay(first, lacking, lookUp);
  const filterText = say`The filter on ${filtered.join(', ')} leaves out companies without ${needs}.${counts.length === 0 ? dayHint : ''}`;
  const filterNotices = makeNoteIf(omits, 'prices_needed', filterText, { columns: filtered, from: first });
  if (counts.length === 0) return filterNotices;
  const missing = counts.map(([key, empty]) => `${key} (${empty} of ${totalText})`).join(', ');
  const text = say`Some values are missing because they need ${needs}${counts.every(([key]) => key === 'price') ? '' : ', and filed figures'}: ${missing}.${describeOrder(counts, sort)} See: ${call('prices', { ticker: '<ticker>' })}${dayHint === '' ? '' : say`.${dayHint}`}`;
  const field = first === null ? {} : { from: first };
  return [...filterNotices, makeNote('prices_missing', text, { columns: counts.map(([key]) => key), ...field })];
}

/** Number of companies whose latest prices are looked up to find the last day with prices. */
const MAX_PROBED_COMPANIES = 5;

/**
 * Returns a hint that suggests a screen as of the last day with prices. Returns an empty text if that day is
 * recent enough for the screen, or if the release has no price figures of that day.
 * @param rows companies without a price; if empty, a few such companies are looked up
 */
async function suggestPricedDay(first: string, rows: readonly ScreenRow[], lookUp: LookUp): Promise<Text> {
  const unpriced = rows.length > 0 ? rows : await loadUnpricedRows(lookUp);
  const probed = unpriced.slice(0, MAX_PROBED_COMPANIES);
  const answers = await Promise.all(probed.map(({ ticker }) => lookUp('prices', [['ticker', ticker]])));
  const lastDay = findLatest(answers.map((answer) => (answer?.data as Prices | undefined)?.latest?.day));
  if (lastDay === null || lastDay >= first) return '';
  const past = await lookUp('screen', Object.entries({ as_of: lastDay, columns: 'price', limit: '1' }));
  if (past === null) return '';
  return say` The latest prices of many companies are from ${lastDay} or earlier. To screen as of that day: ${option('as_of', lastDay)}`;
}

async function loadUnpricedRows(lookUp: LookUp): Promise<readonly ScreenRow[]> {
  const answer = await lookUp('screen', [['columns', 'price']]);
  return ((answer?.data ?? []) as readonly ScreenRow[]).filter((row) => row.price === null);
}
