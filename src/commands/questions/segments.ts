import { compareText } from '../../contract/compare-text.ts';
import { isZero } from '../../contract/decimal-text.ts';
import type { SegmentAxis, SegmentMeasure, Segments } from '../../contract/resources/segments.ts';
import { share, subtract } from '../../output/arithmetic.ts';
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
import type { Rows, Value } from '../../output/rows.ts';
import { command } from '../command.ts';
import { segmentCharts } from './bar-charts.ts';
import { capital, measureHeading } from './measure-heading.ts';
import { periodLabel } from './shared/period-label.ts';

const DERIVED = '*';

export default command<Segments>({
  operation: 'segments',
  args: [{ parameter: 'ticker', many: true }],
  examples: [
    { line: 'segments AAPL', shows: 'by business segment, geography and product, with the share of the total' },
    { line: 'segments AAPL --chart', shows: 'the last years of each, as bars' },
    { line: 'segments AAPL --period quarterly --csv', shows: 'a row for each member and quarter' },
  ],
  view: ({ data }) => [
    title(`${data.entity_name} (${data.ticker}): segments, ${data.period}`),
    ...data.axes.flatMap((axis) => axis.measures.flatMap((measure) => measureBlocks(axis, measure))),
  ],
  draw: ({ data }) => [
    title(`${data.entity_name} (${data.ticker}): segments, ${data.period}`),
    ...segmentCharts(data).map(chartBlock),
    ...(data.axes.length === 0 ? [note(`No segments on file; reports read: ${data.documents}.`)] : []),
  ],
  rows: ({ data }): Rows => ({ columns: COLUMNS, rows: segmentRows(data) }),
});

/**
 * Newest period first. The newest also shows what part of the consolidated total each member is. What the members
 * do not account for has a line of its own: segments leave out corporate costs, and sell to each other.
 */
function measureBlocks(axis: SegmentAxis, measure: SegmentMeasure): Block[] {
  const order = [...measure.periods.keys()].sort((a, b) => compareText(endOf(measure, b), endOf(measure, a)));
  const [newest = 0] = order;
  const columns: Column[] = [
    { key: 'label', title: capital(axis.axis), shrinkTo: 16 },
    { key: 'share', title: 'Share', align: 'right' },
    ...order.map((index, position): Column => {
      const period = measure.periods[index];
      const mark = period?.derived === true ? DERIVED : '';
      const key = period === undefined ? '' : periodLabel(period);
      return { key, title: key + mark, mark, align: 'right', ...(position === 0 ? {} : { drop: position }) };
    }),
  ];
  const line = (label: Cell, values: SegmentMeasure['totals'], total: boolean): TableRow => [
    label,
    total ? '' : figure(share(values[newest], measure.totals[newest]), 'fraction'),
    ...order.map((index) => figure(values[index], 'money')),
  ];
  const rest = measure.totals.map((total, index) =>
    measure.members.reduce((left, { values }) => subtract(left, values[index] ?? '0'), total),
  );
  return [
    title(measureHeading(axis, measure)),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns,
      rows: [
        ...measure.members.map(({ label, values }) => line(label, values, false)),
        ...(rest.every((value) => value === null || isZero(value))
          ? []
          : [line({ text: 'Other, by difference', tone: 'quiet' }, rest, false)]),
        line({ text: 'Consolidated', tone: 'strong' }, measure.totals, true),
      ],
      legend: [[DERIVED, 'the year less its first three quarters']],
    },
  ];
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
            accession_number,
            form,
            filed_at = null,
          } = period;
          yield [
            ...[ticker, cik, entity_name, axis, measure, concept, unit, member, label],
            ...[fiscal_year, fiscal_period, end_date, values[index] ?? null, totals[index] ?? null, derived],
            ...[accession_number, form, filed_at],
          ];
        }
      }
    }
  }
}

const endOf = ({ periods }: SegmentMeasure, index: number): string => periods[index]?.end_date ?? '';
