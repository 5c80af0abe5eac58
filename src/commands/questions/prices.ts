import { compareText } from '../../contract/compare-text.ts';
import { isDay } from '../../contract/identifiers.ts';
import type { Prices } from '../../contract/resources/prices.ts';
import { ratioText } from '../../contract/split-ratio.ts';
import { type Block, type Cell, chartBlock, fields, figure, note, table, title } from '../../output/blocks.ts';
import type { ChartPoint, LineChart } from '../../output/chart/chart.ts';
import { map, pick, type Rows, type Value } from '../../output/rows.ts';
import { nextTradingDay } from '../../platform/trading-calendar.ts';
import { type Answer, command } from '../command.ts';
import { displayName } from './shared/labels.ts';
import { PRICE_COLUMNS, priceFields } from './shared/latest-price.ts';

export default command({
  operation: 'prices',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'prices AAPL', shows: 'the latest price, splits, and the last year by day' },
    { line: 'prices AAPL --range 5y --csv', shows: 'a row for each day, as traded and in shares of today' },
    { line: 'prices AAPL --range max --svg aapl.svg', shows: 'an SVG chart to share; --html makes a page' },
    { line: 'prices AAPL --range max --rows actions --csv', shows: 'its splits, a row each' },
    { line: 'prices AAPL --from 2024-01-01 --to 2024-06-30', shows: 'the prices of a range of days' },
  ],
  notices: ({ data }) => undatedNotices(data),
  view: ({ data }) => [
    ...opening(data),
    ...(adjustedDays(data) < 2 ? [] : [chartBlock(priceChart(data))]),
    ...(data.actions.length === 0
      ? []
      : [
          table(
            [
              { key: 'ex_date', title: 'Ex date' },
              { key: 'kind', title: 'Action' },
              { key: 'ratio', title: 'Ratio', align: 'right' },
            ],
            data.actions.map(({ ex_date, kind, ratio }) => [
              ex_date,
              displayName(kind),
              ratio == null ? null : ratioText(ratio),
            ]),
          ),
        ]),
    table(
      [
        { key: 'day', title: 'Day' },
        { key: 'price', title: 'Price', align: 'right' },
        { key: 'adj_price', title: "In today's shares", align: 'right' },
        { key: 'market_cap', title: 'Market cap', align: 'right', drop: 1 },
        { key: 'source', title: 'Source', drop: 2 },
      ],
      data.days
        .map((day, index) => [
          day,
          figure(data.price[index], 'per_share'),
          figure(adjustedOn(data, index), 'per_share'),
          figure(data.market_cap[index], 'money'),
          sourceName(data.source[index]),
        ])
        .reverse(),
    ),
  ],
  draw: ({ data }) => [...opening(data), ...(adjustedDays(data) === 0 ? [] : [chartBlock(priceChart(data))])],
  rows: daysOf,
  rowChoices: { days: daysOf, marks: marksOf, actions: actionsOf, 'undated-splits': undatedSplitsOf, latest: latestOf },
  priceColumns: 'all',
});

function daysOf({ data }: Answer<Prices>): Rows {
  return {
    columns: ['ticker', 'cik', 'entity_name', 'day', 'price', 'adj_price', 'market_cap', 'source'],
    rows: dayRows(data),
  };
}

/** The marks that prices of days come from. */
function marksOf({ data: { marks, ticker, cik, entity_name } }: Answer<Prices>): Rows {
  const columns = ['ticker', 'cik', 'entity_name', 'day', 'close', 'source', 'sample', 'agreement'];
  return pick(
    columns,
    map(marks, (mark) => ({ ticker, cik, entity_name, ...mark })),
  );
}

/** Splits, and other actions that a service knows. */
function actionsOf({ data: { actions, ticker, cik, entity_name } }: Answer<Prices>): Rows {
  const columns = ['ticker', 'cik', 'entity_name', 'ex_date', 'kind', 'ratio', 'source', 'evidence'];
  return pick(
    columns,
    map(actions, (action) => ({ ticker, cik, entity_name, ...action })),
  );
}

/** Splits whose day no price shows. */
function undatedSplitsOf({ data: { undated_splits: splits = [], ticker, cik, entity_name } }: Answer<Prices>): Rows {
  const columns = ['ticker', 'cik', 'entity_name', 'after', 'until', 'ratio', 'evidence'];
  return pick(
    columns,
    map(splits, (split) => ({ ticker, cik, entity_name, ...split })),
  );
}

/** The latest price, of whatever day, beside the days that were asked for; no row where none is known. */
function latestOf({ data: { latest, from, to, ticker, cik, entity_name } }: Answer<Prices>): Rows {
  const columns = ['ticker', 'cik', 'entity_name', 'from', 'to', ...PRICE_COLUMNS];
  return pick(columns, latest == null ? [] : [{ ticker, cik, entity_name, from, to, ...latest }]);
}

/** The latest price may be older or newer than the days asked for, so a note says when those have none. */
function opening({ entity_name, ticker, from, to, days, latest }: Prices): Block[] {
  const other = latest == null ? '' : ` The latest is from ${latest.day}.`;
  return [
    title(`${entity_name} (${ticker}): ${from} to ${to}`),
    ...(days.length === 0 ? [note(`No price is known for these days.${other}`)] : []),
    ...(latest == null ? [] : [fields(priceFields(latest))]),
  ];
}

/** The price in today's shares; null on a day that may be before a split or after it: there the service leaves it as traded. */
function adjustedOn({ days, adj_price, undated_splits: undated }: Prices, index: number): string | null {
  const day = days[index];
  if (day === undefined || undated?.some(({ after, until }) => after < day && day < until) === true) return null;
  return adj_price[index] ?? null;
}

const adjustedDays = (data: Prices): number => data.days.filter((_, index) => adjustedOn(data, index) !== null).length;

/** A notice of each split that keeps days from being shown in today's shares. */
function undatedNotices({ undated_splits: undated, days }: Prices): string[] {
  return (undated ?? [])
    .filter(({ after, until }) => days.some((day) => after < day && day < until))
    .map(
      ({ after, until, ratio }) =>
        `No price shows the day of the ${ratioText(ratio)} split between ${after} and ${until}: ` +
        "prices of these days are not given in today's shares.",
    );
}

const sourceName = (source: string | undefined): Cell => (source === undefined ? null : displayName(source));

function* dayRows(data: Prices): Generator<Value[]> {
  const { ticker, cik, entity_name, days, price, market_cap, source } = data;
  for (const [index, day] of days.entries()) {
    const figures = [price[index], adjustedOn(data, index), market_cap[index], source[index]];
    yield [ticker, cik, entity_name, day, ...figures.map((figure) => figure ?? null)];
  }
}

/** In today's shares, so that a split is no fall; a line only from one trading day to the next. */
function priceChart(data: Prices): LineChart {
  const { days, actions } = data;
  const points = days
    .flatMap((day, index): ChartPoint[] => {
      const value = adjustedOn(data, index);
      return value === null || !isDay(day) ? [] : [{ day, value }];
    })
    .sort((a, b) => compareText(a.day, b.day));
  return {
    kind: 'line',
    title: "Price in today's shares",
    runs: runsOf(points),
    marks: actions
      .filter(({ kind, ex_date, ratio }) => kind === 'split' && isDay(ex_date) && ratio != null)
      .map(({ ex_date: day, ratio }) => ({ day, label: `split ${ratioText(ratio ?? '1')}` })),
    measure: 'per_share',
  };
}

/** A trading day without a price ends a run: the price in between is not known, so no line may show one. */
function runsOf(points: readonly ChartPoint[]): readonly (readonly ChartPoint[])[] {
  const runs: ChartPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && point.day <= nextTradingDay(before.day)) run.push(point);
    else runs.push([point]);
  }
  return runs;
}
