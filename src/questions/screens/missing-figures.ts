/** Notices about missing figures of a screen: which columns are empty, in how many rows, and why. */
import type { LookUp, ResultContext } from '../../ask/command/command.ts';
import { listFilteredFigures } from '../../ask/values/screen-filters.ts';
import { formatFormula } from '../../contract/figures.ts';
import { MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import type { Prices } from '../../contract/resources/prices.ts';
import { DEFAULT_COLUMNS, PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import { call, option, say, type Text } from '../../contract/text/text.ts';
import { formatCount } from '../../contract/text/wording.ts';
import { addDays } from '../../platform/dates.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import { readOwnValue } from '../../result/rows.ts';
import { FIGURES_BY_KEY, listColumns, type ScreenAnswer } from './screen-table.ts';

type MissingCount = readonly [column: string, rows: number];

/** Returns the columns with empty cells, each with the number of rows that lack a value. */
const countMissing = (columns: readonly string[], rows: readonly ScreenRow[]): readonly MissingCount[] =>
  [...new Set(columns)]
    .map((key) => [key, rows.filter((row) => readOwnValue(row, key) === null).length] as const)
    .filter(([, missing]) => missing > 0);

/** Returns the rows that lack a value in at least one of the columns. */
const findRowsLackingValues = (rows: readonly ScreenRow[], counts: readonly MissingCount[]): readonly ScreenRow[] =>
  rows.filter((row) => counts.some(([key]) => readOwnValue(row, key) === null));

const describeOrder = (counts: readonly MissingCount[], sort: string): string =>
  counts.some(([key]) => key === sort) ? ` Rows without ${sort} come last, sorted by ticker.` : '';

/** Returns a notice about empty cells of figures that the user named, except figures that need a price. */
export function makeMissingNotices(
  answer: ScreenAnswer,
  { options }: Pick<ResultContext, 'options'>,
): readonly Notice[] {
  const { data, meta } = answer;
  const sort = options.has('sort') ? (meta.sort ?? '') : '';
  const named = (options.get('columns') ?? []).flatMap((text) => text.split(',')).map((name) => name.trim());
  const present = listColumns(answer);
  const isShown = (key: string): boolean =>
    FIGURES_BY_KEY.has(key) && !PRICED_COLUMNS.has(key) && present.includes(key);
  const counts = countMissing([sort, ...named].filter(isShown), data);
  if (counts.length === 0) return [];
  const total = formatCount(data.length, 'row');
  const list = counts.map(([key, missing]) => `${key} (${missing} of ${total}${formatFormulaSuffix(key)})`).join(', ');
  const text = `Some values are missing, because the release lacks them, or figures from which they are derived: ${list}.${describeOrder(counts, sort)}`;
  return [makeNote('figures_missing', text, { columns: counts.map(([key]) => key) })];
}

function formatFormulaSuffix(key: string): string {
  const figure = FIGURES_BY_KEY.get(key);
  const formula = figure === undefined ? null : formatFormula(figure);
  return formula === null ? '' : `; ${formula}`;
}

/** Returns a phrase such as "a price from 2026-02-19 or later (at most 180 days old)". */
const describePriceRequirement = (first: string, pastDay: string | undefined): string =>
  pastDay === undefined
    ? `a price from ${first} or later (at most ${MAX_PRICE_AGE_DAYS} days old)`
    : `a price from ${first} to ${pastDay} (at most ${MAX_PRICE_AGE_DAYS} days old)`;

/** Reports missing price figures if the screen filters by them, sorts by them or shows them. */
export async function makePriceNotices(
  { data, meta }: ScreenAnswer,
  { inProcess, lookUp }: Pick<ResultContext, 'inProcess' | 'lookUp'>,
): Promise<readonly Notice[]> {
  const isPriced = (key: string): boolean => PRICED_COLUMNS.has(key);
  const { where = [], sort = '', columns = [], release, as_of: day, set_aside: skipped = 0, universe = 0 } = meta;
  const first = inProcess && release != null ? addDays(day ?? release.date, -MAX_PRICE_AGE_DAYS) : null;
  const needs = first === null ? 'a recent price' : describePriceRequirement(first, day);
  const filtered = listFilteredFigures(where).filter(isPriced);
  // A request for all columns shows no interest in particular columns, so it counts as naming none.
  const named = DEFAULT_COLUMNS.every((name) => columns.includes(name)) ? [] : columns;
  const counts = countMissing([sort, ...named].filter(isPriced), data);
  const omits = first !== null && filtered.length > 0 && skipped > 0;
  const mostly = (omits && skipped * 2 > universe) || counts.some(([, lacking]) => lacking * 2 > data.length);
  const dayHint =
    first === null || !mostly ? '' : await suggestPricedDay(first, findRowsLackingValues(data, counts), lookUp);
  const notices: Notice[] = [];
  if (omits) {
    const text = say`The filter on ${filtered.join(', ')} leaves out companies without ${needs}.${counts.length === 0 ? dayHint : ''}`;
    notices.push(makeNote('prices_needed', text, { columns: filtered, from: first }));
  }
  if (counts.length === 0) return notices;
  const missing = counts.map(([key, empty]) => `${key} (${empty} of ${formatCount(data.length, 'row')})`).join(', ');
  const text = say`Some values are missing because they need ${needs}: ${missing}.${describeOrder(counts, sort)} See: ${call('prices', { ticker: '<ticker>' })}${dayHint === '' ? '' : say`.${dayHint}`}`;
  const field = first === null ? {} : { from: first };
  return [...notices, makeNote('prices_missing', text, { columns: counts.map(([key]) => key), ...field })];
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
  const priced = answers
    .flatMap((answer) => (answer?.data as Prices | undefined)?.latest?.day ?? [])
    .reduce<string | null>((latest, day) => (latest === null || day > latest ? day : latest), null);
  if (priced === null || priced >= first) return '';
  const past = await lookUp('screen', [
    ['as_of', priced],
    ['columns', 'price'],
    ['limit', '1'],
  ]);
  return past === null
    ? ''
    : say` The latest prices of many companies are from ${priced} or earlier. To screen as of that day: ${option('as_of', priced)}`;
}

async function loadUnpricedRows(lookUp: LookUp): Promise<readonly ScreenRow[]> {
  const answer = await lookUp('screen', [['columns', 'price']]);
  return ((answer?.data ?? []) as readonly ScreenRow[]).filter((row) => row.price === null);
}
