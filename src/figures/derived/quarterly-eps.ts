/**
 * Derives earnings per share of fourth quarters and of twelve months. Amounts per share add up only nearly, because the
 * number of shares changes. So the year's EPS less the EPS of its first three quarters is the EPS of the fourth quarter
 * only if the quarter's income, divided by its average number of shares, confirms it.
 */

import { divide, multiply, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import { groupBy } from '../../platform/collections.ts';
import { addDays } from '../../platform/dates.ts';
import { isSameBoundary } from '../periods/align-periods.ts';
import { groupByMetricAndUnit, type ReportedValue, selectValueAsOf } from '../revisions/revision-chain.ts';
import type { Split } from '../shares/splits.ts';
import type { StartLookup } from './derive-quarters.ts';
import { DERIVED_CONFIDENCE, type Figure, pickSubject, sumFiguresOnOneBasis, toReportedFigure } from './figure.ts';
import { createSplitAdjuster, limitToProvenRanges, RESTATED_METRICS, SPLIT_RANGE_METRICS } from './shares-of-today.ts';

/** The average number of shares by which each EPS divides income. */
const SHARES_KEY_BY_EPS_KEY: ReadonlyMap<string, string> = new Map([
  ['eps_basic', 'weighted_shares_basic'],
  ['eps_diluted', 'weighted_shares_diluted'],
]);
/** The income that EPS divides, best first: filings without preferred stock state only net income. */
const INCOME_KEYS: readonly string[] = ['net_income_common', 'net_income'];
/** Maximum difference between the derived EPS and income divided by shares, in units of the currency. */
const MAX_DIFFERENCE: Decimal = '0.01';
const QUARTERS_PER_YEAR = '4';

export const isEarningsPerShare = (metricKey: string): boolean => SHARES_KEY_BY_EPS_KEY.has(metricKey);

/** Returns the other metrics that the EPS of a fourth quarter needs; empty for a metric that is not an EPS. */
export function listInputsOfFourthQuarter(metricKey: string): readonly string[] {
  const sharesKey = SHARES_KEY_BY_EPS_KEY.get(metricKey);
  return sharesKey === undefined ? [] : [sharesKey, ...INCOME_KEYS, ...SPLIT_RANGE_METRICS];
}

/** Whether amounts per share and share counts are in the same shares: no split lies between their filings. */
export type ShareBasisCheck = (figures: readonly Figure[]) => boolean;

/**
 * @param chains the company's chains, including the chains of `SPLIT_RANGE_METRICS`
 * @param splits the splits that filings had proven by the day
 */
export function createShareBasisCheck(
  chains: readonly (readonly ReportedValue[])[],
  splits: readonly Split[],
  asOf: string | null,
): ShareBasisCheck {
  if (splits.length === 0) return () => true;
  const getAdjuster = onFirstUse(() => {
    const filedValues = chains
      .flat()
      .filter((value) => SPLIT_RANGE_METRICS.includes(value.metricKey) && (asOf === null || value.filed <= asOf));
    const restatedValues = filedValues.filter(({ metricKey }) => RESTATED_METRICS.includes(metricKey));
    return createSplitAdjuster(restatedValues, asOf === null ? splits : limitToProvenRanges(splits, filedValues));
  });
  return (figures) => {
    const ratios = figures.map((figure) => getAdjuster()(figure).ratio);
    const distinctRatios = new Set(ratios.map((ratio) => ratio && `${ratio.newShares}:${ratio.oldShares}`));
    return distinctRatios.size === 1 && ratios.every((ratio) => ratio != null);
  };
}

/**
 * Derives the EPS of the fourth quarters for which no filing states an EPS.
 * @param figures reported figures, and derived quarters and metrics of income
 */
export function deriveFourthQuarterEps(
  figures: readonly Figure[],
  starts: StartLookup,
  haveOneShareBasis: ShareBasisCheck,
): Figure[] {
  const epsFigures = figures.filter(({ metricKey }) => isEarningsPerShare(metricKey));
  if (epsFigures.length === 0) return [];
  const byKey = groupBy(figures, ({ metricKey }) => metricKey);
  const findFigure: FigureFinder = (key, { periodKind, start, end }) =>
    byKey
      .get(key)
      ?.find(
        (figure) =>
          figure.periodKind === periodKind &&
          isSameBoundary(figure.end, end) &&
          isSameBoundary(figure.start ?? '', start ?? ''),
      ) ?? null;
  return groupByMetricAndUnit(epsFigures).flatMap((series) => {
    const quarters = series.filter(({ periodKind }) => periodKind === 'quarter');
    const years = series.filter(({ periodKind, fiscalPeriod }) => periodKind === 'annual' && fiscalPeriod === 'FY');
    return years.flatMap((year) => {
      const parts = findFirstThreeQuarters(year, quarters);
      if (parts === null) return [];
      return deriveFourthQuarter(year, parts, { starts, findFigure, haveOneShareBasis }) ?? [];
    });
  });
}

type FigureFinder = (key: string, period: Pick<Figure, 'periodKind' | 'start' | 'end'>) => Figure | null;

interface DerivationContext {
  readonly starts: StartLookup;
  readonly findFigure: FigureFinder;
  readonly haveOneShareBasis: ShareBasisCheck;
}

/** Returns the three quarters that follow each other from the year's start; null if a fourth one is stated. */
function findFirstThreeQuarters(year: Figure, quarters: readonly Figure[]): readonly Figure[] | null {
  if (year.start === null || quarters.some(({ end }) => isSameBoundary(end, year.end))) return null;
  const parts: Figure[] = [];
  let next = year.start;
  while (parts.length < 3) {
    const start = next;
    const part = quarters.find((quarter) => quarter.start !== null && isSameBoundary(quarter.start, start));
    if (part === undefined || part.end >= year.end) return null;
    parts.push(part);
    next = addDays(part.end, 1);
  }
  return parts;
}

function deriveFourthQuarter(
  year: Figure,
  parts: readonly Figure[],
  { starts, findFigure, haveOneShareBasis }: DerivationContext,
): Figure | null {
  const sharesKey = SHARES_KEY_BY_EPS_KEY.get(year.metricKey) ?? '';
  const sharesOfYear = findFigure(sharesKey, year);
  const sharesOfParts = parts.map((part) => findFigure(sharesKey, part)).filter((figure) => figure !== null);
  if (sharesOfYear === null || sharesOfParts.length < parts.length) return null;
  const firstDay = addDays(parts.at(-1)?.end ?? year.end, 1);
  const knownStart = starts.get(year.end);
  const start = knownStart !== undefined && isSameBoundary(knownStart, firstDay) ? knownStart : firstDay;
  const subject = { ...pickSubject(year), start, periodKind: 'quarter' as const, fiscalPeriod: 'Q4' };
  const incomes = INCOME_KEYS.map((key) => findFigure(key, subject)).filter((figure) => figure !== null);
  for (const [eps, shares] of listVersions(year, sharesOfYear)) {
    if (!haveOneShareBasis([eps, shares, ...parts, ...sharesOfParts])) continue;
    const inputs = { plus: [eps], minus: parts, maxConfidence: DERIVED_CONFIDENCE.quarter };
    const quarter = sumFiguresOnOneBasis(subject, inputs);
    const ownShares = subtract(multiply(QUARTERS_PER_YEAR, shares.value), sum(sharesOfParts.map(({ value }) => value)));
    if (quarter !== null && incomes.some(({ value }) => isConfirmed(quarter.value, value, ownShares))) return quarter;
  }
  return null;
}

function isConfirmed(eps: Decimal, income: Decimal, shares: Decimal): boolean {
  const expected = compareDecimals(shares, '0') > 0 ? divide(income, shares) : null;
  return expected !== null && compareDecimals(takeAbsoluteValue(subtract(eps, expected)), MAX_DIFFERENCE) <= 0;
}

/**
 * Yields the year's EPS and average shares, as they are now and as earlier filings stated both: a later report restates
 * the year for a split, but no report restates quarters of so long ago.
 */
function* listVersions(eps: Figure, shares: Figure): Generator<readonly [Figure, Figure]> {
  yield [eps, shares];
  const chain = eps.terms[0]?.source.chain ?? [];
  const sharesChain = shares.terms[0]?.source.chain ?? [];
  for (const [index, value] of [...chain.entries()].reverse()) {
    const isReplaced = (chain[index + 1]?.kind ?? 'same') !== 'same';
    if (!isReplaced) continue;
    const [earlier, earlierShares] = [selectValueAsOf(chain, value.filed), selectValueAsOf(sharesChain, value.filed)];
    if (earlier !== null && earlierShares !== null) yield [toReportedFigure(earlier), toReportedFigure(earlierShares)];
  }
}
