import { defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { readPastDay } from '../ask/values/past-day.ts';
import { compareText } from '../contract/compare-text.ts';
import { isDay } from '../contract/identifiers.ts';
import type { Prices } from '../contract/resources/prices.ts';
import { formatSplitRatio } from '../contract/split-ratio.ts';
import { option, say } from '../contract/text/text.ts';
import { divideIntoRuns } from '../platform/collections.ts';
import { findNextTradingDay } from '../platform/trading-calendar.ts';
import type { ChartPoint, LineChart } from '../result/blocks.ts';
import { makeDisplayName } from '../result/labels.ts';
import { makeNote, makeNoteIf, type Notice } from '../result/notice.ts';
import { type FlatValue, map } from '../result/rows.ts';
import { type Column, makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import { makePriceFacts, PRICE_COLUMNS } from './amounts/amounts.ts';

export default defineCommand({
  operation: 'prices',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'prices AAPL': 'the latest price, splits, and daily prices of the last year',
    'prices AAPL --range 5y --csv': 'one row for each day: the price as traded, and adjusted for splits',
    'prices AAPL --range max --svg aapl.svg': 'an SVG chart to share; --html makes a web page',
    'prices AAPL --range max --rows actions --csv':
      'the splits, one row for each, with its date or the two dates between which it took place',
    'prices AAPL --from 2024-01-01 --to 2024-06-30': 'the prices of a period',
  },
  options: [
    makeRowsOption('days', 'marks', 'actions', 'latest'),
    { name: 'since', value: 'day', hidden: true, help: 'Same as --from' },
  ],
  hasCharts: true,
  request: ({ givenParameters, options }) => {
    const since = options.get('since')?.at(-1);
    return { parameters: since === undefined ? givenParameters : [...givenParameters, ['from', readPastDay(since)]] };
  },
  result: ({ data }, { options }) => ({
    title: `${data.entity_name} (${data.ticker}): ${data.from} to ${data.to}`,
    facts: data.latest == null ? [] : makePriceFacts(data.latest),
    tables: [makeActionsTable(data), makeDaysTable(data), makeMarksTable(data), makeLatestTable(data)],
    rows: 'days',
    charts: {
      isShownByDefault: countAdjustedDays(data) >= 2,
      draw: () => (countAdjustedDays(data) === 0 ? [] : [makePriceChart(data)]),
    },
    notices: [
      ...makeNoPricesNotices(data),
      ...makeEmptyTableNotices(data, options.get('rows')?.at(-1)),
      ...makeUnadjustedDaysNotices(data),
    ],
  }),
});

type PriceRow = { readonly [name: string]: FlatValue };

/**
 * Returns a table whose columns are all marked as priced, so that the attribution of prices is shown with any column.
 */
const makePricedTable = ({ columns, ...table }: Table<PriceRow>): Table => {
  const all = [...makeFieldColumns('ticker', 'cik', 'entity_name'), ...columns];
  return makeTable<PriceRow>({ shownKeys: [], ...table, columns: all.map((column) => ({ ...column, priced: true })) });
};

const pickSecurity = ({ ticker, cik, entity_name }: Prices) => ({ ticker, cik, entity_name });

const makeDaysTable = (data: Prices): Table =>
  makePricedTable({
    name: 'days',
    columns: [
      { key: 'day' },
      { key: 'price', measure: 'per_share' },
      { key: 'adj_price', label: 'Adjusted for splits', measure: 'per_share' },
      { key: 'market_cap', measure: 'money', drop: 1 },
      { key: 'source', drop: 2, cell: ({ source: name }) => (name == null ? null : makeDisplayName(String(name))) },
    ],
    shownKeys: ['day', 'price', 'adj_price', 'market_cap', 'source'],
    records: function* () {
      const { days, price: prices, market_cap: caps, source } = data;
      for (const [index, day] of (days ?? []).entries()) {
        const fields = { price: prices[index] ?? null, adj_price: getAdjustedPrice(data, index) };
        yield { ...pickSecurity(data), day, ...fields, market_cap: caps[index] ?? null, source: source[index] ?? null };
      }
    },
  });

/** Returns the closing prices by source, from which the daily prices are chosen. */
const makeMarksTable = (data: Prices): Table =>
  makePricedTable({
    name: 'marks',
    columns: [
      { key: 'day' },
      { key: 'close', measure: 'per_share' },
      ...makeFieldColumns('source', 'sample', 'agreement'),
    ],
    records: () => map(data.marks ?? [], (mark) => ({ ...pickSecurity(data), ...mark })) as Iterable<PriceRow>,
  });

/**
 * Returns splits and other actions, earliest first. A split without an exact date has the two days between which it
 * took place.
 */
const makeActionsTable = (data: Prices): Table =>
  makePricedTable({
    name: 'actions',
    columns: [
      { key: 'ex_date', cell: ({ ex_date: day, after, until }) => (day ?? `between ${after} and ${until}`) as string },
      { key: 'kind', label: 'Action', cell: ({ kind }) => makeDisplayName(String(kind)) },
      { key: 'ratio', align: 'right', cell: ({ ratio }) => (ratio == null ? null : formatSplitRatio(String(ratio))) },
      ...makeFieldColumns('source', 'evidence', 'after', 'until'),
    ],
    shownKeys: ['ex_date', 'kind', 'ratio'],
    records: () => listActionRows(data),
  });

function listActionRows(data: Prices): readonly PriceRow[] {
  const security = pickSecurity(data);
  const datedRows = (data.actions ?? []).map((action) => ({ day: action.ex_date, row: { ...security, ...action } }));
  const undatedRows = (data.undated_splits ?? []).map((split) => {
    return { day: split.until, row: { ...security, ex_date: null, kind: 'split', ...split } };
  });
  const allRows =
    undatedRows.length === 0 ? datedRows : [...datedRows, ...undatedRows].sort((a, b) => compareText(a.day, b.day));
  return allRows.map(({ row }) => row);
}

/** Returns the latest price, even if it is outside the requested days; empty if no price exists. */
const makeLatestTable = (data: Prices): Table =>
  makePricedTable({
    name: 'latest',
    columns: [...makeFieldColumns('from', 'to'), ...(PRICE_COLUMNS as readonly Column<unknown>[])],
    records: () => {
      const { latest, from: first, to: last } = data;
      return latest == null ? [] : [{ ...pickSecurity(data), from: first, to: last, ...latest } as unknown as PriceRow];
    },
  });

/** Reports that the table of `--rows` is empty, because an attribution alone would look like an answer cut short. */
function makeEmptyTableNotices(data: Prices, rows: string | undefined): readonly Notice[] {
  const { from: first, to: last, latest } = data;
  const wider = option('range', 'max');
  const empty = {
    actions: listActionRows(data).length === 0 ? say`No splits from ${first} to ${last}. To see all: ${wider}` : null,
    marks: (data.marks ?? []).length === 0 ? say`No closing prices by source from ${first} to ${last}.` : null,
    latest: latest == null ? say`The release has no price of this company.` : null,
  };
  const text = rows === 'actions' || rows === 'marks' || rows === 'latest' ? empty[rows] : null;
  return text === null ? [] : [makeNote('no_rows', text, { rows: rows ?? null })];
}

/** Reports that the release has no prices for the requested days, with the date of the latest price. */
function makeNoPricesNotices({ days, latest }: Prices): readonly Notice[] {
  const text = `The release has no prices for these days.${latest == null ? '' : ` The latest price is from ${latest.day}.`}`;
  return makeNoteIf(days?.length === 0, 'no_prices', text, { latest: latest?.day ?? null });
}

/**
 * Returns the price in today's shares; null if an undated split may be before or after the day, so that the service
 * cannot adjust the price.
 */
function getAdjustedPrice({ days, adj_price: prices, undated_splits: splits }: Prices, index: number): string | null {
  const day = days[index];
  if (day === undefined || splits?.some(({ after, until }) => after < day && day < until) === true) return null;
  return prices[index] ?? null;
}

const countAdjustedDays = (data: Prices): number =>
  (data.days ?? []).filter((_, index) => getAdjustedPrice(data, index) !== null).length;

/** Returns one notice per split that prevents prices from being shown in today's shares. */
function makeUnadjustedDaysNotices({ undated_splits: splits, days }: Prices): readonly Notice[] {
  const affects = ({ after, until }: UndatedSplit): boolean => (days ?? []).some((day) => after < day && day < until);
  return (splits ?? []).filter(affects).map(({ after, until, ratio }) => {
    const text = `A ${formatSplitRatio(ratio)} split took effect on an unknown day between ${after} and ${until}: the days between have no adjusted prices.`;
    return makeNote('undated_split', text, { after, until, ratio });
  });
}

type UndatedSplit = NonNullable<Prices['undated_splits']>[number];

/**
 * Returns a chart of prices in today's shares, so that a split does not look like a fall. Lines connect only
 * consecutive trading days.
 */
function makePriceChart(data: Prices): LineChart {
  const { days, actions } = data;
  const points = days
    .flatMap((day, index): ChartPoint[] => {
      const value = getAdjustedPrice(data, index);
      return value === null || !isDay(day) ? [] : [{ day, value }];
    })
    .sort((a, b) => compareText(a.day, b.day));
  return {
    kind: 'line',
    title: 'Price in USD, adjusted for splits',
    runs: splitIntoUnbrokenRuns(points),
    marks: actions
      .filter(({ kind, ex_date, ratio }) => kind === 'split' && isDay(ex_date) && ratio != null)
      .map(({ ex_date: day, ratio }) => ({ day, label: `split ${formatSplitRatio(ratio ?? '1')}` })),
    measure: 'per_share',
  };
}

/**
 * Splits points into runs. A trading day without a price ends a run, because a line across that day would suggest a
 * price.
 */
const splitIntoUnbrokenRuns = (points: readonly ChartPoint[]): readonly (readonly ChartPoint[])[] =>
  divideIntoRuns(points, ({ day }, last) => day <= findNextTradingDay(last.day));
