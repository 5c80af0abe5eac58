/** Reads insider filings as resources of the HTTP API, with only the trades that match a filter. */

import { makeFilingIndexUrl } from '../../../contract/identifiers.ts';
import type { InsiderFiling, InsiderTransaction } from '../../../contract/resources/insiders.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type {
  FootnoteRow,
  InsiderFilingRow,
  InsiderOwnerRow,
  InsiderTradeRow,
} from '../../../store/schema/insiders.ts';
import {
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  RECENT_FILINGS,
  RECENT_FOOTNOTES,
  RECENT_OWNERS,
  RECENT_TRADES,
} from '../../../store/schema/insiders.ts';
import { type CellCondition, makeCondition } from '../../../store/table-reader.ts';
import type { CompanyName } from '../coverage/company-names.ts';

export interface InsiderFilter {
  /** Selects trades on or after this day. */
  readonly since: string | undefined;
  readonly code: 'P' | 'S' | null;
}

/** A filing with its matching trades; `trades` is not empty. */
export interface MatchingFiling {
  readonly filing: InsiderFilingRow;
  readonly trades: readonly InsiderTradeRow[];
}

/** Whether a trade passes the filter. A trade without a date fails every filter with `since`. */
export const matchesFilter = (trade: Pick<InsiderTradeRow, 'day' | 'code'>, { since, code }: InsiderFilter): boolean =>
  (code === null || trade.code === code) && (since === undefined || (trade.day !== null && trade.day >= since));

/** A source of rows of insider filings: one company, or one day for all companies. */
export interface InsiderSource {
  filings(): Promise<readonly InsiderFilingRow[]>;
  trades(): Promise<readonly InsiderTradeRow[]>;
  owners(): Promise<readonly InsiderOwnerRow[]>;
  footnotes(): Promise<readonly FootnoteRow[]>;
}

/** Returns a condition that selects the rows of these filings, for any table of insider trades. */
export function makeFilingsCondition(filings: readonly { readonly accession: string }[]): CellCondition {
  const accessions = filings.map(({ accession }) => accession);
  return makeCondition('accession_number', accessions);
}

export const openCompanySource = (release: ReleaseReader, cik: number, ...tests: CellCondition[]): InsiderSource => ({
  filings: () => release.rowsOf(INSIDER_FILINGS, cik, ...tests),
  trades: () => release.rowsOf(INSIDER_TRADES, cik, ...tests),
  owners: () => release.rowsOf(INSIDER_OWNERS, cik, ...tests),
  footnotes: () => release.rowsOf(INSIDER_FOOTNOTES, cik, ...tests),
});

/** Returns the source for a filing date. Only the latest days of a release have rows. */
export const openDaySource = (release: ReleaseReader, day: number, ...tests: CellCondition[]): InsiderSource => ({
  filings: () => release.rowsOf(RECENT_FILINGS, day, ...tests),
  trades: () => release.rowsOf(RECENT_TRADES, day, ...tests),
  owners: () => release.rowsOf(RECENT_OWNERS, day, ...tests),
  footnotes: () => release.rowsOf(RECENT_FOOTNOTES, day, ...tests),
});

/**
 * Returns filings with trades that pass the filter, in the order of the source; a company's latest filing comes first.
 */
export async function readMatchingFilings(source: InsiderSource, filter: InsiderFilter): Promise<MatchingFiling[]> {
  const byFiling = groupByFiling((await source.trades()).filter((trade) => matchesFilter(trade, filter)));
  return (await source.filings()).flatMap((filing) => {
    const trades = byFiling.get(filing.accession);
    return trades === undefined ? [] : [{ filing, trades }];
  });
}

/** Converts filings to resources; reads the owners and footnotes of the source. */
export async function readFilingResources(
  source: InsiderSource,
  nameOf: (cik: number) => CompanyName,
  filings: readonly MatchingFiling[],
): Promise<InsiderFiling[]> {
  if (filings.length === 0) return [];
  const owners = groupByFiling(await source.owners());
  const footnotes = groupByFiling(await source.footnotes());
  return filings.map(({ filing: { cik, accession, form, filed, periodOfReport, aff10b5One }, trades }) => ({
    accession_number: accession,
    cik,
    entity_name: nameOf(cik).entityName,
    form: form as InsiderFiling['form'],
    is_amendment: form.endsWith('/A'),
    source_url: makeFilingIndexUrl(cik, accession),
    owners: (owners.get(accession) ?? []).map((owner) => ({
      cik: owner.ownerCik,
      name: owner.name,
      is_director: owner.isDirector,
      is_officer: owner.isOfficer,
      is_ten_percent_owner: owner.isTenPercentOwner,
      is_other: owner.isOther,
      officer_title: owner.officerTitle,
      other_text: owner.otherText,
    })),
    transactions: trades.map(toTransaction),
    footnotes: (footnotes.get(accession) ?? []).map(({ id, text }) => ({ id, text })),
    aff10b5_one: aff10b5One,
    filed_at: filed,
    period_of_report: periodOfReport,
    ticker: nameOf(cik).ticker,
  }));
}

const toTransaction = (trade: InsiderTradeRow): InsiderTransaction => ({
  ordinal: trade.ordinal,
  security_title: trade.securityTitle,
  transaction_code: trade.code,
  footnote_ids: trade.footnoteIds === '' ? [] : trade.footnoteIds.split(','),
  value_status: trade.status,
  acquired_disposed_code: trade.acquiredDisposed,
  direct_indirect_ownership: trade.directIndirect,
  nature_of_ownership: trade.natureOfOwnership,
  price_per_share: trade.price,
  shares: trade.shares,
  shares_owned_following: trade.ownedFollowing,
  transaction_value: trade.value,
  transaction_date: trade.day,
  ...(trade.repeated ? { repeated: true } : {}),
});

const groupByFiling = <Row extends { readonly accession: string }>(rows: readonly Row[]) =>
  groupBy(rows, ({ accession }) => accession);
