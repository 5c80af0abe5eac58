/**
 * The layout of statements: metrics in the order of `contract/figures`, with titles of sections and roles of lines. A
 * remainder, such as `other_revenue`, is placed above the metric that its definition names as `above`. Figures without
 * a place come last in their statement.
 */

import { FIGURES, isMetric, isScreenOnly, listRemaindersAbove, METRICS } from '../../contract/figures.ts';
import type { MetricCatalogEntry, MetricValue } from '../../contract/resources/metrics.ts';
import type { Measure, StatementName } from '../../contract/statements/formula.ts';
import type { Metric } from '../../contract/statements/line.ts';

/** A statement; `ratios` are all figures that belong to no statement. */
export type StatementId = StatementName | 'ratios';

/** Statements in the order in which they are shown, which is the order of the service's answers. */
const STATEMENT_IDS: readonly StatementId[] = ['income', 'cash_flow', 'balance', 'cover', 'ratios'];

/** Metric that is 100 % in the common-size version of each statement. */
export const COMMON_SIZE_BASE_KEYS: Readonly<Partial<Record<StatementId, 'revenue' | 'assets'>>> = {
  income: 'revenue',
  cash_flow: 'revenue',
  balance: 'assets',
};

export interface StatementPlace {
  readonly statement: StatementId;
  /** Title of the section, used if only this statement is shown. */
  readonly section: string | null;
  /** `part`: a component of a subtotal, shown indented; `subtotal`: shown bold; `plain`: any other line. */
  readonly role: 'part' | 'subtotal' | 'plain';
  /** Sort position within all statements, from top to bottom. */
  readonly order: number;
}

/** Section of figures below the totals of a statement. */
const SUPPLEMENTARY_SECTION = 'Supplementary';
const PER_SHARE_SECTIONS: Partial<Record<Measure, string>> = { per_share: 'Per share', shares: 'Weighted shares' };

/** Figures that belong to no statement, by title of their section. */
const RATIO_SECTIONS: readonly (readonly [title: string, ...keys: string[]])[] = [
  ['Margins', 'gross_margin', 'ebitda_margin', 'operating_margin', 'net_margin', 'fcf_margin', 'effective_tax_rate'],
  ['Banks and insurers', 'efficiency_ratio', 'underwriting_costs', 'combined_ratio', 'loans_to_deposits'],
  ['Growth', 'revenue_yoy', 'operating_income_yoy', 'net_income_yoy', 'eps_diluted_yoy', 'free_cash_flow_yoy'],
  ['Growth', 'revenue_cagr_3y', 'revenue_cagr_5y', 'eps_diluted_cagr_3y', 'eps_diluted_cagr_5y'],
  ['Growth', 'shares_change', 'shares_change_3y'],
  ['Returns', 'roe', 'roa'],
  ['Solvency', 'current_ratio', 'cash_ratio', 'liabilities_to_equity', 'debt_to_equity', 'debt_to_ebitda'],
  ['Solvency', 'net_debt_to_ebitda', 'interest_coverage'],
  ['Spending', 'capex_intensity', 'rd_intensity', 'sga_to_revenue', 'sbc_intensity'],
  ['Spending', 'capital_returns', 'payout_ratio', 'capital_returns_to_fcf'],
];

type PlacedKey = readonly [key: string, place: Omit<StatementPlace, 'order'>];

/** Returns the key and position of every line of the statements, in order. */
export const listStatementLines = (metrics: readonly Metric[]): PlacedKey[] =>
  metrics.flatMap((metric, index): PlacedKey[] => {
    const { key, statement } = metric;
    const rest = metrics.slice(index).filter((otherMetric) => otherMetric.statement === statement);
    const place = { statement, section: findSection(metric, rest), role: findRole(metric) };
    const remainders = listRemaindersAbove(key).map((item): PlacedKey => [item.key, { ...place, role: 'part' }]);
    return [...remainders, [key, place]];
  });

/**
 * Returns the title of a metric's section.
 * @param metrics the metric and all metrics below it in its statement
 */
function findSection({ statement, measure, formula }: Metric, metrics: readonly Metric[]): string | null {
  if (statement === 'cover') return null;
  if (formula !== undefined) return SUPPLEMENTARY_SECTION;
  if (PER_SHARE_SECTIONS[measure] !== undefined) return PER_SHARE_SECTIONS[measure];
  const { section } = metrics.find((metric) => metric.section !== undefined) ?? {};
  return section ?? (statement === 'income' ? null : SUPPLEMENTARY_SECTION);
}

function findRole({ total, subtotal }: Metric): StatementPlace['role'] {
  if (subtotal === true) return 'subtotal';
  return total === undefined ? 'plain' : 'part';
}

const listAllLines = (): readonly PlacedKey[] => [
  ...listStatementLines(METRICS),
  ...RATIO_SECTIONS.flatMap(([section, ...keys]) =>
    keys.map((key): PlacedKey => [key, { statement: 'ratios', section, role: 'plain' }]),
  ),
];

let placesByKey: ReadonlyMap<string, StatementPlace> | undefined;

/**
 * Returns the statement, section, role and order of every figure by key. Computed on first use, because JSON output
 * needs no layout.
 */
function getPlacesByKey(): ReadonlyMap<string, StatementPlace> {
  placesByKey ??= new Map(listAllLines().map(([key, place], order) => [key, { ...place, order }]));
  return placesByKey;
}

type PlacedFigure = { readonly key: string; readonly statement: string | null };

/** Returns the statement, section, role and order of a figure; an unknown figure comes last in its statement. */
export const findStatementPlace = ({ key, statement }: PlacedFigure): StatementPlace =>
  getPlacesByKey().get(key) ?? {
    // An unknown statement counts as `ratios`, which come last.
    statement: STATEMENT_IDS.find((id) => id === statement) ?? 'ratios',
    section: 'Other',
    role: 'plain',
    order: getPlacesByKey().size,
  };

export const findRowPlace = ({ metric_key: key, statement = null }: MetricValue): StatementPlace =>
  findStatementPlace({ key, statement });

/**
 * Returns the place of a figure in a table: a line with `totalIfReported` stands above that total if the table has it.
 * @param keys the figures of the table
 */
export function findPlaceInTable(figure: PlacedFigure, keys: ReadonlySet<string>): StatementPlace {
  const places = getPlacesByKey();
  const place = findStatementPlace(figure);
  const { totalIfReported: total } = METRICS.find(({ key }) => key === figure.key) ?? {};
  const totalPlace = total === undefined || !keys.has(total) ? undefined : places.get(total);
  // Places the line between the total and the line above the total; several such lines keep their order.
  return totalPlace === undefined ? place : { ...place, order: totalPlace.order - 1 + place.order / places.size };
}

/** Returns the place of a line that is shown below the totals of its statement. */
export const moveToSupplement = (place: StatementPlace): StatementPlace => ({
  ...place,
  section: SUPPLEMENTARY_SECTION,
  role: 'plain',
  order: place.order + getPlacesByKey().size,
});

export const comparePlaces = (a: StatementPlace, b: StatementPlace): number =>
  STATEMENT_IDS.indexOf(a.statement) - STATEMENT_IDS.indexOf(b.statement) || a.order - b.order;

/**
 * Returns the metric keys of statements, in the order of the statements.
 * @param catalog the service's metrics; null for this program's own metrics
 */
export function listStatementKeys(statements: readonly StatementId[], catalog: readonly MetricCatalogEntry[] | null) {
  const metricDefinitions = catalog ?? [
    ...METRICS,
    ...FIGURES.filter((figure) => !isMetric(figure)).map(({ key }) => ({ key, statement: null })),
  ];
  // A ratio without a place in the layout is left out, because it may exist only as a screener column.
  const isRequested = (key: string, { statement }: StatementPlace): boolean =>
    statements.includes(statement) && (statement !== 'ratios' || getPlacesByKey().has(key));
  return metricDefinitions
    .filter(({ key }) => !isScreenOnly(key))
    .map(({ key, statement = null }) => ({ key, place: findStatementPlace({ key, statement }) }))
    .filter(({ key, place }) => isRequested(key, place))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ key }) => key);
}
