/** Columns of screens, and the table of companies of every command that shows screen rows. */
import type { Answer } from '../../ask/command/answer.ts';
import type { GivenArguments, ResultContext } from '../../ask/command/command.ts';
import type { GivenOptions } from '../../ask/command/option-spec.ts';
import { listKeysOfFilters } from '../../ask/values/screen-filters.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { findGivenText, type ParameterValues, type RawParameters } from '../../contract/question.ts';
import {
  DEFAULT_COLUMNS,
  PRICED_COLUMNS,
  SCREEN_COLUMNS,
  SCREEN_FIGURES,
  UNCONFIRMED,
} from '../../contract/screen-columns.ts';
import type { ScreenRow } from '../../contract/screen-row.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { quote } from '../../contract/text/quote.ts';
import { call, option, say } from '../../contract/text/text.ts';
import { type Cell, makeFigureCell, makeSignedCell } from '../../result/blocks.ts';
import { isChangeOfCovers, isGrowth, UNCONFIRMED_MARK, UNCONFIRMED_NOTE } from '../../result/labels.ts';
import { readOwnValue } from '../../result/rows.ts';
import type { Column, Table } from '../../result/table.ts';
import type { Formulas } from '../formulas/formulas.ts';
import { YEAR_END_COLUMN, YEAR_ENDED_WITHIN } from './company-filters.ts';

export type ScreenAnswer = Answer<readonly ScreenRow[]>;
type Columns = readonly Column<ScreenRow>[];
export type TableContext = Pick<ResultContext, 'parameters' | 'options'>;

const IDENTITY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name'];
export const FIGURES_BY_KEY = new Map(SCREEN_FIGURES.map((entry) => [entry.key, entry]));

/**
 * Columns shown by default, after the figures that filters and sorting use. They do not depend on prices, so that the
 * answer changes only with the release.
 */
const DEFAULT_TABLE_COLUMNS = ['revenue', 'revenue_yoy', 'operating_margin', 'net_income', 'free_cash_flow'];

const PRIOR_YEAR_END_COLUMN = 'prior_annual_end_date';
/** For figures that may be older than their row's fiscal year: the column with the date of the figure. */
const DATE_COLUMN_BY_FIGURE: Readonly<Record<string, string>> = {
  public_float: 'public_float_end_date',
  common_shares_outstanding: 'shares_outstanding_end_date',
  shares_change: 'shares_change_end_date',
  shares_change_3y: 'shares_change_end_date',
};
const END_DATE_COLUMNS = [PRIOR_YEAR_END_COLUMN, ...new Set(Object.values(DATE_COLUMN_BY_FIGURE))];

/** Returns the columns that tell whether a figure is older than its row; empty for most figures. */
const listDateColumns = (figure: string): readonly string[] => {
  const column = DATE_COLUMN_BY_FIGURE[figure];
  return column === undefined ? [] : [PRIOR_YEAR_END_COLUMN, column];
};

/** Whether a figure's date is before the row's fiscal year. */
export function isOlderThanRow(row: ScreenRow, figure: string): boolean {
  const [day, start] = [row[DATE_COLUMN_BY_FIGURE[figure] ?? ''], row[PRIOR_YEAR_END_COLUMN]];
  return typeof day === 'string' && typeof start === 'string' && day <= start;
}

export function makeCompaniesTable(answer: ScreenAnswer, context: TableContext, formulas: Columns = []) {
  const table: Table<ScreenRow> = {
    name: 'companies',
    columns: makeScreenColumns(answer, context.parameters, formulas),
    shownKeys: chooseShownColumns(answer, context.options, formulas),
    records: answer.items,
    legend: [[UNCONFIRMED_MARK, UNCONFIRMED_NOTE]],
  };
  return table;
}

/** Returns the column names of `--columns`; null without that option. */
export const readNamedColumns = (parameters: RawParameters): readonly string[] | null =>
  findGivenText(parameters, 'columns')
    ?.split(',')
    .map((name) => name.trim()) ?? null;

/**
 * Returns the columns to request; null for all columns of the service. A table also gets the fiscal year and the dates
 * of figures, but not from a remote service, which may lack these columns.
 */
export function chooseColumns(parameters: RawParameters, given: GivenArguments, formulas: Formulas | null = null) {
  const { form, fields, inProcess, unchecked, options } = given;
  const columnNames = readNamedColumns(parameters);
  const isView = form === 'view';
  // Few columns may be requested, so `--fields` is checked against all known columns instead of those in the answer.
  const unknown = (fields ?? []).find((name) => !KNOWN_COLUMNS.includes(name) && formulas?.byName.has(name) !== true);
  if (!unchecked && unknown !== undefined) throw makeUnknownColumnFailure(unknown);
  const chosen = (fields ?? []).filter((name) => SCREEN_COLUMNS.some((column) => column === name));
  const figures = formulas?.listFigures() ?? [];
  const operands = [...figures, ...figures.flatMap(listDateColumns)];
  const extra = [...chosen, ...operands, ...(options.has(YEAR_ENDED_WITHIN.name) ? [YEAR_END_COLUMN] : [])];
  if (!isView && columnNames === null) {
    const columns = listDefaultColumns(findGivenText(parameters, 'as_of') !== undefined);
    const used = form !== 'rows' ? [] : fields === null ? listUsedFigures(parameters) : chosen;
    const needed = [...used, ...operands];
    if (needed.every((name) => columns.includes(name))) return null;
    return [...new Set([...(fields === null ? columns : []), ...needed, ...extra])];
  }
  const defaults = formulas === null ? chooseTableColumns(parameters) : listUsedFigures(parameters);
  const names = [...(columnNames ?? defaults), ...extra];
  if (!isView || !inProcess) return [...new Set(names)];
  // The fiscal year comes first, unless the user named it: then it remains where the user put it.
  const years = names.includes('fiscal_year') ? [] : ['fiscal_year'];
  return [...new Set([...years, ...names, YEAR_END_COLUMN, ...names.flatMap(listDateColumns)])];
}

/** Returns the columns of the service's answer without `--columns`; for a past day, these exclude price figures. */
const listDefaultColumns = (isPast: boolean): readonly string[] =>
  isPast ? DEFAULT_COLUMNS.filter((name) => !PRICED_COLUMNS.has(name)) : DEFAULT_COLUMNS;

/**
 * Returns the columns of rows, such as those of CSV. Without --columns these are the default columns of the HTTP API,
 * even if no row has a value, so that programs get the same columns every time. For a past date, status columns are
 * added.
 */
function makeScreenColumns({ meta, items }: ScreenAnswer, { columns }: ParameterValues, formulas: Columns): Columns {
  const answered = meta.columns ?? columns;
  const keys = Array.isArray(answered) ? answered.map(String) : listDefaultColumns(meta.as_of !== undefined);
  return [
    { key: 'cik' },
    { key: 'ticker', tone: 'strong' },
    { key: 'exchange' },
    { key: 'entity_name', shrinkTo: 12 },
    ...keys.map(makeFigureColumn),
    ...formulas,
    ...(meta.as_of !== undefined || hasStatus(items()) ? STATUS_COLUMNS.map((key) => ({ key })) : []),
    { key: UNCONFIRMED },
  ];
}

/** Minimum width of the industry's description on a narrow terminal. */
const MIN_INDUSTRY_WIDTH = 20;

function makeFigureColumn(key: string): Column<ScreenRow> {
  const measure = FIGURES_BY_KEY.get(key)?.measure;
  return {
    ...{ key, wrapsTitle: true, align: measure !== undefined || key === 'fiscal_year' ? 'right' : 'left' },
    ...(key === 'industry' ? { shrinkTo: MIN_INDUSTRY_WIDTH } : {}),
    ...(PRICED_COLUMNS.has(key) ? { priced: true } : {}),
    ...(measure === undefined ? {} : { measure, cell: (row) => makeScreenFigureCell(row, key, measure) }),
  };
}

/**
 * Shows growth with its sign. Adds a mark to an unconfirmed figure, the year to a figure that is older than its row's
 * fiscal year, and the date to a change of shares.
 */
function makeScreenFigureCell(row: ScreenRow, key: string, measure: Measure): Cell {
  const value = readOwnValue(row, key);
  if (value !== null && typeof value !== 'string') return String(value);
  const day = row[DATE_COLUMN_BY_FIGURE[key] ?? ''];
  const isOlder = value !== null && typeof day === 'string' && isOlderThanRow(row, key);
  const cell = isGrowth(key) ? makeSignedCell(value, measure) : makeFigureCell(value, measure);
  const isUnconfirmed = row[UNCONFIRMED]?.toString().split(' ').includes(key) === true;
  const isDated = value !== null && typeof day === 'string' && isChangeOfCovers(key);
  const date = isDated ? ` (${day})` : isOlder ? ` (${day.slice(0, 4)})` : '';
  const mark = (isUnconfirmed ? UNCONFIRMED_MARK : '') + date;
  return mark === '' ? cell : { ...cell, mark };
}

/** Returns the columns to show. Omits date columns that fin requested only to detect older figures. */
function chooseShownColumns(answer: ScreenAnswer, options: GivenOptions, formulas: Columns): readonly string[] {
  const names = (options.get('columns') ?? []).flatMap((text) => text.split(',')).map((name) => name.trim());
  const hidden = END_DATE_COLUMNS.filter((name) => !names.includes(name));
  const shown = listColumns(answer).filter((name) => !hidden.includes(name));
  return ['ticker', 'entity_name', ...new Set([...formulas.map(({ key }) => key), ...shown])];
}

/** Returns the columns of the answer: the columns that the service echoed, otherwise the columns that occur in rows. */
export function listColumns({ meta, items }: ScreenAnswer): readonly string[] {
  if (meta.columns !== undefined) return meta.columns;
  const present = new Set<string>();
  for (const row of items()) for (const key of Object.keys(row)) present.add(key);
  return [...present].filter((key) => !IDENTITY_COLUMNS.includes(key) && key !== UNCONFIRMED);
}

/** Column with the day, if several days are screened. */
export const DAY_COLUMN = 'as_of';
/** Columns that show whether a company of a screen as of a past date still reports. */
const STATUS_COLUMNS = ['last_report', 'gone'];

function hasStatus(rows: Iterable<ScreenRow>): boolean {
  for (const row of rows) if (row.gone !== undefined) return true;
  return false;
}

const KNOWN_COLUMNS: readonly string[] = [
  ...IDENTITY_COLUMNS,
  ...SCREEN_COLUMNS,
  ...STATUS_COLUMNS,
  ...[UNCONFIRMED, DAY_COLUMN],
  'attribution',
];

const makeUnknownColumnFailure = (name: string): Failure =>
  new Failure('usage', say`Unknown column ${quote(name)} in ${option('fields')}.${didYouMean(name, KNOWN_COLUMNS)}`, {
    hint: say`All figures: ${call('help figures')}. Other columns: fin screen --limit 1 --csv`,
  });

/** Returns the default columns: the figures in filters, then the figure to sort by, then the common columns. */
export const chooseTableColumns = (parameters: RawParameters): string[] => [
  ...new Set([...listUsedFigures(parameters), ...DEFAULT_TABLE_COLUMNS]),
];

/** Returns the figures in filters, then the figure to sort by. */
function listUsedFigures(parameters: RawParameters): string[] {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const sorts = parameters.flatMap(([name, text]) => (name === 'sort' && text !== 'ticker' ? [text] : []));
  // Omits unknown figures: the service reports them as invalid filters or sort keys, which the user did name.
  return [...listKeysOfFilters(filters), ...sorts].filter((key) => FIGURES_BY_KEY.has(key) || key === 'fiscal_year');
}
