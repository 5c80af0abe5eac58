/**
 * Combines the transactions (lots) of a filing into table lines: lots with the same side, security and value status
 * form one line, unless lots are shown individually.
 */

import { divide, sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { InsiderFiling, InsiderTransaction } from '../../contract/resources/insiders.ts';
import { groupBy } from '../../platform/collections.ts';

export interface TradeLine {
  /** Lots of the line in the order of the filing; a single lot if lots are shown individually. */
  readonly lots: readonly InsiderTransaction[];
  readonly code: InsiderTransaction['transaction_code'];
  readonly status: InsiderTransaction['value_status'];
  /** Latest transaction date; null if no lot has a date. */
  readonly day: string | null;
  /** Total number of shares; null if a lot has no number of shares. */
  readonly shares: Decimal | null;
  /** Total value; null if a lot has no value. */
  readonly value: Decimal | null;
  /** Price of a single lot as filed; for several lots, `value` divided by `shares`. Null if unknown. */
  readonly price: Decimal | null;
}

/** Groups lots by side, security and status, so that counted and uncounted trades are never summed together. */
export function groupIntoLines({ transactions }: InsiderFiling, showsLots: boolean): readonly TradeLine[] {
  if (showsLots) return transactions.map((transaction) => makeTradeLine([transaction]));
  const makeKey = ({ transaction_code: code, security_title: title, value_status: status }: InsiderTransaction) =>
    JSON.stringify([code, title, status]);
  return [...groupBy(transactions, makeKey).values()].map(makeTradeLine);
}

function makeTradeLine(lots: readonly [InsiderTransaction, ...InsiderTransaction[]]): TradeLine {
  const [first] = lots;
  const count = sumOrNull(lots.map((lot) => lot.shares));
  const value = sumOrNull(lots.map((lot) => lot.transaction_value));
  const days = lots.flatMap(({ transaction_date: day }) => day ?? []).sort();
  const ownPrice = lots.length === 1 ? (first.price_per_share ?? null) : null;
  const hasMean = lots.length > 1 && value !== null && count !== null;
  return {
    lots,
    code: first.transaction_code,
    status: first.value_status,
    ...{ day: days.at(-1) ?? null, shares: count, value },
    price: hasMean ? divide(value, count) : ownPrice,
  };
}

function sumOrNull(values: readonly (Decimal | null | undefined)[]): Decimal | null {
  const known = values.flatMap((value) => value ?? []);
  if (known.length < values.length) return null;
  // A single value is returned unchanged, so that its digits remain as filed.
  return known.length === 1 ? (known[0] ?? null) : sum(known);
}
