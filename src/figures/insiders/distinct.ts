/** Trades that several filers report, each in a filing of its own: every filing is listed, the trade counts once. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { byFiling } from './amendments.ts';

/**
 * The trades that an earlier filing already reports. Equal lots inside one filing are not repeats: a filing repeats at
 * most as many as another one has.
 * @param filings of one issuer, after amendments
 */
export function repeatedTrades(filings: readonly OwnershipFiling[]): ReadonlySet<Trade> {
  const repeated = new Set<Trade>();
  const most = new Map<string, number>();
  for (const filing of [...filings].sort(byFiling)) {
    const own = new Map<string, number>();
    for (const trade of filing.trades) {
      const identity = identityOf(trade);
      if (identity === null) continue;
      const count = (own.get(identity) ?? 0) + 1;
      own.set(identity, count);
      if (count <= (most.get(identity) ?? 0)) repeated.add(trade);
    }
    for (const [identity, count] of own) most.set(identity, Math.max(count, most.get(identity) ?? 0));
  }
  return repeated;
}

/** Null where too little is known to distinguish two trades. */
function identityOf({ day, code, shares, price, ownedFollowing, directIndirect }: Trade): string | null {
  if (day === null || shares === null || price === null || ownedFollowing === null) return null;
  return [day, code, plain(shares), plain(price), plain(ownedFollowing), directIndirect ?? ''].join(' ');
}

/** 19.80 and 19.8 are one price. */
function plain(value: Decimal): Decimal {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}
