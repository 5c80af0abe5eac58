/**
 * Finds facts that other facts of the company show to be wrong, and the day from which filings show each error. Figures
 * as of an earlier day are unaffected.
 */

import { add, findUpperMedian, takeAbsoluteValue } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { classifyForm } from '../../../edgar/filings/forms.ts';
import { groupBy } from '../../../platform/collections.ts';
import { setEarliestDay } from '../../../platform/dates.ts';
import { findFactsBelowAmortization } from '../../evidence/depreciation.ts';
import { type FactSeries, filterFactSeries, omitCrowdedPeriods, type PeriodFacts } from '../../facts/fact-series.ts';
import { detectPeriodKind } from '../../periods/period-kind.ts';
import type { Split } from '../../shares/splits.ts';
import { findFactsBreakingEquations } from './broken-equations.ts';
import { areMagnitudesWithinFactor, type DatedError, findScaleAndSignErrors } from './misscaled-facts.ts';
import { findMisscaledShares } from './misscaled-shares.ts';
import { findReversedFacts } from './reversed-signs.ts';

/** Wrong facts, each with the day of the filing that shows the error. */
export type ContradictionDayByFact = ReadonlyMap<Fact, string>;

/**
 * @param series series of the concepts that metrics are read from
 * @param count called with the name of the rule for each fact that a rule contradicts; several rules may contradict one
 */
export function findContradictedFacts(
  series: readonly FactSeries[],
  splits: readonly Split[],
  count: (rule: string) => void = () => undefined,
): ContradictionDayByFact {
  const reportedSeries = omitCrowdedPeriods(filterFactSeries(series, ({ form }) => classifyForm(form) !== null));
  const { dayByWrongFact, confirmedFacts } = findMisscaledShares(reportedSeries);
  const plausibleSeries = filterFactSeries(reportedSeries, (fact) => !dayByWrongFact.has(fact));
  const contradictionDayByFact = findScaleAndSignErrors(plausibleSeries, splits);
  for (const fact of confirmedFacts) contradictionDayByFact.delete(fact);
  for (const _ of contradictionDayByFact) count('an amount of another scale or sign than in other filings');
  const isContradicted = (fact: Fact) => contradictionDayByFact.has(fact);
  // Each rule finds its facts before the facts of any rule are added to the map.
  const findings: readonly (readonly [rule: string, days: readonly DatedError[]])[] = [
    ['an amount that breaks an equation of its statement', [...findFactsBreakingEquations(reportedSeries)]],
    ['an amount with the opposite sign in other filings', [...findReversedFacts(reportedSeries, isContradicted)]],
    ['a quarter far above its year, or a year far below its quarter', [...findPartsAboveWhole(reportedSeries)]],
    ['depreciation and amortization below its amortization', [...findFactsBelowAmortization(reportedSeries)]],
    ['average shares that income per share contradicts', [...dayByWrongFact]],
  ];
  for (const [rule, days] of findings) {
    for (const [fact, day] of days) {
      // If several rules contradict a fact, the first of their days is the day from which filings show the error.
      setEarliestDay(contradictionDayByFact, fact, day);
      count(rule);
    }
  }
  return contradictionDayByFact;
}

/** Flows that only accumulate within a year. Excludes share-based compensation, which forfeited shares reduce. */
const CUMULATIVE_METRICS: ReadonlySet<string> = new Set([
  'revenue',
  'cost_of_revenue',
  'capital_expenditures',
  'dividends_paid',
  'dividends_per_share',
  'share_repurchases',
]);

/** An amount is supported if it differs from the median of other periods of the same length by at most this factor. */
const MAX_SUPPORT_FACTOR: Decimal = '3';

/**
 * Finds pairs of amounts in one filing such as a quarter with more than twice the amount of its year. Returns the
 * amount that other periods do not support; both amounts if other periods support both or neither.
 */
function* findPartsAboveWhole(series: readonly FactSeries[]): Generator<DatedError> {
  for (const { facts, periods } of series.filter(isCumulative))
    for (const ofFiling of groupBy(facts, ({ accession }) => accession).values())
      for (const whole of ofFiling)
        for (const part of ofFiling.filter((fact) => isWithin(fact, whole) && isAboveTwice(fact, whole))) {
          const unsupported = [whole, part].filter((fact) => !isNearOtherPeriods(fact, periods));
          for (const fact of unsupported.length === 0 ? [whole, part] : unsupported) yield [fact, fact.filed];
        }
}

const isCumulative = ({ mappings }: FactSeries): boolean =>
  mappings.some(({ metricKey }) => CUMULATIVE_METRICS.has(metricKey));

function isWithin(part: Fact, whole: Fact): boolean {
  if (part === whole || part.start === null || whole.start === null) return false;
  return part.start >= whole.start && part.end <= whole.end;
}

function isAboveTwice({ value }: Fact, whole: Fact): boolean {
  const size = takeAbsoluteValue(whole.value);
  return compareDecimals(value, size) > 0 && compareDecimals(value, add(size, size)) > 0;
}

/** @param periods periods of the same concept and unit */
function isNearOtherPeriods({ start, end, filed, value }: Fact, periods: readonly PeriodFacts[]): boolean {
  const kind = detectPeriodKind(start, end);
  const otherPeriods = periods.filter((period) => period.kind === kind && period.end !== end);
  const earlierFacts = otherPeriods.flatMap(({ facts }) => facts.filter((fact) => fact.filed <= filed));
  const sizes = earlierFacts.map((fact) => takeAbsoluteValue(fact.value));
  return sizes.length > 0 && areMagnitudesWithinFactor(value, findUpperMedian(sizes), MAX_SUPPORT_FACTOR);
}
