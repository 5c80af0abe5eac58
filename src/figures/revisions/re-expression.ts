/** Whether a value changed only because shares were split. */

import { absolute, divide, halfUnit, multiply, subtract } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { movesWithSplits } from '../metrics/metric-rules.ts';
import type { Split } from '../shares/splits.ts';
import { splitRatio } from '../shares/splits.ts';
import type { ReportedValue } from './revision-chain.ts';

const SPLIT_TOLERANCE = '0.005';
const CENT: Decimal = '0.005';

/** New shares per old between the two filings, where that explains the change; else null. */
export function reExpression(
  previous: ReportedValue,
  value: Decimal,
  filed: string,
  splits: readonly Split[],
): Decimal | null {
  const moves = movesWithSplits(previous.metricKey);
  if (moves === null) return null;
  const ratio = splitRatio(splits, previous.filed, filed);
  if (ratio === null) return null;
  const expected = moves === 'shares' ? multiply(previous.value, ratio) : divide(previous.value, ratio);
  if (expected === null) return null;
  const apart = absolute(subtract(expected, value));
  const written = moves === 'shares' ? multiply(halfUnit(previous.value), ratio) : smaller(halfUnit(value), CENT);
  const relative = multiply(absolute(value), SPLIT_TOLERANCE);
  return compareDecimals(apart, written) <= 0 || compareDecimals(apart, relative) <= 0 ? ratio : null;
}

function smaller(a: Decimal, b: Decimal): Decimal {
  return compareDecimals(a, b) <= 0 ? a : b;
}
