/** Ownership filings as plain values: what an insider reported, and what counts of it. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { OwnershipFiling, Trade } from '../../edgar/insiders/ownership-document.ts';

export type ValueStatus = 'counted' | 'suspect' | 'not_equity';

export interface JudgedTrade extends Trade {
  readonly status: ValueStatus;
  /** Shares times price; null where either is missing. */
  readonly value: Decimal | null;
  /** Another filing on record reports the same trade: listed here, counted there. */
  readonly repeated: boolean;
}

export interface JudgedFiling extends Omit<OwnershipFiling, 'trades'> {
  readonly trades: readonly JudgedTrade[];
}
