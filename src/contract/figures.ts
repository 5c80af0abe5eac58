/**
 * Every figure once: its key, label, measure, and the formula it follows from.
 *
 * Figures of a statement are metrics. A metric without a formula is read from the concepts that
 * `figures/metrics/concepts.ts` lists for it. `figures/metrics/formulas.ts` evaluates the formulas.
 */

export type StatementName = 'income' | 'cash_flow' | 'balance' | 'cover';

/** How a figure is measured, which is also how it is shown to a person. */
export type Measure = 'money' | 'per_share' | 'shares' | 'fraction' | 'multiple';

/** The sum of `plus` less `minus`, all of one period. */
export interface SumFormula<Key extends string = string> {
  readonly kind: 'sum';
  readonly plus: readonly Key[];
  /** Of a list, the first that has a value. */
  readonly minus?: readonly (Key | readonly Key[])[];
  readonly minusIfReported?: readonly Key[];
  /** Only where all parts were reported by the same filings; one of two may have moved amounts between lines. */
  readonly sameFilings?: boolean;
}

export type Formula<Key extends string = string> =
  | SumFormula<Key>
  /** Only over a denominator above zero. */
  | { readonly kind: 'ratio'; readonly numerator: Key; readonly denominator: Key }
  /** The change from the year before over the absolute value of the year before; shares on one share basis. */
  | { readonly kind: 'growth'; readonly of: Key }
  | { readonly kind: 'year_before'; readonly of: Key }
  | { readonly kind: 'twelve_months'; readonly of: Key }
  /** Of the latest market price; `product` says what is multiplied. */
  | { readonly kind: 'market'; readonly product?: readonly Key[] };

interface Definition {
  readonly key: string;
  readonly label: string;
  readonly measure: Measure;
}

/** A figure of a financial statement or a report's cover, for every period. */
export interface Metric<Key extends string = string> extends Definition {
  readonly statement: StatementName;
  readonly description: string;
  /** For a metric that is always derived. */
  readonly formula?: SumFormula<Key>;
  /** For a metric that is derived where no filing reports it. */
  readonly whenNotReported?: SumFormula<Key>;
  /** False for a metric that is no column of the screener. */
  readonly screened?: boolean;
}

/** A figure of the screener's row. */
export interface ScreenFigure<Key extends string = string> extends Definition {
  readonly formula: Formula<Key>;
}

/** Read from filings because others are derived from them; in no answer. */
export const INTERNAL_KEYS = ['total_equity', 'temporary_equity', 'depreciation', 'amortization'] as const;

const ratio = <const Top extends string, const Bottom extends string>(numerator: Top, denominator: Bottom) =>
  ({ kind: 'ratio', numerator, denominator }) as const;
const growth = <const Key extends string>(of: Key) => ({ kind: 'growth', of }) as const;
const yearBefore = <const Key extends string>(of: Key) => ({ kind: 'year_before', of }) as const;
const twelveMonths = <const Key extends string>(of: Key) => ({ kind: 'twelve_months', of }) as const;

/** In the order of the screener's columns. */
const DEFINITIONS = [
  {
    key: 'revenue',
    label: 'Revenue',
    statement: 'income',
    measure: 'money',
    description: 'Total revenue of the period.',
  },
  {
    key: 'cost_of_revenue',
    label: 'Cost of revenue',
    statement: 'income',
    measure: 'money',
    description: 'Cost of the goods and services sold in the period.',
    screened: false,
  },
  {
    key: 'gross_profit',
    label: 'Gross profit',
    statement: 'income',
    measure: 'money',
    description: 'Revenue less cost of revenue.',
    whenNotReported: { kind: 'sum', plus: ['revenue'], minus: ['cost_of_revenue'], sameFilings: true },
  },
  {
    key: 'operating_income',
    label: 'Operating income',
    statement: 'income',
    measure: 'money',
    description: 'Profit or loss from operations.',
  },
  {
    key: 'net_income',
    label: 'Net income',
    statement: 'income',
    measure: 'money',
    description: 'Profit or loss attributable to the company.',
  },
  {
    key: 'eps_diluted',
    label: 'Diluted EPS',
    statement: 'income',
    measure: 'per_share',
    description: 'Diluted earnings per share.',
  },
  {
    key: 'operating_cash_flow',
    label: 'Operating cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Net cash from operating activities.',
  },
  {
    key: 'capital_expenditures',
    label: 'Capital expenditures',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Payments for property, plant and equipment; an outflow is positive, as filed.',
  },
  {
    key: 'free_cash_flow',
    label: 'Free cash flow',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Operating cash flow less capital expenditures.',
    formula: { kind: 'sum', plus: ['operating_cash_flow'], minus: ['capital_expenditures'] },
  },
  {
    key: 'share_based_compensation',
    label: 'Share-based compensation',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Compensation paid in shares, as added back to cash flow.',
  },
  {
    key: 'depreciation_and_amortization',
    label: 'Depreciation and amortization',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Depreciation, depletion and amortization.',
    whenNotReported: { kind: 'sum', plus: ['depreciation', 'amortization'], sameFilings: true },
  },
  { key: 'revenue_prior', label: 'Revenue, year before', measure: 'money', formula: yearBefore('revenue') },
  { key: 'net_income_prior', label: 'Net income, year before', measure: 'money', formula: yearBefore('net_income') },
  { key: 'assets', label: 'Total assets', statement: 'balance', measure: 'money', description: 'Total assets.' },
  {
    key: 'current_assets',
    label: 'Current assets',
    statement: 'balance',
    measure: 'money',
    description: 'Assets due within a year.',
  },
  {
    key: 'cash_and_equivalents',
    label: 'Cash and equivalents',
    statement: 'balance',
    measure: 'money',
    description: 'Cash and cash equivalents.',
  },
  {
    key: 'liabilities',
    label: 'Total liabilities',
    statement: 'balance',
    measure: 'money',
    description: 'Total liabilities.',
    whenNotReported: {
      kind: 'sum',
      plus: ['assets'],
      minus: [['total_equity', 'stockholders_equity']],
      minusIfReported: ['temporary_equity'],
    },
  },
  {
    key: 'current_liabilities',
    label: 'Current liabilities',
    statement: 'balance',
    measure: 'money',
    description: 'Liabilities due within a year.',
  },
  {
    key: 'stockholders_equity',
    label: "Stockholders' equity",
    statement: 'balance',
    measure: 'money',
    description: 'Equity attributable to the company.',
  },
  {
    key: 'common_shares_outstanding',
    label: 'Common shares outstanding',
    statement: 'cover',
    measure: 'shares',
    description: 'Common shares outstanding, from the cover page of a report.',
  },
  {
    key: 'public_float',
    label: 'Public float',
    statement: 'cover',
    measure: 'money',
    description: 'Market value of shares held by non-affiliates, from the cover page.',
  },
  { key: 'gross_margin', label: 'Gross margin', measure: 'fraction', formula: ratio('gross_profit', 'revenue') },
  {
    key: 'operating_margin',
    label: 'Operating margin',
    measure: 'fraction',
    formula: ratio('operating_income', 'revenue'),
  },
  { key: 'net_margin', label: 'Net margin', measure: 'fraction', formula: ratio('net_income', 'revenue') },
  {
    key: 'fcf_margin',
    label: 'Free cash flow margin',
    measure: 'fraction',
    formula: ratio('free_cash_flow', 'revenue'),
  },
  { key: 'roe', label: 'Return on equity', measure: 'fraction', formula: ratio('net_income', 'stockholders_equity') },
  { key: 'roa', label: 'Return on assets', measure: 'fraction', formula: ratio('net_income', 'assets') },
  {
    key: 'current_ratio',
    label: 'Current ratio',
    measure: 'multiple',
    formula: ratio('current_assets', 'current_liabilities'),
  },
  {
    key: 'cash_ratio',
    label: 'Cash ratio',
    measure: 'multiple',
    formula: ratio('cash_and_equivalents', 'current_liabilities'),
  },
  {
    key: 'liabilities_to_equity',
    label: 'Liabilities to equity',
    measure: 'multiple',
    formula: ratio('liabilities', 'stockholders_equity'),
  },
  { key: 'revenue_yoy', label: 'Revenue growth', measure: 'fraction', formula: growth('revenue') },
  { key: 'net_income_yoy', label: 'Net income growth', measure: 'fraction', formula: growth('net_income') },
  {
    key: 'capex_intensity',
    label: 'Capex to revenue',
    measure: 'fraction',
    formula: ratio('capital_expenditures', 'revenue'),
  },
  {
    key: 'sbc_intensity',
    label: 'Share-based compensation to revenue',
    measure: 'fraction',
    formula: ratio('share_based_compensation', 'revenue'),
  },
  {
    key: 'dividends_paid',
    label: 'Dividends paid',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Cash dividends paid; an outflow is positive, as filed.',
  },
  {
    key: 'share_repurchases',
    label: 'Share repurchases',
    statement: 'cash_flow',
    measure: 'money',
    description: 'Payments to repurchase shares; an outflow is positive, as filed.',
  },
  {
    key: 'dividends_per_share',
    label: 'Dividends per share',
    statement: 'income',
    measure: 'per_share',
    description: 'Dividends declared per common share.',
  },
  {
    key: 'capital_returns',
    label: 'Capital returned',
    measure: 'money',
    formula: { kind: 'sum', plus: ['dividends_paid', 'share_repurchases'] },
  },
  { key: 'payout_ratio', label: 'Payout ratio', measure: 'fraction', formula: ratio('dividends_paid', 'net_income') },
  {
    key: 'capital_returns_to_fcf',
    label: 'Capital returned to free cash flow',
    measure: 'fraction',
    formula: ratio('capital_returns', 'free_cash_flow'),
  },
  {
    key: 'shares_change',
    label: 'Change in shares',
    measure: 'fraction',
    formula: growth('common_shares_outstanding'),
  },
  { key: 'price', label: 'Price', measure: 'per_share', formula: { kind: 'market' } },
  {
    key: 'market_cap',
    label: 'Market cap',
    measure: 'money',
    formula: { kind: 'market', product: ['price', 'common_shares_outstanding'] },
  },
  { key: 'pe', label: 'Price to earnings', measure: 'multiple', formula: ratio('price', 'eps_diluted') },
  { key: 'ps', label: 'Price to sales', measure: 'multiple', formula: ratio('market_cap', 'revenue') },
  { key: 'pb', label: 'Price to book', measure: 'multiple', formula: ratio('market_cap', 'stockholders_equity') },
  {
    key: 'fcf_yield',
    label: 'Free cash flow yield',
    measure: 'fraction',
    formula: ratio('free_cash_flow', 'market_cap'),
  },
  {
    key: 'dividend_yield',
    label: 'Dividend yield',
    measure: 'fraction',
    formula: ratio('dividends_per_share', 'price'),
  },
  { key: 'revenue_ttm', label: 'Revenue, twelve months', measure: 'money', formula: twelveMonths('revenue') },
  { key: 'net_income_ttm', label: 'Net income, twelve months', measure: 'money', formula: twelveMonths('net_income') },
  {
    key: 'operating_cash_flow_ttm',
    label: 'Operating cash flow, twelve months',
    measure: 'money',
    formula: twelveMonths('operating_cash_flow'),
  },
  {
    key: 'free_cash_flow_ttm',
    label: 'Free cash flow, twelve months',
    measure: 'money',
    formula: twelveMonths('free_cash_flow'),
  },
  {
    key: 'pe_ttm',
    label: 'Price to earnings, twelve months',
    measure: 'multiple',
    formula: ratio('market_cap', 'net_income_ttm'),
  },
  {
    key: 'ps_ttm',
    label: 'Price to sales, twelve months',
    measure: 'multiple',
    formula: ratio('market_cap', 'revenue_ttm'),
  },
  {
    key: 'fcf_yield_ttm',
    label: 'Free cash flow yield, twelve months',
    measure: 'fraction',
    formula: ratio('free_cash_flow_ttm', 'market_cap'),
  },
] as const satisfies readonly (Metric | ScreenFigure)[];

type DefinedFigure = (typeof DEFINITIONS)[number];
type DefinedMetric = Extract<DefinedFigure, { statement: StatementName }>;
type DefinedKey = DefinedFigure['key'];
export type InternalKey = (typeof INTERNAL_KEYS)[number];
/** The metrics that must have concepts to be read from. */
export type ReportedKey = Exclude<DefinedMetric, { formula: unknown }>['key'];

/** All figures. Checked here: a formula names only figures that exist. */
export const FIGURES: readonly (Metric | ScreenFigure)[] = DEFINITIONS satisfies readonly (
  | Metric<DefinedKey | InternalKey>
  | ScreenFigure<DefinedKey>
)[];

const BY_KEY: ReadonlyMap<string, Metric | ScreenFigure> = new Map(FIGURES.map((figure) => [figure.key, figure]));

/** Null for a key that is no figure. */
export function figureOf(key: string): Metric | ScreenFigure | null {
  return BY_KEY.get(key) ?? null;
}

export function isMetric(figure: Metric | ScreenFigure): figure is Metric {
  return 'statement' in figure;
}

const STATEMENTS: readonly StatementName[] = ['income', 'cash_flow', 'balance', 'cover'];

/** In the order of the statements: the order in which rows of an answer come. */
export const METRICS: readonly Metric[] = STATEMENTS.flatMap((statement) =>
  FIGURES.filter(isMetric).filter((metric) => metric.statement === statement),
);

export const METRIC_KEYS: readonly string[] = METRICS.map((metric) => metric.key);

/** The figures that a formula names. */
export function operandsOf(formula: Formula): string[] {
  switch (formula.kind) {
    case 'sum':
      return [...formula.plus, ...(formula.minus ?? []).flat(), ...(formula.minusIfReported ?? [])];
    case 'ratio':
      return [formula.numerator, formula.denominator];
    case 'growth':
    case 'year_before':
    case 'twelve_months':
      return [formula.of];
    case 'market':
      return [...(formula.product ?? [])];
  }
}

/** Whether a figure, or any that it follows from, satisfies the test. */
function follows(key: string, test: (formula: Formula) => boolean): boolean {
  const formula = figureOf(key)?.formula;
  return formula !== undefined && (test(formula) || operandsOf(formula).some((operand) => follows(operand, test)));
}

/** Whether a figure depends on a market price, so that a release alone does not fix it. */
export function isPriced(key: string): boolean {
  return follows(key, ({ kind }) => kind === 'market');
}

const ROW_ONLY: ReadonlySet<Formula['kind']> = new Set(['market', 'year_before', 'twelve_months']);

/** Whether a figure stands only in the screener's row; the others can be asked for as metrics of a company. */
export function isScreenOnly(key: string): boolean {
  return key === 'fiscal_year' || follows(key, ({ kind }) => ROW_ONLY.has(kind));
}

/** A figure's formula as text; null for one that is read as it was reported, or at another date. */
export function formulaText({ formula }: Metric | ScreenFigure): string | null {
  switch (formula?.kind) {
    case 'sum':
      return [formula.plus.join(' + '), ...(formula.minus ?? [])].join(' - ');
    case 'ratio':
      return `${formula.numerator} / ${formula.denominator}`;
    case 'growth': {
      const { of } = formula;
      const before = FIGURES.find((figure) => figure.formula?.kind === 'year_before' && figure.formula.of === of)?.key;
      const earlier = before ?? `${of} a year earlier`;
      return `(${of} - ${earlier}) / |${earlier}|`;
    }
    case 'twelve_months':
      return `${formula.of} of the latest twelve months`;
    case 'market':
      return formula.product?.join(' * ') ?? null;
    case 'year_before':
    case undefined:
      return null;
  }
}
