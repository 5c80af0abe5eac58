/**
 * Ratios of one fiscal year, to the formulas that the screen's columns state.
 *
 * Ten decimal places, half to even. A missing input leaves a ratio out, never a zero in its place; so does a
 * denominator that makes the quotient meaningless (a return on negative equity).
 */

import { absolute, add, divide, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Split } from '../shares/splits.ts';
import type { Snapshot } from './annual-snapshot.ts';
import { annualSnapshots, basisDay, countOnBasisOf } from './annual-snapshot.ts';
import type { Figure, FigureInput, FigureValue } from './figure.ts';
import { toFigureValue } from './figure.ts';

/** A ratio's value with the figures it was taken from. */
export interface Ratio {
  readonly value: Decimal;
  readonly numerator: readonly Figure[];
  readonly denominator: readonly Figure[];
}

type Rule = (year: Snapshot, splits: readonly Split[]) => Ratio | null;

/** The quotient of two metrics; only over a positive denominator. */
const over =
  (numerator: string, denominator: string): Rule =>
  (year) => {
    const [top, bottom] = [year.at(numerator), year.at(denominator)];
    if (top === null || bottom === null) return null;
    return quotient(top.value, bottom.value, [top], [bottom]);
  };

const growth =
  (metricKey: string): Rule =>
  (year) => {
    const [now, before] = [year.at(metricKey), year.prior?.at(metricKey) ?? null];
    if (now === null || before === null) return null;
    return quotient(subtract(now.value, before.value), absolute(before.value), [now], [before]);
  };

const capitalReturns: Rule = (year) => {
  const [dividends, repurchases] = [year.at('dividends_paid'), year.at('share_repurchases')];
  if (dividends === null || repurchases === null) return null;
  return { value: add(dividends.value, repurchases.value), numerator: [dividends, repurchases], denominator: [] };
};

const capitalReturnsToCash: Rule = (year, splits) => {
  const [returns, cash] = [capitalReturns(year, splits), year.at('free_cash_flow')];
  return returns === null || cash === null ? null : quotient(returns.value, cash.value, returns.numerator, [cash]);
};

const sharesChange: Rule = (year, splits) => {
  const [now, before] = [year.at('common_shares_outstanding'), year.prior?.at('common_shares_outstanding') ?? null];
  return now === null || before === null ? null : shareGrowth(now, before, splits);
};

/** The change of a share count on one share basis. */
export function shareGrowth(now: Figure, before: Figure, splits: readonly Split[]): Ratio | null {
  const base = countOnBasisOf(before, basisDay(now), splits);
  return quotient(subtract(now.value, base), base, [now], [before]);
}

function quotient(
  top: Decimal,
  bottom: Decimal,
  numerator: readonly Figure[],
  denominator: readonly Figure[],
): Ratio | null {
  if (compareDecimals(bottom, '0') <= 0) return null;
  const value = divide(top, bottom);
  return value === null ? null : { value, numerator, denominator };
}

/** By key, in the screen's order. */
const RULES: Readonly<Record<string, Rule>> = {
  gross_margin: over('gross_profit', 'revenue'),
  operating_margin: over('operating_income', 'revenue'),
  net_margin: over('net_income', 'revenue'),
  fcf_margin: over('free_cash_flow', 'revenue'),
  roe: over('net_income', 'stockholders_equity'),
  roa: over('net_income', 'assets'),
  current_ratio: over('current_assets', 'current_liabilities'),
  cash_ratio: over('cash_and_equivalents', 'current_liabilities'),
  liabilities_to_equity: over('liabilities', 'stockholders_equity'),
  revenue_yoy: growth('revenue'),
  net_income_yoy: growth('net_income'),
  capex_intensity: over('capital_expenditures', 'revenue'),
  sbc_intensity: over('share_based_compensation', 'revenue'),
  capital_returns: capitalReturns,
  payout_ratio: over('dividends_paid', 'net_income'),
  capital_returns_to_fcf: capitalReturnsToCash,
  shares_change: sharesChange,
};

/** The ratios that follow from statements alone and may be asked for as metrics. */
export const RATIO_KEYS: ReadonlySet<string> = new Set(Object.keys(RULES));

export function ratioOf(key: string, year: Snapshot, splits: readonly Split[]): Ratio | null {
  return RULES[key]?.(year, splits) ?? null;
}

/** The named ratios of every fiscal year on file. */
export function deriveRatios(
  figures: readonly Figure[],
  keys: readonly string[],
  splits: readonly Split[],
): FigureValue[] {
  const values: FigureValue[] = [];
  for (const year of annualSnapshots(figures)) {
    for (const key of keys) {
      const ratio = ratioOf(key, year, splits);
      if (ratio !== null) values.push(ratioValue(key, year, ratio));
    }
  }
  return values;
}

function ratioValue(key: string, year: Snapshot, ratio: Ratio): FigureValue {
  const inputs = [...ratio.numerator, ...ratio.denominator];
  const isSum = ratio.denominator.length === 0;
  const figure: Figure = {
    metricKey: key,
    unit: isSum ? year.currency : 'pure',
    start: year.start,
    end: year.end,
    periodKind: 'annual',
    fiscalYear: year.fiscalYear,
    fiscalPeriod: 'FY',
    derived: true,
    value: ratio.value,
    confidence: inputs.reduce(
      (least, { confidence }) => (compareDecimals(confidence, least) < 0 ? confidence : least),
      '1',
    ),
    terms: inputs.flatMap((input) => input.terms),
  };
  return toFigureValue(figure, [
    ...play(isSum ? 'addend' : 'numerator', ratio.numerator),
    ...play('denominator', ratio.denominator),
  ]);
}

function play(role: string, figures: readonly Figure[]): FigureInput[] {
  return figures.flatMap(({ terms }) => terms.map(({ source }) => ({ role, reported: source.reported })));
}
