/**
 * The canonical metrics: what a company reports, under one name each.
 *
 * The interface shows no list of metric keys; these are ours, named after the screen figures that
 * show them. How a metric is read from tagged facts stands in `figures/mappings.ts`.
 */

export type StatementName = 'income' | 'cash_flow' | 'balance' | 'cover';

/** How a figure is measured, which is also how it is shown to a person. */
export type Measure = 'money' | 'per_share' | 'shares' | 'fraction' | 'multiple';

export interface Metric {
  readonly key: string;
  readonly label: string;
  readonly statement: StatementName;
  readonly measure: Measure;
  readonly description: string;
}

const metric = (
  statement: StatementName,
  measure: Measure,
  key: string,
  label: string,
  description: string,
): Metric => ({ key, label, statement, measure, description });

/** In the order of a statement: the order in which rows of an answer come. */
export const METRICS: readonly Metric[] = [
  metric('income', 'money', 'revenue', 'Revenue', 'Total revenue of the period.'),
  metric('income', 'money', 'cost_of_revenue', 'Cost of revenue', 'Cost of the goods and services sold in the period.'),
  metric('income', 'money', 'gross_profit', 'Gross profit', 'Revenue less cost of revenue.'),
  metric('income', 'money', 'operating_income', 'Operating income', 'Profit or loss from operations.'),
  metric('income', 'money', 'net_income', 'Net income', 'Profit or loss attributable to the company.'),
  metric('income', 'per_share', 'eps_diluted', 'Diluted EPS', 'Diluted earnings per share.'),
  metric('income', 'per_share', 'dividends_per_share', 'Dividends per share', 'Dividends declared per common share.'),
  metric('cash_flow', 'money', 'operating_cash_flow', 'Operating cash flow', 'Net cash from operating activities.'),
  metric(
    'cash_flow',
    'money',
    'capital_expenditures',
    'Capital expenditures',
    'Payments for property, plant and equipment; an outflow is positive, as filed.',
  ),
  metric('cash_flow', 'money', 'free_cash_flow', 'Free cash flow', 'Operating cash flow less capital expenditures.'),
  metric(
    'cash_flow',
    'money',
    'share_based_compensation',
    'Share-based compensation',
    'Compensation paid in shares, as added back to cash flow.',
  ),
  metric(
    'cash_flow',
    'money',
    'depreciation_and_amortization',
    'Depreciation and amortization',
    'Depreciation, depletion and amortization.',
  ),
  metric(
    'cash_flow',
    'money',
    'dividends_paid',
    'Dividends paid',
    'Cash dividends paid; an outflow is positive, as filed.',
  ),
  metric(
    'cash_flow',
    'money',
    'share_repurchases',
    'Share repurchases',
    'Payments to repurchase shares; an outflow is positive, as filed.',
  ),
  metric('balance', 'money', 'assets', 'Total assets', 'Total assets.'),
  metric('balance', 'money', 'current_assets', 'Current assets', 'Assets due within a year.'),
  metric('balance', 'money', 'cash_and_equivalents', 'Cash and equivalents', 'Cash and cash equivalents.'),
  metric('balance', 'money', 'liabilities', 'Total liabilities', 'Total liabilities.'),
  metric('balance', 'money', 'current_liabilities', 'Current liabilities', 'Liabilities due within a year.'),
  metric('balance', 'money', 'stockholders_equity', "Stockholders' equity", 'Equity attributable to the company.'),
  metric(
    'cover',
    'shares',
    'common_shares_outstanding',
    'Common shares outstanding',
    'Common shares outstanding, from the cover page of a report.',
  ),
  metric(
    'cover',
    'money',
    'public_float',
    'Public float',
    'Market value of shares held by non-affiliates, from the cover page.',
  ),
];

export const METRIC_KEYS: readonly string[] = METRICS.map((entry) => entry.key);
