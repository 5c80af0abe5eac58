/** Ownership filings as plain values: what an insider reported, and what counts of it. */
import type { Decimal } from '../../contract/decimal-text.ts';

export type InsiderForm = '4' | '4/A' | '5' | '5/A';

export interface Owner {
  readonly cik: number;
  readonly name: string;
  readonly isDirector: boolean;
  readonly isOfficer: boolean;
  readonly isTenPercentOwner: boolean;
  readonly isOther: boolean;
  readonly officerTitle: string | null;
  readonly otherText: string | null;
}

/** One non-derivative purchase (P) or sale (S), figures with the digits as filed. */
export interface Trade {
  /** From 1: its place among all non-derivative transactions of the filing. */
  readonly ordinal: number;
  readonly securityTitle: string;
  readonly code: 'P' | 'S';
  readonly day: string | null;
  readonly shares: Decimal | null;
  readonly price: Decimal | null;
  /** A or D. A purchase marked D, or a sale marked A, is kept as filed: the code decides the side. */
  readonly acquiredDisposed: string | null;
  readonly ownedFollowing: Decimal | null;
  /** D or I. */
  readonly directIndirect: string | null;
  readonly natureOfOwnership: string | null;
  readonly footnoteIds: readonly string[];
}

export interface Footnote {
  readonly id: string;
  readonly text: string;
}

/** One Form 4 or 5 or its amendment, whether or not it holds a trade: amendments need their originals. */
export interface OwnershipFiling {
  readonly accession: string;
  readonly form: InsiderForm;
  readonly issuerCik: number;
  /** The day of the filing system's own lists; the form does not say it. */
  readonly filed: string | null;
  readonly periodOfReport: string | null;
  /** On an amendment: the day the original was filed. */
  readonly originalFiled: string | null;
  /** Whether the trades are said to follow a plan under Rule 10b5-1(c); null where the form had no such box. */
  readonly aff10b5One: boolean | null;
  readonly owners: readonly Owner[];
  readonly trades: readonly Trade[];
  readonly footnotes: readonly Footnote[];
}

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
