/** Which of an issuer's ownership filings are shown, and which of their trades count. */

import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';
import { settleAmendments } from './amendments.ts';
import { repeatedTrades } from './distinct.ts';
import type { ValueStatus } from './value-status.ts';
import { valueStatus } from './value-status.ts';

export interface JudgedFiling extends Omit<OwnershipFiling, 'trades'> {
  readonly trades: readonly JudgedTrade[];
}

export interface JudgedTrade extends Trade {
  readonly status: ValueStatus;
  /** Shares times price; null where either is missing. */
  readonly value: Decimal | null;
  /** An earlier filing reports the same trade: listed here, counted there. */
  readonly repeated: boolean;
}

export interface Judged {
  /** Filings with a purchase or sale, earliest first. */
  readonly filings: readonly JudgedFiling[];
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * @param filings of one issuer, one for each accession
 * @param closeOn the last price of a day on the exchange, as traded then; null where it is not known
 */
export function judgeInsiders(
  filings: readonly OwnershipFiling[],
  closeOn: (day: string) => Decimal | null = () => null,
): Judged {
  const { effective, skipped } = settleAmendments(filings);
  const repeated = repeatedTrades(effective);
  return {
    filings: effective
      .filter(({ trades }) => trades.length > 0)
      .map((filing) => ({
        ...filing,
        trades: filing.trades.map((trade) => ({
          ...trade,
          status: valueStatus(trade, filing.filed, trade.day === null ? null : closeOn(trade.day)),
          value: trade.shares === null || trade.price === null ? null : multiply(trade.shares, trade.price),
          repeated: repeated.has(trade),
        })),
      })),
    skipped: {
      'an ownership filing that an amendment supersedes': skipped.superseded,
      'an amendment without one original to match': skipped.unmatched,
    },
  };
}
