/**
 * Relations that must hold between the figures of a company. Tests, builds and `fin data check` share this list.
 * Filers break some relations themselves, by a wrong tag or by restating a year without its quarters. Each relation
 * therefore has a tolerated share of failures, slightly above the share measured over a hundred companies.
 */

import { compareDecimals } from '../../contract/decimal-text.ts';
import type { CheckedCompany, CheckRecorder, FailedComparison } from './case.ts';
import { checkScreenMargins, checkScreenRatios } from './screen-cases.ts';
import {
  checkDuplicatePeriods,
  checkInputSums,
  checkOutlyingQuarters,
  checkQuarterSums,
  type FlowSeries,
  groupFlowSeries,
} from './series-cases.ts';
import {
  checkBalances,
  checkBalancesAcrossFilings,
  checkIncomePerShare,
  checkPartAtMostTotal,
  checkPartSumAtMostTotal,
  checkPartsAddUpToTotal,
  groupStatements,
  type Statement,
} from './statement-cases.ts';

export interface Identity {
  readonly name: string;
  /** Maximum share of comparisons that may fail. */
  readonly tolerated: number;
  readonly check: (company: CompanyWithGroupedFigures, recordCheck: CheckRecorder) => void;
}

/** A company whose figures are grouped for the comparisons. */
interface CompanyWithGroupedFigures extends CheckedCompany {
  readonly statements: readonly Statement[];
  readonly series: readonly FlowSeries[];
}

export const IDENTITIES: readonly Identity[] = [
  {
    name: 'assets = liabilities + equity',
    tolerated: 0.02,
    check: ({ statements }, recordCheck) => checkBalances(statements, recordCheck),
  },
  {
    name: 'assets = liabilities + equity, with the latest values from all filings',
    tolerated: 0.02,
    check: ({ figures }, recordCheck) => checkBalancesAcrossFilings(figures, recordCheck),
  },
  {
    name: 'net income close to EPS x weighted shares',
    tolerated: 0.005,
    check: ({ figures }, recordCheck) => checkIncomePerShare(figures, recordCheck),
  },
  {
    name: 'depreciation + amortization <= their reported total',
    tolerated: 0.01,
    check: ({ statements }, recordCheck) =>
      checkPartSumAtMostTotal(
        statements,
        ['depreciation', 'amortization'],
        'depreciation_and_amortization',
        recordCheck,
      ),
  },
  {
    name: 'gross profit = revenue - cost of revenue',
    tolerated: 0.005,
    check: ({ statements }, recordCheck) =>
      checkPartsAddUpToTotal(statements, 'revenue', ['gross_profit', 'cost_of_revenue'], recordCheck),
  },
  {
    name: 'gross profit = operating income + operating expenses',
    tolerated: 0.05,
    check: ({ statements }, recordCheck) =>
      checkPartsAddUpToTotal(statements, 'gross_profit', ['operating_income', 'operating_expenses'], recordCheck),
  },
  {
    name: 'long-term debt of all maturities = noncurrent + current portion',
    tolerated: 0.005,
    check: ({ statements }, recordCheck) =>
      checkPartsAddUpToTotal(
        statements,
        'long_term_debt_with_current',
        ['long_term_debt', 'current_portion_of_debt'],
        recordCheck,
      ),
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
      name: `${formatKey(part)} <= ${formatKey(total)}`,
      tolerated: 0.005,
      check: ({ statements }, recordCheck) => checkPartAtMostTotal(statements, part, total, recordCheck),
    }),
  ),
  {
    name: 'derived figure = sum of its inputs',
    tolerated: 0,
    check: ({ figures }, recordCheck) => checkInputSums(figures, recordCheck),
  },
  {
    name: 'four quarters = fiscal year',
    tolerated: 0.045,
    check: ({ series }, recordCheck) => checkQuarterSums(series, recordCheck),
  },
  {
    name: 'derived quarter close to the quarters before and after',
    tolerated: 0.005,
    check: ({ series }, recordCheck) => checkOutlyingQuarters(series, recordCheck),
  },
  {
    name: 'one value for each period',
    tolerated: 0.0005,
    check: ({ figures }, recordCheck) => checkDuplicatePeriods(figures, recordCheck),
  },
  { name: 'the release has the filing of each figure', tolerated: 0, check: checkAccessionsAreInRelease },
  { name: 'ratio = its formula', tolerated: 0, check: checkScreenRatios },
  { name: 'margin <= 1', tolerated: 0.01, check: ({ screen }, recordCheck) => checkScreenMargins(screen, recordCheck) },
];

export interface IdentityResult {
  readonly name: string;
  readonly checked: number;
  readonly broken: number;
  /** The failed comparisons with the largest differences, largest first. */
  readonly worst: readonly FailedComparison[];
}

const MAX_LISTED_FAILURES = 3;

/** Returns one result per identity, in the order of `IDENTITIES`. */
export function checkCompanyIdentities(company: CheckedCompany): IdentityResult[] {
  const { figures } = company;
  const companyWithGroupedFigures = {
    ...company,
    statements: groupStatements(figures),
    series: groupFlowSeries(figures),
  };
  return IDENTITIES.map(({ name, check }) => {
    let checkedCount = 0;
    const failedComparisons: FailedComparison[] = [];
    check(companyWithGroupedFigures, (deviation, describe) => {
      checkedCount++;
      if (compareDecimals(deviation, '0') > 0) failedComparisons.push({ subject: describe(), off: deviation });
    });
    return {
      name,
      checked: checkedCount,
      broken: failedComparisons.length,
      worst: selectWorstFailures(failedComparisons),
    };
  });
}

/** Merges the results of several companies. */
export function mergeResults(resultsOfCompanies: readonly (readonly IdentityResult[])[]): IdentityResult[] {
  return IDENTITIES.map(({ name }, index) => {
    const resultsOfIdentity = resultsOfCompanies.flatMap((identityResults) => identityResults[index] ?? []);
    return {
      name,
      checked: resultsOfIdentity.reduce((sum, { checked }) => sum + checked, 0),
      broken: resultsOfIdentity.reduce((sum, { broken }) => sum + broken, 0),
      worst: selectWorstFailures(resultsOfIdentity.flatMap(({ worst }) => worst)),
    };
  });
}

/**
 * This number of failures is tolerated in any release: in a small one, even a few failures exceed the tolerated share.
 * Does not apply to identities that tolerate no failures.
 */
const MIN_TOLERATED_FAILURES = 25;

export function isWithinTolerance(result: IdentityResult): boolean {
  return result.broken <= computeMaxFailures(result);
}

export function computeMaxFailures({ name, checked }: IdentityResult): number {
  const toleratedShare = IDENTITIES.find((identity) => identity.name === name)?.tolerated;
  if (toleratedShare === undefined) throw new RangeError(`unknown identity ${name}`);
  return toleratedShare === 0 ? 0 : Math.max(MIN_TOLERATED_FAILURES, Math.floor(checked * toleratedShare));
}

function selectWorstFailures(failures: readonly FailedComparison[]): FailedComparison[] {
  return [...failures].sort((a, b) => compareDecimals(b.off, a.off)).slice(0, MAX_LISTED_FAILURES);
}

function checkAccessionsAreInRelease({ figures, filings }: CheckedCompany, recordCheck: CheckRecorder): void {
  if (filings === null) return;
  const accessions = new Set<string>();
  for (const { terms, denominator } of figures) {
    for (const { source } of terms) accessions.add(source.reported.accession);
    for (const { source } of denominator) accessions.add(source.reported.accession);
  }
  for (const accession of accessions) recordCheck(filings.has(accession) ? '0' : '1', () => accession);
}

function formatKey(key: string): string {
  return key.replaceAll('_', ' ');
}
