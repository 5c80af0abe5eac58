/** Metric values as people read them: statements with metrics down and periods across, and bar charts. */
import { compareText } from '../../../contract/compare-text.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
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
import type { BarChart } from '../../../output/chart/chart.ts';
import { daysBetween } from '../../../platform/dates.ts';
import type { Answer } from '../../command.ts';
import { distinctPeriodLabels, fiscalLabel, measureOf, periodDays, periodLabel, statementTitle } from './labels.ts';

type MetricsAnswer = Answer<readonly MetricValue[]>;

const DERIVED = '*';
const REVISED = '!';
const PRESPLIT = '^';
const UNSURE = '~';

export const BEFORE_SPLIT = 'filed before a split, so most likely counted in the old shares';

const LEGEND = [
  [DERIVED, 'derived from reported figures'],
  [REVISED, 'changed by a later filing: fin revisions shows how'],
  [PRESPLIT, BEFORE_SPLIT],
  [UNSURE, 'low confidence, of a concept only close to the metric: fin lineage names it'],
] as const;

/** Periods side by side, as many as fit. */
export function statementBlocks(answer: MetricsAnswer, period: string, width: number | null): readonly Block[] {
  const { data } = answer;
  const [first] = data;
  if (first === undefined) return [];
  const periods = periodColumns(data);
  const marks = markerOf(data);
  const currency = mainCurrency(data);
  const lines = groupBySeries(data);
  const body = lines.map((values) => {
    const [row] = values;
    return {
      section: sectionName(row),
      cells: [metricLabel(row, currency), ...periods.map((column) => periodCell(column, values, marks))],
    };
  });
  return [
    heading(answer, first, period, currency),
    {
      kind: 'table',
      columnNoun: 'periods',
      columns: [
        { key: 'metric', title: '', shrinkTo: width !== null && width < WIDE ? NARROW_NAME : WIDE_NAME },
        ...periods.map(periodHead),
      ],
      rows: inSections(body),
      legend: LEGEND,
    },
  ];
}

/** One value of each metric, with its period and the filing it is read from. */
export function latestBlocks(answer: MetricsAnswer): readonly Block[] {
  const { data } = answer;
  const [first] = data;
  if (first === undefined) return [];
  const marks = markerOf(data);
  const currency = mainCurrency(data);
  const body = data.map((row) => ({
    section: sectionName(row),
    cells: [
      metricLabel(row, currency),
      { ...figure(row.value, measureOf(row.metric_key, row.unit)), mark: marks.of(row) },
      periodLabel(row),
      quiet(periodDays(row)),
      row.read_from?.form ?? null,
      row.read_from?.filed_at ?? null,
      quiet(row.read_from?.accession_number),
    ],
  }));
  return [
    heading(answer, first, 'latest', currency),
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

/** The title above charts of metric values; each chart names its own unit. */
export function chartHeading(answer: MetricsAnswer, period: string): Block {
  const [first] = answer.data;
  return first === undefined ? note('No values to draw.') : heading(answer, first, period, null);
}

/** One chart for each metric and unit, its periods in the order of their ends. */
export function metricCharts(data: readonly MetricValue[]): BarChart[] {
  return groupBySeries(data).map(([first, ...others]) => {
    const rows = [first, ...others].toSorted((a, b) => compareText(a.end_date, b.end_date));
    return {
      kind: 'bars',
      title: `${first.metric_label}, ${first.unit}`,
      periods: distinctPeriodLabels(rows),
      series: [{ label: '', values: rows.map(({ value }) => value) }],
      measure: measureOf(first.metric_key, first.unit),
    };
  });
}

/** Within so many days after a split every filer has restated its annual and quarterly figures. */
const RESTATED_WITHIN = 400;

/**
 * The per-share figures and counts of shares of an answer that were filed before a split. An answer names no split,
 * but a re-expressed figure proves one, and filings that follow each other re-express for one and the same split.
 */
export function filedBeforeSplit(data: readonly MetricValue[]): ReadonlySet<MetricValue> {
  const inShares = data.filter(({ metric_key: key, unit }) => ['per_share', 'shares'].includes(measureOf(key, unit)));
  const restated = inShares.flatMap(({ read_from: from }) =>
    from?.kind === 're_expressed' && from.filed_at != null ? [from.filed_at] : [],
  );
  let split: string | undefined;
  for (const filed of restated.sort().reverse()) {
    if (split !== undefined && daysBetween(filed, split) > RESTATED_WITHIN) break;
    split = filed;
  }
  const first = split;
  if (first === undefined) return new Set();
  return new Set(inShares.filter(({ read_from: from }) => from?.filed_at != null && from.filed_at < first));
}

/** A concept that says nearly the same has this much confidence, and so has what is derived by a sure way. */
const SURE = '0.9';

/** Whether the confidence is low: the figure, or an input of it, is of a concept that is only close to the metric. */
export const isUnsure = ({ confidence }: Pick<MetricValue, 'confidence'>): boolean =>
  compareDecimals(confidence, SURE) < 0;

/** A column of a statement: the values of one period, and the balances at its end. */
interface PeriodColumn {
  readonly label: string;
  readonly start: string | null;
  readonly end: string;
  /** Opened for a value that found its place in its period taken. */
  readonly extra: boolean;
  readonly values: Set<MetricValue>;
  /** Series that have a value in this column already. */
  readonly taken: Set<string>;
}

/**
 * Newest end first; of periods with one end the shorter first. No value is left out: one whose place is taken (after a
 * move of the year's end, or a cover with a date of its own) gets a column of its own.
 */
function periodColumns(data: readonly MetricValue[]): PeriodColumn[] {
  const columns: PeriodColumn[] = [];
  for (const row of data.filter((one) => one.start_date != null)) {
    place(columns, row, (column) => column.end === row.end_date && column.start === row.start_date) ||
      place(columns, row, (column) => column.label === fiscalLabel(row)) ||
      open(columns, row);
  }
  for (const row of data.filter((one) => one.start_date == null)) {
    place(columns, row, (column) => column.end === row.end_date) ||
      place(columns, row, (column) => column.label === fiscalLabel(row)) ||
      // A balance at the year's end is the fourth quarter's too.
      place(columns, row, (column) => row.fiscal_period === 'FY' && column.label === `Q4 ${row.fiscal_year}`) ||
      open(columns, row);
  }
  return columns.sort((a, b) => compareText(b.end, a.end) || compareText(b.start ?? '', a.start ?? ''));
}

function place(columns: readonly PeriodColumn[], row: MetricValue, fits: (column: PeriodColumn) => boolean): boolean {
  const key = seriesKey(row);
  const column = columns.find((candidate) => fits(candidate) && !candidate.taken.has(key));
  column?.values.add(row);
  column?.taken.add(key);
  return column !== undefined;
}

function open(columns: PeriodColumn[], row: MetricValue): void {
  const label = periodLabel(row);
  const extra = columns.some((column) => column.label === label);
  columns.push({
    label: extra ? row.end_date : label,
    start: row.start_date ?? null,
    end: row.end_date,
    extra,
    values: new Set([row]),
    taken: new Set([seriesKey(row)]),
  });
}

const FIRST_EXTRA = 10_000;

/** Older periods are dropped first, and before them the extra ones. The newest stays. */
function periodHead({ label, end, extra }: PeriodColumn, index: number): Column {
  const drop = extra ? FIRST_EXTRA + index : index;
  return { key: label, title: label, subtitle: end, align: 'right', ...(index === 0 ? {} : { drop }) };
}

/** On a narrow terminal names are cut shorter, so that one more period fits. */
const WIDE = 100;
const WIDE_NAME = 30;
const NARROW_NAME = 18;

function heading({ meta }: MetricsAnswer, first: MetricValue, period: string, currency: string | null): Block {
  const asOf = meta.as_of === undefined ? '' : `, as of ${meta.as_of}`;
  const periods = period === 'all' ? 'all periods' : period;
  const units = currency === null ? '' : `, in ${currency}`;
  return title(`${first.entity_name} (${first.ticker ?? first.cik}): ${periods}${units}${asOf}`);
}

/** The currency of most values, stated once above them; other units stand beside their metric. */
function mainCurrency(data: readonly MetricValue[]): string | null {
  const counts = new Map<string, number>();
  for (const { unit } of data) {
    const currency = /^([A-Z]{3})(\/shares)?$/.exec(unit)?.[1];
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most === undefined ? null : most[0];
}

function metricLabel({ metric_label: label, unit }: MetricValue, currency: string | null): string {
  const plain = unit === currency || unit === `${currency}/shares` || unit === 'shares' || unit === 'pure';
  return plain ? label : `${label} (${unit})`;
}

const sectionName = ({ statement }: MetricValue): string => statementTitle(statement ?? null);

function inSections(lines: readonly { readonly section: string; readonly cells: readonly Cell[] }[]): TableRow[] {
  const several = new Set(lines.map(({ section }) => section)).size > 1;
  return lines.flatMap(({ section, cells }, index) =>
    several && lines[index - 1]?.section !== section ? [{ section }, cells] : [cells],
  );
}

function periodCell(column: PeriodColumn, values: readonly MetricValue[], marks: Marks): Cell {
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
  const presplit = filedBeforeSplit(data);
  const marksOf = (row: MetricValue): string =>
    (row.value_kind === 'derived' ? DERIVED : '') +
    (row.revised === true ? REVISED : '') +
    (presplit.has(row) ? PRESPLIT : '') +
    (isUnsure(row) ? UNSURE : '');
  const width = Math.max(0, ...data.map((row) => marksOf(row).length));
  return { width, of: (row) => marksOf(row).padEnd(width) };
}

const seriesKey = ({ metric_key: key, unit }: MetricValue): string => `${key} ${unit}`;

/** The values of each metric and unit, in the order in which each first occurs. */
function groupBySeries(data: readonly MetricValue[]): [MetricValue, ...MetricValue[]][] {
  const groups = new Map<string, [MetricValue, ...MetricValue[]]>();
  for (const row of data) {
    const group = groups.get(seriesKey(row));
    if (group === undefined) groups.set(seriesKey(row), [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
