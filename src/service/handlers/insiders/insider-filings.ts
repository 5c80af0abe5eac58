/** One company's insider filings as resources of the interface, narrowed to the trades that match a filter. */

import type { InsiderFiling, InsiderTransaction } from '../../../contract/resources/insiders.ts';
import { listingUrl } from '../../../edgar/filings/addresses.ts';
import {
  INSIDER_FILINGS,
  INSIDER_FOOTNOTES,
  INSIDER_OWNERS,
  INSIDER_TRADES,
  type InsiderFilingRow,
  type InsiderTradeRow,
} from '../../../release/schema/insiders.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';
import type { CompanyName } from '../company-names.ts';

export interface InsiderFilter {
  /** Trades on or after this day. */
  readonly since: string | undefined;
  readonly code: 'P' | 'S' | null;
}

/** One filing with the trades that match; there is at least one. */
export interface MatchingFiling {
  readonly filing: InsiderFilingRow;
  readonly trades: readonly InsiderTradeRow[];
}

/** A trade without a day matches no `since`. */
export function matchesFilter(trade: Pick<InsiderTradeRow, 'day' | 'code'>, { since, code }: InsiderFilter): boolean {
  return (code === null || trade.code === code) && (since === undefined || (trade.day !== null && trade.day >= since));
}

/** The latest filing first. */
export async function matchingFilings(
  release: ReleaseReader,
  cik: number,
  filter: InsiderFilter,
): Promise<MatchingFiling[]> {
  const trades = grouped((await release.rowsOf(INSIDER_TRADES, cik)).filter((trade) => matchesFilter(trade, filter)));
  return (await release.rowsOf(INSIDER_FILINGS, cik)).flatMap((filing) => {
    const own = trades.get(filing.accession);
    return own === undefined ? [] : [{ filing, trades: own }];
  });
}

/** Owners and footnotes are read only for these filings. */
export async function filingResources(
  release: ReleaseReader,
  cik: number,
  { entityName, ticker }: CompanyName,
  filings: readonly MatchingFiling[],
): Promise<InsiderFiling[]> {
  if (filings.length === 0) return [];
  const owners = grouped(await release.rowsOf(INSIDER_OWNERS, cik));
  const footnotes = grouped(await release.rowsOf(INSIDER_FOOTNOTES, cik));
  return filings.map(({ filing: { accession, form, filed, periodOfReport, aff10b5One }, trades }) => ({
    accession_number: accession,
    cik,
    entity_name: entityName,
    form: form as InsiderFiling['form'],
    is_amendment: form.endsWith('/A'),
    source_url: listingUrl(cik, accession),
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
    transactions: trades.map(transactionOf),
    footnotes: (footnotes.get(accession) ?? []).map(({ id, text }) => ({ id, text })),
    aff10b5_one: aff10b5One,
    filed_at: filed,
    period_of_report: periodOfReport,
    ticker,
  }));
}

function transactionOf(trade: InsiderTradeRow): InsiderTransaction {
  return {
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
  };
}

function grouped<Row extends { readonly accession: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.accession);
    if (group === undefined) groups.set(row.accession, [row]);
    else group.push(row);
  }
  return groups;
}
