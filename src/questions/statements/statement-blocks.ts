/** Renders metric values as blocks: statements with one row per metric and one column per period, and bar charts. */

import type { Envelope } from '../../ask/command/answer.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { groupBy } from '../../platform/collections.ts';
import type { BarChart, Block, Cell, Column, FigureCell, TableLine, TableRow } from '../../result/blocks.ts';
import { makeFigureCell, makeNoteBlock, makeQuietCell, makeSignedCell, makeTitleBlock } from '../../result/blocks.ts';
import {
  findMeasure,
  findStatementTitle,
  formatPeriod,
  formatPeriodDates,
  isGrowth,
  isUnitless,
  makeDistinctPeriodLabels,
  UNCONFIRMED_MARK,
  UNCONFIRMED_NOTE,
} from '../../result/labels.ts';
import { makeNote, type Notice } from '../../result/notice.ts';
import type { ComparedValue, RowComparer } from './changes.ts';
import { findNoteLines, findOlderFigures, findPresplit, findReportCurrency, findTranslated } from './kinds-of-rows.ts';
import type { StatementId, StatementPlace } from './layouts.ts';
import { COMMON_SIZE_BASE_KEYS, comparePlaces, findPlaceInTable, findRowPlace, moveToSupplement } from './layouts.ts';
import { addMissingPeriods, findPeriodLength, makePeriodColumns, makeSeriesKey, type PeriodColumn } from './periods.ts';

type Rows = readonly MetricValue[];
type MetricsAnswer = Envelope<Rows>;

/** The statements and periods that a table of metrics shows, and the comparisons under its lines. */
export interface StatementView {
  /** Statements to show; null if the user named no statement. */
  readonly statements: readonly StatementId[] | null;
  /** The periods as text for the heading, such as `annual`. */
  readonly period: string;
  /** Whether the user requested a number of periods; if so, no period is dropped. */
  readonly hasCount: boolean;
  /** The newest periods of the company, if the user requested a number of periods: each is shown, even if empty. */
  readonly calendar: readonly Pick<PeriodColumn, 'label' | 'end'>[];
  /** Computes the growth shown under each line; null if not requested. */
  readonly growth: RowComparer | null;
  /** Computes the fraction of revenue or of total assets shown under each line; null if not requested. */
  readonly share: RowComparer | null;
}

/** `width`: width of the terminal in columns; null for unlimited width. */
type SizedView = StatementView & { readonly width: number | null };

const DERIVED_MARK = '*';
const REVISED_MARK = '!';
const PRESPLIT_MARK = '^';
const LOW_CONFIDENCE_MARK = '~';
/**
 * Mark of a figure that is not comparable with the previous period, or of a year that is not the sum of its quarters.
 */
const BASIS_BREAK_MARK = '‖';

const LOW_CONFIDENCE_NOTE =
  'low confidence: read or derived from an XBRL concept that is only similar to the metric (see fin lineage)';
const BASIS_BREAK_NOTE =
  'not comparable with the previous period, or a twelve-month value that is not the sum of its quarters: only some values were restated';

/** Marks of `formatMarks`, with their meanings. */
export const MARK_LEGEND = [
  [PRESPLIT_MARK, 'filed before a stock split, so probably not adjusted for the split'],
  [LOW_CONFIDENCE_MARK, LOW_CONFIDENCE_NOTE],
  [BASIS_BREAK_MARK, BASIS_BREAK_NOTE],
  [UNCONFIRMED_MARK, UNCONFIRMED_NOTE],
] as const;

const LEGEND = [
  [DERIVED_MARK, 'derived from reported figures'],
  [REVISED_MARK, 'changed by a later filing (see fin revisions)'],
  ...MARK_LEGEND,
] as const;

/**
 * Returns statements with as many periods side by side as fit. Figures in another currency are shown in a table of
 * their own.
 */
export function makeStatementBlocks(answer: MetricsAnswer, view: SizedView): Block[] {
  const { data } = answer;
  // The title states this currency once; a metric in another currency is in a table of its own.
  const currency = findReportCurrency(data);
  const byCurrency = groupBy(data, ({ unit }) => parseCurrency(unit) ?? currency);
  const currencies = [...new Set([currency, ...byCurrency.keys()])];
  return currencies.flatMap((one) => makeTableBlocks(answer, byCurrency.get(one) ?? [], one, view));
}

function makeTableBlocks(answer: MetricsAnswer, data: Rows, currency: string | null, view: SizedView): Block[] {
  const { growth, share, width } = view;
  const [firstValue] = data;
  if (firstValue === undefined) return [];
  const periodColumns = addMissingPeriods(makePeriodColumns(data), view.calendar);
  const rowMarks = makeRowMarks(answer.data);
  const seriesLines = makeSeriesLines(groupBySeries(data));
  const isNarrow = width !== null && width < MIN_WIDE_TERMINAL_WIDTH;
  const lines = new Map<TableRow, TableLine>();
  const addLine = (line: TableLine, rows: readonly (readonly Cell[])[]): readonly TableRow[] => {
    for (const row of rows) lines.set(row, line);
    return rows;
  };
  return [
    makeTitleBlock(formatTitle(answer, firstValue, view, currency)),
    {
      kind: 'table',
      columnNoun: 'periods',
      ...(view.hasCount ? { keepsColumns: true as const } : {}),
      columns: [
        { key: 'metric', title: '', shrinkTo: isNarrow ? NARROW_NAME_WIDTH : WIDE_NAME_WIDTH, wrapped: true },
        ...makePeriodHeadings(periodColumns),
      ],
      rows: groupIntoSections(seriesLines, ({ values, place, isPart }) => {
        const shownValues = periodColumns.map((period) => values.find((value) => period.values.has(value)));
        const isSubtotal = place.role === 'subtotal';
        const indent = isPart ? PART_INDENT : '';
        const label = indent + formatMetricLabel(values[0], currency);
        const [{ metric_key: key }] = values;
        const base = COMMON_SIZE_BASE_KEYS[place.statement];
        const compare = (text: string, comparer: RowComparer | null, makeCell: typeof makeFigureCell) => {
          const compared = shownValues.map((row) => row && comparer?.(row));
          if (compared.every((value) => value == null)) return [];
          const cells = compared.map((value, index) => ({
            ...makeCell(value?.value, 'fraction'),
            mark: findComparisonMark(shownValues[index], value ?? null).padEnd(rowMarks.width),
          }));
          return [[makeQuietCell(PART_INDENT + indent + text), ...cells]];
        };
        const figures = shownValues.map((row) => makePeriodCell(row, rowMarks, isSubtotal));
        return [
          ...addLine({ of: 'figure', key }, [[isSubtotal ? { text: label, tone: 'strong' } : label, ...figures]]),
          ...addLine({ of: 'share', key, base }, compare(`of ${base}`, share, makeFigureCell)),
          ...addLine({ of: 'growth', key }, compare('growth', growth, makeSignedCell)),
        ];
      }),
      lines,
      legend: LEGEND,
      explainsScales: true,
    },
    ...makeRatioNote(data),
  ];
}

/** Returns a table with the latest value of each metric, its period, and the filing from which it is read. */
export function makeLatestBlocks(answer: MetricsAnswer, view: StatementView): readonly Block[] {
  const { data } = answer;
  const [firstRow] = data;
  if (firstRow === undefined) return [];
  const rowMarks = makeRowMarks(data);
  const currency = findReportCurrency(data);
  const { before, figures: old } = findOlderFigures(data);
  const recentValues = data.filter((row) => !old.has(row));
  const makeLatestRows = ({ values, isPart }: SeriesLine): readonly TableRow[] =>
    values.map((row) => [
      (isPart ? PART_INDENT : '') + formatMetricLabel(row, currency),
      { ...formatFigure(row), mark: rowMarks.marksOfRow(row) },
      formatPeriod(row),
      makeQuietCell(formatPeriodDates(row)),
      row.read_from?.form ?? null,
      row.read_from?.filed_at ?? null,
      makeQuietCell(row.read_from?.accession_number),
    ]);
  return [
    makeTitleBlock(formatTitle(answer, firstRow, view, currency)),
    {
      kind: 'table',
      columns: [
        { key: 'metric_label', title: '', shrinkTo: NARROW_NAME_WIDTH, wrapped: true },
        { key: 'value', title: 'Value', align: 'right' },
        { key: 'period', title: 'Period' },
        { key: 'days', title: 'Days', drop: 3 },
        { key: 'read_from_form', title: 'Form', drop: 1 },
        { key: 'read_from_filed_at', title: 'Filed', drop: 2 },
        { key: 'read_from_accession_number', title: 'Accession', drop: 4 },
      ],
      rows: [
        ...groupIntoSections(makeSeriesLines(groupBySeries(recentValues)), makeLatestRows),
        ...(old.size === 0 ? [] : [{ section: `Last reported for a period before ${before}` }]),
        ...makeSeriesLines(groupBySeries([...old])).flatMap((line) => makeLatestRows({ ...line, isPart: false })),
      ],
      legend: LEGEND,
      explainsScales: true,
    },
    ...makeRatioNote(data),
  ];
}

const isRatio = (row: MetricValue): boolean => findRowPlace(row).statement === 'ratios';

/** Returns one note instead of marks, because all ratios are derived. */
function makeRatioNote(data: Rows): Block[] {
  const isShown = data.some((row) => isRatio(row) && row.value_kind === 'derived');
  return isShown ? [makeNoteBlock('Ratios are derived from reported figures.')] : [];
}

/**
 * Returns one chart per metric and unit, with bars marked like figures. All charts have the same years or quarters; a
 * period without a figure is a gap.
 */
export function makeMetricCharts(data: Rows, { calendar }: Pick<StatementView, 'calendar'>, asOf?: string): BarChart[] {
  const presplit = findPresplit(data);
  const columns = addMissingPeriods(makePeriodColumns(data), calendar).toReversed();
  return groupBySeries(data).map((rows) => {
    const [first] = rows;
    const labels = makeDistinctPeriodLabels(rows);
    const cells = columns.map((column) => {
      const index = rows.findIndex((row) => column.values.has(row));
      return { column, row: rows[index] ?? null, label: (column.isTtm ? labels[index] : undefined) ?? column.label };
    });
    const lengths = new Set(cells.flatMap(({ row, label }) => (row === null ? [] : [findPeriodLength(label)])));
    const bars = cells.flatMap(({ column, row, label }) => {
      if (row !== null) return [{ label: label + formatMarks(row, presplit), value: findShownValue(row) }];
      const length = column.isExtra ? null : findPeriodLength(label);
      return length !== null && lengths.has(length) ? [{ label, value: null }] : [];
    });
    return {
      kind: 'bars',
      title: `${first.metric_label}${formatUnit(first)}${describeShares(rows, asOf)}`,
      periods: bars.map(({ label }) => label),
      series: [{ label: '', values: bars.map(({ value }) => value) }],
      measure: findMeasure(first.metric_key, first.unit),
    };
  });
}

/** Returns the unit for a title; a fraction has none. */
const formatUnit = ({ unit }: MetricValue): string => (isUnitless(unit) ? '' : `, ${unit}`);

/** Returns the meanings of the marks that occur in the charts. */
export function makeChartNotes(data: readonly MetricValue[]): string[] {
  const presplit = findPresplit(data);
  const marks = new Set(data.map((row) => formatMarks(row, presplit)).join(''));
  return LEGEND.filter(([mark]) => marks.has(mark)).map((entry) => entry.join(' '));
}

/**
 * Returns the marks of a figure: filed before a split, of low confidence, not comparable with the previous period, or
 * unconfirmed.
 */
export const formatMarks = (row: MetricValue, presplit: ReadonlySet<MetricValue>): string =>
  (presplit.has(row) ? PRESPLIT_MARK : '') +
  (hasLowConfidence(row) ? LOW_CONFIDENCE_MARK : '') +
  (row.basis_break === true ? BASIS_BREAK_MARK : '') +
  (row.unconfirmed === undefined ? '' : UNCONFIRMED_MARK);

/**
 * Returns the value of a figure; null if it cannot be shown in today's shares, because it is unknown whether it was
 * filed before or after the split.
 */
export const findShownValue = ({ value, split_ratio: ratio }: MetricValue) => (ratio === null ? null : value);

type SplitRow = Parameters<typeof formatPeriod>[0] & { readonly split_ratio?: string | null | undefined };

/** Reports the periods whose figures cannot be adjusted to today's shares. */
export function makeUndatedSplitNotices(data: readonly SplitRow[]): readonly Notice[] {
  const periods = [...new Set(data.filter(({ split_ratio: ratio }) => ratio === null).map(formatPeriod))];
  if (periods.length === 0) return [];
  const text = `Per-share figures and share counts of some periods are left out, because it is unknown whether they were filed before or after a stock split: ${periods.join(', ')}.`;
  return [makeNote('undated_split', text, { periods })];
}

/**
 * Minimum confidence of figures without a warning mark: the concept means nearly the same as the metric, or the
 * derivation is exact.
 */
const MIN_CONFIDENCE = '0.9';

/**
 * Whether the confidence is low: the XBRL concept of the figure, or of one of its inputs, is only similar to the
 * metric.
 */
export const hasLowConfidence = ({ confidence }: Pick<MetricValue, 'confidence'>): boolean =>
  compareDecimals(confidence, MIN_CONFIDENCE) < 0;

const EXTRA_COLUMN_DROP_ORDER = 10_000;

/**
 * Returns column headings, with the order in which columns are dropped on a narrow terminal: first extra columns, then
 * the oldest periods. The newest period is never dropped.
 */
function makePeriodHeadings(periods: readonly PeriodColumn[]): Column[] {
  const hasOnlyTtm = periods.every((period) => period.isTtm) && periods.length > 1;
  return periods.map(({ label, end, isExtra, isTtm }, index) => ({
    key: label,
    ...(hasOnlyTtm ? { title: end } : { title: isTtm ? 'TTM' : label, subtitle: end }),
    align: 'right',
    ...(index === 0 ? {} : { drop: isExtra ? EXTRA_COLUMN_DROP_ORDER + index : index }),
  }));
}

/** Minimum terminal width for full metric names; on narrower terminals shorter names make room for one more period. */
const MIN_WIDE_TERMINAL_WIDTH = 100;
const WIDE_NAME_WIDTH = 30;
const NARROW_NAME_WIDTH = 18;

const STATEMENT_NAMES: Readonly<Record<StatementId, string>> = {
  income: 'income statement',
  balance: 'balance sheet',
  cash_flow: 'cash flow statement',
  cover: 'cover page',
  ratios: 'ratios',
};

export const joinStatementNames = (statements: readonly StatementId[]): string =>
  statements.map((statement) => STATEMENT_NAMES[statement]).join(', ');

/** Returns the title of an answer whose tables or charts state their units, or null for an empty answer. */
export const formatHeading = (answer: MetricsAnswer, view: StatementView): string | null =>
  answer.data[0] === undefined ? null : formatTitle(answer, answer.data[0], view, null);

/**
 * Returns the end of a title, which states whether figures are in today's shares or in the shares of `asOf`; empty if
 * no figure is adjusted for splits.
 */
export function describeShares(data: readonly Pick<MetricValue, 'split_ratio'>[], asOf: string | undefined): string {
  if (!data.some(({ split_ratio: ratio }) => ratio !== undefined)) return '';
  return asOf === undefined ? ", in today's shares" : `, in the shares of ${asOf}`;
}

/** Returns the part of a title that marks a table of amounts that the company translated. */
function describeTranslation(data: readonly MetricValue[], currency: string): string {
  const isTranslated = findTranslated(data).some(({ unit }) => parseCurrency(unit) === currency);
  return isTranslated ? ` (the company's translation from ${findReportCurrency(data)})` : '';
}

function formatTitle(answer: MetricsAnswer, first: MetricValue, view: StatementView, currency: string | null) {
  const { data, meta } = answer;
  const asOfText = meta.as_of === undefined ? '' : `, as of ${meta.as_of}`;
  const statementsText = view.statements === null ? '' : `${joinStatementNames(view.statements)}, `;
  const currencyText = currency === null ? '' : `, in ${currency}${describeTranslation(data, currency)}`;
  const sharesText = describeShares(data, meta.as_of);
  return `${first.entity_name} (${first.ticker ?? first.cik}): ${statementsText}${view.period}${currencyText}${asOfText}${sharesText}`;
}

function formatMetricLabel({ metric_label: label, unit }: MetricValue, currency: string | null): string {
  const isPlainUnit = unit === currency || unit === `${currency}/shares` || unit === 'shares' || isUnitless(unit);
  return isPlainUnit ? label : `${label} (${unit})`;
}

/** The values of one metric in one unit, and their position in the statement. */
type SeriesLine = ReturnType<typeof makeSeriesLines>[number];

function makeSeriesLines(series: readonly (readonly [MetricValue, ...MetricValue[]])[]) {
  const keys = new Set(series.map(([{ metric_key: key }]) => key));
  const noteKeys = findNoteLines(series);
  const placedLines = series.map((values) => {
    const [{ metric_key: key, statement = null }] = values;
    const place = findPlaceInTable({ key, statement }, keys);
    return { values, place: noteKeys.has(key) ? moveToSupplement(place) : place };
  });
  const makeSectionKey = ({ statement, section }: StatementPlace): string => `${statement} ${section}`;
  const subtotals = placedLines.filter(({ place }) => place.role === 'subtotal');
  const sections = new Set(subtotals.map(({ place }) => makeSectionKey(place)));
  /** Whether the line is a component of a subtotal that is also shown. */
  const isPart = (place: StatementPlace): boolean => place.role === 'part' && sections.has(makeSectionKey(place));
  return placedLines
    .map(({ values, place }) => ({ values, place, isPart: isPart(place) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
}

/**
 * Groups lines under the titles of their statements; if all lines are of one statement, under the titles of its
 * sections.
 */
function groupIntoSections(lines: readonly SeriesLine[], make: (line: SeriesLine) => readonly TableRow[]): TableRow[] {
  const isSingleStatement = new Set(lines.map(({ place }) => place.statement)).size === 1;
  const findLineTitle = ({ values: [row], place }: SeriesLine): string | null =>
    isSingleStatement
      ? place.section
      : findStatementTitle(place.statement === 'ratios' ? (row.statement ?? null) : place.statement);
  const hasSeveralTitles = new Set(lines.map(findLineTitle)).size > 1;
  let previousSection: string | null = null;
  return lines.flatMap((line) => {
    const section = findLineTitle(line);
    const beginsSection = hasSeveralTitles && section !== null && section !== previousSection;
    previousSection = section;
    return beginsSection ? [{ section }, ...make(line)] : make(line);
  });
}

const PART_INDENT = '  ';

function makePeriodCell(row: MetricValue | undefined, rowMarks: RowMarks, isTotal: boolean): Cell {
  if (row === undefined) return { figure: null, measure: 'money', mark: ' '.repeat(rowMarks.width) };
  const cell = { ...formatFigure(row), mark: rowMarks.marksOfRow(row) };
  return isTotal ? { ...cell, tone: 'strong' } : cell;
}

/** Formats a figure; growth is shown with its sign. */
function formatFigure(row: MetricValue): FigureCell {
  const makeCell = isGrowth(row.metric_key) ? makeSignedCell : makeFigureCell;
  return makeCell(findShownValue(row), findMeasure(row.metric_key, row.unit));
}

function findComparisonMark(row: MetricValue | undefined, compared: ComparedValue | null): string {
  if (row === undefined || compared === null) return '';
  const { baseRow, isAcrossSplit, isAcrossBases } = compared;
  if (isAcrossSplit) return PRESPLIT_MARK;
  if (isAcrossBases) return BASIS_BREAK_MARK;
  return hasLowConfidence(row) || hasLowConfidence(baseRow) ? LOW_CONFIDENCE_MARK : '';
}

type RowMarks = ReturnType<typeof makeRowMarks>;

/** Returns the marks of each row, padded to a common width so that digits align. */
function makeRowMarks(data: readonly MetricValue[]) {
  const presplit = findPresplit(data);
  const formatAll = (row: MetricValue): string =>
    (row.value_kind === 'derived' && !isRatio(row) ? DERIVED_MARK : '') +
    (row.revised === true ? REVISED_MARK : '') +
    formatMarks(row, presplit);
  const width = Math.max(0, ...data.map((row) => formatAll(row).length));
  return { width, marksOfRow: (row: MetricValue): string => formatAll(row).padEnd(width) };
}

/** Groups values by metric and unit, in the order in which each metric and unit first occurs. */
const groupBySeries = (data: readonly MetricValue[]) => [...groupBy(data, makeSeriesKey).values()];
