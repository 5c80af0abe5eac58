/** Finds revenue, cost or gross profit that a later filing left behind when it restated the other two. */
import { add, nearlyEqual, subtract } from '../../../contract/decimal.ts';
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import { amountsIn, type ProfitSeries, profitSeries } from '../synonyms/gross-profit.ts';

/** Maximum difference of amounts that count as equal, as a share. */
const SAME: Decimal = '0.01';

/** A line of the statement with the other two, and how it follows from these. */
interface Line {
  readonly own: readonly FactSeries[];
  readonly others: readonly [readonly FactSeries[], readonly FactSeries[]];
  readonly from: (one: Decimal, other: Decimal) => Decimal;
  /** Whether an amount that does not fit the other two is not read either. */
  readonly isProven: boolean;
}

function linesOf({ revenues, costs, profits }: ProfitSeries): Line[] {
  return [
    { own: profits, others: [revenues, costs], from: subtract, isProven: false },
    { own: costs, others: [revenues, profits], from: subtract, isProven: true },
    { own: revenues, others: [costs, profits], from: add, isProven: false },
  ];
}

/**
 * Yields each such fact with the day of the later filing. That filing reports the other two lines, at least one of them
 * with another amount than the fact's own filing does; the fact does not fit both, and the filing does not replace it.
 */
export function* staleLines(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const one of profitSeries(series)) {
    for (const line of linesOf(one)) {
      for (const period of line.own.flatMap(({ periods }) => periods)) {
        for (const fact of period.facts) {
          const day = leftBehindOn(fact, line);
          if (day !== null) yield [fact, day];
        }
      }
    }
  }
}

/**
 * Yields costs that are a part, as those of products only: the gross profit that another filing reports with the same
 * revenue is not what they leave of it. With the day on which both are reported.
 */
export function* partialCosts(series: readonly FactSeries[]): Generator<[Fact, string]> {
  for (const { revenues, costs, profits } of profitSeries(series)) {
    for (const cost of costs.flatMap(({ facts }) => facts)) {
      if (amountsIn(cost.accession, cost, profits).length > 0) continue;
      const own = amountsIn(cost.accession, cost, revenues);
      const statedFacts = profits
        .flatMap((one) => one.of(cost)?.facts ?? [])
        .filter(({ accession }) => isSame(own, amountsIn(accession, cost, revenues)));
      const [first] = statedFacts.map(({ filed }) => filed).sort();
      const fits = ({ value }: Fact) => own.some((revenue) => nearlyEqual(subtract(revenue, cost.value), value, SAME));
      if (first !== undefined && !statedFacts.some(fits)) yield [cost, first > cost.filed ? first : cost.filed];
    }
  }
}

/** The day of the first later filing that leaves the fact behind; null if there is none. */
function leftBehindOn(fact: Fact, { own, others, from, isProven }: Line): string | null {
  const [first, second] = others.map((series) => amountsIn(fact.accession, fact, series)) as [Decimal[], Decimal[]];
  const laterFacts = others[0]
    .flatMap((one) => one.of(fact)?.facts ?? [])
    .filter(({ filed }) => filed > fact.filed)
    .sort((a, b) => (a.filed < b.filed ? -1 : 1));
  for (const [accession, [filing]] of groupBy(laterFacts, (one) => one.accession)) {
    const [ones, twos] = others.map((series) => amountsIn(accession, fact, series)) as [Decimal[], Decimal[]];
    if (filing === undefined || ones.length === 0 || twos.length === 0) continue;
    const isRestated = isOther(ones, first) || isOther(twos, second);
    const fits = (amount: Decimal) => ones.some((one) => twos.some((two) => nearlyEqual(from(one, two), amount, SAME)));
    const amounts = amountsIn(accession, fact, own);
    const isReplaced = isProven ? amounts.some(fits) : amounts.length > 0;
    if (isRestated && !fits(fact.value) && !isReplaced) return filing.filed;
  }
  return null;
}

/** Whether none of the amounts is one of the earlier amounts. */
function isOther(amounts: readonly Decimal[], earlier: readonly Decimal[]): boolean {
  return earlier.length > 0 && !isSame(amounts, earlier);
}

/** Whether one of the amounts is one of the other amounts. */
function isSame(amounts: readonly Decimal[], others: readonly Decimal[]): boolean {
  return amounts.some((amount) => others.some((other) => nearlyEqual(amount, other, SAME)));
}
