/**
 * Rejects earnings per share above zero where a filing states a loss, because filers often tag a loss per share without
 * its sign; and net income for common shares that does not fit earnings per share.
 */
import { isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { type Decimal, isNegative, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { listConceptsOfMetric } from '../metrics/concepts.ts';
import type { RejectionRule } from './conditions.ts';
import type { AmountLookup } from './filing-amounts.ts';

/** Matches EPS of the whole income: income per share of continuing operations may be above zero in spite of a loss. */
const EARNINGS_CONCEPT = /^(EarningsPerShare|(Basic|Diluted)EarningsLossPerShare)/;

const SHARES_CONCEPT = 'WeightedAverageNumberOfSharesOutstandingBasic';
/** Maximum relative difference of net income from earnings per share times shares, both of which are rounded. */
const MAX_EQUAL_DIFFERENCE: Decimal = '0.02';
/** Minimum relative difference from that product at which an amount is not the income of common shares. */
const MIN_DIFFERENCE: Decimal = '0.1';

/** Returns the rules that reject wrong earnings per share and wrong income of common shares, by metric. */
export function createEarningsRules(findAmounts: AmountLookup): readonly (readonly [string, RejectionRule])[] {
  const incomeConcepts = listConceptsOfMetric('net_income');
  /**
   * Whether all amounts of income in the filing are losses. Earnings per share are then losses, too: neither preferred
   * dividends nor dilution turn a loss into a profit.
   */
  const isLoss = ({ unit, ...fact }: Fact): boolean => {
    const incomes = findAmounts({ ...fact, unit: unit.slice(0, unit.indexOf('/')) }).list(incomeConcepts);
    return incomes.length > 0 && incomes.every(isNegative);
  };
  const rejectProfitPerShare: RejectionRule = (fact) =>
    EARNINGS_CONCEPT.test(fact.concept) && !isNegative(fact.value) && !isZero(fact.value) && isLoss(fact)
      ? 'earnings per share above zero in a filing that states a loss'
      : null;
  const rejectOtherIncome: RejectionRule = (fact, amounts) => {
    const earnings = findAmounts({ ...fact, unit: `${fact.unit}/shares` }).get('EarningsPerShareBasic');
    const shares = findAmounts({ ...fact, unit: 'shares' }).get(SHARES_CONCEPT);
    const income = amounts.get('NetIncomeLoss');
    if (earnings === undefined || shares === undefined || income === undefined) return null;
    const product = multiply(earnings, shares);
    return isNearlyEqual(income, product, MAX_EQUAL_DIFFERENCE) && !isNearlyEqual(fact.value, product, MIN_DIFFERENCE)
      ? 'net income for common shares that does not fit earnings per share'
      : null;
  };
  return [
    ['eps_basic', rejectProfitPerShare],
    ['eps_diluted', rejectProfitPerShare],
    ['net_income_common', rejectOtherIncome],
  ];
}
