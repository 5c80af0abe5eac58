/** Rejects earnings per share whose sign is wrong: filers often tag a loss per share without its sign. */
import { isNegative, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import type { NamedRule } from './conditions.ts';
import type { AmountLookup } from './filing-amounts.ts';

/** The concepts of the whole income. Income per share of continuing operations may be above zero in spite of a loss. */
const EARNINGS_CONCEPT = /^(EarningsPerShare|(Basic|Diluted)EarningsLossPerShare)/;

/** Returns the rules of earnings per share, by metric. */
export function createEarningsRules(findAmounts: AmountLookup): readonly (readonly [string, NamedRule])[] {
  const incomeConcepts = [...new Set(listMappingsOfMetric('net_income').map(({ concept }) => concept))];
  /** Whether all amounts of income in the filing are losses: neither preferred dividends nor dilution make them a profit. */
  const isLoss = ({ unit, ...fact }: Fact): boolean => {
    const amounts = findAmounts({ ...fact, unit: unit.slice(0, unit.indexOf('/')) });
    const incomes = incomeConcepts.flatMap((concept) => amounts.get(concept) ?? []);
    return incomes.length > 0 && incomes.every(isNegative);
  };
  const rule: NamedRule = (fact) =>
    EARNINGS_CONCEPT.test(fact.concept) && !isNegative(fact.value) && !isZero(fact.value) && isLoss(fact)
      ? 'earnings per share above zero in a filing that states a loss'
      : null;
  return ['eps_basic', 'eps_diluted'].map((key) => [key, rule] as const);
}
