/** Metric values as people read statements: metrics down, periods across, newest first. */
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import {
  type Block,
  type Cell,
  type Column,
  figure,
  note,
  quiet,
  type TableRow,
  title,
} from '../../../output/blocks.ts';
import type { Answer } from '../../command.ts';
import { BEFORE_SPLIT, beforeSplit } from '../older-shares.ts';
import { columnsOf, type PeriodColumn } from '../period-columns.ts';
import { measureOf } from './measure-of.ts';
import { periodDays, periodLabel } from './period-label.ts';

type MetricsAnswer = Answer<readonly MetricValue[]>;

const SECTIONS: Readonly<Record<string, string>> = {
  income: 'Income',
  cash_flow: 'Cash flow',
  balance: 'Balance sheet',
  cover: 'Cover page',
};

const DERIVED = '*';
const REVISED = '!';
const OLDER = '^';

const LEGEND = [
  [DERIVED, 'derived from reported figures'],
  [REVISED, 'changed by a later filing: fin revisions shows how'],
  [OLDER, BEFORE_SPLIT],
] as const;

/** One period beside the other; as many as fit. */
export function statementBlocks(answer: MetricsAnswer, period: string, width: number | null): readonly Block[] {
  const { data } = answer;
  const [first] = data;
  if (first === undefined) return [];
  const periods = columnsOf(data);
  const marks = markerOf(data);
  const main = mainUnit(data);
  const lines = new Map<string, MetricValue[]>();
  for (const row of data) push(lines, `${row.metric_key} ${row.unit}`, row);
  const body = [...lines.values()].map((values) => ({
    section: sectionName(values[0]),
    cells: [lineName(values, main), ...periods.map((column) => cellOf(column, values, marks))],
  }));
  return [
    heading(answer, first, PERIODS[period] ?? period, main),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns: [
        { key: 'metric', title: '', shrinkTo: width !== null && width < WIDE ? NARROW_NAME : WIDE_NAME },
        ...periods.map(periodColumn),
      ],
      rows: inSections(body),
      legend: LEGEND,
    },
  ];
}

/** One value of each metric, with its period and where it is read from. */
export function latestBlocks(answer: MetricsAnswer): readonly Block[] {
  const { data } = answer;
  const [first] = data;
  if (first === undefined) return [];
  const marks = markerOf(data);
  const main = mainUnit(data);
  const body = data.map((row) => ({
    section: sectionName(row),
    cells: [
      lineName([row], main),
      { ...figure(row.value, measureOf(row.metric_key, row.unit)), mark: marks.of(row) },
      periodLabel(row),
      quiet(periodDays(row)),
      row.read_from?.form ?? null,
      row.read_from?.filed_at ?? null,
      quiet(row.read_from?.accession_number),
    ],
  }));
  return [
    heading(answer, first, 'latest', main),
    {
      kind: 'table',
      columns: [
        { key: 'metric_label', title: '', shrinkTo: 18 },
        { key: 'value', title: 'Value', align: 'right' },
        { key: 'period', title: 'Period' },
        { key: 'days', title: 'Days', drop: 3 },
        { key: 'read_from_form', title: 'Form', drop: 1 },
        { key: 'read_from_filed_at', title: 'Filed', drop: 2 },
        { key: 'read_from_accession_number', title: 'Accession', drop: 4 },
      ],
      rows: inSections(body),
      legend: LEGEND,
    },
  ];
}

/** Older periods give way first, and before them what belongs to no period of its own. The newest stays. */
function periodColumn({ label, end, extra }: PeriodColumn, index: number): Column {
  const drop = extra ? OLDEST + index : index;
  return { key: label, title: label, subtitle: end, align: 'right', ...(index === 0 ? {} : { drop }) };
}

const OLDEST = 10_000;

/** Names are cut on narrow terminals, for the sake of one more period. */
const WIDE = 100;
const WIDE_NAME = 30;
const NARROW_NAME = 18;

const PERIODS: Readonly<Record<string, string>> = { annual: 'annual', quarterly: 'quarterly', all: 'all periods' };

/** Above charts of the same values; units stand with each of them. */
export function chartHeading(answer: MetricsAnswer, period: string): readonly Block[] {
  const [first] = answer.data;
  if (first === undefined) return [note('Nothing on file to draw.')];
  return [heading(answer, first, PERIODS[period] ?? period, null)];
}

function heading({ meta }: MetricsAnswer, first: MetricValue, period: string, unit: string | null): Block {
  const asOf = meta.as_of === undefined ? '' : `, as of ${meta.as_of}`;
  const units = unit === null ? '' : `, in ${unit}`;
  return title(`${first.entity_name} (${first.ticker ?? first.cik}): ${period}${units}${asOf}`);
}

/** The currency of the statement, said once above it; other units stand beside their metric. */
function mainUnit(data: readonly MetricValue[]): string | null {
  const counts = new Map<string, number>();
  for (const { unit } of data) {
    const currency = /^([A-Z]{3})(\/shares)?$/.exec(unit)?.[1];
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function lineName([row]: readonly MetricValue[], main: string | null): Cell {
  if (row === undefined) return '';
  const plain = row.unit === main || row.unit === `${main}/shares` || row.unit === 'shares' || row.unit === 'pure';
  return plain ? row.metric_label : `${row.metric_label} (${row.unit})`;
}

const sectionName = (row: MetricValue | undefined): string =>
  row?.statement == null ? 'Ratios' : (SECTIONS[row.statement] ?? row.statement);

function inSections(lines: readonly { readonly section: string; readonly cells: readonly Cell[] }[]): TableRow[] {
  const several = new Set(lines.map(({ section }) => section)).size > 1;
  return lines.flatMap(({ section, cells }, index) =>
    several && lines[index - 1]?.section !== section ? [{ section }, cells] : [cells],
  );
}

function cellOf(column: PeriodColumn, values: readonly MetricValue[], marks: Marks): Cell {
  const row = values.find((value) => column.values.has(value));
  if (row === undefined) return { figure: null, measure: 'money', mark: ' '.repeat(marks.width) };
  return { ...figure(row.value, measureOf(row.metric_key, row.unit)), mark: marks.of(row) };
}

interface Marks {
  readonly width: number;
  readonly of: (row: MetricValue) => string;
}

/** Marks of one width throughout, so that digits stay under digits. */
function markerOf(data: readonly MetricValue[]): Marks {
  const older = beforeSplit(data);
  const marksOf = (row: MetricValue): string =>
    (row.value_kind === 'derived' ? DERIVED : '') +
    (row.revised === true ? REVISED : '') +
    (older.has(row) ? OLDER : '');
  const width = Math.max(0, ...data.map((row) => marksOf(row).length));
  return { width, of: (row) => marksOf(row).padEnd(width) };
}

function push<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
