/** Finds gross profits that are no line of their filing's income statement, and so are of another revenue or cost. */
import { add, nearlyEqual, subtract } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { FactSeries, PeriodFacts } from '../../facts/fact-series.ts';
import { conceptsOf } from '../../metrics/concepts.ts';
import { periodKind } from '../../periods/period-kind.ts';
import type { Candidate } from './candidates.ts';

const conceptsFor = (key: string): ReadonlySet<string> => new Set(conceptsOf(key).map(({ concept }) => concept));
const REVENUES = conceptsFor('revenue');
const COSTS = conceptsFor('cost_of_revenue');
const PROFITS = conceptsFor('gross_profit');
/** Maximum difference of amounts that count as equal, as a share. */
const SAME: Decimal = '0.01';

/** The series of revenue, of its cost and of gross profit in one unit. */
export interface ProfitSeries {
  readonly unit: string;
  readonly revenues: readonly FactSeries[];
  readonly costs: readonly FactSeries[];
  readonly profits: readonly FactSeries[];
}

/** Returns the series of each unit in which the company reports gross profit. */
export function profitSeries(series: readonly FactSeries[]): ProfitSeries[] {
  const units = new Set(series.filter(({ concept }) => PROFITS.has(concept)).map(({ unit }) => unit));
  return [...units].map((unit) => {
    const of = (concepts: ReadonlySet<string>) =>
      series.filter((one) => one.unit === unit && concepts.has(one.concept));
    return { unit, revenues: of(REVENUES), costs: of(COSTS), profits: of(PROFITS) };
  });
}

const nameOf = ({ start, end }: Pick<PeriodFacts, 'start' | 'end'>): string => `${start} ${end}`;

/** Returns the amounts that a filing reports for a period by any of the concepts. */
export function amountsIn(
  accession: string,
  period: Pick<PeriodFacts, 'start' | 'end'>,
  series: readonly FactSeries[],
): Decimal[] {
  return series.flatMap((one) =>
    (one.of(period)?.facts ?? []).filter((fact) => fact.accession === accession).map(({ value }) => value),
  );
}

/** Whether one of the revenues less one of the costs is the gross profit. */
export function isProfitOf(profit: Decimal, revenues: readonly Decimal[], costs: readonly Decimal[]): boolean {
  return revenues.some((revenue) => costs.some((cost) => nearlyEqual(subtract(revenue, cost), profit, SAME)));
}

/**
 * Returns gross profits that their filing's revenue less its cost does not show, if the filing reports revenue and cost
 * for at least as many periods of that length without gross profit as with it: its statement has no such line. The gross profit is of a note, as
 * after amortization, or of a part of the revenue, as without membership fees.
 */
export function profitsOfNotes(series: readonly FactSeries[]): ReadonlySet<Fact> {
  const foundFacts = new Set<Fact>();
  for (const { revenues, costs, profits } of profitSeries(series)) {
    const statedFacts = profits.flatMap(({ facts }) => facts);
    for (const [accession, ownFacts] of groupBy(statedFacts, (fact) => fact.accession)) {
      const unproven = ownFacts.filter(
        (fact) => !isProfitOf(fact.value, amountsIn(accession, fact, revenues), amountsIn(accession, fact, costs)),
      );
      if (unproven.length === 0) continue;
      const periods = costs
        .flatMap((cost) => cost.periods)
        .filter(
          (period) =>
            amountsIn(accession, period, costs).length > 0 && amountsIn(accession, period, revenues).length > 0,
        );
      for (const fact of unproven) {
        const alike = periods.filter(({ kind }) => kind === periodKind(fact.start, fact.end));
        const lines = new Set((alike.length > 0 ? alike : periods).map(nameOf));
        const without = [...lines].filter((line) => !ownFacts.some((otherFact) => nameOf(otherFact) === line));
        if (without.length > 0 && without.length * 2 >= lines.size) foundFacts.add(fact);
      }
    }
  }
  return foundFacts;
}

/** Returns whether a candidate is the cost that its filing's revenue less gross profit leaves, whatever its concept. */
export function costProver(series: readonly FactSeries[]): (candidate: Candidate) => boolean {
  const units = profitSeries(series);
  return ({ mapping, fact }) =>
    mapping.metricKey === 'cost_of_revenue' &&
    units.some(({ unit, revenues, profits }) => {
      if (unit !== fact.unit) return false;
      const of = (ownSeries: readonly FactSeries[]) => amountsIn(fact.accession, fact, ownSeries);
      return of(profits).some((profit) => of(revenues).some((revenue) => add(fact.value, profit) === revenue));
    });
}
