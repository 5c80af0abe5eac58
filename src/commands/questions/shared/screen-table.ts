/** The columns of screens, and the table of companies, for each command that shows one. */
import type { Answer } from '../../../ask/answer.ts';
import type { Context, Typed } from '../../../ask/command.ts';
import { filteredFigures } from '../../../ask/values/screen-filters.ts';
import { Failure } from '../../../contract/failure.ts';
import type { Measure } from '../../../contract/figures/formula.ts';
import { givenText, type ParameterValues, type RawParameters } from '../../../contract/question/question.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { PLAIN_COLUMNS, PRICED_COLUMNS, SCREEN_COLUMNS, SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import { didYouMean } from '../../../contract/text/nearest.ts';
import { quote } from '../../../contract/text/quote.ts';
import { call, option, say } from '../../../contract/text/text.ts';
import { type Cell, figure, signedFigure } from '../../../result/blocks.ts';
import { isGrowth } from '../../../result/labels.ts';
import { ownValue } from '../../../result/rows.ts';
import type { Column, Table } from '../../../result/table.ts';
import { YEAR_END, YEAR_ENDED_WITHIN } from './row-age.ts';

export type Screen = Answer<readonly ScreenRow[]>;

const IDENTITY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name'];
export const FIGURES = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/**
 * Columns shown with the filtered and sorted figures if none are named. None of them needs a price, so only the
 * release determines the answer.
 */
export const COMMON_COLUMNS = ['revenue', 'revenue_yoy', 'operating_margin', 'net_income', 'free_cash_flow'];

const YEAR_BEFORE = 'prior_annual_end_date';
/** The day of figures that may be older than the fiscal year of their row. */
const DAYS: Readonly<Record<string, string>> = {
  public_float: 'public_float_end_date',
  common_shares_outstanding: 'shares_outstanding_end_date',
  shares_change: 'shares_outstanding_end_date',
  shares_change_3y: 'shares_outstanding_end_date',
};
const AGE_COLUMNS = [YEAR_BEFORE, ...new Set(Object.values(DAYS))];

export const companiesTable = (answer: Screen, context: Pick<Context, 'parameters' | 'options'>): Table<ScreenRow> => ({
  name: 'companies',
  columns: screenColumns(answer, context.parameters),
  shown: shownColumns(answer, context),
  records: answer.items,
});

/** Returns the columns that `--columns` names; null without it. */
export const namedColumns = (parameters: RawParameters): readonly string[] | null =>
  givenText(parameters, 'columns')
    ?.split(',')
    .map((name) => name.trim()) ?? null;

/**
 * The columns to request; null for all columns of the service. Requests only columns that the user named, or that
 * fin's own service is known to have.
 */
export function columnsToAsk(
  parameters: RawParameters,
  { form, fields, inProcess, unchecked, options }: Typed,
): readonly string[] | null {
  const columnNames = namedColumns(parameters);
  const isView = form === 'view';
  // In a table, the columns of the answer are not all the available ones.
  const unknownName = (fields ?? []).find((name) => !KNOWN_COLUMNS.includes(name));
  if (isView && !unchecked && unknownName !== undefined) throw unknownColumn(unknownName);
  const chosenColumns = (fields ?? []).filter((name) => SCREEN_COLUMNS.some((column) => column === name));
  const extraColumns = [...chosenColumns, ...(options.has(YEAR_ENDED_WITHIN.name) ? [YEAR_END] : [])];
  if (!isView && columnNames === null) return null;
  const shownColumnNames = [...(columnNames ?? tableColumns(parameters)), ...extraColumns];
  if (!isView || !inProcess) return [...new Set(shownColumnNames)];
  // If the year is named, it is shown where the user put it.
  const year = shownColumnNames.includes('fiscal_year') ? [] : ['fiscal_year'];
  const dayColumns = shownColumnNames.flatMap((name) => DAYS[name] ?? []);
  return [
    ...new Set([
      ...year,
      ...shownColumnNames,
      YEAR_END,
      ...(dayColumns.length === 0 ? [] : [YEAR_BEFORE, ...dayColumns]),
    ]),
  ];
}

/** Programs get columns that do not depend on the rows: without --columns, all of the interface. */
function screenColumns({ meta, items }: Screen, { columns }: ParameterValues): readonly Column<ScreenRow>[] {
  const answeredNames = meta.columns ?? columns;
  const keys = Array.isArray(answeredNames) ? answeredNames.map(String) : PLAIN_COLUMNS;
  return [
    { key: 'cik' },
    { key: 'ticker', tone: 'strong' },
    { key: 'exchange' },
    { key: 'entity_name', shrinkTo: 12 },
    ...keys.map(figureColumn),
    ...(meta.as_of !== undefined || hasStatus(items()) ? STATUS_COLUMNS.map((key) => ({ key })) : []),
  ];
}

function figureColumn(key: string): Column<ScreenRow> {
  const measure = FIGURES.get(key)?.measure;
  return {
    ...{ key, wrapTitle: true, align: measure !== undefined || key === 'fiscal_year' ? 'right' : 'left' },
    ...(measure === undefined ? {} : { measure }),
    ...(PRICED_COLUMNS.has(key) ? { priced: true } : {}),
    ...(measure !== undefined && (isGrowth(key) || key in DAYS)
      ? { cell: (row) => figureCell(row, key, measure) }
      : {}),
  };
}

/** Shows the sign of a growth, and the year of a figure that is older than the fiscal year of its row. */
function figureCell(row: ScreenRow, key: string, measure: Measure): Cell {
  const value = ownValue(row, key);
  if (value !== null && typeof value !== 'string') return String(value);
  const [day, yearBefore] = [row[DAYS[key] ?? ''], row[YEAR_BEFORE]];
  const isOlder = value !== null && typeof day === 'string' && typeof yearBefore === 'string' && day <= yearBefore;
  const figureCellValue = isGrowth(key) ? signedFigure(value, measure) : figure(value, measure);
  return isOlder ? { ...figureCellValue, mark: ` (${day.slice(0, 4)})` } : figureCellValue;
}

/** Columns that are only needed to show the year of others are shown if the user named them. */
function shownColumns(answer: Screen, { options }: Pick<Context, 'options'>): readonly string[] {
  const columnNames = (options.get('columns') ?? []).flatMap((text) => text.split(',')).map((name) => name.trim());
  const hiddenColumns = AGE_COLUMNS.filter((name) => !columnNames.includes(name));
  return ['ticker', 'entity_name', ...answeredColumns(answer).filter((name) => !hiddenColumns.includes(name))];
}

/** The columns of the answer as the service echoes them, or else those of its rows. */
export function answeredColumns({ meta, items }: Screen): readonly string[] {
  if (meta.columns !== undefined) return meta.columns;
  const presentColumns = new Set<string>();
  for (const row of items()) for (const key of Object.keys(row)) presentColumns.add(key);
  return [...presentColumns].filter((key) => !IDENTITY_COLUMNS.includes(key));
}

/** Columns that tell whether a company of a past day still reports. */
const STATUS_COLUMNS = ['last_report', 'gone'];

function hasStatus(rows: Iterable<ScreenRow>): boolean {
  for (const row of rows) if (row.gone !== undefined) return true;
  return false;
}

const KNOWN_COLUMNS: readonly string[] = [...IDENTITY_COLUMNS, ...SCREEN_COLUMNS, ...STATUS_COLUMNS, 'attribution'];

const unknownColumn = (name: string): Failure =>
  new Failure('usage', say`Unknown column ${quote(name)} in ${option('fields')}.${didYouMean(name, KNOWN_COLUMNS)}`, {
    hint: say`All figures: ${call('help figures')}. All columns of the rows: fin screen --limit 1 --csv`,
  });

/** The figures of filters and sorting, in that order, then the common ones. */
export function tableColumns(parameters: RawParameters): string[] {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const sortKeys = parameters.flatMap(([name, text]) => (name === 'sort' && text !== 'ticker' ? [text] : []));
  // An unknown figure is rejected as a filter or sort key, not as a column that nobody named.
  const knownKeys = [...filteredFigures(filters), ...sortKeys].filter(
    (key) => FIGURES.has(key) || key === 'fiscal_year',
  );
  return [...new Set([...knownKeys, ...COMMON_COLUMNS])];
}
