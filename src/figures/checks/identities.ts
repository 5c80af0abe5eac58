/**
 * Relations that must hold between the figures of a company, as data: tests, builds and `fin data check` run the same
 * list.
 * Filers break some of them themselves, by a wrong tag or by restating a year without its quarters. So each has a
 * tolerated share of failures: a little more than the share measured over a hundred companies.
 */

import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Case, CheckedCompany, Compare } from './case.ts';
import { marginsOfScreen, ratiosOfScreen } from './screen-cases.ts';
import {
  type FlowSeries,
  flowSeriesOf,
  oneRowAPeriod,
  quartersOfYears,
  strayQuarters,
  sumsOfInputs,
} from './series-cases.ts';
import {
  atMost,
  balances,
  equal,
  incomeOfShares,
  partsAtMost,
  type Statement,
  standingBalances,
  statementsOf,
} from './statement-cases.ts';

export interface Identity {
  readonly name: string;
  /** Maximum share of cases that may fail. */
  readonly tolerated: number;
  readonly cases: (of: Compared, compare: Compare) => void;
}

/** A company, with its figures grouped as identities compare them. */
interface Compared extends CheckedCompany {
  readonly statements: readonly Statement[];
  readonly series: readonly FlowSeries[];
}

export const IDENTITIES: readonly Identity[] = [
  {
    name: 'assets = liabilities + equity',
    tolerated: 0.02,
    cases: ({ statements }, compare) => balances(statements, compare),
  },
  {
    name: 'assets = liabilities + equity, by the current values',
    tolerated: 0.02,
    cases: ({ figures }, compare) => standingBalances(figures, compare),
  },
  {
    name: 'net income close to EPS x weighted shares',
    tolerated: 0.005,
    cases: ({ figures }, compare) => incomeOfShares(figures, compare),
  },
  {
    name: 'depreciation + amortization <= depreciation and amortization',
    tolerated: 0.01,
    cases: ({ statements }, compare) =>
      partsAtMost(statements, ['depreciation', 'amortization'], 'depreciation_and_amortization', compare),
  },
  {
    name: 'gross profit = revenue - cost of revenue',
    tolerated: 0.005,
    cases: ({ statements }, compare) => equal(statements, 'revenue', ['gross_profit', 'cost_of_revenue'], compare),
  },
  {
    name: 'gross profit = operating income + operating expenses',
    tolerated: 0.05,
    cases: ({ statements }, compare) =>
      equal(statements, 'gross_profit', ['operating_income', 'operating_expenses'], compare),
  },
  {
    name: 'long-term debt of all maturities = noncurrent + current portion',
    tolerated: 0.005,
    cases: ({ statements }, compare) =>
      equal(statements, 'long_term_debt_with_current', ['long_term_debt', 'current_portion_of_debt'], compare),
  },
  ...(
    [
      ['current_assets', 'assets'],
      ['cash_and_equivalents', 'assets'],
      ['current_liabilities', 'liabilities'],
      ['gross_profit', 'revenue'],
      ['operating_income', 'revenue'],
      ['depreciation', 'depreciation_and_amortization'],
      ['receivables', 'current_assets'],
      ['inventories', 'current_assets'],
      ['short_term_investments', 'current_assets'],
      ['property_plant_and_equipment', 'assets'],
      ['goodwill', 'assets'],
      ['intangible_assets', 'assets'],
      ['payables', 'current_liabilities'],
      ['deferred_revenue', 'current_liabilities'],
      ['short_term_debt', 'current_liabilities'],
      ['long_term_debt', 'liabilities'],
      ['research_and_development', 'operating_expenses'],
      ['selling_general_and_administrative', 'operating_expenses'],
      ['weighted_shares_basic', 'weighted_shares_diluted'],
    ] as const
  ).map(
    ([part, total]): Identity => ({
      name: `${wordsOf(part)} <= ${wordsOf(total)}`,
      tolerated: 0.005,
      cases: ({ statements }, compare) => atMost(statements, part, total, compare),
    }),
  ),
  {
    name: 'derived figure = sum of its inputs',
    tolerated: 0,
    cases: ({ figures }, compare) => sumsOfInputs(figures, compare),
  },
  {
    name: 'four quarters = fiscal year',
    tolerated: 0.045,
    cases: ({ series }, compare) => quartersOfYears(series, compare),
  },
  {
    name: 'derived quarter close to the quarters before and after',
    tolerated: 0.005,
    cases: ({ series }, compare) => strayQuarters(series, compare),
  },
  {
    name: 'one value for each period',
    tolerated: 0.0005,
    cases: ({ figures }, compare) => oneRowAPeriod(figures, compare),
  },
  { name: 'the release has the filing of each figure', tolerated: 0, cases: filingsOfFigures },
  { name: 'ratio = its formula', tolerated: 0, cases: ratiosOfScreen },
  { name: 'margin <= 1', tolerated: 0.01, cases: ({ screen }, compare) => marginsOfScreen(screen, compare) },
];

/** The result of one identity. */
export interface IdentityResult {
  readonly name: string;
  readonly checked: number;
  readonly broken: number;
  /** The cases with the largest differences, the worst first. */
  readonly worst: readonly Case[];
}

const MAX_WORST_CASES = 3;

/** Returns one result per identity, in their order. */
export function checkFigures(company: CheckedCompany): IdentityResult[] {
  const { figures } = company;
  const compared = { ...company, statements: statementsOf(figures), series: flowSeriesOf(figures) };
  return IDENTITIES.map(({ name, cases }) => {
    let checked = 0;
    const brokenCases: Case[] = [];
    cases(compared, (off, describe) => {
      checked++;
      if (compareDecimals(off, '0') > 0) brokenCases.push({ subject: describe(), off });
    });
    return { name, checked, broken: brokenCases.length, worst: worstOf(brokenCases) };
  });
}

/** Merges the results of several companies. */
export function mergeResults(results: readonly (readonly IdentityResult[])[]): IdentityResult[] {
  return IDENTITIES.map(({ name }, index) => {
    const of = results.flatMap((identityResults) => identityResults[index] ?? []);
    return {
      name,
      checked: of.reduce((sum, { checked }) => sum + checked, 0),
      broken: of.reduce((sum, { broken }) => sum + broken, 0),
      worst: worstOf(of.flatMap(({ worst }) => worst)),
    };
  });
}

/** Number of failures tolerated in a small release, such as one of a single company. */
const FEW = 25;

/** Whether the failures of an identity are within its tolerance. */
export function passes({ name, checked, broken }: IdentityResult): boolean {
  const tolerated = IDENTITIES.find((identity) => identity.name === name)?.tolerated;
  if (tolerated === undefined) throw new RangeError(`unknown identity ${name}`);
  return broken <= (tolerated === 0 ? 0 : Math.max(FEW, checked * tolerated));
}

function worstOf(cases: readonly Case[]): Case[] {
  return [...cases].sort((a, b) => compareDecimals(b.off, a.off)).slice(0, MAX_WORST_CASES);
}

function filingsOfFigures({ figures, filings }: CheckedCompany, compare: Compare): void {
  if (filings === null) return;
  const named = new Set<string>();
  for (const { terms, denominator } of figures) {
    for (const { source } of terms) named.add(source.reported.accession);
    for (const { source } of denominator) named.add(source.reported.accession);
  }
  for (const accession of named) compare(filings.has(accession) ? '0' : '1', () => accession);
}

function wordsOf(key: string): string {
  return key.replaceAll('_', ' ');
}
