import { defineCommand } from '../ask/command/command.ts';
import { makeRowsOption } from '../ask/command/options.ts';
import { compareText } from '../contract/compare-text.ts';
import { isZero } from '../contract/decimal-text.ts';
import { withParameter } from '../contract/question.ts';
import type { SegmentAxis, SegmentMeasure, SegmentPeriod, Segments } from '../contract/resources/segments.ts';
import { capitalize } from '../contract/text/wording.ts';
import { type Block, type Cell, type Column, makeFigureCell, makeTitleBlock, type TableRow } from '../result/blocks.ts';
import type { BarChart } from '../result/chart.ts';
import { formatPeriod, makeDisplayName, makeDistinctPeriodLabels } from '../result/labels.ts';
import { makeFieldColumns, makeTable, type Table } from '../result/table.ts';
import { divideOrNull, subtractOrNull } from './amounts/amounts.ts';
import { makePeriodsFilter, PERIOD_COUNT_OPTIONS, readSegmentPeriodChoice } from './periods/period-counts.ts';
import { makeReportsAfterDayNotices } from './reports/later-reports.ts';

const DERIVED_MARK = '*';
/**
 * Marks a period from before the company changed its segments, which is not comparable with the newest period. Two
 * marks: it changed them twice since then.
 */
const OTHER_BASIS_MARK = '†';
const OTHER_BASIS_MEANING =
  'reported before the company changed these segments, so not comparable with periods reported after the change';
const LEGEND: readonly (readonly [string, string])[] = [
  [DERIVED_MARK, 'computed as the year less its first three quarters'],
  [OTHER_BASIS_MARK, OTHER_BASIS_MEANING],
];

const formatMarks = ({ derived = false, basis = 1 }: SegmentPeriod): string =>
  (derived ? DERIVED_MARK : '') + OTHER_BASIS_MARK.repeat(Math.max(0, basis - 1));

export default defineCommand({
  operation: 'segments',
  args: [{ parameter: 'ticker', many: true }],
  examples: {
    'segments AAPL': 'revenue by business segment, geography and product, with shares of the total',
    'segments AAPL --years 3': 'the last three fiscal years; --quarters 8 shows the last eight quarters',
    'segments AAPL --chart': 'the values of each member by year, as a bar chart',
    'segments AAPL --period quarterly --csv': 'one row for each member and quarter',
  },
  options: [...PERIOD_COUNT_OPTIONS, makeRowsOption('members', 'summary')],
  hasCharts: true,
  request: ({ givenParameters, options }) => {
    const choice = readSegmentPeriodChoice(options);
    return choice === null
      ? { parameters: givenParameters }
      : { parameters: withParameter(givenParameters, 'period', choice.period), narrowing: makePeriodsFilter(choice) };
  },
  result: async ({ data }, { lookUp }) => {
    const newest = findNewestEnd(data);
    const title = `${data.entity_name} (${data.ticker}): segments, ${data.period}`;
    return {
      title,
      tables: [makeMembersTable(data), makeSummaryTable(data)],
      layout: () => [
        makeTitleBlock(title),
        ...data.axes.flatMap((axis) => axis.measures.flatMap((measure) => makeMeasureBlocks(axis, measure))),
      ],
      hasSheet: true,
      charts: {
        isShownByDefault: false,
        draw: () => data.axes.flatMap((axis) => axis.measures.map((measure) => makeMeasureChart(axis, measure))),
        notes: () =>
          data.axes.some(({ measures }) => measures.some(({ periods }) => periods.some(({ basis = 1 }) => basis > 1)))
            ? [`${OTHER_BASIS_MARK} ${OTHER_BASIS_MEANING}`]
            : [],
      },
      notices: newest === null ? [] : await makeReportsAfterDayNotices(newest, data, lookUp, 'segments'),
    };
  },
});

const findNewestEnd = ({ axes }: Segments): string | null =>
  axes
    .flatMap(({ measures }) => measures.flatMap(({ periods }) => periods.map(({ end_date: end }) => end)))
    .reduce<string | null>((latest, end) => (latest === null || end > latest ? end : latest), null);

type MemberRow = SegmentPeriod &
  Pick<Segments, 'ticker' | 'cik' | 'entity_name'> &
  Readonly<Record<'axis' | 'measure' | 'concept' | 'unit' | 'member' | 'label' | 'value' | 'total', unknown>>;

const makeMembersTable = (data: Segments): Table =>
  makeTable<MemberRow>({
    name: 'members',
    columns: [
      ...makeFieldColumns('ticker', 'cik', 'entity_name', 'axis', 'measure', 'concept', 'unit', 'member', 'label'),
      ...makeFieldColumns('fiscal_year', 'fiscal_period', 'end_date'),
      { key: 'value', measure: 'money' },
      { key: 'total', measure: 'money' },
      { key: 'derived', value: ({ derived = false }) => derived },
      ...makeFieldColumns('accession_number', 'form', 'filed_at'),
      { key: 'basis', value: ({ basis = 1 }) => basis },
    ],
    records: () => generateMemberRows(data),
  });

function* generateMemberRows({ ticker, cik, entity_name, axes }: Segments): Generator<MemberRow> {
  for (const { axis, measures } of axes) {
    for (const { measure, concept, unit, periods, members, totals } of measures) {
      for (const { member, label, values } of members) {
        for (const [index, period] of periods.entries()) {
          const valueFields = { value: values[index] ?? null, total: totals[index] ?? null };
          yield { ticker, cik, entity_name, axis, measure, concept, unit, member, label, ...period, ...valueFields };
        }
      }
    }
  }
}

const makeSummaryTable = (data: Segments): Table =>
  makeTable({
    name: 'summary',
    columns: makeFieldColumns('ticker', 'cik', 'entity_name', 'period', 'documents', 'updated_at'),
    shownKeys: [],
    records: () => [data],
  });

/**
 * Returns a table of one measure, newest period first, with each member's share of the newest consolidated total, and
 * the remainder that no member accounts for.
 */
function makeMeasureBlocks(axis: SegmentAxis, measure: SegmentMeasure): Block[] {
  const { members, totals } = measure;
  const periodsNewestFirst = sortPeriodsByEnd(measure).reverse();
  const [last] = periodsNewestFirst;
  // Some filers break down a figure without reporting its total.
  const hasTotals = totals.some((total) => total !== null);
  const columns: Column[] = [
    { key: 'label', title: capitalize(axis.axis), shrinkTo: 16 },
    ...(hasTotals ? [{ key: 'share', title: 'Share', align: 'right' } as const] : []),
    ...periodsNewestFirst.map(({ period }, position): Column => {
      const mark = formatMarks(period);
      const key = formatPeriod(period);
      return { key, title: key + mark, mark, align: 'right', ...(position === 0 ? {} : { drop: position }) };
    }),
  ];
  const makeShares = (values: PeriodValues): Cell[] => {
    if (!hasTotals) return [];
    const share = last === undefined ? null : divideOrNull(values[last.index], totals[last.index]);
    return [last === undefined ? null : makeFigureCell(share, 'fraction')];
  };
  const makeValues = (values: PeriodValues): Cell[] =>
    periodsNewestFirst.map(({ index }) => makeFigureCell(values[index], 'money'));
  const unassigned = computeUnassignedRemainders(measure);
  return [
    makeTitleBlock(formatMeasureTitle(axis, measure)),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns,
      rows: [
        ...members.map(({ label, values }): TableRow => [label, ...makeShares(values), ...makeValues(values)]),
        ...(unassigned === null
          ? []
          : [
              [{ text: REMAINDER_LABEL, tone: 'quiet' } as const, ...makeShares(unassigned), ...makeValues(unassigned)],
            ]),
        ...(hasTotals ? [[{ text: 'Consolidated', tone: 'strong' } as const, '', ...makeValues(totals)]] : []),
      ],
      legend: LEGEND,
    },
  ];
}

/** Returns a chart of one measure, such as revenue by segment, with all members on one scale. */
function makeMeasureChart(axis: SegmentAxis, measure: SegmentMeasure): BarChart {
  const indexed = sortPeriodsByEnd(measure);
  const unassigned = computeUnassignedRemainders(measure);
  const members = [...measure.members, ...(unassigned === null ? [] : [{ label: REST_LABEL, values: unassigned }])];
  return {
    kind: 'bars',
    title: formatMeasureTitle(axis, measure),
    periods: makeDistinctPeriodLabels(indexed.map(({ period }) => period)).map(
      (label, index) => label + OTHER_BASIS_MARK.repeat(Math.max(0, (indexed[index]?.period.basis ?? 1) - 1)),
    ),
    series: members.map(({ label, values }) => ({ label, values: indexed.map(({ index }) => values[index] ?? null) })),
    measure: 'money',
    together: 'stacked',
  };
}

const REMAINDER_LABEL = 'Other (total less the members)';
/** Name of the remainder in charts, which have little space for names. */
const REST_LABEL = 'Total less members';

/**
 * Returns the part of each total that no member accounts for, such as corporate costs and sales between segments; null
 * if the members add up to every total.
 */
function computeUnassignedRemainders({ totals, members }: SegmentMeasure): PeriodValues | null {
  const remainders = totals.map((total, index) =>
    members.reduce((rest, { values }) => subtractOrNull(rest, values[index] ?? '0'), total),
  );
  return remainders.every((value) => value === null || isZero(value)) ? null : remainders;
}

type PeriodValues = SegmentMeasure['totals'];

/** Returns periods sorted by end date, each with its index in the arrays of values. */
const sortPeriodsByEnd = ({ periods }: SegmentMeasure) =>
  periods
    .map((period, index) => ({ period, index }))
    .sort((a, b) => compareText(a.period.end_date, b.period.end_date) || b.index - a.index);

/**
 * Returns the title of a measure. If the company changed the measure's XBRL concept, so that several entries have this
 * measure, the title names the concept.
 */
function formatMeasureTitle({ axis, measures }: SegmentAxis, { measure, concept, unit }: SegmentMeasure): string {
  const several = measures.filter((other) => other.measure === measure).length > 1;
  return capitalize(`${makeDisplayName(measure)} by ${axis}, ${unit}${several ? ` (${concept})` : ''}`);
}
