/**
 * The statements as printed: the order of lines, parts of subtotals, and subtotals. Lines without values are left
 * out. A metric without a place in a layout follows the metric before it in the catalog; one that is not in the
 * catalog goes to the end of its statement.
 */
import { FIGURES, isMetric, isScreenOnly, METRICS } from '../../../contract/figures.ts';
import type { MetricCatalogEntry } from '../../../contract/resources/metrics.ts';

/** `ratios` are the figures outside statements. */
export type StatementId = 'income' | 'balance' | 'cash_flow' | 'cover' | 'ratios';

export interface Line {
  readonly key: string;
  /** A part of a subtotal is indented, a subtotal is emphasized; other lines are plain. */
  readonly role: 'part' | 'subtotal' | 'plain';
}

interface Section {
  /** The title of the section if its statement is shown alone. */
  readonly title: string | null;
  readonly lines: readonly Line[];
}

export interface Layout {
  /** The base of shares in a common-size statement. */
  readonly shareOf: 'revenue' | 'assets' | null;
  readonly sections: readonly Section[];
}

const section = (title: string | null, ...lines: readonly (Line | readonly Line[])[]): Section => ({
  title,
  lines: lines.flat(),
});
const parts = (...keys: readonly string[]): Line[] => keys.map((key) => ({ key, role: 'part' }));
const plain = (...keys: readonly string[]): Line[] => keys.map((key) => ({ key, role: 'plain' }));
const subtotal = (key: string): Line => ({ key, role: 'subtotal' });

/** In the order in which several statements are shown: that of the interface's answers. */
export const LAYOUTS: Readonly<Record<StatementId, Layout>> = {
  income: {
    shareOf: 'revenue',
    sections: [
      section(
        null,
        parts('net_interest_income', 'noninterest_income', 'premiums_earned', 'other_revenue'),
        subtotal('revenue'),
        parts('cost_of_revenue'),
        subtotal('gross_profit'),
        parts('provision_for_credit_losses', 'claims_incurred', 'noninterest_expense'),
        parts('research_and_development', 'selling_general_and_administrative', 'other_operating_expenses'),
        parts('other_operating_costs', 'operating_expenses'),
        subtotal('operating_income'),
        parts('interest_expense', 'interest_income', 'other_income_before_tax'),
        subtotal('pretax_income'),
        parts('income_tax', 'other_income_after_tax', 'net_income_noncontrolling'),
        subtotal('net_income'),
      ),
      section('Per share', plain('eps_basic', 'eps_diluted', 'dividends_per_share')),
      section('Weighted shares', plain('weighted_shares_basic', 'weighted_shares_diluted')),
      section('Supplementary', plain('ebitda')),
    ],
  },
  cash_flow: {
    shareOf: 'revenue',
    sections: [
      section(
        'Operating activities',
        parts('depreciation_and_amortization', 'share_based_compensation', 'other_operating_cash_flow'),
        subtotal('operating_cash_flow'),
      ),
      section(
        'Investing activities',
        parts('capital_expenditures', 'acquisitions', 'other_investing_cash_flow'),
        subtotal('investing_cash_flow'),
      ),
      section(
        'Financing activities',
        parts('debt_issued', 'debt_repaid', 'dividends_paid', 'share_repurchases', 'other_financing_cash_flow'),
        subtotal('financing_cash_flow'),
      ),
      section('Supplementary', plain('free_cash_flow')),
    ],
  },
  balance: {
    shareOf: 'assets',
    sections: [
      section(
        'Assets',
        parts('cash_and_equivalents', 'short_term_investments', 'receivables', 'inventories'),
        parts('other_current_assets'),
        subtotal('current_assets'),
        parts('long_term_investments', 'loans', 'property_plant_and_equipment', 'operating_lease_assets'),
        parts('deferred_tax_assets', 'goodwill', 'intangible_assets', 'other_noncurrent_assets', 'other_assets'),
        subtotal('assets'),
      ),
      section(
        'Liabilities',
        parts('payables', 'deferred_revenue', 'short_term_debt', 'other_current_liabilities'),
        subtotal('current_liabilities'),
        parts('deposits', 'long_term_debt', 'operating_lease_liabilities', 'deferred_tax_liabilities'),
        parts('other_noncurrent_liabilities', 'other_liabilities'),
        subtotal('liabilities'),
      ),
      section(
        'Equity',
        plain('temporary_equity'),
        parts('paid_in_capital', 'retained_earnings', 'treasury_stock'),
        parts('accumulated_other_comprehensive_income', 'other_equity'),
        subtotal('stockholders_equity'),
        parts('noncontrolling_interests'),
        subtotal('total_equity'),
      ),
      section('Supplementary', plain('working_capital', 'total_debt', 'net_debt')),
    ],
  },
  cover: { shareOf: null, sections: [section(null, plain('common_shares_outstanding', 'public_float'))] },
  ratios: {
    shareOf: null,
    sections: [
      section(
        'Margins',
        plain('gross_margin', 'ebitda_margin', 'operating_margin', 'net_margin', 'fcf_margin', 'effective_tax_rate'),
      ),
      section(
        'Growth',
        plain('revenue_yoy', 'operating_income_yoy', 'net_income_yoy', 'eps_diluted_yoy', 'free_cash_flow_yoy'),
        plain('revenue_cagr_3y', 'revenue_cagr_5y', 'eps_diluted_cagr_3y', 'eps_diluted_cagr_5y'),
        plain('shares_change', 'shares_change_3y'),
      ),
      section('Returns', plain('roe', 'roa')),
      section(
        'Solvency',
        plain('current_ratio', 'cash_ratio', 'liabilities_to_equity', 'debt_to_equity', 'debt_to_ebitda'),
        plain('net_debt_to_ebitda', 'interest_coverage'),
      ),
      section(
        'Spending',
        plain('capex_intensity', 'rd_intensity', 'sga_to_revenue', 'sbc_intensity'),
        plain('capital_returns', 'payout_ratio', 'capital_returns_to_fcf'),
      ),
    ],
  },
};

export const STATEMENT_IDS = Object.keys(LAYOUTS) as readonly StatementId[];

export interface Place {
  readonly statement: StatementId;
  readonly section: string | null;
  readonly role: Line['role'];
  /** Increases down the statement. */
  readonly order: number;
}

const NAMED: ReadonlyMap<string, Place> = new Map(
  STATEMENT_IDS.flatMap((statement) =>
    LAYOUTS[statement].sections.flatMap(({ title, lines }) =>
      lines.map(({ key, role }) => ({ key, place: { statement, section: title, role } })),
    ),
  ).map(({ key, place }, order) => [key, { ...place, order }]),
);

const LINES: ReadonlyMap<string, Place> = withNeighbours(NAMED);

/** The named lines and the other metrics of the catalog, each after the previous metric of its statement. */
export function withNeighbours(named: ReadonlyMap<string, Place>): ReadonlyMap<string, Place> {
  const lines = new Map(named);
  const above = new Map<string, Place>();
  for (const [index, { key, statement }] of METRICS.entries()) {
    const before = above.get(statement);
    const place = named.get(key) ?? (before && { ...before, role: roleBelow(before), order: between(before, index) });
    if (place === undefined) continue;
    lines.set(key, place);
    above.set(statement, place);
  }
  return lines;
}

const roleBelow = ({ role }: Place): Line['role'] => (role === 'subtotal' ? 'plain' : role);

/** Returns an order between a line and the next named one. */
const between = ({ order }: Place, index: number): number => Math.floor(order) + (index + 1) / (METRICS.length + 1);

/** Returns the place of a figure: by its layout, otherwise at the end of the statement that the answer names. */
export function placeOf({ key, statement }: { readonly key: string; readonly statement: string | null }): Place {
  return LINES.get(key) ?? { statement: statementId(statement), section: 'Other', role: 'plain', order: LINES.size };
}

/** Figures of a statement without a layout come last. */
const statementId = (name: string | null): StatementId => STATEMENT_IDS.find((known) => known === name) ?? 'ratios';

export const comparePlaces = (a: Place, b: Place): number =>
  STATEMENT_IDS.indexOf(a.statement) - STATEMENT_IDS.indexOf(b.statement) || a.order - b.order;

/**
 * Returns the keys of these statements, in their order.
 * @param catalog the metrics of the service; null for those of this program
 */
export function keysOf(statements: readonly StatementId[], catalog: readonly MetricCatalogEntry[] | null): string[] {
  const known = catalog ?? [
    ...METRICS,
    ...FIGURES.filter((figure) => !isMetric(figure)).map(({ key }) => ({ key, statement: null })),
  ];
  return (
    known
      .filter(({ key }) => !isScreenOnly(key))
      .map(({ key, statement = null }) => ({ key, place: placeOf({ key, statement }) }))
      // An unknown figure outside statements may exist only as a screener column.
      .filter(
        ({ key, place }) => statements.includes(place.statement) && (place.statement !== 'ratios' || LINES.has(key)),
      )
      .sort((a, b) => comparePlaces(a.place, b.place))
      .map(({ key }) => key)
  );
}
