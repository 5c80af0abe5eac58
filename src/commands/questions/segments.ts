import { compareText } from '../../contract/compare-text.ts';
import { isZero } from '../../contract/decimal-text.ts';
import type { SegmentAxis, SegmentMeasure, SegmentPeriod, Segments } from '../../contract/resources/segments.ts';
import {
  type Block,
  type Cell,
  type Column,
  chartBlock,
  figure,
  note,
  type TableRow,
  title,
} from '../../output/blocks.ts';
import type { BarChart } from '../../output/chart/chart.ts';
import { pick, type Rows, type Value } from '../../output/rows.ts';
import { count } from '../../output/wording.ts';
import { type Answer, command } from '../command.ts';
import { difference, shareOf } from './shared/differences.ts';
import { capitalize, displayName, distinctPeriodLabels, periodLabel } from './shared/labels.ts';
import { PERIOD_COUNT_OPTIONS } from './shared/period-counts.ts';
import { narrowPeriods, readSegmentPeriods } from './shared/segment-periods.ts';

const DERIVED = '*';
/** Of a period that does not compare with the newest: once for each recast in between. */
const EARLIER = '†';
const LEGEND_OF_EARLIER = 'on an earlier basis: reported before the company recast these members';
const LEGEND: readonly (readonly [string, string])[] = [
  [DERIVED, 'the year less its first three quarters'],
  [EARLIER, LEGEND_OF_EARLIER],
];

const marksOf = ({ derived = false, basis = 1 }: SegmentPeriod): string =>
  (derived ? DERIVED : '') + EARLIER.repeat(Math.max(0, basis - 1));

export default command({
  operation: 'segments',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'segments AAPL', shows: 'by business segment, geography and product, with the share of the total' },
    { line: 'segments AAPL --years 3', shows: 'the last three fiscal years; --quarters 8 the last eight quarters' },
    { line: 'segments AAPL --chart', shows: 'the last years of each, as bars' },
    { line: 'segments AAPL --period quarterly --csv', shows: 'a row for each member and quarter' },
  ],
  hasSheet: true,
  options: PERIOD_COUNT_OPTIONS,
  byOptions: (options) => {
    const chosen = readSegmentPeriods(options);
    if (chosen === null) return {};
    return {
      prepare: (given) => ({
        parameters: [...given.filter(([name]) => name !== 'period'), ['period', chosen.period]],
        warnings: [],
      }),
    };
  },
  narrow: (options) => {
    const chosen = readSegmentPeriods(options);
    return chosen === null ? null : narrowPeriods(chosen);
  },
  view: ({ data }) => [
    title(`${data.entity_name} (${data.ticker}): segments, ${data.period}`),
    ...data.axes.flatMap((axis) => axis.measures.flatMap((measure) => measureBlocks(axis, measure))),
  ],
  draw: ({ data }) => [
    title(`${data.entity_name} (${data.ticker}): segments, ${data.period}`),
    ...data.axes.flatMap((axis) => axis.measures.map((measure) => chartBlock(measureChart(axis, measure)))),
    ...(data.axes.some(({ measures }) => measures.some(({ periods }) => periods.some(({ basis = 1 }) => basis > 1)))
      ? [note(`${EARLIER} ${LEGEND_OF_EARLIER}`)]
      : []),
    ...(data.axes.length === 0 ? [note(`No segments were reported in ${count(data.documents, 'report')}.`)] : []),
  ],
  rows: memberRows,
  rowChoices: { members: memberRows, summary: summaryRows },
});

function memberRows({ data }: Answer<Segments>): Rows {
  return { columns: COLUMNS, rows: segmentRows(data) };
}

/** How many reports were read, in one row. */
function summaryRows({ data }: Answer<Segments>): Rows {
  return pick(['ticker', 'cik', 'entity_name', 'period', 'documents', 'updated_at'], [data]);
}

/** Periods newest first, with each member's share of the newest consolidated total, and what the members leave out. */
function measureBlocks(axis: SegmentAxis, measure: SegmentMeasure): Block[] {
  const { members, totals } = measure;
  const newestFirst = periodsByEnd(measure).reverse();
  const [newest] = newestFirst;
  // Filers may break down a figure that they do not report as a whole.
  const hasTotals = totals.some((total) => total !== null);
  const columns: Column[] = [
    { key: 'label', title: capitalize(axis.axis), shrinkTo: 16 },
    ...(hasTotals ? [{ key: 'share', title: 'Share', align: 'right' } as const] : []),
    ...newestFirst.map(({ period }, position): Column => {
      const mark = marksOf(period);
      const key = periodLabel(period);
      return { key, title: key + mark, mark, align: 'right', ...(position === 0 ? {} : { drop: position }) };
    }),
  ];
  const share = (values: Totals): Cell[] => {
    if (!hasTotals) return [];
    return [newest === undefined ? null : figure(shareOf(values[newest.index], totals[newest.index]), 'fraction')];
  };
  const figures = (values: Totals): Cell[] => newestFirst.map(({ index }) => figure(values[index], 'money'));
  // Segments leave out corporate costs, and sell to each other.
  const rest = totals.map((total, index) =>
    members.reduce((left, { values }) => difference(left, values[index] ?? '0'), total),
  );
  return [
    title(measureTitle(axis, measure)),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns,
      rows: [
        ...members.map(({ label, values }): TableRow => [label, ...share(values), ...figures(values)]),
        ...(rest.every((value) => value === null || isZero(value))
          ? []
          : [[{ text: 'Other, by difference', tone: 'quiet' } as const, ...share(rest), ...figures(rest)]]),
        ...(hasTotals ? [[{ text: 'Consolidated', tone: 'strong' } as const, '', ...figures(totals)]] : []),
      ],
      legend: LEGEND,
    },
  ];
}

/** The members of one measure on one scale. */
function measureChart(axis: SegmentAxis, measure: SegmentMeasure): BarChart {
  const periods = periodsByEnd(measure);
  return {
    kind: 'bars',
    title: measureTitle(axis, measure),
    periods: distinctPeriodLabels(periods.map(({ period }) => period)).map(
      (label, index) => label + EARLIER.repeat(Math.max(0, (periods[index]?.period.basis ?? 1) - 1)),
    ),
    series: measure.members.map(({ label, values }) => ({
      label,
      values: periods.map(({ index }) => values[index] ?? null),
    })),
    measure: 'money',
  };
}

type Totals = SegmentMeasure['totals'];

/** Periods in the order of their ends, with their index in the arrays of values. */
const periodsByEnd = ({ periods }: SegmentMeasure) =>
  periods
    .map((period, index) => ({ period, index }))
    .sort((a, b) => compareText(a.period.end_date, b.period.end_date) || b.index - a.index);

/** A company that changed its concept over the years has the measure more than once: then the concept is named. */
function measureTitle({ axis, measures }: SegmentAxis, { measure, concept, unit }: SegmentMeasure): string {
  const several = measures.filter((other) => other.measure === measure).length > 1;
  return capitalize(`${displayName(measure)} by ${axis}, ${unit}${several ? ` (${concept})` : ''}`);
}

const COLUMNS = [
  'ticker',
  'cik',
  'entity_name',
  'axis',
  'measure',
  'concept',
  'unit',
  'member',
  'label',
  'fiscal_year',
  'fiscal_period',
  'end_date',
  'value',
  'total',
  'derived',
  'accession_number',
  'form',
  'filed_at',
  'basis',
];

function* segmentRows({ ticker, cik, entity_name, axes }: Segments): Generator<Value[]> {
  for (const { axis, measures } of axes) {
    for (const { measure, concept, unit, periods, members, totals } of measures) {
      for (const { member, label, values } of members) {
        for (const [index, period] of periods.entries()) {
          const {
            fiscal_year,
            fiscal_period,
            end_date,
            derived = false,
            basis = 1,
            accession_number,
            form,
            filed_at = null,
          } = period;
          yield [
            ...[ticker, cik, entity_name, axis, measure, concept, unit, member, label],
            ...[fiscal_year, fiscal_period, end_date, values[index] ?? null, totals[index] ?? null, derived],
            ...[accession_number, form, filed_at, basis],
          ];
        }
      }
    }
  }
}
