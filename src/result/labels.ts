/** Labels of figures, states and periods, and measures of figures. Rows for programs keep the HTTP API's names. */

import { findDefinition } from '../contract/figures.ts';
import type { MetricLineage } from '../contract/resources/metrics.ts';
import type { Measure } from '../contract/statements/formula.ts';
import { capitalize } from '../contract/text/format-counts.ts';

const DISPLAY_NAME_BY_CODE: ReadonlyMap<string, string> = new Map([
  // Sources of a price.
  ['venue', 'last sale'],
  ['venue_official', 'official closing price'],
  ['fails', 'fails to deliver'],
  ['nport', 'fund holdings'],
  ['thirteen_f', '13F holdings'],
  // A unit.
  ['pure', 'ratio'],
  // A kind of revision.
  ['re_expressed', 're-expressed'],
  // A measure of segments.
  ['long_lived_assets', 'long-lived assets'],
]);

/**
 * Returns the text for a state or kind. In an unknown name, for example from a newer service, underscores become
 * spaces.
 */
export const makeDisplayName = (name: string): string => DISPLAY_NAME_BY_CODE.get(name) ?? name.replaceAll('_', ' ');

const TITLE_BY_STATEMENT: ReadonlyMap<string, string> = new Map([
  ['income', 'Income'],
  ['cash_flow', 'Cash flow'],
  ['balance', 'Balance sheet'],
  ['cover', 'Cover page'],
]);

/** Returns the heading of a statement; null means ratios. */
export const findStatementTitle = (statement: string | null): string =>
  statement === null ? 'Ratios' : (TITLE_BY_STATEMENT.get(statement) ?? capitalize(makeDisplayName(statement)));

/** Labels that differ from the column's capitalized key, by key. */
const LABEL_BY_COLUMN: ReadonlyMap<string, string> = new Map([
  ['cik', 'CIK'],
  ['sic', 'SIC'],
  ['p10', '10th percentile'],
  ['p90', '90th percentile'],
  ['cusip', 'CUSIP'],
  ['entity_name', 'Company'],
  ['filed_at', 'Filed'],
  ['accepted_at', 'Accepted'],
  ['accession_number', 'Accession'],
  ['source_url', 'Address'],
  ['metric_label', 'Metric'],
  ['metric_key', 'Key'],
  ['annual_end_date', 'Year end'],
  ['instant_end_date', 'Balance sheet date'],
  ['prior_annual_end_date', 'Previous year end'],
  ['public_float_end_date', 'Public float date'],
  ['shares_outstanding_end_date', 'Share count date'],
  ['shares_change_end_date', 'Share change to'],
  ['price_day', 'Price day'],
  ['ttm_end_date', 'Twelve months to'],
  ['coverage_state', 'Coverage'],
]);

export const findColumnLabel = (key: string): string =>
  findDefinition(key)?.label ?? LABEL_BY_COLUMN.get(key) ?? capitalize(makeDisplayName(key));

/** Returns the measure of a figure: by its key if the key is known, otherwise by its unit. */
export function findMeasure(key: string, unit: string): Measure {
  const entry = findDefinition(key);
  if (entry !== null) return entry.measure;
  if (unit === 'shares') return 'shares';
  if (unit === 'pure') return 'multiple';
  if (unit === 'count') return 'count';
  return unit.includes('/') ? 'per_share' : 'money';
}

/** Whether a unit is not worth showing: the units of ratios, points and ranks. */
export const isUnitless = (unit: string): boolean => unit === 'pure' || unit === 'count';

const GROWTH_FORMULA_KINDS: ReadonlySet<string | undefined> = new Set(['growth', 'compound_growth']);

/** Whether the figure is a growth rate over one or more years. */
export const isGrowth = (key: string): boolean => GROWTH_FORMULA_KINDS.has(findDefinition(key)?.formula?.kind);

/** Whether the figure is a change between the cover pages of two reports; it has the date of the later cover page. */
export function isChangeOfCovers(key: string): boolean {
  const formula = findDefinition(key)?.formula;
  return formula?.kind === 'growth' && formula.of === 'common_shares_outstanding';
}

interface Period {
  readonly fiscal_year?: number | null;
  readonly fiscal_period?: string | null;
  readonly start_date?: string | null;
  readonly end_date: string;
  readonly period_kind?: string;
}

/** Returns a period's label: FY2024, Q3 2025, TTM, or the last day of a period without a fiscal name. */
export const formatPeriod = (period: Period): string =>
  formatFiscalPeriod(period) ?? (period.period_kind === 'ttm' ? 'TTM' : period.end_date);

/** Returns FY2024 or Q3 2025; null if the fiscal year or period is unknown. */
export function formatFiscalPeriod(period: Pick<Period, 'fiscal_year' | 'fiscal_period'>): string | null {
  const { fiscal_year: year, fiscal_period: part } = period;
  if (year == null || part == null) return null;
  return part === 'FY' ? `FY${year}` : `${part} ${year}`;
}

/** Returns a period's first and last date as text, or the date of a balance. */
export const formatPeriodDates = ({ start_date: start, end_date: end }: Period): string =>
  start == null ? end : `${start} to ${end}`;

/**
 * Returns a label for each period. Periods with the same name, after a change of fiscal year end, are labelled by their
 * end dates.
 */
export function makeDistinctPeriodLabels(periods: readonly Period[]): string[] {
  const labels = periods.map(formatPeriod);
  return periods.map((period) => {
    const label = formatPeriod(period);
    return labels.indexOf(label) === labels.lastIndexOf(label) ? label : period.end_date;
  });
}

/**
 * Whether two rows belong to the same value. Compares units and periods too, because services may omit the value's id.
 */
export const isSameValue = (identity: ValueIdentity, other: ValueIdentity): boolean =>
  identity.metric_value_id === other.metric_value_id &&
  identity.start_date === other.start_date &&
  identity.end_date === other.end_date &&
  identity.metric_unit === other.metric_unit;

type ValueIdentity = Pick<MetricLineage, 'metric_value_id' | 'metric_unit' | 'start_date' | 'end_date'>;

/** Mark of a figure that disagrees with other stated amounts, and its meaning for legends. */
export const UNCONFIRMED_MARK = '?';
export const UNCONFIRMED_NOTE =
  'unconfirmed: stated amounts disagree, and which of them is wrong is unknown (see fin lineage)';

/** Returns the latest of some days; null if all are missing. */
export const findLatest = (days: Iterable<string | null | undefined>): string | null => {
  let latest: string | null = null;
  for (const day of days) if (day != null && (latest === null || day > latest)) latest = day;
  return latest;
};
